"""Cells as a report reads them."""

import numpy as np
import pytest
from report_stores import everything, nothing

from gatewalk.analysis import cells_of
from gatewalk.report.sections import cells as module
from gatewalk.report.sections.cells import read_cells


def test_runs_are_those_of_the_store() -> None:
    found, whole = read_cells(everything()).runs, cells_of(everything())
    assert [cell.label for cell in found] == [cell.label for cell in whole]
    for one, other in zip(found, whole, strict=True):
        assert one.runs.iterations.tolist() == other.runs.iterations.tolist()
        assert one.runs.solved.tolist() == other.runs.solved.tolist()
        assert one.columns["gates"].tolist() == other.columns["gates"]
        shares = [np.nan if share is None else share for share in other.columns["generalisation"]]
        assert np.array_equal(one.columns["generalisation"], shares, equal_nan=True)


def test_cells_without_runs_have_counts_only() -> None:
    found = read_cells(nothing())
    assert (len(found.stored), found.read, found.unread) == (1, (), 0)


def test_of_too_many_cells_some_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 4)
    found = read_cells(everything())
    assert (len(found.read), found.unread) == (4, len(found.stored) - 4)


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    read_cells(everything(), tell=lambda words, share: told.append((words, share)))
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1
