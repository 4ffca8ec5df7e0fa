"""Every compilation is told, and nothing that comes from memory."""

from __future__ import annotations

import numba
from numba.core import event

from gatewalk.native.compilation import watch_compilations


def test_beginnings_and_ends_are_told() -> None:
    told: list[str] = []
    before = list(event._registered["numba:compile"])
    watch_compilations(lambda: told.append("begins"), lambda: told.append("ends"))
    try:
        double = numba.njit(lambda x: x + x)
        double(1)
        assert told[0] == "begins"
        assert told.count("begins") == told.count("ends") >= 1
        told.clear()
        double(2)
        assert told == []
    finally:
        for listener in event._registered["numba:compile"]:
            if listener not in before:
                event.unregister("numba:compile", listener)
