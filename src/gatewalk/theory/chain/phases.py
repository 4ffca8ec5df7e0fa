"""Progress on a computation of several phases as one share of the whole, from which the time left follows."""

from __future__ import annotations

from gatewalk.theory.chain.markov_chain import TellProgress


def part_of(watch: TellProgress | None, begin: float, end: float) -> TellProgress | None:
    """For a phase that is the whole computation from share `begin` to share `end`.

    >>> part_of(lambda what, done: print(what, done), 0.5, 1.0)("second half", 0.5)
    second half 0.75
    """
    if watch is None:
        return None
    return lambda what, done: watch(what, begin + (end - begin) * done)
