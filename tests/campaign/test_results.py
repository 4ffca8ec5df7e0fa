"""Reading a store: columns, frames, filters, circuits and traces."""

import re
import time
from dataclasses import replace

import pytest

from gatewalk.boolean.targets import family_target
from gatewalk.campaign import Campaign, Results, campaign, grid, plan, run
from gatewalk.campaign.results import NAMES, Status, status, stored_runs
from gatewalk.campaign.store_file import writing
from gatewalk.circuit.equivalence import equivalent
from gatewalk.errors import InputError
from gatewalk.search.evolve import evolve, run_many

CAMPAIGN = Campaign(
    seed=2,
    traces=True,
    grids=(grid(target=["and:3", "xor:2"], nodes=["n", "2n"], replications=5),
           grid(target="and:3", algorithm="tgp-multi", replications=4)),
)  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    with run(CAMPAIGN, tmp_path_factory.mktemp("r") / "a.sqlite", jobs=1) as stored:
        yield stored


def test_columns_are_plain_lists(results):
    columns = results.columns()
    assert tuple(columns) == NAMES
    assert {len(column) for column in columns.values()} == {24}
    assert columns["target"][:2] == ["and:3", "and:3"]
    assert columns["run"][:6] == [0, 1, 2, 3, 4, 0]
    assert columns["solved"] == [True] * 24
    assert columns["nodes"][-1] is None
    assert len(results) == 24


def test_a_row_is_the_run(results):
    row = dict(zip(NAMES, next(results.rows()), strict=True))
    expected = evolve("and:3", nodes="n", seed=2, run=0).record()
    del expected["seconds"]
    assert {name: row[name] for name in expected} == expected


def test_a_frame(results):
    frame = results.where(target="and:3").to_frame()
    assert list(frame.columns) == list(NAMES)
    assert len(frame) == 14
    assert frame["iterations"].dtype.kind == "i"


def test_the_old_name_of_a_frame_is_there_for_one_version(results):
    with pytest.warns(DeprecationWarning, match="Results.frame is now called to_frame"):
        assert results.frame().equals(results.to_frame())


def test_the_traces_of_all_cells_are_one_long_table(results):
    table = results.to_frame("improvements")
    assert len(table[table["iterations"] == 0].drop_duplicates(["target", "algorithm", "nodes", "run"])) == 24
    (cell, *_) = results.cells()
    alone = run_many(cell.search, seed=cell.values["seed"], runs=5)
    first = results.where_cell(cell).to_frame("improvements")
    assert first.to_dict("records") == alone.to_frame("improvements").to_dict("records")


def test_a_long_table_needs_traces():
    untraced = run(campaign(target="and:3", replications=2), jobs=1)
    with untraced, pytest.raises(InputError, match="2 runs have no trace, which is needed here"):
        untraced.to_frame("improvements")


def test_filters(results):
    assert len(results.where(target="and:3", nodes=6)) == 5
    assert len(results.where(nodes=[3, 6])) == 10
    assert len(results.where(target="and:3").where(algorithm="tgp-multi")) == 4


def test_a_filter_says_what_legends_say(results):
    """A cell is found by its value and by the word of its campaign: nodes = "2n" and nodes = 6 for n = 3."""
    assert [cell.values["nodes"] for cell in results.where(nodes="2n").cells()] == [6, 4]
    assert [cell.values["nodes"] for cell in results.where(nodes=" 2 * N").cells()] == [6, 4]
    assert [cell.values["nodes"] for cell in results.where(nodes="6").cells()] == [6]
    assert [cell.values["nodes"] for cell in results.where(nodes=["n", 4]).cells()] == [3, 2, 4]
    assert len(results.where(target="and").cells()) == 3
    assert len(results.where(target="and", algorithm="cgp").cells()) == 2
    assert len(results.where(**{"lambda": 1, "gates": ["xor", "and"]}).cells()) == 5
    assert len(results.where(n=range(3)).cells()) == 2


