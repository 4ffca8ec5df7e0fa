"""Slices of rows on threads: every row exactly once."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from gatewalk.theory.chain import threads
from gatewalk.theory.chain.threads import each


@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("rows", [0, 1, 5, 12, 1001])
def test_every_row_once(monkeypatch: pytest.MonkeyPatch, jobs: int, rows: int) -> None:
    monkeypatch.setattr(threads, "default_jobs", lambda: jobs)
    seen = np.zeros(rows, dtype=np.int64)

    def work(part: slice) -> None:
        seen[part] += 1

    each(work, rows, alone=4)
    assert (seen == 1).all()


def test_few_rows_stay_in_the_calling_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "default_jobs", lambda: 2)
    seen: list[tuple[slice, threading.Thread]] = []
    each(lambda part: seen.append((part, threading.current_thread())), 7, alone=7)
    assert seen == [(slice(0, 7), threading.current_thread())]


def test_an_error_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "default_jobs", lambda: 2)

    def work(part: slice) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        each(work, 100, alone=1)
