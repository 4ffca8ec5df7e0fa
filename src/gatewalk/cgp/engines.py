"""The ways to evaluate programs, fastest first, and which of them are exact for a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.judges import affine, incremental, reached, small, small_table, table
from gatewalk.cgp.large import Large, large_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.small import Small, is_small, small_of
from gatewalk.errors import InputError

ODD, EVEN = ("xor", "parity"), ("xnor", "epar")  # parities that are 1 for so many ones
MOST_BITS = 1 << 34  # of values and observability that may be kept: 2 GiB


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """What is searched for and how. training: None is the complete set. mutation: as `mutations` reads it."""

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

    program and judge make the arrays of both. watched: can an observer follow it?
    """

    name: str
    evaluation: str
    program: Callable[..., Small | Large]
    applies: Callable[[Task], bool]
    judge: Callable[[Task, Layout], Any]

    @property
    def watched(self) -> bool:
        return self.program is large_of

    def fitness(self, task: Task, rank: int) -> int:
        """Mismatches on the training set; on tables, ranks are mismatches."""
        if self.evaluation == "table":
            return rank
        if is_conjunction(task):
            return (1 << rank) - 1  # Lemma 2: 2^(n-i) - 1 for i of n inputs
        return affine.fitness_of(task.target.inputs, rank)


@lru_cache(maxsize=4)
def _complete(target: Target) -> TrainingSet:
    return complete(target)


def training_of(task: Task) -> TrainingSet:
    """The rows of a task; of the complete set, all of them."""
    return _complete(task.target) if task.training is None else task.training


def rows_of(task: Task) -> int:
    """The number of rows of a task's training set."""
    return 1 << task.target.inputs if task.training is None else task.training.rows


def is_conjunction(task: Task) -> bool:
    """Is it and from {and}, or or from {or}, which is the same by duality, on its complete table?"""
    names = task.shape.gates.names
    return task.training is None and task.target.family in ("and", "or") and names == (task.target.family,)


def is_parity(task: Task) -> bool:
    """Is it a parity, or its inverse, from affine gates, on its complete table?"""
    is_complete = task.training is None and task.target.family in (*ODD, *EVEN)
    return is_complete and task.shape.arity == 2 and affine.is_affine(task.shape.gates)


def is_symbolic(task: Task) -> bool:
    """Can programs be evaluated without a table?"""
    return is_conjunction(task) or is_parity(task)


def _symbolic_judge(task: Task, layout: Layout) -> Any:
    inverted = task.target.family in EVEN
    return reached.reached_of(layout) if is_conjunction(task) else affine.affine_of(layout, inverted=inverted)


def _small_symbolic_judge(task: Task, layout: Layout) -> Any:
    inverted = task.target.family in EVEN
    return small.sets_of(layout) if is_conjunction(task) else small.parity_of(layout, inverted=inverted)


def _small_symbolic(task: Task) -> bool:
    return is_symbolic(task) and is_small(task.shape)


def _on_rows(judge_of: Callable[[Layout, TrainingSet], Any]) -> Callable[[Task, Layout], Any]:
    return lambda task, layout: judge_of(layout, training_of(task))


def _gates_read(task: Task) -> bool:
    """Does every gate read one input or two? A constant reads none, which only plain evaluation knows of."""
    return task.shape.arity == 2 and all(gate.arity > 0 for gate in task.shape.gates.gates)


def _in_a_word(task: Task) -> bool:
    return is_small(task.shape) and _gates_read(task) and rows_of(task) <= 64


def _one_small_gate(task: Task) -> bool:
    """With several gates, searches get stuck: then observability pays."""
    gates = task.shape.gates.gates
    return is_small(task.shape) and [gate.arity for gate in gates] == [2] and 128 * rows_of(task) <= MOST_BITS


def _incremental(task: Task) -> bool:
    outputs, bits = task.shape.outputs, rows_of(task) * task.shape.nodes * (task.shape.outputs + 2)
    return _gates_read(task) and outputs <= incremental.MOST_OUTPUTS and bits <= MOST_BITS


# The first that applies is taken, so the fastest come first.
ENGINES = (
    Engine("small symbolic", "symbolic", small_of, _small_symbolic, _small_symbolic_judge),
    Engine("symbolic", "symbolic", large_of, is_symbolic, _symbolic_judge),
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
        f"no {evaluation} evaluation for {task.target.name} with these settings: use --evaluation auto"
    )
