"""Finished runs on their way from the search to the store: their columns and, if asked for, packed traces."""

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
    """Finished runs of one cell. traces: the packed trace of each run; None if traces were not asked for."""

    runs: Runs
    traces: list[bytes] | None

    def __len__(self) -> int:
        return len(self.runs)

    @property
    def program_bytes(self) -> int:
        """The bytes that the programs take; with long programs, they take most of the memory."""
        programs = self.runs.programs
        if isinstance(programs, np.ndarray):
            return programs.nbytes
        return sum(program.nbytes for program in programs)


def finished(runs: Runs, *, traces: bool) -> Finished:
    """Runs as they are handed to the store: their improvements become traces, or are dropped."""
    packed = None
    if traces:
        packed = [pack_trace(trace_of(runs.settings, one)) for one in runs.improvements]
    none: Improvements = ()
    return Finished(runs=replace(runs, improvements=[none] * len(runs)), traces=packed)


def trace_of(settings: Settings, improvements: Improvements) -> Trace:
    """The trace of a run: pairs (evaluations, best fitness so far), beginning with evaluation 1."""
    starts = settings.law.starts if settings.start == "random" else 1
    return tuple((offspring + starts if offspring else 1, fitness) for offspring, fitness in improvements)


def rows_of(runs: Runs, *, cell: int, delivery: int) -> Iterator[tuple[Any, ...]]:
    """A row of the store's table for each run, built from columns, which is the fastest way in Python."""
    columns = [
        _storable(runs.values(column.name)) if column.kind == "number" else runs.values(column.name)
        for column in RUN_COLUMNS
    ]
    return zip(repeat(cell), *columns, pack_programs(runs.programs), repeat(delivery), strict=False)


def _storable(numbers: Iterable[int]) -> list[int | str]:
    """Numbers in the form that SQLite can hold: as decimal text beyond 64 bits."""
    return [value if value <= LARGEST_COUNT else decimal(value) for value in numbers]
