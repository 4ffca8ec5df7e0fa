"""A run: one seeded search with its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.bigint import short
from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.settings import Settings


@dataclass(frozen=True, eq=False)
class Run:
    """The result of one seeded search.

    iterations: offspring made, less those the law does not count. evaluations: programs
    evaluated, the start included. fitness: mismatches on the training set. gates: active gates.
    generalisation: ability on the validation set, None on a complete training set. evaluation:
    the one really used. improvements: (offspring, fitness) of the start and of each improvement.
    """

    settings: Settings
    seed: int
    run: int
    iterations: int
    evaluations: int
    elementary_steps: int
    solved: bool
    fitness: int
    gates: int
    generalisation: float | None
    seconds: float
    evaluation: str
    program: NDArray[np.int32] = field(repr=False)
    improvements: tuple[tuple[int, int], ...] = field(repr=False, default=())

    @cached_property
    def circuit(self) -> Circuit:
        """What the final program computes."""
        return algorithm_of(self.settings).circuit(self.settings, self.program)

    def __repr__(self) -> str:
        outcome = "solved" if self.solved else f"fitness {short(self.fitness)}"
        return (
            f"Run({self.settings.target}, {self.settings.algorithm}, {outcome}, "
            f"iterations={self.iterations}, gates={self.gates}, seed={self.seed}, run={self.run})"
        )

    def record(self) -> dict[str, Any]:
        """The run as a flat record, the keys of `gatewalk evolve --json`."""
        record = record_of(self.settings, evaluation=self.evaluation, seed=self.seed)
        return record | {name: getattr(self, name) for name in _OF_RUN}


_OF_RUN = ("run", "iterations", "evaluations", "solved", "fitness", "gates", "generalisation", "seconds")


def record_of(made: Settings, *, evaluation: str, seed: int) -> dict[str, Any]:
    """A record with what all runs of a cell have in common; the rest is None."""
    common = {
        "target": made.target,
        "algorithm": made.algorithm,
        "n": target(made.target).inputs,
        "nodes": made.nodes,
        "selection": made.selection,
        "profile": made.profile,
        "training": made.training,
        "evaluation": evaluation,
        "seed": seed,
    }
    return common | dict.fromkeys(_OF_RUN)
