"""Cells become curves along an axis, named by what differs among them."""

from __future__ import annotations

import pytest
from planned_cells import cells

from gatewalk.analysis.curves import curves, settings_along
from gatewalk.errors import InputError


def test_curves_are_named_by_what_differs() -> None:
    found = curves(cells(target=["and:3", "and:4"], nodes=["n", "2n"], selection="strict"))
    assert {name: list(along) for name, along in found.items()} == {"nodes=n": [3, 4], "nodes=2n": [3, 4]}
    found = curves(cells(target=["and:3", "or:4"]))
    assert {name: list(along) for name, along in found.items()} == {"and": [3], "or": [4]}
    assert list(curves(cells(target=["and:3", "and:4"]))) == ["and"]


def test_other_axes() -> None:
    found = curves(cells(target=["and:3", "and:4"], nodes=[5, 9]), "nodes")
    assert {name: list(along) for name, along in found.items()} == {"and:3": [5, 9], "and:4": [5, 9]}
    found = curves(cells(target="and:4", offspring=[1, 4], mutation=["sam", "point:1"]), "lambda")
    assert {name: list(along) for name, along in found.items()} == {"sam": [1, 4], "point:1": [1, 4]}


def test_trees_and_laws_have_names_too() -> None:
    found = curves(cells(target=["and:3"], algorithm=["cgp", "tgp-multi"], law={"ties": ["coin", "accept"]}))
    assert set(found) == {"cgp ties=coin", "cgp ties=accept", "tgp-multi ties=coin", "tgp-multi ties=accept"}


def test_cells_of_one_name_and_place_become_one() -> None:
    found = curves(cells(target="and:4", nodes=[5, 9]), label=lambda cell: "all")
    assert found["all"][4].runs == 4


def test_settings_are_found_along_curves() -> None:
    found = settings_along(cells(target=["and:3", "and:4"], nodes=["n", "2n"]))
    assert {name: {n: one.nodes for n, one in along.items()} for name, along in found.items()} == {
        "nodes=n": {3: 3, 4: 4},
        "nodes=2n": {3: 6, 4: 8},
    }


def test_axes_are_numbers() -> None:
    with pytest.raises(InputError, match="no axis 'selection'; use n, nodes, lambda, budget"):
        curves(cells(target="and:3"), "selection")
    assert curves(cells(target="and:3", algorithm="tgp-multi"), "nodes") == {}
