"""Cells by the names of the papers."""

from __future__ import annotations

from collections import Counter

from goldman_cells import STUDY, THEIRS, cells

from gatewalk.studies.folder import cells_of
from gatewalk.studies.goldman_punch.cells import PROBLEMS, Key, problem_named, published_runs


def test_every_cell_of_the_campaign_has_a_key_and_published_runs() -> None:
    ours = cells()
    assert len(ours) == len(cells_of(STUDY))  # no two have the same key
    assert ours.keys() == THEIRS.keys()
    assert Key("multiply", 3000, "sam") in ours
    counted = Counter(key.problem for key in ours)
    assert set(counted) == {*PROBLEMS.values(), "breadth"}


def test_problems_have_the_names_of_the_papers() -> None:
    assert [problem_named(name) for name in ("mul:3", "epar:3", "or:95")] == ["multiply", "parity", "breadth"]


def test_published_runs_are_not_cut() -> None:
    assert THEIRS[Key("parity", 3000, "sam")].runs == 50
    assert published_runs(STUDY).keys() == THEIRS.keys()
