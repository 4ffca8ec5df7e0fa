"""Walks with waiting times drawn: which engine evaluates, where they begin, and what no walk can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.search import cgp_search, cgp_waiting
from gatewalk.search.settings import Settings, settings


def drawn(target: str = "and:5", **options: Any) -> Settings:
    return settings(target, selection="strict", options={"waiting": "drawn"}, **options)


def start(chosen: Settings) -> cgp_waiting.WaitingWalk:
    return cgp_waiting.start(chosen, None, seed=1, cell=2, run=3)


def test_the_engine() -> None:
    task = cgp_search.task_of(drawn(), None)
    assert cgp_waiting.engine_of(task, "auto").name == "symbolic"
    assert cgp_waiting.engine_of(task, "table").name == "plain"
    other = cgp_search.task_of(drawn("maj:3"), None)
    assert cgp_waiting.engine_of(other, "auto").name == "plain"
    with pytest.raises(InputError, match="no symbolic evaluation"):
        cgp_waiting.engine_of(other, "symbolic")


def test_it_begins_as_any_search() -> None:
    walk = start(drawn())
    walked = cgp_search.start(settings("and:5", selection="strict"), None, seed=1, cell=2, run=3)
    assert walk.program.tolist() == walked.program.tolist()
    assert walk.improvements == walked.improvements == [(0, walk.fitness)]


def test_a_saved_walk_goes_on() -> None:
    chosen = drawn()
    walk = start(chosen)
    cgp_waiting.advance(walk, 40)
    again = cgp_waiting.restored(chosen, None, cgp_waiting.saved(walk))
    for one in (walk, again):
        cgp_waiting.advance(one, 10**9)
    assert walk.solved
    assert (again.offspring, again.steps) == (walk.offspring, walk.steps)
    assert again.program.tolist() == walk.program.tolist()


def test_counters_that_cannot_be_are_refused() -> None:
    chosen = drawn()
    walk = start(chosen)
    cgp_waiting.advance(walk, 40)
    arrays = cgp_waiting.saved(walk)
    arrays["undrawn"] = np.full_like(arrays["undrawn"], 1000)
    with pytest.raises(InputError, match="not a saved search"):
        cgp_waiting.restored(chosen, None, arrays)
