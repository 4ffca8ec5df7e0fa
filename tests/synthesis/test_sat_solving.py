"""The solver answers, and can be stopped."""

import subprocess
import sys
from itertools import combinations
from time import monotonic

import pytest

from gatewalk.synthesis.sat_solving import satisfied


def pigeons(count):
    """So many pigeons in one hole less, each in a hole of its own: there is no way, and it is hard to see."""
    holes = count - 1
    clauses = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(count)]
    for hole in range(holes):
        clauses += [
            [-(a * holes + hole + 1), -(b * holes + hole + 1)] for a, b in combinations(range(count), 2)
        ]
    return clauses


def test_a_model_or_none():
    model = satisfied([[1, 2], [-1, 3], [-2, 3], [-3, 4]])
    assert {3, 4} <= set(model)
    assert satisfied(pigeons(6)) is False


def test_a_deadline_in_the_past_is_no_answer():
    assert satisfied(pigeons(20), deadline=monotonic() - 1) is None


def test_a_deadline_in_the_future_ends_it():
    assert satisfied(pigeons(20), deadline=monotonic() + 0.3) is None


def test_who_is_told_that_it_works_may_end_it():
    told = []

    def alive():
        told.append(len(told))
        if len(told) == 3:
            raise StopIteration

    with pytest.raises(StopIteration):
        satisfied(pigeons(20), alive=alive)
    assert told == [0, 1, 2]


SCRIPT = """
import os, signal
from threading import Timer
from gatewalk.synthesis.sat_solving import satisfied

clauses = {clauses}
told = []
def alive():
    if not told:
        told.append(Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)))
        told[0].start()
try:
    satisfied(clauses, alive=alive)
except KeyboardInterrupt:
    print("interrupted", satisfied([[1]]))
"""


def test_ctrl_c_ends_it():
    """In a process of its own, where nothing else of the tests hears of it."""
    script = SCRIPT.format(clauses=pigeons(20))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.stderr) == ("interrupted [1]\n", "")
