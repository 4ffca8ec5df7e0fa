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

    Attributes
    ----------
    settings, seed, run
        What determines the run: the settings, the seed, and its number.
    iterations
        The running time: offspring made and evaluated, without those that the profile does not count.
    evaluations
        Programs evaluated, the first one included.
    elementary_steps
        Turns of the loop of the mutation.
    solved
        Whether the training set was fitted within the budget.
    fitness
        Mismatches on the training set; 0 if it was fitted.
    gates
        Active gates of the final program.
    generalisation
        The share of right outputs on the validation set; None on a complete training set.
    evaluation
        The way of evaluating that was really used.
    seconds
        How long it took, without the compilation of kernels.
    program
        The final program, as numbers.
    improvements
        The offspring and the fitness of the start and of each improvement.

    Examples
    --------
    >>> import gatewalk as gw
    >>> run = gw.evolve("and:4", nodes=8, seed=1)
    >>> run
    Run(and:4, cgp, solved, iterations=8, gates=3, seed=1, run=0)
    >>> print(run.circuit)
    y = x3 & x1 & x4 & x2
    """

    settings: Settings
    seed: int
    run: int = field(metadata=column("count", "The number of the run under its seed."))
    iterations: int = field(
        metadata=column(
            "count",
            "The running time: offspring made and evaluated, less those that the profile does not count.",
        )
    )
    evaluations: int = field(metadata=column("count", "Programs evaluated, the first one included."))
    elementary_steps: int = field(metadata=column("count", "Turns of the loop of the mutation."))
    solved: bool = field(
        metadata=column("truth", "Whether the training set was fitted; if not, the run is censored.")
    )
    fitness: int = field(metadata=column("number", "Mismatches on the training set."))
    gates: int = field(metadata=column("count", "Active gates of the final program."))
    generalisation: float | None = field(
        metadata=column(
            "real", "The share of right outputs on the validation set; null on complete sets.", optional=True
        )
    )
    evaluation: str = field(metadata=column("text", "The way of evaluating that was really used."))
    seconds: float = field(
        metadata=column("real", "The time of the run, without the compilation of kernels.")
    )
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
        """The run as a flat record, a value for each of `COLUMNS`: a line of `gatewalk evolve --json`."""
        values = {column.name: getattr(self, column.name) for column in RUN_COLUMNS}
        return cell_values(self.settings, self.seed) | values


RUN_COLUMNS = columns_of(Run)
COLUMNS = (*CELL_COLUMNS, *RUN_COLUMNS)


def what_was_run(run: Run) -> str:
    """All settings of a run, in words."""
    made = run.settings
    words = [made.label, made.algorithm, f"gates {brief(made.gate_set)}"]
    if made.nodes is not None:
        words += [f"D = {made.nodes}", str(made.mutation)]
    words += [f"lambda {made.offspring}", made.selection, made.profile]
    words += [f"{name}={value}" for name, value in made.options.items()]
    words += [made.training, f"budget {made.budget:,}", run.evaluation]
    if made.start != "random":
        words.append(f"start {brief(made.start)}")
    return ", ".join([*words, f"seed {run.seed}", f"run {run.run}"])
