"""Verdicts on incomplete training sets, and what is counted in runs."""

from __future__ import annotations

import pytest

from gatewalk.campaign import campaign, plan
from gatewalk_studies.incomplete import study


def rows(**changes):
    """Cells in which the level drops in a tenth of the runs and ends at the logarithm of the rows."""
    made = []
    for selection in study.SELECTIONS:
        for n, count in ((8, 16), (16, 32), (32, 64)):
            usual = {
                "selection": selection,
                "n": n,
                "rows": count,
                "runs": 100,
                "iterations": 9999,
                "ups": 400,
                "downs": 20,
                "runs_with_a_drop": 10,
                "final_levels": 100 * count.bit_length(),
            }
            made.append(usual | changes)
    return made


@pytest.mark.parametrize(
    ("claim", "changes"),
    [
        (study._drops, {"runs_with_a_drop": 0}),
        (study._rises, {"downs": 300}),
        (study._final, {"final_levels": 500, "n": 8}),
    ],
)
def test_each_verdict_can_be_missed(claim, changes):
    assert claim(rows()).verdict == "confirmed"
    assert claim(rows(**changes)).verdict != "confirmed"


def test_levels_are_counted_in_every_run():
    (cell,) = plan(campaign(target="and:6", nodes="2n", training="sample", replications=3, seed=2))
    seen = study.observe(cell, jobs=1)
    assert (seen["n"], seen["rows"], seen["runs"]) == (6, cell.search.rows, 3)
    assert 0 <= seen["runs_with_a_drop"] <= 3
    assert seen["ups"] >= seen["downs"]
    assert seen["iterations"] >= seen["ups"] + seen["downs"]
    assert 3 <= seen["final_levels"] <= 3 * 6


def test_the_figure_has_a_curve_for_each_selection():
    left, right = study.draw(rows()).axes
    for axes in (left, right):
        assert [text.get_text() for text in axes.get_legend().get_texts()] == list(study.SELECTIONS)
    assert list(right.lines[0].get_ydata()) == [5.0, 6.0, 7.0]
