"""Runs of one cell in columns: arrays to compute with, and a sequence of `Run`, each made when asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from gatewalk.search.improvements import Improvements, chained, picked
from gatewalk.search.run import Run, record_of
from gatewalk.search.settings import Settings


@dataclass(frozen=True, eq=False, kw_only=True)
class Runs(Sequence[Run]):
    """Runs with the same settings and seed; a place in every column for each of them.

    The columns are those of `Run`. fitness is a list, since it can exceed 64 bits. generalisation is None on
    complete training sets. programs: a row, or an array, for each run. seconds: a run's share, by its
    iterations, of the time of the kernel calls that it was part of.
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
        return Run(
            settings=self.settings,
            seed=self.seed,
            run=int(self.run[place]),
            iterations=int(self.iterations[place]),
            evaluations=int(self.evaluations[place]),
            elementary_steps=int(self.elementary_steps[place]),
            solved=bool(self.solved[place]),
            fitness=self.fitness[place],
            gates=int(self.gates[place]),
            generalisation=None if self.generalisation is None else float(self.generalisation[place]),
            seconds=float(self.seconds[place]),
            evaluation=self.evaluation,
            program=self.programs[place],
            improvements=self.improvements[place],
        )

    def __iter__(self) -> Iterator[Run]:
        return (self[place] for place in range(len(self)))

    def __repr__(self) -> str:
        solved = int(self.solved.sum())
        return f"Runs({self.settings.target}, {len(self)} runs, {solved} solved, seed={self.seed})"

    def take(self, places: Iterable[int]) -> Runs:
        """The runs at these places, in this order."""
        chosen = np.fromiter(places, dtype=np.int64)
        columns: dict[str, Any] = {name: getattr(self, name)[chosen] for name in _ARRAYS}
        generalisation = None if self.generalisation is None else self.generalisation[chosen]
        return replace(
            self,
            **columns,
            generalisation=generalisation,
            fitness=[self.fitness[place] for place in chosen.tolist()],
            programs=picked(self.programs, chosen),
            improvements=picked(self.improvements, chosen),
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """Every run as a flat record, the keys of `gatewalk evolve --json`."""
        common = record_of(self.settings, evaluation=self.evaluation, seed=self.seed)
        generalisation = [None] * len(self) if self.generalisation is None else self.generalisation.tolist()
        columns = (getattr(self, name).tolist() for name in _RECORDED)
        for run, iterations, evaluations, solved, gates, seconds, fitness, ability in zip(
            *columns, self.fitness, generalisation, strict=True
        ):
            common["run"], common["iterations"], common["evaluations"] = run, iterations, evaluations
            common["solved"], common["fitness"], common["gates"] = solved, fitness, gates
            common["generalisation"], common["seconds"] = ability, seconds
            yield common.copy()


_ARRAYS = ("run", "iterations", "evaluations", "elementary_steps", "solved", "gates", "seconds")
_RECORDED = ("run", "iterations", "evaluations", "solved", "gates", "seconds")


def runs_of(runs: Sequence[Run]) -> Runs:
    """Runs made one by one, at least one, in columns."""
    first = runs[0]
    generalisation = None
    if first.generalisation is not None:
        generalisation = np.array([run.generalisation for run in runs], dtype=np.float64)
    return Runs(
        settings=first.settings,
        seed=first.seed,
        evaluation=first.evaluation,
        run=np.array([run.run for run in runs], dtype=np.uint64),
        iterations=np.array([run.iterations for run in runs], dtype=np.int64),
        evaluations=np.array([run.evaluations for run in runs], dtype=np.int64),
        elementary_steps=np.array([run.elementary_steps for run in runs], dtype=np.int64),
        solved=np.array([run.solved for run in runs], dtype=np.bool_),
        fitness=[run.fitness for run in runs],
        gates=np.array([run.gates for run in runs], dtype=np.int64),
        generalisation=generalisation,
        seconds=np.array([run.seconds for run in runs], dtype=np.float64),
        programs=[run.program for run in runs],
        improvements=[run.improvements for run in runs],
    )


def joined(parts: Sequence[Runs]) -> Runs:
    """Parts of one cell, at least one, as one."""
    if len(parts) == 1:
        return parts[0]
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in _ARRAYS
    }
    abilities = [part.generalisation for part in parts if part.generalisation is not None]
    generalisation = np.concatenate(abilities) if abilities else None
    return replace(
        parts[0],
        **columns,
        generalisation=generalisation,
        fitness=[fitness for part in parts for fitness in part.fitness],
        programs=chained([part.programs for part in parts]),
        improvements=chained([part.improvements for part in parts]),
    )


def in_order(parts: Sequence[Runs], numbers: Sequence[int]) -> Runs:
    """Parts of one cell as one, with the runs of these numbers in this order."""
    whole = joined(parts)
    if whole.run.tolist() == list(numbers):
        return whole
    place = {number: at for at, number in enumerate(whole.run.tolist())}
    return whole.take(place[number] for number in numbers)
