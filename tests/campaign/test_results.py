"""Reading a store: columns, frames, filters, circuits and traces."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gatewalk.boolean.targets import target
from gatewalk.campaign import Campaign, Results, campaign, grid, run
from gatewalk.campaign.results import NAMES
from gatewalk.circuit.equivalence import matches
from gatewalk.errors import InputError, MissingExtra
from gatewalk.search.evolve import evolve

CAMPAIGN = Campaign(
    seed=2,
    traces=True,
    grids=(grid(target=["and:3", "xor:2"], nodes=["n", "2n"], replications=5),
           grid(target="and:3", algorithm="tgp-multi", replications=4)),
)  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Results]:
    with run(CAMPAIGN, tmp_path_factory.mktemp("r") / "a.sqlite", jobs=1) as found:
        yield found


def test_columns_are_plain_lists(results: Results) -> None:
    columns = results.columns()
    assert tuple(columns) == NAMES
    assert {len(column) for column in columns.values()} == {24}
    assert columns["target"][:2] == ["and:3", "and:3"]
    assert columns["run"][:6] == [0, 1, 2, 3, 4, 0]
    assert columns["solved"] == [True] * 24
    assert columns["nodes"][-1] is None
    assert len(results) == 24


def test_a_row_is_the_run(results: Results) -> None:
    row = dict(zip(NAMES, next(results.rows()), strict=True))
    expected = evolve("and:3", nodes="n", seed=2, run=0).record()
    del expected["seconds"]
    assert {name: row[name] for name in expected} == expected


def test_a_frame(results: Results) -> None:
    frame = results.where(target="and:3").frame()
    assert list(frame.columns) == list(NAMES)
    assert len(frame) == 14
    assert frame["iterations"].dtype.kind == "i"


def test_a_frame_needs_pandas(results: Results, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"gatewalk\[data\]"):
        results.frame()


def test_filters(results: Results) -> None:
    assert len(results.where(target="and:3", nodes=6)) == 5
    assert len(results.where(nodes=[3, 6])) == 10
    assert len(results.where(target="and:3").where(algorithm="tgp-multi")) == 4
    assert len(results.where(target="or:9")) == 0
    with pytest.raises(InputError, match="no column size"):
        results.where(size=3)


def test_circuits_of_stored_runs_compute_the_target(results: Results) -> None:
    for cell in results.cells():
        name = cell.values["target"]
        assert matches(results.circuit(cell, 1), target(name)).equal
    runs = list(results.runs())
    assert len(runs) == 24
    again = evolve("and:3", nodes="n", seed=2, run=4)
    assert runs[4].program.tolist() == again.program.tolist()
    assert str(runs[4].circuit) == str(again.circuit)
    with pytest.raises(InputError, match="run 99"):
        results.run(results.cells()[0], 99)


def test_traces(results: Results) -> None:
    cell = results.cells()[0]
    traces = dict(results.traces(cell))
    assert sorted(traces) == [0, 1, 2, 3, 4]
    for number, trace in traces.items():
        assert trace[0][0] == 1
        assert trace[-1] == (results.run(cell, number).evaluations, 0)
        assert [y for _, y in trace] == sorted({y for _, y in trace}, reverse=True)


def test_expected_running_time(results: Results) -> None:
    cell = results.cells()[0]
    iterations = results.where_cell(cell).columns()["iterations"]
    assert cell.expected_running_time == sum(iterations) / 5


def test_settings_come_back_from_a_file(results: Results, tmp_path: Path) -> None:
    assert [cell.settings.algorithm for cell in results.cells()] == ["cgp"] * 4 + ["tgp-multi"]
    assert [cell.settings.nodes for cell in results.cells()] == [3, 6, 2, 4, None]


def test_runs_come_by_cell() -> None:
    with run(campaign(target=["and:2", "and:3"], replications=4, seed=7), jobs=1) as results:
        found = dict(results.columns())
        by_cell = list(results.by_cell())
    assert [cell.values["target"] for cell, _ in by_cell] == ["and:2", "and:3"]
    assert [columns["run"] for _, columns in by_cell] == [[0, 1, 2, 3]] * 2
    assert [time for _, columns in by_cell for time in columns["iterations"]] == found["iterations"]
    assert all(solved is True or solved is False for _, columns in by_cell for solved in columns["solved"])


def test_results_are_shown_shortly() -> None:
    found = run(campaign(target="and:2", replications=3), jobs=1)
    assert repr(found).endswith(": 1 cells, 3 runs>")
    assert "<td>and:2</td><td>3</td>" in found._repr_html_()
    found.close()
    assert repr(found).endswith(", closed>")
