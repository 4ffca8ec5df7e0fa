"""A walk through programs in slices of time, between which a caller can look at it, report, or stop it."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from time import perf_counter

from gatewalk.cgp import walk as walks
from gatewalk.search.evolve import FIRST_SLICE, SLICE_SECONDS


def slices(walk: walks.Walk, stop: Event | None = None) -> Iterator[None]:
    """Advance a walk to the end of its run, or until `stop` is set; yields after every slice.

    A slice takes about a tenth of a second, whatever the size of the programs.
    """
    iterations = FIRST_SLICE
    while not walk.finished and not (stop and stop.is_set()):
        began = perf_counter()
        walks.advance(walk, iterations)
        seconds = perf_counter() - began
        if seconds < SLICE_SECONDS / 2:
            iterations *= 2
        elif seconds > SLICE_SECONDS:
            iterations = max(1, iterations // 2)
        yield
