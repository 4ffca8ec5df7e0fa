"""Runs of one cell in columns: arrays to compute with, and a sequence of `Run`, each made when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from gatewalk.search.improvements import Improvements, chained, picked
from gatewalk.search.run import RUN_COLUMNS, Run
from gatewalk.search.settings import Settings, cell_values


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs(Sequence[Run]):
    """Many runs with the same settings and seed, as columns: NumPy arrays with a place for each run.

    It is also a sequence: `runs[3]` is a `Run`, made when it is asked for.

    Attributes
    ----------
    settings, seed, evaluation
        What the runs share: their settings, their seed, and the way of evaluating.
    run
        The numbers of the runs.
    iterations, evaluations, elementary_steps, solved, gates
        As in `Run`.
    fitness
        As in `Run`, in a list, because it can exceed 64 bits.
    generalisation
        As in `Run`; None on complete training sets.
    seconds
        The time of each run. A kernel call that made several runs is divided among them by their
        iterations.
    programs
        The final programs, one for each run.
    improvements
        The improvements of each run.

    Examples
    --------
    >>> import gatewalk as gw
    >>> runs = gw.run_many(gw.settings("and:4", nodes=8), seed=1, runs=range(100))
    >>> len(runs), int(runs.solved.sum()), runs[0].iterations
    (100, 100, 8)
    """

    settings: Settings
    seed: int
    evaluation: str
    run: NDArray[np.uint64]
    iterations: NDArray[np.int64]
    evaluations: NDArray[np.int64]
    elementary_steps: NDArray[np.int64]
    solved: NDArray[np.bool_]
    fitness: list[int] = field(repr=False)
    gates: NDArray[np.int64]
    generalisation: NDArray[np.float64] | None
    seconds: NDArray[np.float64]
    programs: Any = field(repr=False)
    improvements: Sequence[Improvements] = field(repr=False)

    def __len__(self) -> int:
        return int(self.run.size)

    @overload
    def __getitem__(self, place: int) -> Run: ...
    @overload
    def __getitem__(self, place: slice) -> Runs: ...
    def __getitem__(self, place: int | slice) -> Run | Runs:
        if isinstance(place, slice):
            return self.take(range(len(self))[place])
        place = range(len(self))[place]
        values = {name: _at(getattr(self, name), place) for name in _COLUMNS}
        return Run(
            settings=self.settings,
            seed=self.seed,
            program=self.programs[place],
            improvements=self.improvements[place],
            **values,
        )

    def __iter__(self) -> Iterator[Run]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        solved = int(self.solved.sum())
        return f"Runs({self.settings.target}, {len(self)} runs, {solved} solved, seed={self.seed})"

    def take(self, places: Iterable[int]) -> Runs:
        """The runs at these indices, in this order."""
        chosen = np.fromiter(places, dtype=np.int64)
        columns: dict[str, Any] = {
            name: getattr(self, name)[chosen] for name in _ARRAYS if getattr(self, name) is not None
        }
        for name in _NUMBERS:
            columns[name] = [getattr(self, name)[place] for place in chosen.tolist()]
        for name in _PARTS:
            columns[name] = picked(getattr(self, name), chosen)
        return replace(self, **columns)

    def values(self, name: str) -> Iterable[Any]:
        """A column as plain Python values, one for each run."""
        column = getattr(self, name)
        if isinstance(column, np.ndarray):
            listed: list[Any] = column.tolist()
            return listed
        return column if isinstance(column, list) else repeat(column, len(self))

    def records(self) -> Iterator[dict[str, Any]]:
        """Every run as a flat record, a value for each of `COLUMNS`: a line of `gatewalk evolve --json`."""
        common = cell_values(self.settings, self.seed)
        for values in zip(*map(self.values, _COLUMNS), strict=True):
            yield common | dict(zip(_COLUMNS, values, strict=True))


# How a column is held, by its kind: most are arrays; numbers that can exceed 64 bits are a list; a text,
# which is the same for all runs, is held once.
_DTYPES: dict[str, type] = {"count": np.int64, "real": np.float64, "truth": np.bool_}
_COLUMNS = [column.name for column in RUN_COLUMNS]
_ARRAYS = {column.name: _DTYPES[column.kind] for column in RUN_COLUMNS if column.kind in _DTYPES}
_ARRAYS["run"] = np.uint64  # the number of a run may be any that a seed sequence takes
_NUMBERS = [column.name for column in RUN_COLUMNS if column.kind == "number"]
_PARTS = ("programs", "improvements")


def _at(column: Any, place: int) -> Any:
    """An entry of a column as a plain Python value; a column held once has the same value everywhere."""
    if isinstance(column, np.ndarray):
        return column[place].item()
    return column[place] if isinstance(column, list) else column


def runs_of(runs: Sequence[Run]) -> Runs:
    """Runs of the same settings and seed, at least one, in columns."""
    first = runs[0]
    columns: dict[str, Any] = {}
    for name, dtype in _ARRAYS.items():
        has_values = getattr(first, name) is not None
        columns[name] = np.array([getattr(run, name) for run in runs], dtype=dtype) if has_values else None
    for name in _NUMBERS:
        columns[name] = [getattr(run, name) for run in runs]
    return Runs(
        settings=first.settings,
        seed=first.seed,
        evaluation=first.evaluation,
        programs=[run.program for run in runs],
        improvements=[run.improvements for run in runs],
        **columns,
    )


def joined(parts: Sequence[Runs]) -> Runs:
    """Parts of one cell, at least one, joined in this order."""
    first = parts[0]
    if len(parts) == 1:
        return first
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts])
        for name in _ARRAYS
        if getattr(first, name) is not None
    }
    for name in _NUMBERS:
        columns[name] = [value for part in parts for value in getattr(part, name)]
    for name in _PARTS:
        columns[name] = chained([getattr(part, name) for part in parts])
    return replace(first, **columns)


def in_order(parts: Sequence[Runs], numbers: Sequence[int]) -> Runs:
    """Parts of one cell joined, with the runs in the order of these numbers."""
    whole = joined(parts)
    if whole.run.tolist() == list(numbers):
        return whole
    place = {number: at for at, number in enumerate(whole.run.tolist())}
    return whole.take(place[number] for number in numbers)


def best_of(runs: Sequence[Run]) -> Run:
    """The solved run with the fewest gates, the first of several; without a solved one, the fittest run.

    Parameters
    ----------
    runs
        At least one; `Runs`, or runs of several searches.

    Examples
    --------
    >>> from gatewalk import settings
    >>> from gatewalk.search.evolve import run_many
    >>> best_of(run_many(settings("and:2"), runs=range(9), seed=1)).gates
    1
    """
    if isinstance(runs, Runs):
        ranked = zip(runs.fitness, runs.gates.tolist(), runs.run.tolist(), range(len(runs)), strict=True)
        return runs[min(ranked)[-1]]
    return min(runs, key=lambda run: (run.fitness, run.gates, run.run))
