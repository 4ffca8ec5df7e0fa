"""Cells of a store with their running times, in the unit that is asked for."""

from __future__ import annotations

import pytest
from planned_cells import cells

from gatewalk import settings
from gatewalk.analysis.cells import UNITS, cells_of
from gatewalk.analysis.curves import curves, settings_along
from gatewalk.analysis.known_times import exact_law, exact_time, upper_bound
from gatewalk.campaign import campaign, run
from gatewalk.errors import InputError


@pytest.fixture(scope="module")
def results():
    with run(campaign(target=["and:2", "and:3"], nodes="2n", replications=4, seed=7), jobs=1) as found:
        yield found


@pytest.mark.parametrize("unit", UNITS)
def test_times_are_those_of_the_column(results, unit):
    found = cells_of(results, unit=unit)
    assert [cell.label for cell in found] == ["and:2", "and:3"]
    assert [cell.values["nodes"] for cell in found] == [4, 6]
    assert [cell.options["nodes"] for cell in found] == ["2n", "2n"]
    for cell, (_, columns) in zip(found, results.by_cell(), strict=True):
        assert cell.runs.iterations.tolist() == columns[unit]
        assert cell.runs.solved.all()
        assert cell.columns == columns
        assert cell.observed == {}


def test_only_some_cells(results):
    (cell,) = cells_of(results.where(target="and:3"))
    assert (cell.settings.target, cell.runs.runs) == ("and:3", 4)


def test_unknown_units_and_empty_stores_are_refused(results):
    with pytest.raises(InputError, match="unknown unit of time 'seconds'; use iterations, evaluations"):
        cells_of(results, unit="seconds")
    with pytest.raises(InputError, match="there are no finished runs"):
        cells_of(results.where(target="and:9"))


def test_curves_are_named_by_what_differs():
    found = curves(cells(target=["and:3", "and:4"], nodes=["n", "2n"], selection="strict"))
    assert {name: list(along) for name, along in found.items()} == {"nodes=n": [3, 4], "nodes=2n": [3, 4]}
    found = curves(cells(target=["and:3", "or:4"]))
    assert {name: list(along) for name, along in found.items()} == {"and": [3], "or": [4]}
    assert list(curves(cells(target=["and:3", "and:4"]))) == ["and"]


def test_other_axes():
    found = curves(cells(target=["and:3", "and:4"], nodes=[5, 9]), "nodes")
    assert {name: list(along) for name, along in found.items()} == {"and:3": [5, 9], "and:4": [5, 9]}
    found = curves(cells(target="and:4", offspring=[1, 4], mutation=["sam", "point:1"]), "lambda")
    assert {name: list(along) for name, along in found.items()} == {"sam": [1, 4], "point:1": [1, 4]}


def test_trees_and_laws_have_names_too():
    found = curves(cells(target=["and:3"], algorithm=["cgp", "tgp-multi"], law={"ties": ["coin", "accept"]}))
    assert set(found) == {"cgp ties=coin", "cgp ties=accept", "tgp-multi ties=coin", "tgp-multi ties=accept"}


def test_cells_of_one_name_and_place_become_one():
    found = curves(cells(target="and:4", nodes=[5, 9]), label=lambda cell: "all")
    assert found["all"][4].runs == 4


def test_settings_are_found_along_curves():
    found = settings_along(cells(target=["and:3", "and:4"], nodes=["n", "2n"]))
    assert {name: {n: one.nodes for n, one in along.items()} for name, along in found.items()} == {
        "nodes=n": {3: 3, 4: 4},
        "nodes=2n": {3: 6, 4: 8},
    }


def test_axes_are_numbers():
    with pytest.raises(InputError, match="unknown axis 'selection'; use n, nodes, lambda, budget"):
        curves(cells(target="and:3"), "selection")
    assert curves(cells(target="and:3", algorithm="tgp-multi"), "nodes") == {}


def test_bounds():
    found = upper_bound(settings("and:5"))
    assert found is not None
    assert found.name == "Theorem 6"
    assert upper_bound(settings("and:5", algorithm="tgp-multi")) is None
    assert upper_bound(settings("and:5", training="sample")) is None


def test_exact_times_and_laws_agree():
    made = settings("and:3", nodes=2)
    law, mean = exact_law(made), exact_time(made)
    assert law is not None
    assert mean is not None
    assert mean == pytest.approx(sum(law.exceeds(t) for t in range(20_000)))


@pytest.mark.parametrize(
    "options",
    [{"mutation": "point:1"}, {"algorithm": "tgp-multi"}, {"training": "sample"}, {"nodes": 30}],
)
def test_what_is_not_known(options):
    made = settings("and:4", **options)
    assert exact_time(made) is None
    assert exact_law(made) is None