def test_an_expression_is_compared_as_it_was_written():
    """and:2 has 4 nodes by 2n and by n+2; it is the cell of the word that came first, as in a legend."""
    both = campaign(target=["and:2", "and:3"], nodes=["2n", "n+2"], replications=1)
    numbers = campaign(target=["and:2", "and:3"], nodes=[4, 6], mutation="point:50%", replications=1)
    with run(both, jobs=1) as results:
        assert [cell.values["n"] for cell in results.where(nodes="2n").cells()] == [2, 3]
        assert [cell.values["n"] for cell in results.where(nodes="n+2").cells()] == [3]
    with run(numbers, jobs=1) as results:  # numbers have no expression of their own: their values count
        assert [cell.values["n"] for cell in results.where(nodes="2n").cells()] == [2, 3]
        assert len(results.where(mutation="point:50%").cells()) == 4
        assert [cell.values["n"] for cell in results.where(mutation="point:6").cells()] == [2, 3]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"size": 3}, "no column 'size' to filter by; cells have target, n,"),
        ({"selektion": "strict"}, "no column 'selektion' to filter by; did you mean selection?"),
        ({"nodes": "2m"}, "nodes is '2m'; use a number or an expression in n"),
        ({"n": "two"}, "n is 'two'; it must be a whole number"),
        ({"nodes": "3n"}, "no cell has nodes=3n; nodes is n, 2n"),
        ({"target": "or:9"}, "no cell has target=or:9; target is and:3, xor:2"),
        ({"target": "xor", "n": 3}, "no cell has target=xor, n=3; target is and:3, xor:2; n is 3, 2"),
    ],
)
def test_a_filter_that_leaves_nothing_says_what_there_is(results, values, says):
    with pytest.raises(InputError, match=re.escape(says)):
        results.where(**values)


def test_circuits_of_stored_runs_compute_the_target(results):
    for cell in results.cells():
        name = cell.values["target"]
        assert equivalent(results.circuit(cell, 1), family_target(name)).equal
    runs = list(results.runs())
    assert len(runs) == 24
    again = evolve("and:3", nodes="n", seed=2, run=4)
    assert runs[4].program.tolist() == again.program.tolist()
    assert str(runs[4].circuit) == str(again.circuit)
    with pytest.raises(InputError, match="run 99"):
        results.run(results.cells()[0], 99)


def test_traces(results):
    cell = results.cells()[0]
    traces = dict(results.traces(cell))
    assert sorted(traces) == [0, 1, 2, 3, 4]
    for number, trace in traces.items():
        assert trace[0][0] == 1
        assert trace[-1] == (results.run(cell, number).evaluations, 0)
        assert [y for _, y in trace] == sorted({y for _, y in trace}, reverse=True)


def test_expected_running_time(results):
    cell = results.cells()[0]
    iterations = results.where_cell(cell).columns()["iterations"]
    assert cell.expected_running_time == sum(iterations) / 5


def test_searches_come_back_from_a_file(results):
    cells = results.cells()
    assert [cell.search for cell in cells] == [cell.search for cell in plan(CAMPAIGN)]
    assert [cell.search.algorithm for cell in cells] == ["cgp"] * 4 + ["tgp-multi"]
    assert [cell.values["nodes"] for cell in cells] == [3, 6, 2, 4, None]


def test_runs_come_by_cell():
    with run(campaign(target=["and:2", "and:3"], replications=4, seed=7), jobs=1) as results:
        columns_of_all = results.columns()
        by_cell = list(results.by_cell())
    assert [cell.values["target"] for cell, _ in by_cell] == ["and:2", "and:3"]
    assert [columns["run"] for _, columns in by_cell] == [[0, 1, 2, 3]] * 2
    assert [time for _, columns in by_cell for time in columns["iterations"]] == columns_of_all["iterations"]
    assert all(solved is True or solved is False for _, columns in by_cell for solved in columns["solved"])


