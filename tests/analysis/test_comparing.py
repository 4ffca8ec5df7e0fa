"""Values of an option are compared in cells that differ in nothing else, and read out."""

from __future__ import annotations

import numpy as np
import pytest
from planned_cells import cells

from gatewalk.analysis.comparing import a12_interval, compare_cells, holm, sentence
from gatewalk.analysis.statistics import sample
from gatewalk.errors import InputError


def test_pairs_differ_in_the_option_alone() -> None:
    grid = cells(target=["and:3", "and:4"], nodes=["n", "2n"], selection=["strict", "nonstrict"])
    found = compare_cells(grid, "nodes")
    assert [(pair.label, pair.first, pair.second) for pair in found.pairs] == [
        (f"and:{n} {selection}", "n", "2n") for n in (3, 4) for selection in ("strict", "nonstrict")
    ]
    trees = compare_cells(
        cells(target="and:3", algorithm=["cgp", "tgp-multi"], nodes=["n", "2n"]), "algorithm"
    )
    assert len(trees.pairs) == 2


def test_trees_are_named_without_nodes_and_mutation() -> None:
    grid = cells(
        target="and:3", algorithm=["cgp", "tgp-multi"], nodes=["n", "2n"], selection=["strict", "nonstrict"]
    )
    assert [pair.label for pair in compare_cells(grid, "selection").pairs] == [
        "and:3 cgp nodes=n",
        "and:3 cgp nodes=2n",
        "and:3 tgp-multi",
    ]


def test_the_only_option_that_differs_needs_no_name() -> None:
    assert compare_cells(cells(target=["and:3", "and:4"], offspring=[1, 4])).by == "lambda"


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (None, "the options nodes, selection differ"),
        ("target", "no option"),
        ("profile", "no two cells differ"),
    ],
)
def test_what_cannot_be_compared(by: str | None, says: str) -> None:
    with pytest.raises(InputError, match=says):
        compare_cells(cells(target="and:3", nodes=[3, 4], selection=["strict", "nonstrict"]), by)


def test_a_large_difference_is_read_out() -> None:
    from dataclasses import replace

    first, second = cells(target="and:3", selection=["strict", "nonstrict"])
    slow = replace(first, runs=sample(np.arange(100, 130), [True] * 30))
    fast = replace(second, runs=sample(np.arange(30), [True] * 30))
    found = compare_cells([slow, fast])
    (pair,) = found.pairs
    assert pair.differs
    assert pair.a12 == 0.0
    words = sentence(pair)
    assert words.startswith(
        "and:3: nonstrict is faster than strict: of two runs that of nonstrict ends first in 100%"
    )
    assert "14.5 against 114.5 iterations per success" in words
    assert repr(found) == "<Comparisons by selection: 1 pairs, 1 differ>"
    assert "<td>differ</td>" in found._repr_html_()


def test_budgets_are_made_equal() -> None:
    from dataclasses import replace

    first, second = cells(target="and:3", selection=["strict", "nonstrict"])
    short = replace(first, runs=sample([5, 10], [True, False]))
    long = replace(second, runs=sample([5, 50], [True, True]))
    (pair,) = compare_cells([short, long]).pairs
    assert pair.a12 == 0.5
    assert pair.ert == (15.0, 15.0)


def test_holm_and_newcombe() -> None:
    assert holm([0.02, 0.5, 0.9]) == pytest.approx([0.06, 1.0, 1.0])
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []
    for a12 in (0.0, 0.3, 0.5, 1.0):
        found, mirrored = a12_interval(a12, 10, 30), a12_interval(1 - a12, 10, 30)
        assert 0 <= found.low <= a12 <= found.high <= 1
        assert found.low == pytest.approx(1 - mirrored.high)
