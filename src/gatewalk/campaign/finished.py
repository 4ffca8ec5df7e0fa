"""Finished runs on their way from the search to the store: columns, and packed traces if they are wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

import numpy as np

from gatewalk.bigint import decimal
from gatewalk.campaign.packing import Trace, pack_programs, pack_trace
from gatewalk.search.column import LARGEST_COUNT
from gatewalk.search.improvements import Improvements
from gatewalk.search.run import RUN_COLUMNS
from gatewalk.search.runs import Runs
from gatewalk.search.settings import Settings


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
    """A row of the table of runs for each run; made of columns as fast as Python can."""
    columns = [
        _storable(runs.values(column.name)) if column.kind == "number" else runs.values(column.name)
        for column in RUN_COLUMNS
    ]
    return zip(repeat(cell), *columns, pack_programs(runs.programs), repeat(delivery), strict=False)


def _storable(numbers: Iterable[int]) -> list[int | str]:
    """Numbers as SQLite holds them: decimal text beyond 64 bits."""
    return [value if value <= LARGEST_COUNT else decimal(value) for value in numbers]
