"""Cells of a store with their running times, in the unit that is asked for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from planned_cells import cells
from report_stores import everything, nothing

from gatewalk import search_for
from gatewalk.analysis import cells as cells_module
from gatewalk.analysis.cells import UNITS, cells_of, read_cells
from gatewalk.analysis.curves import curves, searches_along
from gatewalk.analysis.known_times import exact_time, exact_time_and_law, upper_bound
from gatewalk.campaign import campaign, run
from gatewalk.errors import InputError


@pytest.fixture(scope="module")
def results():
    with run(campaign(target=["and:2", "and:3"], nodes="2n", replications=4, seed=7), jobs=1) as stored:
        yield stored


@pytest.mark.parametrize("unit", UNITS)
def test_times_are_those_of_the_column(results, unit):
    measured = cells_of(results, unit=unit)
    assert [cell.label for cell in measured] == ["and:2", "and:3"]
    assert [cell.values["nodes"] for cell in measured] == [4, 6]
    assert [cell.words["nodes"] for cell in measured] == ["2n", "2n"]
    for cell, (_, columns) in zip(measured, results.by_cell(), strict=True):
        assert cell.runs.iterations.tolist() == columns[unit]
        assert cell.runs.solved.all()
        assert cell.columns == columns
        assert cell.observed == {}


def test_only_some_cells(results):
    (cell,) = cells_of(results.where(target="and:3"))
    assert (cell.search.target.name, cell.runs.runs) == ("and:3", 4)


def test_unknown_units_and_empty_stores_are_refused(results):
    with pytest.raises(InputError, match="unknown unit of time 'seconds'; use iterations, evaluations"):
        cells_of(results, unit="seconds")
    with pytest.raises(InputError, match="there are no finished runs"):
        cells_of(replace(results, numbers=()))


def test_a_page_has_the_same_runs():
    read, whole = read_cells(everything()).runs, cells_of(everything())
    assert [cell.label for cell in read] == [cell.label for cell in whole]
    for cell, same in zip(read, whole, strict=True):
        assert (cell.search, cell.words, cell.values) == (same.search, same.words, same.values)
        assert cell.runs.iterations.tolist() == same.runs.iterations.tolist()
        assert cell.runs.solved.tolist() == same.runs.solved.tolist()
        for name in ("run", "iterations", "solved", "gates"):
            assert cell.columns[name].tolist() == same.columns[name]
        shares = [np.nan if share is None else share for share in same.columns["generalisation"]]
        assert np.array_equal(cell.columns["generalisation"], shares, equal_nan=True)


def test_cells_without_runs_have_counts_only():
    read = read_cells(nothing())
    assert (len(read.stored), read.read, read.unread) == (1, (), 0)


def test_of_too_many_cells_some_are_not_read(monkeypatch):
    monkeypatch.setattr(cells_module, "MOST_CELLS", 4)
    read = read_cells(everything())
    assert (len(read.read), read.unread) == (4, len(read.stored) - 4)


def test_the_progress_of_reading_is_told():
    shares = []
    read_cells(everything(), on_progress=lambda share, words: shares.append(share))
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] < 1


def test_curves_are_named_by_what_differs():
    by_name = curves(cells(target=["and:3", "and:4"], nodes=["n", "2n"], selection="strict"))
    assert {name: list(along) for name, along in by_name.items()} == {"nodes=n": [3, 4], "nodes=2n": [3, 4]}
    by_name = curves(cells(target=["and:3", "or:4"]))
    assert {name: list(along) for name, along in by_name.items()} == {"and": [3], "or": [4]}
    assert list(curves(cells(target=["and:3", "and:4"]))) == ["and"]


def test_other_axes():
    by_name = curves(cells(target=["and:3", "and:4"], nodes=[5, 9]), "nodes")
    assert {name: list(along) for name, along in by_name.items()} == {"and:3": [5, 9], "and:4": [5, 9]}
    by_name = curves(cells(target="and:4", offspring=[1, 4], mutation=["sam", "point:1"]), "lambda")
    assert {name: list(along) for name, along in by_name.items()} == {"sam": [1, 4], "point:1": [1, 4]}


def test_trees_and_laws_have_names_too():
    by_name = curves(
        cells(target=["and:3"], algorithm=["cgp", "tgp-multi"], options={"ties": ["coin", "accept"]})
    )
    assert set(by_name) == {
        "cgp ties=coin",
        "cgp ties=accept",
        "tgp-multi ties=coin",
        "tgp-multi ties=accept",
    }


def test_cells_of_one_name_and_place_become_one():
    by_name = curves(cells(target="and:4", nodes=[5, 9]), label=lambda cell: "all")
    assert by_name["all"][4].runs == 4


def test_searches_are_found_along_curves():
    searches = searches_along(cells(target=["and:3", "and:4"], nodes=["n", "2n"]))
    assert {name: {n: search.nodes for n, search in along.items()} for name, along in searches.items()} == {
        "nodes=n": {3: 3, 4: 4},
        "nodes=2n": {3: 6, 4: 8},
    }


def test_axes_are_numbers():
    with pytest.raises(InputError, match="unknown axis 'selection'; use n, nodes, lambda, budget"):
        curves(cells(target="and:3"), "selection")
    assert curves(cells(target="and:3", algorithm="tgp-multi"), "nodes") == {}


def test_bounds():
    bound = upper_bound(search_for("and:5"))
    assert bound is not None
    assert bound.name == "Theorem 6"
    assert upper_bound(search_for("and:5", algorithm="tgp-multi")) is None
    assert upper_bound(search_for("and:5", training="sample")) is None


def test_exact_times_and_laws_agree():
    search = search_for("and:3", nodes=2)
    mean, law = exact_time_and_law(search)
    assert mean == exact_time(search)
    assert law is not None
    assert mean is not None
    assert mean == pytest.approx(sum(law.exceeds(t) for t in range(20_000)))


@pytest.mark.parametrize(
    "words",
    [{"mutation": "point:1"}, {"algorithm": "tgp-multi"}, {"training": "sample"}, {"nodes": 30}],
)
def test_what_is_not_known(words):
    search = search_for("and:4", **words)
    assert exact_time(search) is None
    assert exact_time_and_law(search) == (None, None)
