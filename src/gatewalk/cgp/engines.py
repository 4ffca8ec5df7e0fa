"""Engines: the ways to evaluate programs, fastest first, and for which tasks each of them is exact."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.evaluators import affine, incremental, reached, small, small_table, table
from gatewalk.cgp.genotype import Layout, Shape
from gatewalk.cgp.large import Large, large_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.small import Small, is_small, small_of
from gatewalk.errors import InputError

ODD, EVEN = ("xor", "parity"), ("xnor", "epar")  # families that are 1 for an odd, or an even, number of ones
MOST_BITS = 1 << 34  # the most memory that an engine may take for values and observability: 2 GiB


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """What is searched for, and how.

    training: the training set; None is the complete one.
    mutation: a text that `gatewalk.cgp.mutations` reads, such as "sam" or "rate:0.05".
    """

    target: Target
    training: TrainingSet | None
    shape: Shape
    law: CgpLaw
    mutation: str
    strict: bool
    offspring: int


@dataclass(frozen=True)
class Engine:
    """A way to evaluate programs.

    evaluation: the value of `--evaluation` that it belongs to, "table" or "symbolic".
    program: makes the arrays that hold a program, small or large.
    applies: whether it is exact for a task.
    evaluator: makes the arrays of the evaluator that evaluates offspring.
    """

    name: str
    evaluation: str
    program: Callable[..., Small | Large]
    applies: Callable[[Task], bool]
    evaluator: Callable[[Task, Layout], Any]

    @property
    def watched(self) -> bool:
        """Whether an observer can follow it: observers read large programs only."""
        return self.program is large_of

    def fitness(self, task: Task, rank: int) -> int:
        """The number of mismatches on the training set that a rank stands for."""
        if self.evaluation == "table":
            return rank
        if is_conjunction(task):
            return (1 << rank) - 1  # Lemma 2: 2^(n-i) - 1 for i of n inputs
        return affine.fitness_of(task.target.inputs, rank)


@lru_cache(maxsize=4)
def _complete(target: Target) -> TrainingSet:
    return complete(target)


def training_of(task: Task) -> TrainingSet:
    """The training set of a task; the complete one is made here if the task has none."""
    return _complete(task.target) if task.training is None else task.training


def rows_of(task: Task) -> int:
    """The number of rows of a task's training set."""
    return 1 << task.target.inputs if task.training is None else task.training.rows


def is_conjunction(task: Task) -> bool:
    """Whether the task is `and` from {and} on the complete set, or its dual, `or` from {or}."""
    names = task.shape.gates.names
    return task.training is None and task.target.family in ("and", "or") and names == (task.target.family,)


def is_parity(task: Task) -> bool:
    """Whether the task is a parity, or the inverse of one, from affine gates on the complete set."""
    is_complete = task.training is None and task.target.family in (*ODD, *EVEN)
    return is_complete and task.shape.arity == 2 and affine.is_affine(task.shape.gates)


def is_symbolic(task: Task) -> bool:
    """Whether programs can be evaluated without a table."""
    return is_conjunction(task) or is_parity(task)


def _symbolic_evaluator(task: Task, layout: Layout) -> Any:
    inverted = task.target.family in EVEN
    return reached.reached_of(layout) if is_conjunction(task) else affine.affine_of(layout, inverted=inverted)


def _small_symbolic_evaluator(task: Task, layout: Layout) -> Any:
    inverted = task.target.family in EVEN
    return small.sets_of(layout) if is_conjunction(task) else small.parity_of(layout, inverted=inverted)


def _small_symbolic(task: Task) -> bool:
    return is_symbolic(task) and is_small(task.shape)


def _on_rows(evaluator_of: Callable[[Layout, TrainingSet], Any]) -> Callable[[Task, Layout], Any]:
    return lambda task, layout: evaluator_of(layout, training_of(task))


def _gates_read(task: Task) -> bool:
    """Whether every gate has one input or two. Only plain evaluation can handle constants and wider gates."""
    return task.shape.arity == 2 and all(gate.arity > 0 for gate in task.shape.gates.gates)


def _in_a_word(task: Task) -> bool:
    return is_small(task.shape) and _gates_read(task) and rows_of(task) <= 64


def _one_small_gate(task: Task) -> bool:
    """Whether there is a single gate, of two inputs, and the program is small.

    With several gates searches get stuck more often, and incremental evaluation, which reuses what it knows
    about a parent, is faster.
    """
    gates = task.shape.gates.gates
    return is_small(task.shape) and [gate.arity for gate in gates] == [2] and 128 * rows_of(task) <= MOST_BITS


def _incremental(task: Task) -> bool:
    outputs, bits = task.shape.outputs, rows_of(task) * task.shape.nodes * (task.shape.outputs + 2)
    return _gates_read(task) and outputs <= incremental.MOST_OUTPUTS and bits <= MOST_BITS


# The first engine that applies is taken, so the fastest come first.
ENGINES = (
    Engine("small symbolic", "symbolic", small_of, _small_symbolic, _small_symbolic_evaluator),
    Engine("symbolic", "symbolic", large_of, is_symbolic, _symbolic_evaluator),
    Engine("small", "table", small_of, _in_a_word, _on_rows(small.table_of)),
    Engine("small table", "table", small_of, _one_small_gate, _on_rows(small_table.small_table_of)),
    Engine("incremental", "table", large_of, _incremental, _on_rows(incremental.incremental_of)),
    Engine("plain", "table", large_of, lambda task: True, _on_rows(table.plain_of)),
)


def named(name: str) -> Engine:
    """The engine of that name."""
    return next(engine for engine in ENGINES if engine.name == name)


def choose(task: Task, evaluation: str, *, watched: bool = False) -> Engine:
    """The fastest engine of that evaluation (`auto`: of any) that is exact for the task."""
    for engine in ENGINES:
        is_wanted = evaluation in (engine.evaluation, "auto") and (engine.watched or not watched)
        if is_wanted and engine.applies(task):
            return engine
    raise InputError(
        f"no {evaluation} evaluation for {task.target.name} with these settings; use --evaluation auto"
    )
