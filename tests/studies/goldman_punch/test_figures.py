"""The figures of the study have what was published and what was run."""

from __future__ import annotations

from goldman_cells import THEIRS, cells

from gatewalk.studies.goldman_punch import figures
from gatewalk.studies.goldman_punch.active_nodes import Active


def test_three_panels_of_evaluations() -> None:
    lengths, rates, sizes = figures.draw_evaluations(cells(), THEIRS, None).axes
    for axes in (lengths, rates, sizes):
        assert axes.get_xscale() == axes.get_yscale() == "log"
        assert axes.lines
    named = [text.get_text() for text in rates.get_legend().get_texts()]
    assert named == list(figures.PROBLEMS)


def test_active_nodes_of_both_sides() -> None:
    rows = [
        Active(
            problem="multiply",
            nodes=d,
            mutation="sam",
            mean=0.5 * d,
            deviation=2.0,
            runs=50,
            ours=(20.0, 30.0),
        )
        for d in (100, 60)
    ]
    (axes,) = figures.draw_active(rows).axes
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines]
    assert ([60, 100], [25.0, 25.0]) in drawn  # ours, by their nodes
    assert ([60, 100], [30.0, 50.0]) in drawn  # published


def test_shares_of_identical_offspring_are_binned_by_genes() -> None:
    seen = {"rate": 0.01, "genes": [10, 20, 300], "offspring": [400, 400, 10], "identical": [360, 320, 0]}
    places, shares = figures._binned(seen)
    assert places[0] == 10.0
    assert shares[0] == 0.9
    assert max(places) < 300  # too few offspring to tell
    (axes,) = figures.draw_identical([seen, seen | {"rate": 0.4}]).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["rate 0.01"]
