"""A walk through programs: the (1+lambda) CGP on one task, advanced in slices.

All that a walk changes is in arrays; what is worth saving is the parent, the random stream and
the counters, from which everything else is computed again. So a walk that was stopped, saved
and continued, even with another evaluation, ends exactly as one that was not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp import plain
from gatewalk.cgp.core import LOGGED, OFFSPRING, RANK, STEPS, Core, core_of
from gatewalk.cgp.genotype import Genes, Shape
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.cgp.mutation import Mutation
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.rule import Rule, rule_of
from gatewalk.errors import InputError
from gatewalk.jit import Int
from gatewalk.stream import below

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True, kw_only=True, eq=False)
class Task:
    """What is searched for and how. training: None is the complete set."""

    target: Target
    training: TrainingSet | None
    shape: Shape
    law: CgpLaw
    mutation: Mutation
    strict: bool
    offspring: int


@dataclass(frozen=True)
class Engine:
    """A way to evaluate programs, as kernels.

    room makes its arrays for a task; rank(layout, room, genes) evaluates a program and takes it
    as the parent; advance(core, layout, rule, room, limit) walks; fitness turns a rank into
    mismatches on the training set.
    """

    evaluation: str
    applies: Callable[[Task], bool]
    room: Callable[[Task, Layout], Any]
    rank: Callable[[Layout, Any, Genes], Int]
    advance: Callable[[Core, Layout, Rule, Any, int], None]
    fitness: Callable[[Task, int], int]


@lru_cache(maxsize=4)
def _complete(target: Target) -> TrainingSet:
    return complete(target)


def training_of(task: Task) -> TrainingSet:
    """The rows of a task; of the complete set, all of them."""
    return _complete(task.target) if task.training is None else task.training


PLAIN = Engine(
    evaluation="table",
    applies=lambda task: True,
    room=lambda task, layout: plain.plain_of(layout, training_of(task)),
    rank=plain.rank,
    advance=plain.advance,
    fitness=lambda task, rank: rank,
)
ENGINES = (PLAIN,)  # the first that applies is taken, so the fastest come first


def choose(task: Task, evaluation: str) -> Engine:
    """The fastest engine of that evaluation (`auto`: of any) that is exact for the task."""
    for engine in ENGINES:
        if evaluation in (engine.evaluation, "auto") and engine.applies(task):
            return engine
    raise InputError(
        f"no {evaluation} evaluation for {task.target.name} with these settings: use --evaluation auto"
    )


@dataclass(eq=False)
class Walk:
    """A search under way; see the module. improvements: (offspring, fitness) at each."""

    task: Task
    engine: Engine
    layout: Layout
    rule: Rule
    room: Any
    core: Core
    improvements: list[tuple[int, int]] = field(default_factory=list)

    @property
    def evaluation(self) -> str:
        return self.engine.evaluation

    @property
    def offspring(self) -> int:
        return int(self.core.counters[OFFSPRING])

    @property
    def steps(self) -> int:
        return int(self.core.counters[STEPS])

    @property
    def solved(self) -> bool:
        return bool(self.core.counters[RANK] == 0)

    @property
    def fitness(self) -> int:
        return self.engine.fitness(self.task, int(self.core.counters[RANK]))

    @property
    def program(self) -> NDArray[np.int32]:
        return self.core.genes.astype(np.int32)


def start(task: Task, *, evaluation: str, stream: NDArray[np.uint64], genes: Genes | None = None) -> Walk:
    """Begin from the given program, or from the best of `law.starts` uniform ones."""
    walk = _walk(task, evaluation, stream.copy(), np.zeros(task.shape.length, dtype=np.int64))
    core, layout = walk.core, walk.layout
    if genes is not None:
        core.genes[:] = genes
    else:
        best: Int = -1
        equals = 0
        for _ in range(task.law.starts):
            random_program(core.stream, layout, core.child)
            rank = walk.engine.rank(layout, walk.room, core.child)
            if best < 0 or rank < best:
                best, equals = rank, 1
                core.genes[:] = core.child
            elif rank == best and not task.strict:
                equals += 1
                if below(core.stream, np.uint64(equals)) == 0:
                    core.genes[:] = core.child
    core.child[:] = core.genes
    core.counters[RANK] = walk.engine.rank(layout, walk.room, core.genes)
    walk.improvements.append((0, walk.fitness))
    return walk


def advance(walk: Walk, limit: int) -> None:
    """Walk until solved or until `limit` offspring in all.

    With several offspring a generation, a limit inside of one cuts it short.
    """
    core = walk.core
    while not walk.solved and walk.offspring < limit:
        walk.engine.advance(core, walk.layout, walk.rule, walk.room, limit)
        for offspring, rank in core.log[: core.counters[LOGGED]].tolist():
            walk.improvements.append((offspring, walk.engine.fitness(walk.task, rank)))
        core.counters[LOGGED] = 0


def saved(walk: Walk) -> Arrays:
    """What must be kept to go on later."""
    core = walk.core
    return {"genes": core.genes, "stream": core.stream, "counters": core.counters}


def restored(task: Task, arrays: Arrays, *, evaluation: str) -> Walk:
    """The walk that was saved."""
    walk = _walk(task, evaluation, arrays["stream"].copy(), arrays["genes"].copy())
    walk.core.counters[:] = arrays["counters"]
    walk.core.counters[RANK] = walk.engine.rank(walk.layout, walk.room, walk.core.genes)
    return walk


def _walk(task: Task, evaluation: str, stream: NDArray[np.uint64], genes: Genes) -> Walk:
    engine = choose(task, evaluation)
    layout = layout_of(task.shape)
    rule = rule_of(task.law, task.mutation, offspring=task.offspring, strict=task.strict)
    core = core_of(genes, stream, np.zeros(8, dtype=np.int64))
    return Walk(task, engine, layout, rule, engine.room(task, layout), core)
