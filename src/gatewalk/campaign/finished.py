"""Finished runs on their way from the search to the store: columns, and packed traces if they are wanted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np

from gatewalk.bigint import decimal
from gatewalk.campaign.packing import Trace, pack_programs, pack_trace
from gatewalk.search.improvements import Improvements
from gatewalk.search.runs import Runs
from gatewalk.search.settings import Settings

LARGEST_INTEGER = 2**63 - 1  # that SQLite holds
STORED = (
    "cell",
    "run",
    "iterations",
    "evaluations",
    "elementary_steps",
    "solved",
    "fitness",
    "gates",
    "generalisation",
    "evaluation",
    "program",
    "seconds",
    "delivery",
)


@dataclass(frozen=True, kw_only=True)
class Finished:
    """Runs of one cell that are over. traces: one for each run, packed, or None if they are not wanted."""

    runs: Runs
    traces: list[bytes] | None

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def program_bytes(self) -> int:
        """What the programs take in memory, by far the most if they are long."""
        programs = self.runs.programs
        if isinstance(programs, np.ndarray):
            return programs.nbytes
        return sum(program.nbytes for program in programs)


def finished(runs: Runs, *, traces: bool) -> Finished:
    """Runs as they are handed over: without improvements, which are traces now and else not wanted."""
    packed = None
    if traces:
        packed = [pack_trace(trace_of(runs.settings, one)) for one in runs.improvements]
    none: Improvements = ()
    return Finished(runs=replace(runs, improvements=[none] * len(runs)), traces=packed)


def trace_of(settings: Settings, improvements: Improvements) -> Trace:
    """(evaluations, best fitness so far) from evaluation 1 on, where the start counts as known."""
    starts = settings.law.starts if settings.start == "random" else 1
    return tuple((offspring + starts if offspring else 1, fitness) for offspring, fitness in improvements)


def rows_of(runs: Runs, *, cell: int, delivery: int) -> Iterator[tuple[Any, ...]]:
    """A tuple for each run, in the order of `STORED`; made of columns as fast as Python can."""
    ability = repeat(None) if runs.generalisation is None else runs.generalisation.tolist()
    return zip(
        repeat(cell),
        runs.run.tolist(),
        runs.iterations.tolist(),
        runs.evaluations.tolist(),
        runs.elementary_steps.tolist(),
        runs.solved.tolist(),
        _storable(runs.fitness),
        runs.gates.tolist(),
        ability,
        repeat(runs.evaluation),
        pack_programs(runs.programs),
        runs.seconds.tolist(),
        repeat(delivery),
        strict=False,
    )


def _storable(fitness: Sequence[int]) -> Sequence[int | str]:
    """Fitness as SQLite holds it: decimal text beyond 64 bits."""
    if max(fitness) <= LARGEST_INTEGER:
        return fitness
    return [value if value <= LARGEST_INTEGER else decimal(value) for value in fitness]