def test_results_are_shown_shortly():
    results = run(campaign(target="and:2", replications=3), jobs=1)
    assert repr(results).endswith(": 1 cells, 3 runs>")
    assert "<td>and:2</td><td>3</td>" in results._repr_html_()
    results.close()
    assert repr(results).endswith(", closed>")


SMALL = campaign(target=["and:2", "and:3"], selection=["strict", "nonstrict"], replications=10)


def test_a_finished_store(tmp_path):
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    state = status(store)
    assert (state.finished, state.planned, state.running, state.checkpoints) == (40, 40, False, 0)
    assert state.labels == ("and:2 strict", "and:2 nonstrict", "and:3 strict", "and:3 nonstrict")
    assert state.campaign["state"] == "done"
    assert state.rate is None


def test_a_store_at_work(tmp_path):
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    with writing(store) as connection:
        connection.execute("UPDATE cell SET planned = 20")
        state = status(store)
        assert state.running
        assert state.rate is not None


def test_a_status_reads_few_rows(tmp_path, monkeypatch):
    """A status asks nothing of the runs, also while a campaign writes, and only for the last deliveries."""
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    asked = []
    usual = Results.open

    def traced(path):
        results = usual(path)
        results.connection.set_trace_callback(asked.append)
        return results

    monkeypatch.setattr(Results, "open", traced)
    with writing(store):
        assert status(store).rate is not None
    assert not any("FROM run" in text or "FROM trace" in text for text in asked)
    deliveries = [text for text in asked if "FROM delivery" in text]
    assert deliveries
    assert all("LIMIT" in text for text in deliveries)


def test_the_rate_is_that_of_the_last_minute(tmp_path):
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    with writing(store) as connection:
        connection.execute("UPDATE campaign SET started = started - 1000")
        connection.execute("UPDATE delivery SET stored = stored - 900")
        assert status(store).rate is None
        connection.execute("INSERT INTO delivery (campaign, runs, stored) VALUES (1, 600, ?)", (time.time(),))
        rate = status(store).rate
    assert rate == pytest.approx(10, rel=0.01)


def test_fewer_replications_than_stored(tmp_path):
    store = tmp_path / "a.sqlite"
    run(campaign(target="and:2", replications=50), store, jobs=1).close()
    run(campaign(target="and:2", replications=20), store, jobs=1).close()
    state = status(store)
    assert (state.finished, state.planned, state.more) == (20, 20, 30)


@pytest.mark.parametrize(
    ("executor", "scheduler", "threads"),
    [
        ("main thread", None, 1),
        ("12 threads", None, 12),
        ("dask tls://10.0.0.1:8786", "tls://10.0.0.1:8786", None),
        ("dask my file.json", "my file.json", None),
        ("something else", None, None),
    ],
)
def test_where_the_latest_campaign_ran(executor, scheduler, threads):
    state = Status(
        name="a",
        running=False,
        cells=(),
        labels=(),
        checkpoints=0,
        campaign={"executor": executor},
        rate=None,
    )
    assert (state.scheduler, state.threads, state.source) == (scheduler, threads, "")


def test_the_state_of_a_campaign_that_was_killed(tmp_path):
    store = tmp_path / "a.sqlite"
    run(SMALL, store, jobs=1).close()
    state = status(store)
    assert state.state == "done"
    assert replace(state, campaign={"state": "running"}).state == "killed"
    assert replace(state, campaign={"state": "running"}, running=True).state == "running"
    assert replace(state, campaign={}).state == "empty"


def test_runs_that_a_plan_asks_for_and_a_store_has(tmp_path):
    store = tmp_path / "a.sqlite"
    cells = plan(SMALL)
    assert stored_runs(store, cells) == [0, 0, 0, 0]
    run(campaign(target="and:3", replications=10), store, jobs=1).close()
    assert stored_runs(store, cells) == [0, 0, 0, 10]
    assert stored_runs(store, [replace(cell, replications=4) for cell in cells]) == [0, 0, 0, 4]
