"""A run as a record, in words, and with the circuit of its program."""

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from walks import same_run

from gatewalk import extras
from gatewalk.circuit.equivalence import equivalent
from gatewalk.errors import InputError, MissingExtra
from gatewalk.search.evolve import evolve, run_many
from gatewalk.search.frames import frame
from gatewalk.search.options import search_for
from gatewalk.search.runs import (
    COLUMNS,
    Logged,
    best_of,
    chained,
    in_order,
    joined,
    picked,
    runs_of,
    what_was_run,
)
from gatewalk.stats.resampling import quick_ert_interval
from gatewalk.stats.sample import ert, sample


def test_a_record_has_every_column():
    run = evolve("and:4", nodes=8, seed=1)
    record = run.record()
    assert list(record) == [column.name for column in COLUMNS]
    assert (record["target"], record["nodes"], record["seed"], record["run"]) == ("and:4", 8, 1, 0)
    assert (record["iterations"], record["solved"], record["fitness"]) == (run.iterations, True, 0)


def test_the_circuit_of_the_program():
    run = evolve("and:4", nodes=8, seed=1)
    assert equivalent(run.circuit, run.search.target)
    assert len(run.circuit) == run.gates


def test_words():
    run = evolve("and:4", nodes=8, seed=1, budget=1000, selection="strict", options={"starts": 2})
    words = what_was_run(run)
    for word in ("and:4", "cgp", "D = 8", "sam", "strict", "starts=2", "budget 1,000", "seed 1", "run 0"):
        assert word in words
    assert repr(run).startswith("Run(and:4, cgp, solved, iterations=")


@pytest.fixture(scope="module")
def runs():
    return run_many(search_for("and:5", nodes=10), seed=3, runs=range(40))


def check_equal(a, b):
    assert len(a) == len(b)
    assert all(same_run(x, y) for x, y in zip(a, b, strict=True))


def test_columns_and_runs_agree(runs):
    assert len(runs) == 40
    assert [run.run for run in runs] == runs.run.tolist() == list(range(40))
    assert [run.iterations for run in runs] == runs.iterations.tolist()
    assert [run.elementary_steps for run in runs] == runs.elementary_steps.tolist()
    assert [run.fitness for run in runs] == runs.fitness == [0] * 40
    assert [run.gates for run in runs] == runs.gates.tolist()
    assert all(run.improvements[0][0] == 0 and run.improvements[-1] == (run.iterations, 0) for run in runs)
    assert all(len(run.circuit) == run.gates for run in runs)
    assert (runs.seconds > 0).all()
    assert runs[-1].run == 39
    with pytest.raises(IndexError):
        runs[40]


def test_records_are_those_of_the_runs(runs):
    assert [json.dumps(record) for record in runs.records()] == [json.dumps(run.record()) for run in runs]


@given(cuts=st.lists(st.integers(0, 40), max_size=5), data=st.data())
def test_parts_put_together_are_the_whole(runs, cuts, data):
    edges = [0, *sorted(cuts), 40]
    parts = [runs[first:end] for first, end in pairwise(edges) if end > first]
    check_equal(joined(parts), runs)
    parts = data.draw(st.permutations(parts))
    order = data.draw(st.lists(st.integers(0, 39), min_size=1))
    check_equal(in_order(parts, order), runs_of([runs[index] for index in order]))


def test_runs_made_one_by_one_in_columns(runs):
    check_equal(runs_of(list(runs)), runs)
    sampled = run_many(search_for("and:9", training="sample"), seed=1, runs=range(5), jobs=2)
    assert sampled.generalisation is not None
    assert [run.generalisation for run in sampled] == sampled.generalisation.tolist()
    assert sampled[1:3].generalisation.tolist() == sampled.generalisation[1:3].tolist()
    assert sampled[2].program.dtype == np.int32


def test_fitness_beyond_64_bits_is_exact():
    runs = run_many(search_for("and:200", nodes=2, budget=3), seed=1, runs=range(4))
    assert all(fitness.bit_length() > 190 and fitness & (fitness + 1) == 0 for fitness in runs.fitness)
    assert [run.fitness for run in runs] == runs.fitness


def test_runs_travel_between_processes(runs):
    check_equal(pickle.loads(pickle.dumps(runs)), runs)
    check_equal(pickle.loads(pickle.dumps(joined([runs[:3], runs[3:]]))), runs)


def test_a_short_description(runs):
    assert repr(runs) == "Runs(and:5, 40 runs, 40 solved, seed=3)"


