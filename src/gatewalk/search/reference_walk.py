"""A literal twin's search under way, of any algorithm, as `session` wants it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.reference.stream import Stream


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

    @property
    def stream_words(self) -> NDArray[np.uint64]:
        return np.array(self.stream.words, dtype=np.uint64)

    def counters(self, places: int) -> NDArray[np.int64]:
        """As a kernel's walk keeps them: offspring, steps, rank, then what a twin does not count."""
        kept = np.zeros(places, dtype=np.int64)
        kept[:3] = self.offspring, self.steps, self.fitness
        return kept


def advance(walk: ReferenceWalk, limit: int) -> None:
    """Walk until solved or until `limit` offspring in all."""
    while not walk.solved and walk.offspring < limit:
        before = walk.fitness
        walk.generation(limit)
        if walk.fitness < before:
            walk.improvements.append((walk.offspring, walk.fitness))
