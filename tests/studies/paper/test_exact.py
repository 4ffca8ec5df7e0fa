"""Exact expectations stand beside runs of the same search."""

from __future__ import annotations

from math import inf

import pytest

from gatewalk.studies.paper.exact import Moments, exact_table, exact_times
from gatewalk.studies.paper.experiments import Cell, Place

Cells = dict[Place, Cell]


def test_exact_values_belong_to_their_cells(cells: Cells) -> None:
    wanted = {place: cell for place, cell in cells.items() if place.n == 3}
    found = exact_times(wanted)
    assert found[Place("complete", "tinyverse", "strict", "tgp-single", 3)].mean == pytest.approx(12.5)
    assert found[Place("complete", "paper", "nonstrict", "cgp-1n", 3)].mean == pytest.approx(
        11.946156, abs=1e-5
    )
    assert found[Place("xor", "paper", "nonstrict", "cgp-n-1", 3)].mean == pytest.approx(26.838346, abs=1e-5)
    assert all(value.mean < inf and place.part != "incomplete" for place, value in found.items())
    table = exact_table(wanted, found)
    assert len(table.rows) == len(found)


def test_a_difference_is_in_exact_standard_errors(cells: Cells) -> None:
    place = Place("complete", "tinyverse", "strict", "tgp-single", 3)
    data = cells[place].all_runs
    table = exact_table(cells, {place: Moments(float(data.iterations.mean()), 5.0)})
    assert table.rows[0][-2:] == ("0", "1.000")
    assert table.note.startswith("1 of 1 ")
