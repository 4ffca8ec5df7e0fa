"""A literal twin's search under way, of any algorithm, as `session` wants it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.reference.stream import Stream
from gatewalk.search.algorithms import Arrays


class Step(Protocol):
    """What a twin counts."""

    fitness: int
    iterations: int
    elementary_steps: int


@dataclass(eq=False)
class ReferenceWalk:
    """generation(limit) makes one; numbers() are the parent's genes. is_waiting: are waiting times drawn?"""

    stream: Stream
    step: Step
    generation: Callable[[int], object]
    numbers: Callable[[], list[int]]
    improvements: list[tuple[int, int]] = field(default_factory=list)
    evaluation: str = "reference"
    is_waiting: bool = False

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
    """What must be kept to go on later, as a kernel's walk keeps it."""
    return {
        "program": walk.program,
        "stream": np.array(walk.stream.words, dtype=np.uint64),
        "counters": np.array([walk.offspring, walk.steps], dtype=np.int64),
    }


def advance(walk: ReferenceWalk, limit: int) -> None:
    """Walk until solved or until `limit` offspring in all."""
    while not walk.solved and walk.offspring < limit:
        before = walk.fitness
        walk.generation(limit)
        if walk.fitness < before:
            walk.improvements.append((walk.offspring, walk.fitness))
