"""The forest of comparisons: a row for each pair, at its A12 and over its interval."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from planned_cells import cells

from gatewalk.analysis.comparing import compare_cells
from gatewalk.analysis.comparison_figure import MOST_PAIRS, comparison_figure
from gatewalk.analysis.statistics import sample
from gatewalk.errors import InputError


def test_a_row_for_each_pair() -> None:
    slow_3, fast_3, same_4, other_4 = cells(target=["and:3", "and:4"], selection=["strict", "nonstrict"])
    slow_3 = replace(slow_3, runs=sample(np.arange(100, 130), [True] * 30))
    fast_3 = replace(fast_3, runs=sample(np.arange(30), [True] * 30))
    found = compare_cells([slow_3, fast_3, same_4, other_4])
    (axes,) = comparison_figure(found).axes
    _, *drawn = axes.lines  # the first is at a half
    for pair, span, mark, differs in zip(found.pairs, drawn[::2], drawn[1::2], (True, False), strict=True):
        assert pair.differs is differs
        assert list(span.get_xdata()) == [pair.interval.low, pair.interval.high]
        assert list(mark.get_xdata()) == [pair.a12]
        assert (mark.get_markerfacecolor() == mark.get_color()) is differs  # filled where they differ
    words = [label.get_text() for label in axes.get_yticklabels()]
    assert words == ["and:3: strict before nonstrict", "and:4: strict before nonstrict"]
    assert axes.yaxis_inverted()


def test_too_many_pairs_are_refused() -> None:
    (pair,) = compare_cells(cells(target="and:3", selection=["strict", "nonstrict"])).pairs
    found = compare_cells(cells(target="and:3", selection=["strict", "nonstrict"]))
    many = replace(found, pairs=(pair,) * (MOST_PAIRS + 1))
    with pytest.raises(InputError, match=f"{MOST_PAIRS + 1} pairs do not fit"):
        comparison_figure(many)
