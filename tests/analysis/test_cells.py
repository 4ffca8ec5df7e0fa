"""Cells of a store with their running times, in the unit that is asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gatewalk.analysis.cells import UNITS, cells_of
from gatewalk.campaign import Results, campaign, run
from gatewalk.errors import InputError


@pytest.fixture(scope="module")
def results() -> Iterator[Results]:
    with run(campaign(target=["and:2", "and:3"], nodes="2n", replications=4, seed=7), jobs=1) as found:
        yield found


@pytest.mark.parametrize("unit", UNITS)
def test_times_are_those_of_the_column(results: Results, unit: str) -> None:
    found = cells_of(results, unit=unit)
    assert [cell.label for cell in found] == ["and:2", "and:3"]
    assert [cell.values["nodes"] for cell in found] == [4, 6]
    assert [cell.options["nodes"] for cell in found] == ["2n", "2n"]
    for cell, (_, columns) in zip(found, results.by_cell(), strict=True):
        assert cell.runs.iterations.tolist() == columns[unit]
        assert cell.runs.solved.all()
        assert cell.columns == columns
        assert cell.observed == {}


def test_only_some_cells(results: Results) -> None:
    (cell,) = cells_of(results.where(target="and:3"))
    assert (cell.settings.target, cell.runs.runs) == ("and:3", 4)


def test_unknown_units_and_empty_stores_are_refused(results: Results) -> None:
    with pytest.raises(InputError, match="no unit of time 'seconds'; use iterations, evaluations"):
        cells_of(results, unit="seconds")
    with pytest.raises(InputError, match="there are no finished runs"):
        cells_of(results.where(target="and:9"))
