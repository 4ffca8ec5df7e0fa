"""Going on with a store: only what it lacks is run, whoever wrote it and however its cells are written."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from cases import INPUTS

import gatewalk as gw
from gatewalk.campaign import Campaign, Results, campaign, execution, grid, plan, run
from gatewalk.campaign.export import export
from gatewalk.campaign.spec import parse
from gatewalk.campaign.store import add_runs, begin_campaign, enter_cells, save_checkpoint
from gatewalk.campaign.store_file import writing
from gatewalk.search.batch import Batch, Checkpoint, run_batch
from gatewalk.search.evolve import run_many


def test_what_is_there_is_not_run_again(tmp_path):
    store = tmp_path / "a.sqlite"
    small = campaign(target="and:3", replications=20, seed=1)
    run(small, store, jobs=1).close()
    with closing(sqlite3.connect(store)) as connection:
        before = connection.execute("SELECT * FROM run ORDER BY run").fetchall()
        (last,) = connection.execute("SELECT max(id) FROM delivery").fetchone()
    done = []
    larger = campaign(target=["and:3", "or:2"], replications=30, seed=1)
    run(larger, store, jobs=1, watch=lambda p: done.append(p.done_now)).close()
    assert done[-1] == 10 + 30
    with closing(sqlite3.connect(store)) as connection:
        earlier = connection.execute("SELECT * FROM run WHERE delivery <= ? ORDER BY run", (last,)).fetchall()
    assert len(before) == 20
    assert earlier == before
    run(larger, store, jobs=1, watch=lambda p: done.append(p.done_now)).close()
    assert done[-1] == 0


def test_traces_can_be_asked_for_later(tmp_path, contents):
    small = campaign(target="and:3", replications=20, seed=1)
    run(small, tmp_path / "late.sqlite", jobs=1).close()
    seen = []
    run(replace(small, traces=True), tmp_path / "late.sqlite", jobs=1, watch=seen.append).close()
    assert (seen[-1].done, seen[-1].done_now) == (20, 20)
    run(replace(small, traces=True), tmp_path / "once.sqlite", jobs=1).close()
    assert contents(tmp_path / "late.sqlite") == contents(tmp_path / "once.sqlite")


def test_runs_without_a_trace_do_not_count_where_traces_are_asked_for(tmp_path):
    """Of 100 runs 29 have a trace, and every run is solved: what is shown adds up in the end."""
    store, small = tmp_path / "a.sqlite", campaign(target="and:3", replications=100, seed=1, traces=True)
    (cell,) = plan(small)
    with writing(store) as connection:
        (number,) = enter_cells(connection, [cell])
        ident = begin_campaign(connection, small, "test")
        add_runs(connection, ident, [(number, [run_many(cell.search, seed=1, runs=range(29))])], traces=True)
        others = run_many(cell.search, seed=1, runs=range(29, 100))
        add_runs(connection, ident, [(number, [others])], traces=False)
    first, last = [], []

    def watch(progress):
        (tally,) = progress.tallies
        last[:] = [tally.stored, tally.solved, tally.finished_now]
        first.extend(last if not first else ())

    run(small, store, jobs=1, watch=watch).close()
    assert first == [29, 29, 0]
    assert last == [100, 100, 71]


def test_gaps_are_filled_in_order(tmp_path, batches):
    store, small = tmp_path / "a.sqlite", campaign(target="and:2", replications=40, seed=1)
    (cell,) = plan(small)
    with writing(store) as connection:
        (number,) = enter_cells(connection, [cell])
        evens = run_many(cell.search, seed=1, runs=range(0, 40, 2))
        add_runs(connection, begin_campaign(connection, small, "test"), [(number, [evens])], traces=False)
    seen = []
    run(small, store, jobs=1, watch=seen.append).close()
    assert (seen[-1].done, seen[-1].done_now) == (40, 20)
    assert batches[0].runs == (1, 3)  # from two gaps; how long the runs take is unknown yet
    assert list(chain.from_iterable(batch.runs for batch in batches)) == list(range(1, 40, 2))
    assert {(batch.limit, batch.improvements) for batch in batches} == {(60.0, False)}


# two nodes cannot compute and:4, so these runs use their whole budget
LONG = campaign(target="and:4", nodes=2, budget=100_000, replications=4, seed=2)


def unfinished(cell, number):
    """A run of a cell that was begun, as a checkpoint."""
    outcome = run_batch(Batch(search=cell.search, seed=cell.seed, runs=(number,), limit=0.0))
    assert outcome.checkpoint is not None
    return replace(outcome.checkpoint, seconds=5.0)


def test_checkpoints_of_the_store_are_taken_up(tmp_path, batches, contents):
    store = tmp_path / "a.sqlite"
    (cell,) = plan(LONG)
    saved = unfinished(cell, 2)
    with writing(store) as connection:
        (number,) = enter_cells(connection, [cell])
        save_checkpoint(connection, number, saved)
        save_checkpoint(connection, number, Checkpoint(run=9, state=b"beyond the plan", seconds=5.0))
    run(LONG, store, jobs=1).close()
    assert (batches[0].runs, batches[0].checkpoint) == ((2,), saved)
    assert [batch.checkpoint for batch in batches[1:]] == [None] * len(batches[1:])
    assert list(chain.from_iterable(batch.runs for batch in batches[1:])) == [0, 1, 3]
    run(LONG, tmp_path / "b.sqlite", jobs=1).close()
    assert contents(store) == contents(tmp_path / "b.sqlite")
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT run FROM checkpoint").fetchall() == [(9,)]


def test_what_comes_back_unfinished_goes_first(tmp_path, monkeypatch, short_slices):
    """So that no cell is begun while a run of another one waits."""
    pairs, queued, keep = [], [], execution._Execution._keep

    def noted(batch, stop):
        outcome = run_batch(batch, stop)
        pairs.append((batch, outcome))
        return outcome

    def counted(self, outcome):
        keep(self, outcome)
        queued.append(len(self.unfinished))

    monkeypatch.setattr(execution, "run_batch", noted)
    monkeypatch.setattr(execution._Execution, "_keep", counted)
    long = campaign(target="and:4", nodes=[1, 2], budget=1_000_000, replications=2, seed=2)
    run(long, tmp_path / "a.sqlite", jobs=1, checkpoint_seconds=0.002).close()
    cells = [batch.cell for batch, _ in pairs]
    assert cells == sorted(cells)
    assert set(cells) == {0, 1}
    waiting, paces = {}, {}
    for batch, outcome in pairs:
        assert batch.checkpoint == waiting.pop((batch.cell, batch.runs[0]), None)
        assert batch.pace == paces.get(batch.cell, 0.0)
        paces[batch.cell] = outcome.pace
        if outcome.checkpoint is not None:
            waiting[batch.cell, outcome.checkpoint.run] = outcome.checkpoint
    assert not waiting
    assert sum(outcome.checkpoint is not None for _, outcome in pairs) > 4
    assert max(queued) == 2  # of two runs; it does not grow with the times that they come back


def test_a_damaged_checkpoint_does_not_block(tmp_path):
    path = tmp_path / "runs.sqlite"
    small = campaign(target="and:4", nodes=["n", "2n"], replications=5, seed=2)
    with writing(path) as connection:
        numbers = enter_cells(connection, plan(small))
        save_checkpoint(connection, numbers[1], Checkpoint(run=3, state=b"rubbish", seconds=9.0))
        save_checkpoint(connection, numbers[1], Checkpoint(run=4, state="no bytes", seconds=9.0))
    with run(small, path, jobs=1) as results, run(small, jobs=1) as expected:
        assert results.columns()["iterations"] == expected.columns()["iterations"]
        assert results.connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


def test_checkpoints_of_other_runs_do_not_change_rows(tmp_path, contents):
    """They are whole, but of another number, another seed, or another cell."""
    store = tmp_path / "a.sqlite"
    (cell,) = plan(LONG)
    (elsewhere,) = plan(replace(LONG, seed=3))
    (larger,) = plan(campaign(target="and:4", nodes=3, budget=100_000, seed=2))
    with writing(store) as connection:
        (number,) = enter_cells(connection, [cell])
        strangers = (unfinished(cell, 7), unfinished(elsewhere, 1), unfinished(larger, 2))
        for index, stranger in enumerate(strangers):
            save_checkpoint(connection, number, replace(stranger, run=index))
        cut = unfinished(cell, 3)
        save_checkpoint(connection, number, replace(cut, state=cut.state[:-7]))
    run(LONG, store, jobs=1).close()
    run(LONG, tmp_path / "b.sqlite", jobs=1).close()
    assert contents(store) == contents(tmp_path / "b.sqlite")
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("SELECT count(*) FROM checkpoint").fetchone() == (0,)


def test_a_store_holds_what_its_start_file_said(tmp_path):
    start, path = tmp_path / "genes.json", tmp_path / "runs.sqlite"
    start.write_text("[0, 0, 1, 0, 1, 2, 4]")
    small = campaign(target="and:3", nodes=2, start=str(start), replications=3, seed=2)
    with run(small, path, jobs=1) as before:
        expected = [stored.program.tolist() for stored in before.runs()]
    start.unlink()
    with Results.open(path) as results:
        assert [stored.program.tolist() for stored in results.runs()] == expected
        (cell,) = results.cells()
        assert cell.search.start == (0, 0, 1, 0, 1, 2, 4)
        assert cell.words["start"] == cell.values["start"] == "genes:0,0,1,0,1,2,4"


def majority(a, b, c):
    return a + b + c >= 2


def test_a_function_as_a_target_is_stored_reopened_and_continued(tmp_path, batches):
    store = tmp_path / "a.sqlite"
    mine = gw.target(majority, name="mine")
    small = campaign(target=[mine, "and:3"], mutation=gw.Point(2), replications=5, seed=3, traces=True)
    run(small, store, jobs=2).close()
    assert len({batch.cell for batch in batches}) == 2

    with Results.open(store) as results:
        cell, _ = results.cells()
        assert cell.search.target == mine
        assert (cell.search.target.label, cell.values["target"]) == ("mine", mine.name)
        for stored in results.where(target=mine.name).runs():
            assert stored.solved
            assert gw.target(stored.circuit).content == mine.content
            (again,) = run_many(gw.search_for(majority, mutation="point:2"), seed=3, runs=[stored.run])
            assert stored.program.tolist() == again.program.tolist()
        assert len(list(results.traces(cell))) == 5
        export(results, "csv", tmp_path / "a.csv")
        export(results, "ioh", tmp_path / "a.ioh")

    batches.clear()
    for same in (
        mine,
        gw.target(majority),
        gw.target(lambda x, y, z: x & y | x & z | y & z),
        gw.target(0xE8, inputs=3),
        "table:3:0xe8",
    ):
        grids = (grid(target=same, mutation="point:2", replications=5),)
        with run(replace(small, grids=grids), store, jobs=1) as again:
            assert [cell.values["target"] for cell in again.cells()] == [mine.name]
    assert batches == []

    larger = campaign(target=gw.target(majority), mutation=gw.Point(2), replications=8, seed=3, traces=True)
    run(larger, store, jobs=1).close()
    assert list(chain.from_iterable(batch.runs for batch in batches)) == [5, 6, 7]
    batches.clear()
    run(campaign(target=gw.target(lambda a, b, c: a & b & c), replications=5, seed=3), store, jobs=1).close()
    assert batches  # another function is another cell


def test_a_function_of_many_inputs_is_stored_as_its_circuit(tmp_path, batches):
    wide = gw.target(gw.read_file(written(tmp_path, "wide.blif")), name="wide")
    small = campaign(target=wide, gates=gw.gate_set("and"), training=gw.Sample(20), replications=3, seed=1)
    run(small, tmp_path / "a.sqlite", jobs=1).close()
    with Results.open(tmp_path / "a.sqlite") as results:
        (cell,) = results.cells()
        assert cell.search.target == wide
        assert (cell.search.target.label, cell.search.rows) == ("wide", 20)
    batches.clear()
    run(small, tmp_path / "a.sqlite", jobs=1).close()
    assert batches == []


def written(folder, name):
    """One of the files of the golden cases, written to a folder."""
    path = folder / name
    path.write_text(INPUTS[name])
    return path


STORE = Path(__file__).parents[1] / "golden" / "data" / "store-0.2.sqlite"


@pytest.fixture
def old_store(tmp_path, monkeypatch):
    """A store that version 0.2 wrote, to be changed, in a folder with the files that its campaign names."""
    for name in INPUTS:
        written(tmp_path, name)
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(STORE, tmp_path / "store.sqlite"))


def runs_in(store):
    """Every run with its time and its delivery, which tell when it was made."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT * FROM run ORDER BY cell, run").fetchall()


