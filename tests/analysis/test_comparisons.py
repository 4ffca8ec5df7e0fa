"""Values of an option are compared in cells that differ in nothing else, and read out."""

from dataclasses import replace

import numpy as np
import pytest
from planned_cells import cells

from gatewalk.analysis.comparisons import (
    MOST_PAIRS,
    compare_cells,
    comparison_figure,
    sentence,
)
from gatewalk.errors import InputError
from gatewalk.stats.sample import sample


def test_pairs_differ_in_the_option_alone():
    grid = cells(target=["and:3", "and:4"], nodes=["n", "2n"], selection=["strict", "nonstrict"])
    compared = compare_cells(grid, "nodes")
    assert [(pair.label, pair.first, pair.second) for pair in compared.pairs] == [
        (f"and:{n} {selection}", "n", "2n") for n in (3, 4) for selection in ("strict", "nonstrict")
    ]
    trees = compare_cells(
        cells(target="and:3", algorithm=["cgp", "tgp-multi"], nodes=["n", "2n"]), "algorithm"
    )
    assert len(trees.pairs) == 2


def test_trees_are_named_without_nodes_and_mutation():
    grid = cells(
        target="and:3", algorithm=["cgp", "tgp-multi"], nodes=["n", "2n"], selection=["strict", "nonstrict"]
    )
    assert [pair.label for pair in compare_cells(grid, "selection").pairs] == [
        "and:3 cgp nodes=n",
        "and:3 cgp nodes=2n",
        "and:3 tgp-multi",
    ]


def test_the_only_option_that_differs_needs_no_name():
    assert compare_cells(cells(target=["and:3", "and:4"], offspring=[1, 4])).by == "lambda"


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (None, "the options nodes, selection differ"),
        ("target", "unknown option 'target'"),
        ("profile", "no two cells differ"),
    ],
)
def test_what_cannot_be_compared(by, says):
    with pytest.raises(InputError, match=says):
        compare_cells(cells(target="and:3", nodes=[3, 4], selection=["strict", "nonstrict"]), by)


def test_a_large_difference_is_read_out():
    first, second = cells(target="and:3", selection=["strict", "nonstrict"])
    slow = replace(first, runs=sample(np.arange(100, 130), [True] * 30))
    fast = replace(second, runs=sample(np.arange(30), [True] * 30))
    compared = compare_cells([slow, fast])
    (pair,) = compared.pairs
    assert pair.differs
    assert pair.a12 == 0.0
    words = sentence(pair)
    assert words.startswith(
        "and:3: nonstrict is faster than strict: of two runs that of nonstrict ends first in 100 %"
    )
    assert "14.5 against 114.5 iterations per success" in words
    assert repr(compared) == "<Comparisons by selection: 1 pairs, 1 differ>"
    assert "<td>differ</td>" in compared._repr_html_()


@pytest.mark.parametrize(
    ("solved", "words"),
    [
        ((True, False), "5 iterations per success against no success"),
        ((False, False), "neither was solved"),
    ],
)
def test_what_was_never_solved_is_read_out(solved, words):
    first, second = cells(target="and:3", selection=["strict", "nonstrict"])
    pair = [
        replace(cell, runs=sample([5] * 9, [is_solved] * 9))
        for cell, is_solved in zip((first, second), solved, strict=True)
    ]
    assert words in sentence(compare_cells(pair).pairs[0])


def test_budgets_are_made_equal():
    first, second = cells(target="and:3", selection=["strict", "nonstrict"])
    short = replace(first, runs=sample([5, 10], [True, False]))
    long = replace(second, runs=sample([5, 50], [True, True]))
    (pair,) = compare_cells([short, long]).pairs
    assert pair.a12 == 0.5
    assert pair.ert == (15.0, 15.0)


def test_a_row_for_each_pair():
    slow_3, fast_3, same_4, other_4 = cells(target=["and:3", "and:4"], selection=["strict", "nonstrict"])
    slow_3 = replace(slow_3, runs=sample(np.arange(100, 130), [True] * 30))
    fast_3 = replace(fast_3, runs=sample(np.arange(30), [True] * 30))
    compared = compare_cells([slow_3, fast_3, same_4, other_4])
    (axes,) = comparison_figure(compared).axes
    _, *drawn = axes.lines  # the first is at a half
    for pair, span, mark, differs in zip(compared.pairs, drawn[::2], drawn[1::2], (True, False), strict=True):
        assert pair.differs is differs
        assert list(span.get_xdata()) == [pair.interval.low, pair.interval.high]
        assert list(mark.get_xdata()) == [pair.a12]
        assert (mark.get_markerfacecolor() == mark.get_color()) is differs  # filled where they differ
    words = [label.get_text() for label in axes.get_yticklabels()]
    assert words == ["and:3: strict before nonstrict", "and:4: strict before nonstrict"]
    assert axes.yaxis_inverted()


def test_too_many_pairs_are_refused():
    (pair,) = compare_cells(cells(target="and:3", selection=["strict", "nonstrict"])).pairs
    compared = compare_cells(cells(target="and:3", selection=["strict", "nonstrict"]))
    many = replace(compared, pairs=(pair,) * (MOST_PAIRS + 1))
    with pytest.raises(InputError, match=f"{MOST_PAIRS + 1} pairs do not fit"):
        comparison_figure(many)
