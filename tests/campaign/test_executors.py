"""Threads: side by side, stoppable, and errors come back."""

from __future__ import annotations

import subprocess
import sys

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
