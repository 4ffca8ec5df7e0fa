"""Which room runs which algorithm: the same functions of each, imported when first used."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet
from gatewalk.circuit.circuit import Circuit
from gatewalk.search.settings import Settings

Arrays = dict[str, NDArray[Any]]


class Walk(Protocol):
    """A search under way, of any algorithm."""

    improvements: list[tuple[int, int]]

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


class Algorithm(Protocol):
    """What a module that runs an algorithm offers."""

    def wanted(self, settings: Settings) -> Target: ...
    def start(self, settings: Settings, training: TrainingSet | None, stream: NDArray[np.uint64]) -> Walk: ...
    def again(self, settings: Settings, ended: Any, stream: NDArray[np.uint64]) -> Walk: ...
    def advance(self, walk: Any, limit: int) -> None: ...
    def saved(self, walk: Any) -> Arrays: ...
    def restored(self, settings: Settings, training: TrainingSet | None, arrays: Arrays) -> Walk: ...
    def gates(self, settings: Settings, program: NDArray[np.int32]) -> int: ...
    def circuit(self, settings: Settings, program: NDArray[np.int32]) -> Circuit: ...


def algorithm_of(settings: Settings) -> Algorithm:
    """The module that runs these settings."""
    if settings.evaluation == "reference":
        name = "cgp_reference" if settings.algorithm == "cgp" else "tgp_reference"
    else:
        name = "cgp_search" if settings.algorithm == "cgp" else "tgp_search"
    return _module(f"gatewalk.search.{name}")


@lru_cache
def _module(name: str) -> Algorithm:
    return cast(Algorithm, import_module(name))
