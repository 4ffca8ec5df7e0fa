"""Oddities are told where the runs at hand speak of them, with the numbers of both sides."""

from __future__ import annotations

from dataclasses import replace

import pytest
from paper_cells import RUNS, TRUE, made

from gatewalk.studies.paper.agreement import Agreement, agreements
from gatewalk.studies.paper.discrepancies import oddities
from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.published import table2

CELLS: dict[Place, Cell] = {
    replace(place, profile=profile): cell
    for place, cell in made(TRUE).items()
    for profile in ("paper", "tinyverse")
}


@pytest.fixture(scope="module", params=["paper", "tinyverse"])
def compared(request: pytest.FixtureRequest) -> tuple[str, list[Agreement]]:
    return request.param, agreements(CELLS, request.param)


def test_every_oddity_has_its_cells(compared: tuple[str, list[Agreement]]) -> None:
    profile, found = compared
    told = {oddity.title: oddity for oddity in oddities(CELLS, found, profile)}
    nodes = "n+1" if profile == "tinyverse" else "n"
    narrow = told[f"Strict selection, CGP, D = {nodes}, n ≥ 9"].table
    assert narrow is not None
    assert [(row[2], row[3]) for row in narrow.rows] == [(str(n), "0/30") for n in (9, 10, 11)]
    assert all(row[4].endswith(f"/{RUNS}") for row in narrow.rows)
    assert ("Programs that can never improve" in told) is (profile == "tinyverse")
    only = told["Means of successful runs only"].table
    assert only is not None
    failing = {(row[0], row[2]) for row in only.rows}
    assert failing <= {
        ("strict" if selection == "strict" else "non-strict", str(n))
        for (selection, _, n), row in table2().items()
        if 0 < row.successes < 30
    }


def test_cells_with_a_reason_of_their_own_are_not_named_twice(compared: tuple[str, list[Agreement]]) -> None:
    profile, found = compared
    differing = [replace(one, verdict="differs") for one in found]
    rest = oddities(CELLS, differing, profile)[-1]
    assert rest.title == "Other cells that differ"
    assert rest.table is not None
    explained = sum(
        one.place.selection == "strict" and one.place.model == "cgp-1n" and one.place.n >= 9 for one in found
    )
    assert len(rest.table.rows) == len(found) - explained


def test_nothing_is_said_of_what_was_not_run() -> None:
    assert [oddity.title for oddity in oddities({}, [], "tinyverse")] == ["Programs that can never improve"]
    assert oddities({}, [], "paper") == []
