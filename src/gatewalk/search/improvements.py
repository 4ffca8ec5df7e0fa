"""The improvements of many runs, kept as kernels log them and converted for a single run when asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

Improvements = tuple[tuple[int, int], ...]  # (offspring, fitness) at the start and at each improvement
T = TypeVar("T")


class Logged(Sequence[Improvements]):
    """The improvements of `count` runs from position `first` on, as a sequence with an entry for each run.

    rows: the log of a kernel, (position, offspring, rank), ordered by position.
    """

    def __init__(self, rows: NDArray[np.int64], first: int, count: int, fitness_of: Callable[[int], int]):
        self._rows = rows
        self._bounds = np.searchsorted(rows[:, 0], np.arange(first, first + count + 1))
        self._fitness = {rank: fitness_of(rank) for rank in np.unique(rows[:, 2]).tolist()}

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __getitem__(self, place: Any) -> Any:
        place = range(len(self))[place]
        if isinstance(place, range):
            return [self[one] for one in place]
        rows = self._rows[self._bounds[place] : self._bounds[place + 1], 1:].tolist()
        return tuple((offspring, self._fitness[rank]) for offspring, rank in rows)


class Picked(Sequence[T]):
    """A view of entries of several sequences: entry k is parts[of[k]][at[k]]."""

    def __init__(self, parts: Sequence[Sequence[T]], of: NDArray[np.int64], at: NDArray[np.int64]):
        self._parts, self._of, self._at = parts, of, at

    def __len__(self) -> int:
        return len(self._of)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[T]: ...
    def __getitem__(self, place: int | slice) -> T | Sequence[T]:
        if isinstance(place, slice):
            return Picked(self._parts, self._of[place], self._at[place])
        found: T = self._parts[int(self._of[place])][int(self._at[place])]
        return found


def chained(parts: Sequence[Sequence[T]]) -> Sequence[T]:
    """Several sequences, one after the other, as one sequence."""
    sizes = np.array([len(part) for part in parts])
    first = np.cumsum(sizes) - sizes
    return Picked(
        parts, np.repeat(np.arange(len(parts)), sizes), np.arange(sizes.sum()) - np.repeat(first, sizes)
    )


def picked(values: Sequence[T], places: NDArray[np.int64]) -> Sequence[T]:
    """The entries of a sequence at these indices, in this order."""
    return Picked([values], np.zeros_like(places), places)
