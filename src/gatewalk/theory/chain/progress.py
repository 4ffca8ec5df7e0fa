"""How a long computation reports its progress, and how its phases share one progress bar."""

from __future__ import annotations

from collections.abc import Callable

TellProgress = Callable[[str, float], None]  # called with the name of the phase and the share that is done


def part_of(watch: TellProgress | None, begin: float, end: float) -> TellProgress | None:
    """The callback for one phase, which takes the whole computation from share `begin` to share `end`.

    A phase reports its own share, from 0 to 1; `watch` is told the share of the whole.

    >>> part_of(lambda what, done: print(what, done), 0.5, 1.0)("second half", 0.5)
    second half 0.75
    """
    if watch is None:
        return None
    return lambda what, done: watch(what, begin + (end - begin) * done)
