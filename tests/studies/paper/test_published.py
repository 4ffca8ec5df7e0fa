"""The published numbers are all there and agree with each other."""

from __future__ import annotations

from math import isnan

import pytest

from gatewalk.studies.paper.models import MODELS, SELECTIONS
from gatewalk.studies.paper.published import REPLICATIONS, _lines, figure, table2


def test_table2_has_every_cell() -> None:
    wanted = {(s, m.name, n) for s in SELECTIONS for m in MODELS for n in range(3, 16)}
    assert set(table2()) == wanted


def test_plotted_means_are_the_printed_ones_before_rounding() -> None:
    plotted = figure("fig2", "runtime")
    printed = {}
    for line in _lines("table2.csv"):
        model = line["model"].removeprefix("simple_").replace("_sam", "").replace("_", "-")
        printed[line["selection"].replace("-", ""), model, int(line["n"])] = line["mean"]
    assert len(plotted) == 123
    for key, value in plotted.items():
        # read from vector graphics to four digits on a logarithmic axis
        assert float(printed[key]) == pytest.approx(value, abs=0.51, rel=1e-3)


def test_cells_without_success_have_no_numbers() -> None:
    for row in table2().values():
        assert 0 <= row.successes <= REPLICATIONS
        assert (row.successes == 0) == isnan(row.mean)
    failed = {key for key, row in table2().items() if row.successes == 0}
    assert failed == {("strict", "cgp-1n", n) for n in range(9, 16)}


@pytest.mark.parametrize("quantity", ["runtime", "generalisation"])
def test_figure3_has_every_point(quantity: str) -> None:
    found = figure("fig3", quantity)
    assert set(found) == {(s, m.name, n) for s in SELECTIONS for m in MODELS for n in range(3, 51)}
    if quantity == "generalisation":
        assert all(0.5 < value <= 1 for value in found.values())
