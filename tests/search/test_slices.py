"""Walks in slices: the end is the same, and a stop is heard between two slices."""

from __future__ import annotations

from threading import Event

from gatewalk.cgp import walk as walks
from gatewalk.search.cgp_search import start_many
from gatewalk.search.evolve import run_once
from gatewalk.search.seeds import cell_of
from gatewalk.search.settings import Settings, settings
from gatewalk.search.slices import slices


def begun(made: Settings) -> walks.Walk:
    return start_many(made, None, seed=5, cell=cell_of(made), runs=[0])


def test_slices_end_where_the_run_ends() -> None:
    made = settings("and:7", nodes=8, budget=5000, selection="strict")
    walk = begun(made)
    assert sum(1 for _ in slices(walk)) >= 1
    assert walk.finished
    whole = run_once(made, seed=5, run=0)
    assert walk.offspring == whole.iterations
    assert walk.fitness_of(walk.rank) == whole.fitness


def test_a_stop_is_heard() -> None:
    made = settings("and:7", nodes=6, selection="strict", start="penultimate")  # takes a million iterations
    walk, stop = begun(made), Event()
    for _ in slices(walk, stop):
        stop.set()
    assert walk.offspring > 0
    assert not walk.finished
    assert not list(slices(walk, stop))
