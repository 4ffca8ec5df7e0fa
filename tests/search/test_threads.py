"""Runs side by side: results in order, and a stop that every run under way hears of."""

from __future__ import annotations

from threading import Event

import pytest

from gatewalk.errors import InputError
from gatewalk.search.threads import runs_on_threads


def test_results_come_in_order_whatever_the_jobs() -> None:
    gate = Event()

    def make(run: int, stop: Event) -> int:
        if run == 0:
            gate.wait(10)  # the first ends after the second
        else:
            gate.set()
        return run * run

    told: list[int] = []
    assert runs_on_threads(make, range(6), 2, told.append) == [0, 1, 4, 9, 16, 25]
    assert told == [0, 1, 4, 9, 16, 25]


def test_runs_under_way_are_stopped_when_one_fails() -> None:
    begun, stopped = Event(), Event()

    def make(run: int, stop: Event) -> int:
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


def test_jobs_are_checked() -> None:
    with pytest.raises(InputError, match="jobs"):
        runs_on_threads(lambda run, stop: run, range(2), 0)
