"""Improvements of many runs from the log of a kernel, and sequences without copies."""

from __future__ import annotations

import numpy as np

from gatewalk.search.improvements import Logged, chained, picked

# Runs at positions 2 to 4: two improvements, none, one.
LOG = np.array([[2, 0, 3], [2, 5, 1], [2, 9, 0], [3, 0, 2], [4, 0, 3], [4, 8, 2]], dtype=np.int64)


def test_the_log_is_split_by_run() -> None:
    logged = Logged(LOG, 2, 3, lambda rank: (1 << rank) - 1)
    assert len(logged) == 3
    assert list(logged) == [((0, 7), (5, 1), (9, 0)), ((0, 3),), ((0, 7), (8, 3))]
    assert logged[-1] == logged[2]
    assert logged[1:] == [logged[1], logged[2]]


def test_entries_are_chained_and_picked() -> None:
    joined = chained([["a", "b"], [], ["c"]])
    assert list(joined) == ["a", "b", "c"]
    assert list(joined[1:]) == ["b", "c"]
    again = picked(joined, np.array([2, 0, 2]))
    assert (list(again), len(again)) == (["c", "a", "c"], 3)
