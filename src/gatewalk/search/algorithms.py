"""Which module of this room runs which settings; all of them offer the same functions.

They are imported when first used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.circuit import Circuit
from gatewalk.search.settings import Settings

Arrays = dict[str, NDArray[Any]]
Programs = Sequence[NDArray[np.int32]] | NDArray[np.int32]  # several arrays, or the rows of one
_PREFIXES = {"cgp": "cgp", "tgp-single": "tgp", "tgp-multi": "tgp"}


class RunWalk(Protocol):
    """A search under way, of any algorithm."""

    @property
    def evaluation(self) -> str: ...
    @property
    def offspring(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def solved(self) -> bool: ...
    @property
    def fitness(self) -> int: ...
    @property
    def program(self) -> NDArray[np.int32]: ...
    @property
    def improvements(self) -> list[tuple[int, int]]:
        """(offspring, fitness) at the start and at each improvement since this walk began."""
        ...


class Algorithm(Protocol):
    """The functions of a module that runs an algorithm.

    wanted: the target, perhaps with inputs that the law adds.
    start: begins run number `run` of the cell with the number `cell` (see `seeds`), on these training rows,
        or on the complete set if they are None. after: a walk with the same settings that is no longer
        needed, whose memory may be reused.
    advance: searches until solved or until there were `limit` offspring.
    saved, restored: the arrays that `saved_sizes` lists, and a walk made from them; they were checked before.
    gates, circuit: the number of gates of a program, and its circuit.
    """

    def wanted(self, settings: Settings) -> Target: ...
    def start(
        self,
        settings: Settings,
        training: TrainingSet | None,
        *,
        seed: int,
        cell: int,
        run: int,
        after: Any = None,
    ) -> RunWalk: ...
    def advance(self, walk: Any, limit: int) -> None: ...
    def saved(self, walk: Any) -> Arrays: ...
    def restored(self, settings: Settings, training: TrainingSet | None, arrays: Arrays) -> RunWalk: ...
    def check_programs(self, settings: Settings, programs: Programs) -> None:
        """Raise `InputError` if arrays, from outside, are not programs of these settings."""
        ...

    def gates(self, settings: Settings, program: NDArray[np.int32]) -> int: ...
    def circuit(self, settings: Settings, program: NDArray[np.int32]) -> Circuit: ...


def runs_in_kernels(settings: Settings) -> bool:
    """Whether one call of a kernel can do many runs; otherwise they are begun one by one."""
    has_equal_rows = settings.training == "complete" or settings.wanted.cares is None
    return _name(settings) == "cgp_search" and has_equal_rows


def saved_sizes(settings: Settings) -> dict[str, int | None]:
    """The arrays of a saved search and their sizes; None is any size, for trees, which grow.

    counters: offspring and elementary steps; where waiting times are drawn, the counters OFFSPRING, PICKS,
        UNTIL_CANDIDATE and SKIPPED of `gatewalk.cgp.waiting.WaitingSearch`.
    undrawn: see there.
    """
    if not isinstance(settings.law, CgpLaw):
        return {"program": None, "stream": 4, "counters": 2}
    from gatewalk.search.cgp_search import shape_of

    genes = shape_of(settings).length
    if settings.law.waiting == "drawn":
        return {"program": genes, "stream": 4, "counters": 4, "undrawn": genes + 1}
    return {"program": genes, "stream": 4, "counters": 2}


def algorithm_of(settings: Settings) -> Algorithm:
    """The module that runs these settings."""
    return _module(f"gatewalk.search.{_name(settings)}")


def _name(settings: Settings) -> str:
    prefix = _PREFIXES[settings.algorithm]
    if settings.evaluation == "reference":
        return f"{prefix}_reference"
    is_drawn = isinstance(settings.law, CgpLaw) and settings.law.waiting == "drawn"
    return "cgp_waiting" if is_drawn else f"{prefix}_search"


@lru_cache
def _module(name: str) -> Algorithm:
    return cast(Algorithm, import_module(name))