def test_the_best_run_is_solved_and_small(runs):
    best = best_of(runs)
    assert (best.fitness, best.gates) == (0, min(run.gates for run in runs))
    assert best_of(list(runs)).run == best.run == min(run.run for run in runs if run.gates == best.gates)
    failed = replace(best, run=99, fitness=1, gates=0, solved=False)
    assert best_of([failed, best]).run == best.run
    assert best_of([failed, replace(failed, run=98, fitness=5)]).run == 99


# Runs at positions 2 to 4: two improvements, none, one.
LOG = np.array([[2, 0, 3], [2, 5, 1], [2, 9, 0], [3, 0, 2], [4, 0, 3], [4, 8, 2]], dtype=np.int64)


def test_the_log_is_split_by_run():
    logged = Logged(LOG, 2, 3, lambda rank: (1 << rank) - 1)
    assert len(logged) == 3
    assert list(logged) == [((0, 7), (5, 1), (9, 0)), ((0, 3),), ((0, 7), (8, 3))]
    assert logged[-1] == logged[2]
    assert logged[1:] == [logged[1], logged[2]]


def test_entries_are_chained_and_picked():
    joined = chained([["a", "b"], [], ["c"]])
    assert list(joined) == ["a", "b", "c"]
    assert list(joined[1:]) == ["b", "c"]
    again = picked(joined, np.array([2, 0, 2]))
    assert (list(again), len(again)) == (["c", "a", "c"], 3)


def test_a_frame_has_a_row_per_run(runs):
    table = runs.to_frame()
    assert isinstance(table, pandas.DataFrame)
    assert table.columns.tolist() == [column.name for column in COLUMNS]
    assert table.to_dict("records")[7] == runs[7].record()


def test_a_long_table_has_a_row_per_improvement(runs):
    table = runs.to_frame("improvements")
    assert table.columns[-3:].tolist() == ["run", "iterations", "fitness"]
    assert set(table["target"]) == {"and:5"}
    for run in (0, 39):
        rows = table[table["run"] == run]
        assert list(zip(rows["iterations"], rows["fitness"], strict=True)) == list(runs[run].improvements)
    assert len(table) == sum(map(len, runs.improvements))
    with pytest.raises(InputError, match="unknown rows 'cells' of a frame; use runs or improvements"):
        runs.to_frame("cells")


def test_improvements_end_at_the_running_time_also_where_an_offspring_is_not_counted():
    runs = run_many("and:4", nodes=8, seed=1, runs=20, profile="tinyverse")
    last = runs.to_frame("improvements").groupby("run").last()
    assert last["iterations"].tolist() == runs.iterations.tolist()
    assert last["fitness"].tolist() == runs.fitness


def missing(monkeypatch, *libraries):
    monkeypatch.setattr("gatewalk.search.frames.is_there", lambda library: library not in libraries)
    monkeypatch.setattr(extras, "is_there", lambda library: library not in libraries)


def test_polars_is_used_where_only_that_is_installed(runs, monkeypatch):
    missing(monkeypatch, "pandas")
    table = runs.to_frame()
    assert isinstance(table, polars.DataFrame)
    assert table["iterations"].to_list() == runs.iterations.tolist()
    assert frame({"fitness": [2**80, 1]})["fitness"].to_list() == [str(2**80), "1"]


def test_without_either_the_extra_is_named(runs, monkeypatch):
    missing(monkeypatch, "pandas", "polars")
    with pytest.raises(MissingExtra, match=r"a data frame needs an extra: pip install 'gatewalk\[data\]'"):
        runs.to_frame()


def test_the_expected_time_and_its_interval_are_those_of_stats(runs):
    data = sample(runs.iterations, runs.solved)
    expected = runs.ert()
    assert expected.value == float(expected) == ert(data) == runs.iterations.mean()
    assert expected.interval == quick_ert_interval(data)
    summary = runs.summary()
    assert (summary["ert"], summary["ert_low"], summary["ert_high"]) == (expected.value, *expected.interval)
    assert (summary["runs"], summary["solved"], summary["nodes"]) == (40, 40, 10)
    assert summary["mean_of_solved"] == runs.iterations.mean()


def test_a_time_that_no_run_reached_is_said_to_be_unknown():
    runs = run_many("maj:5", seed=1, runs=3, budget=20)
    assert str(runs.ert()) == "not solved"
    assert runs.summary()["ert"] == runs.summary()["median"] == np.inf
    assert runs.summary()["mean_of_solved"] is None


@pytest.mark.parametrize("kind", ["time", "ecdf", "fixed-target", "success"])
def test_runs_draw_themselves(runs, kind):
    assert runs.plot(kind).axes


def test_the_distribution_of_runs_says_why_it_has_no_exact_curve(runs):
    with pytest.warns(UserWarning, match="and:5: no exact distribution"):
        assert runs.plot("distribution").axes
