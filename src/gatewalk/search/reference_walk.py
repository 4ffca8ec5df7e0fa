"""A search by a literal twin, of any algorithm, behind the functions that `session` calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.reference.stream import Stream
from gatewalk.search.algorithms import Arrays


class Step(Protocol):
    """The counters of a twin."""

    fitness: int
    iterations: int
    elementary_steps: int


@dataclass(eq=False)
class ReferenceWalk:
    """A search under way.

    step: the counters, which `generation` updates.
    generation(limit): makes one generation, of no more offspring than up to the limit.
    numbers(): the parent as integers.
    improvements: (offspring, fitness) at the start and at each improvement.
    draws_waiting: whether waiting times are drawn (`CgpLaw.waiting`).
    """

    stream: Stream
    step: Step
    generation: Callable[[int], object]
    numbers: Callable[[], list[int]]
    improvements: list[tuple[int, int]] = field(default_factory=list)
    evaluation: str = "reference"
    draws_waiting: bool = False

    @property
    def offspring(self) -> int:
        return self.step.iterations

    @property
    def steps(self) -> int:
        return self.step.elementary_steps

    @property
    def solved(self) -> bool:
        return self.step.fitness == 0

    @property
    def fitness(self) -> int:
        return self.step.fitness

    @property
    def program(self) -> NDArray[np.int32]:
        return np.array(self.numbers(), dtype=np.int32)


def saved(walk: ReferenceWalk) -> Arrays:
    """The arrays from which the walk can be continued, the same as those of a kernel's walk."""
    return {
        "program": walk.program,
        "stream": np.array(walk.stream.words, dtype=np.uint64),
        "counters": np.array([walk.offspring, walk.steps], dtype=np.int64),
    }


def advance(walk: ReferenceWalk, limit: int) -> None:
    """Search until solved or until there were `limit` offspring."""
    while not walk.solved and walk.offspring < limit:
        before = walk.fitness
        walk.generation(limit)
        if walk.fitness < before:
            walk.improvements.append((walk.offspring, walk.fitness))
