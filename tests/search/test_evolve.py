"""Many runs: the same as each alone, whatever memory and threads they share; nothing finished is lost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from threading import Event
from typing import Any

import pytest
from runs import same

from gatewalk.search import evolve as room
from gatewalk.search.evolve import run_many, run_once
from gatewalk.search.run import Run
from gatewalk.search.session import Session
from gatewalk.search.settings import settings

LEAN = {"sam_stream": "lean"}
# One for every engine that keeps something between offspring, and for each of the two algorithms.
SETTINGS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "cone sets": ("and:5", {"nodes": 12}),
    "cone parity": ("xor:4", {"nodes": 9, "gates": "xor"}),
    "cone table": ("maj:3", {"nodes": 15, "profile": "tinyverse"}),
    "cone symbolic": ("and:8", {"nodes": 20, "options": LEAN}),
    "cone large table": ("and:10", {"nodes": 20, "evaluation": "table"}),
    "symbolic": ("and:20", {"nodes": 60, "options": LEAN}),
    "incremental": ("mul:2", {"nodes": 80, "gates": "and,or,xor,not"}),
    "incremental lean": ("parity:7", {"nodes": 80, "gates": "and,or,nand,nor", "options": LEAN}),
    "waiting symbolic": ("and:6", {"nodes": 9, "selection": "strict", "options": LEAN}),
    "waiting table": ("maj:3", {"nodes": 9, "selection": "strict", "options": LEAN}),
    "plain": ("and:5", {"nodes": 9, "offspring": 3}),
    "given start": ("and:4", {"nodes": 3, "start": "penultimate"}),
    "twin": ("and:3", {"nodes": 4, "evaluation": "reference"}),
    "trees": ("and:3", {"algorithm": "tgp-multi"}),
    "trees on tables": ("xor:3", {"algorithm": "tgp-single", "gates": "xor", "evaluation": "table"}),
    "samples": ("and:6", {"nodes": 6, "training": "sample"}),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_runs_in_the_memory_of_others_are_as_they_are_alone(name: str) -> None:
    target, options = SETTINGS[name]
    made = settings(target, budget=700, **options)
    together = run_many(made, seed=3, runs=[4, 0, 9, 4, 2])
    assert [run.run for run in together] == [4, 0, 9, 4, 2]
    assert all(same(run, run_once(made, seed=3, run=run.run)) for run in together)


def test_runs_do_not_depend_on_the_number_of_workers() -> None:
    made = settings("and:6", nodes="n", training="sample", budget=2000)
    alone = run_many(made, seed=9, runs=range(12), jobs=1)
    for jobs in (2, 5):
        together = run_many(made, seed=9, runs=range(12), jobs=jobs)
        assert [run.run for run in together] == list(range(12))
        assert all(same(a, b) for a, b in zip(alone, together, strict=True))
    assert same(run_once(made, seed=9, run=7), alone[7])


def test_finished_runs_are_all_delivered_at_ctrl_c() -> None:
    made = settings("and:4", nodes=8)
    delivered: list[Run] = []

    def on_done(run: Run) -> None:
        delivered.append(run)
        if len(delivered) == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_many(made, seed=1, runs=range(100_000), jobs=2, on_done=on_done)
    numbers = [run.run for run in delivered]
    # Threads take the numbers in order and give every run that they finish: no gap but those under way.
    assert len(set(numbers)) == len(numbers) >= 20
    assert max(numbers) - len(numbers) < 2
    assert all(run.solved for run in delivered)


def test_an_error_in_a_thread_ends_all_and_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(session: Session) -> Run:
        raise MemoryError("no room")

    monkeypatch.setattr(room, "result", broken)
    with pytest.raises(MemoryError, match="no room"):
        run_many(settings("and:4", nodes=8), seed=1, runs=range(1000), jobs=2)


def test_a_finished_run_is_not_kept_waiting_by_a_long_one() -> None:
    delivered, slices = Event(), Counter[int]()

    def watch(session: Session) -> None:
        if session.run >= 2:  # a thread's second run, after one that is over in less than the time given
            slices[session.run] += 1
            if slices[session.run] == 1:
                time.sleep(2 * room.HAND_OVER_SECONDS)
            elif slices[session.run] == 3:
                assert delivered.wait(20.0)

    made = settings("xor:8", nodes=7, gates="xor", budget=20_000)
    run_many(made, seed=1, runs=range(4), jobs=2, on_done=lambda run: delivered.set(), watch=watch)
    assert slices[2] >= 3


def test_runs_under_way_are_told_of() -> None:
    made = settings("xor:8", nodes=7, gates="xor", budget=20_000)
    told: list[tuple[int, int]] = []
    run_many(
        made, seed=1, runs=range(2), watch=lambda session: told.append((session.run, session.iterations))
    )
    assert told[0] == (0, 1000)
    assert [number for number, iterations in told if iterations == 20_000] == [0, 1]
