"""Running times along an axis."""

import pytest
from report_stores import everything, nothing, unsolved

from gatewalk.analysis import ert
from gatewalk.campaign import campaign, run
from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.times import Known, times
from gatewalk.theory import exact


def test_curves_have_what_was_measured_and_what_is_known() -> None:
    cells = read_cells(everything())
    along = times(cells, Known())["axes"][0]
    curve = along["curves"][0]
    assert (along["x"], curve["at"], curve["runs"]) == ("n", [2, 3, 4], [12, 12, 12])
    assert curve["ert"][0] == pytest.approx(ert(cells.runs[0].runs), rel=1e-5)
    assert curve["exact"][1] == pytest.approx(exact("and:3", nodes=3).expected_iterations, rel=1e-5)
    assert all(
        low < value < high for low, value, high in zip(curve["low"], curve["ert"], curve["high"], strict=True)
    )
    assert all(
        bound is None or bound > value for bound, value in zip(curve["bound"], curve["ert"], strict=True)
    )


def test_other_axes_where_a_number_differs() -> None:
    several = campaign(target="and:3", nodes=[3, 6], offspring=[1, 2], replications=2, seed=1)
    found = times(read_cells(run(several, jobs=1)), Known())
    assert {one["x"]: one["curves"][0]["at"] for one in found["axes"]} == {"nodes": [3, 6], "lambda": [1, 2]}


def test_unsolved_cells_have_the_time_spent() -> None:
    curve = times(read_cells(unsolved()), Known())["axes"][0]["curves"][0]
    assert (curve["ert"], curve["spent"], curve["high"]) == ([None], [6], [None])


def test_without_runs_the_reason_is_said() -> None:
    assert times(read_cells(nothing()), Known()) == {"axes": [], "reason": "There is no finished run yet."}
