"""A run: one seeded search with its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.bigint import short
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import brief
from gatewalk.search.algorithms import algorithm_of
from gatewalk.search.column import column, columns_of
from gatewalk.search.settings import CELL_COLUMNS, Settings, cell_values


@dataclass(frozen=True, eq=False)
class Run:
    """The result of one seeded search.

    iterations: offspring made, less those that the law does not count.
    evaluations: programs evaluated, the start included.
    elementary_steps: turns of the loop of SAM, genes drawn by other mutations, or steps of HVL-prime.
    fitness: mismatches on the training set.
    gates: active gates of the final program.
    generalisation: the share of right outputs on the validation set; None on a complete training set.
    evaluation: the one used, "table", "symbolic" or "reference".
    seconds: the time that the search took.
    program: the final program.
    improvements: (offspring, fitness) of the start and of each improvement.

    Fields with the metadata of `column` are columns in JSON, stores and exports.
    """

    settings: Settings
    seed: int
    run: int = field(metadata=column("count"))
    iterations: int = field(metadata=column("count"))
    evaluations: int = field(metadata=column("count"))
    elementary_steps: int = field(metadata=column("count"))
    solved: bool = field(metadata=column("truth"))
    fitness: int = field(metadata=column("number"))
    gates: int = field(metadata=column("count"))
    generalisation: float | None = field(metadata=column("real", optional=True))
    evaluation: str = field(metadata=column("text"))
    seconds: float = field(metadata=column("real"))
    program: NDArray[np.int32] = field(repr=False)
    improvements: tuple[tuple[int, int], ...] = field(repr=False, default=())

    @cached_property
    def circuit(self) -> Circuit:
        """The circuit of the final program."""
        return algorithm_of(self.settings).circuit(self.settings, self.program)

    def __repr__(self) -> str:
        outcome = "solved" if self.solved else f"fitness {short(self.fitness)}"
        return (
            f"Run({self.settings.target}, {self.settings.algorithm}, {outcome}, "
            f"iterations={self.iterations}, gates={self.gates}, seed={self.seed}, run={self.run})"
        )

    def record(self) -> dict[str, Any]:
        """The run as a flat record, a value for each of `COLUMNS`: a line of `gatewalk evolve --json`."""
        values = {column.name: getattr(self, column.name) for column in RUN_COLUMNS}
        return cell_values(self.settings, self.seed) | values


RUN_COLUMNS = columns_of(Run)
COLUMNS = (*CELL_COLUMNS, *RUN_COLUMNS)


def what_was_run(run: Run) -> str:
    """All settings of a run, in words."""
    settings = run.settings
    words = [settings.label, settings.algorithm, f"gates {brief(settings.gate_set)}"]
    if settings.nodes is not None:
        words += [f"D = {settings.nodes}", str(settings.mutation)]
    words += [f"lambda {settings.offspring}", settings.selection, settings.profile]
    words += [f"{name}={value}" for name, value in settings.options.items()]
    words += [settings.training, f"budget {settings.budget:,}", run.evaluation]
    if settings.start != "random":
        words.append(f"start {brief(settings.start)}")
    return ", ".join([*words, f"seed {run.seed}", f"run {run.run}"])
