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

    room makes the program's arrays, judge those of the evaluation; fitness turns a rank into mismatches on
    the training set. watched: can an observer follow it?
    """

    name: str
    evaluation: str
    applies: Callable[[Task], bool]
    room: Callable[..., Small | Large]
    judge: Callable[[Task, Layout], Any]
    fitness: Callable[[Task, int], int]

    @property
    def watched(self) -> bool:
        return self.room is large_of


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
    is_wanted = task.target.family in ("xor", "xnor", "parity", "epar")
    return (
        task.training is None and is_wanted and task.shape.arity == 2 and affine.is_affine(task.shape.gates)
    )


def is_inverted(task: Task) -> bool:
    """Is a parity wanted that is 1 for an even number of ones?"""
    return task.target.family in ("xnor", "epar")


def is_symbolic(task: Task) -> bool:
    """Can programs be evaluated without a table?"""
    return is_conjunction(task) or is_parity(task)


def symbolic_fitness(task: Task, rank: int) -> int:
    """Mismatches on the complete table: 2^(n-i) - 1 for i of n inputs (Lemma 2); see `affine`."""
    return (1 << rank) - 1 if is_conjunction(task) else affine.fitness_of(task.target.inputs, rank)


def counted(task: Task, rank: int) -> int:
    """On tables, ranks are mismatches."""
    return rank


def _small_judge(task: Task, layout: Layout) -> Any:
    if is_conjunction(task):
        return small.sets_of(layout)
    return small.parity_of(layout, inverted=is_inverted(task))


def _symbolic_judge(task: Task, layout: Layout) -> Any:
    if is_conjunction(task):
        return reached.reached_of(layout)
    return affine.affine_of(layout, inverted=is_inverted(task))


def _gates_read(task: Task) -> bool:
    """Does every gate read one input or two? A constant reads none, which only plain evaluation knows of."""
    return task.shape.arity == 2 and all(gate.arity > 0 for gate in task.shape.gates.gates)


def _is_small_table(task: Task) -> bool:
    return is_small(task.shape) and _gates_read(task)


# The first that applies is taken, so the fastest come first.
ENGINES = (
    Engine(
        name="small symbolic",
        evaluation="symbolic",
        applies=lambda task: is_symbolic(task) and is_small(task.shape),
        room=small_of,
        judge=_small_judge,
        fitness=symbolic_fitness,
    ),
    Engine(
        name="symbolic",
        evaluation="symbolic",
        applies=is_symbolic,
        room=large_of,
        judge=_symbolic_judge,
        fitness=symbolic_fitness,
    ),
    Engine(
        name="small",
        evaluation="table",
        applies=lambda task: _is_small_table(task) and rows_of(task) <= 64,
        room=small_of,
        judge=lambda task, layout: small.table_of(layout, training_of(task)),
        fitness=counted,
    ),
    Engine(
        name="small table",
        evaluation="table",
        applies=lambda task: (
            _is_small_table(task)
            and len(task.shape.gates.names) == 1  # with several, searches get stuck, observability pays
            and task.shape.gates.gates[0].arity == 2
            and 2 * 64 * rows_of(task) <= MOST_BITS
        ),
        room=small_of,
        judge=lambda task, layout: small_table.small_table_of(layout, training_of(task)),
        fitness=counted,
    ),
    Engine(
        name="incremental",
        evaluation="table",
        applies=lambda task: (
            _gates_read(task)
            and task.shape.outputs <= incremental.MOST_OUTPUTS
            and rows_of(task) * task.shape.nodes * (task.shape.outputs + 2) <= MOST_BITS
        ),
        room=large_of,
        judge=lambda task, layout: incremental.incremental_of(layout, training_of(task)),
        fitness=counted,
    ),
    Engine(
        name="plain",
        evaluation="table",
        applies=lambda task: True,
        room=large_of,
        judge=lambda task, layout: table.plain_of(layout, training_of(task)),
        fitness=counted,
    ),
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