def test_a_store_of_version_02_goes_on_without_a_new_run(old_store, batches):
    before = runs_in(old_store)
    with closing(sqlite3.connect(old_store)) as connection:
        (state,) = connection.execute("SELECT state FROM checkpoint").fetchone()
    run(parse(INPUTS["golden.toml"]), old_store, jobs=1).close()
    assert [(batch.search.target.name, tuple(batch.runs)) for batch in batches] == [("xor:14", (0,))]
    assert batches[0].checkpoint.state == state  # it is not begun anew
    assert runs_in(old_store)[: len(before)] == before
    assert len(runs_in(old_store)) == len(before) + 1 == 63
    batches.clear()
    run(parse(INPUTS["golden.toml"]), old_store, jobs=2).close()
    assert batches == []


def test_values_are_the_cells_that_version_02_stored_by_words(old_store, batches):
    common = {"budget": 20_000, "replications": 3}
    own = [gw.target("dont.pla"), gw.target(majority), gw.target("table:3:0x96/0xfe")]
    grids = (
        grid(target=own, nodes="4n", mutation=[gw.Sam(), gw.Rate(0.01), gw.Point(3)], **common),
        grid(target=gw.target("and:5"), training=gw.Sample(9), profile="tinyverse", offspring=4, **common),
        grid(target=gw.target("and:3"), gates=gw.gate_set("and"), mutation=gw.Sam(), **common),
        grid(target="add:1", mutation=[gw.Rate(1), gw.Rate(0.1)], budget=20_000, replications=1),
    )
    with run(Campaign(grids=grids, seed=5, traces=True), old_store, jobs=1) as results:
        assert [cell.finished for cell in results.cells()] == [3] * 11 + [1] * 2
    assert batches == []


def test_everything_in_a_store_of_version_02_is_read(old_store):
    with Results.open(old_store) as results:
        cells = results.cells()
        assert len(cells) == 23
        for cell in cells:
            stored = list(results.where_cell(cell).runs())
            traces = dict(results.traces(cell))
            assert len(stored) == len(traces) == cell.finished
            for result in stored:
                (again,) = run_many(cell.search, seed=5, runs=[result.run])
                assert result.record() | {"seconds": 0} == again.record() | {"seconds": 0}
                assert result.program.tolist() == again.program.tolist()
