"""Active nodes of solutions: the file, our runs beside it, and the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goldman_cells import cells

from gatewalk.studies.goldman_punch.active_nodes import (
    Active,
    active_of,
    active_table,
    parsimony,
    read_active,
)
from gatewalk.studies.goldman_punch.cells import Key


def test_parsimony() -> None:
    rows = [
        Active(
            problem="multiply",
            nodes=d,
            mutation="sam",
            mean=40.0,
            deviation=2.0,
            runs=50,
            ours=(38.0, 40.0, 42.0),
        )
        for d in (60, 100)
    ]
    assert parsimony(rows, quick=False).verdict == "confirmed"
    off = [rows[0], Active(**{**vars(rows[1]), "mean": 90.0})]
    assert parsimony(off, quick=False).verdict == "partly confirmed"
    assert [row[2] for row in active_table(rows).rows] == ["60", "100"]


def test_the_file_has_cells_of_fifty_runs() -> None:
    rows = read_active()
    assert {row.runs for row in rows} == {50}
    assert all(0 < row.mean <= row.nodes and row.deviation >= 0 for row in rows)
    assert len({(row.problem, row.nodes, row.mutation) for row in rows}) == len(rows)


def test_only_solved_runs_of_ours_count_and_two_are_needed() -> None:
    key = Key("multiply", 3000, "sam")
    ours = {key: cells()[key]}
    for solved, kept in (([True, False, True], (40.0, 44.0)), ([True, False, False], None)):
        columns = {"gates": [40, 99, 44], "solved": solved}
        found = active_of({key: replace(ours[key], columns=columns)})
        assert [row.ours for row in found] == ([] if kept is None else [kept])


@pytest.mark.parametrize(("mean", "p_value"), [(5.0, 1.0), (6.0, 0.0)])
def test_solutions_without_any_spread_are_equal_or_not(mean: float, p_value: float) -> None:
    row = Active(
        problem="breadth", nodes=6, mutation="sam", mean=mean, deviation=0.0, runs=50, ours=(5.0, 5.0, 5.0)
    )
    assert row.p_value == p_value
