"""Threads and slices of time: results in order, and a stop is heard."""

import os
from threading import Event

import pytest

from gatewalk.errors import InputError
from gatewalk.search.cgp_search import start_many
from gatewalk.search.evolve import run_once
from gatewalk.search.scheduler import runs_on_threads, slices, threads
from gatewalk.search.seeds import cell_of
from gatewalk.search.settings import settings


def test_the_number_of_threads():
    assert threads(3) == 3
    assert threads() == threads(None) == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("jobs", [0, -1, 1.5, 1025, 100_000])
def test_a_number_of_threads_that_cannot_be_is_refused(jobs):
    with pytest.raises(InputError, match=f"--jobs (is|must be a whole number, not) {jobs:g}"):
        threads(jobs, what="--jobs")
    with pytest.raises(InputError, match=f"jobs (is|must be a whole number, not) {jobs:g}"):
        runs_on_threads(lambda run, stop: run, range(2), jobs)


def begun(made):
    return start_many(made, None, seed=5, cell=cell_of(made), runs=[0])


def test_slices_end_where_the_run_ends():
    made = settings("and:7", nodes=8, budget=5000, selection="strict")
    walk = begun(made)
    assert sum(1 for _ in slices(walk)) >= 1
    assert walk.finished
    whole = run_once(made, seed=5, run=0)
    assert walk.offspring == whole.iterations
    assert walk.fitness_of(walk.rank) == whole.fitness


def test_a_stop_is_heard():
    made = settings("and:7", nodes=6, selection="strict", start="penultimate")  # takes a million iterations
    walk, stop = begun(made), Event()
    for _ in slices(walk, stop):
        stop.set()
    assert walk.offspring > 0
    assert not walk.finished
    assert not list(slices(walk, stop))


def test_results_come_in_order_whatever_the_jobs():
    gate = Event()

    def make(run, stop):
        if run == 0:
            gate.wait(10)  # the first ends after the second
        else:
            gate.set()
        return run * run

    told = []
    assert runs_on_threads(make, range(6), 2, told.append) == [0, 1, 4, 9, 16, 25]
    assert told == [0, 1, 4, 9, 16, 25]


def test_runs_under_way_are_stopped_when_one_fails():
    begun, stopped = Event(), Event()

    def make(run, stop):
        if run == 0:
            begun.wait(10)
            raise KeyboardInterrupt
        begun.set()
        if stop.wait(10):
            stopped.set()
        return run

    with pytest.raises(KeyboardInterrupt):
        runs_on_threads(make, range(2), 2)
    assert stopped.is_set()
