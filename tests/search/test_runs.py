"""Runs in columns: a sequence of runs that agrees with its columns, however it was cut and put together."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runs import same

from gatewalk.search.evolve import run_many
from gatewalk.search.runs import Runs, best_of, in_order, joined, runs_of
from gatewalk.search.settings import settings

MADE = settings("and:5", nodes=10)


@pytest.fixture(scope="module")
def runs() -> Runs:
    return run_many(MADE, seed=3, runs=range(40))


def check_equal(a: Runs, b: Runs) -> None:
    assert len(a) == len(b)
    assert all(same(x, y) for x, y in zip(a, b, strict=True))


def test_columns_and_runs_agree(runs: Runs) -> None:
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


def test_records_are_those_of_the_runs(runs: Runs) -> None:
    assert [json.dumps(record) for record in runs.records()] == [json.dumps(run.record()) for run in runs]


@given(cuts=st.lists(st.integers(0, 40), max_size=5), data=st.data())
def test_parts_put_together_are_the_whole(runs: Runs, cuts: list[int], data: st.DataObject) -> None:
    edges = [0, *sorted(cuts), 40]
    parts = [runs[first:end] for first, end in pairwise(edges) if end > first]
    check_equal(joined(parts), runs)
    parts = data.draw(st.permutations(parts))
    order = data.draw(st.lists(st.integers(0, 39), min_size=1))
    check_equal(in_order(parts, order), runs_of([runs[place] for place in order]))


def test_runs_made_one_by_one_in_columns(runs: Runs) -> None:
    check_equal(runs_of(list(runs)), runs)
    sampled = run_many(settings("and:9", training="sample"), seed=1, runs=range(5), jobs=2)
    assert sampled.generalisation is not None
    assert [run.generalisation for run in sampled] == sampled.generalisation.tolist()
    assert sampled[1:3].generalisation.tolist() == sampled.generalisation[1:3].tolist()
    assert sampled[2].program.dtype == np.int32


def test_fitness_beyond_64_bits_is_exact() -> None:
    runs = run_many(settings("and:200", nodes=2, budget=3), seed=1, runs=range(4))
    assert all(fitness.bit_length() > 190 and fitness & (fitness + 1) == 0 for fitness in runs.fitness)
    assert [run.fitness for run in runs] == runs.fitness


def test_runs_travel_between_processes(runs: Runs) -> None:
    check_equal(pickle.loads(pickle.dumps(runs)), runs)
    check_equal(pickle.loads(pickle.dumps(joined([runs[:3], runs[3:]]))), runs)


def test_a_short_description(runs: Runs) -> None:
    assert repr(runs) == "Runs(and:5, 40 runs, 40 solved, seed=3)"


def test_the_best_run_is_solved_and_small(runs: Runs) -> None:
    best = best_of(runs)
    assert (best.fitness, best.gates) == (0, min(run.gates for run in runs))
    assert best_of(list(runs)).run == best.run == min(run.run for run in runs if run.gates == best.gates)
    failed = replace(best, run=99, fitness=1, gates=0, solved=False)
    assert best_of([failed, best]).run == best.run
    assert best_of([failed, replace(failed, run=98, fitness=5)]).run == 99
