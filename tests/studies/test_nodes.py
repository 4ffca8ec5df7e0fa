"""Verdicts on more nodes, the first spare node and strict selection."""

from __future__ import annotations

import pytest
from made_up import around
from planned_cells import cells

from gatewalk_studies.nodes import study

TIES, STRICT = "n = 4, nonstrict", "n = 4, strict"
USUAL = {
    TIES: {3: around(900.0), 4: around(450.0), 16: around(100.0)},
    STRICT: {3: around(9000.0), 4: around(2500.0), 16: around(150.0)},
}
FLAT = {name: {d: around(500.0) for d in (3, 4, 16)} for name in USUAL}


@pytest.mark.parametrize("claim", [study._more_nodes, study._first_node, study._strict])
def test_each_verdict_can_be_missed(claim):
    assert callable(claim)
    assert claim(USUAL).verdict == "confirmed"
    assert claim(FLAT).verdict == "not confirmed"


def test_what_is_measured_is_said():
    assert "n = 4, strict: 9,000 iterations at D = 3, 150 at D = 16" in study._more_nodes(USUAL).measured
    assert "from D = 3 to 4 the time is divided by 2" in study._first_node(USUAL).measured
    assert "n = 4: 10 times the non-strict time at D = 3, 1.5 times at D = 16" in (
        study._strict(USUAL).measured
    )


def test_cells_are_told_apart_by_size_and_selection():
    assert [study._label(cell) for cell in cells(target="and:4", selection=["nonstrict", "strict"])] == [
        TIES,
        STRICT,
    ]


def test_the_figure_has_the_expected_times_by_nodes_per_input():
    (axes,) = study.draw({TIES: USUAL[TIES]}).axes
    curve = next(line for line in axes.lines if len(line.get_xdata()) == 3 and line.get_marker() == "o")
    assert curve.get_ydata() == pytest.approx([900.0, 450.0, 100.0])
    assert curve.get_xdata() == pytest.approx([nodes / 4 for nodes in USUAL[TIES]])
    assert all(high > low for low, high in (bar[:, 1] for bar in axes.collections[0].get_segments()))
