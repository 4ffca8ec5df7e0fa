"""Threads: side by side, stoppable, and errors come back."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from threading import Event

import pytest

from gatewalk.campaign import executors
from gatewalk.campaign.batch import Batch, Outcome
from gatewalk.campaign.executors import Inline, on_threads
from gatewalk.search.settings import settings

SHORT = Batch(cell=0, settings=settings("and:3"), seed=1, runs=(0, 1))
ENDLESS = Batch(cell=1, settings=settings("and:4", nodes=2, budget=10**12), seed=1, runs=(0,))


def test_threads_hand_outcomes_back() -> None:
    with on_threads(2) as executor:
        assert (executor.workers, executor.name) == (2, "2 threads")
        for _ in range(3):
            executor.submit(SHORT)
        outcomes: list[Outcome] = []
        while len(outcomes) < 3:
            outcomes += executor.wait(1.0)
    for outcome in outcomes:
        assert [number for part in outcome.parts for number in part.runs.run.tolist()] == [0, 1]


def test_stopping_hands_a_run_on_its_way_back() -> None:
    with on_threads(1) as executor:
        executor.submit(ENDLESS)
        assert executor.wait(0.2) == []
        (outcome,) = executor.stop()
    assert outcome.checkpoint is not None


def test_what_was_not_begun_is_dropped_on_a_stop() -> None:
    with on_threads(1) as executor:
        executor.submit(ENDLESS)
        executor.submit(ENDLESS)
        executor.wait(0.1)
        assert len(executor.stop()) == 1


def test_the_main_thread_works_when_waited_for() -> None:
    executor = Inline(lambda: False)
    executor.submit(SHORT)
    (outcome,) = executor.wait(0.0)
    assert outcome.finished == 2
    assert executor.stop() == []


SIGNALS = """
import os, signal, threading, time
from gatewalk.campaign.executors import on_threads

signal.signal(signal.SIGUSR1, lambda *_: None)
over = threading.Event()

def send():
    while not over.is_set():
        os.kill(os.getpid(), signal.SIGUSR1)
        time.sleep(0.0001)

sender = threading.Thread(target=send)
sender.start()
with on_threads(1) as executor:
    print(sum(len(executor.wait(0.0005)) for _ in range(3000)))
over.set()
sender.join()
"""


def test_signals_do_not_make_waiting_endless() -> None:
    command = [sys.executable, "-c", SIGNALS]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "0\n"


def test_a_thread_before_its_first_slice_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be compiling for a minute, and has nothing to hand over."""
    released, begun = Event(), Event()

    def compiling(batch: Batch, stop: Callable[[], bool]) -> None:
        begun.set()
        released.wait()

    monkeypatch.setattr(executors, "run_batch", compiling)
    try:
        with on_threads(1) as executor:
            executor.submit(SHORT)
            begun.wait()
            assert executor.stop() == []
    finally:
        released.set()


def test_a_run_under_way_is_waited_for_however_long_its_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "_PATIENCE", 0.0)
    begun = Event()

    def slow(batch: Batch, stop: Callable[[], bool]) -> str:
        while not stop():
            begun.set()
        time.sleep(0.3)
        return "handed over"

    monkeypatch.setattr(executors, "run_batch", slow)
    with on_threads(1) as executor:
        executor.submit(SHORT)
        begun.wait()
        assert executor.stop() == ["handed over"]
