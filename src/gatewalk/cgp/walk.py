"""A walk through programs: the (1+lambda) CGP on one task, advanced in slices.

All that a walk changes is in arrays; what is worth saving is the parent, the random stream and
the counters, from which everything else is computed again. So a walk that was stopped, saved
and continued, even with another evaluation, ends exactly as one that was not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import LOGGED, OFFSPRING, RANK, STEPS, Core, core_of
from gatewalk.cgp.engines import Engine, Task, choose
from gatewalk.cgp.genotype import Genes
from gatewalk.cgp.layout import Layout, layout_of
from gatewalk.cgp.lean import elementary_steps, lean_of
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.rule import Rule, rule_of
from gatewalk.stream import below

Arrays = dict[str, NDArray[Any]]


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
        core, lean = self.core, lean_of(self.task.law, self.layout)
        undrawn = self.engine.undrawn(core, self.layout, self.rule, self.room)
        return elementary_steps(int(core.counters[STEPS]), undrawn, lean, self.layout, core.stream)

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
    restart(walk, stream, genes=genes)
    return walk


def restart(walk: Walk, stream: NDArray[np.uint64], *, genes: Genes | None = None) -> None:
    """Begin again in the same arrays with another random stream: for many short runs.

    A walk of small programs takes less time than making room for it.
    """
    core = walk.core
    core.stream[:] = stream
    core.counters[:] = 0
    core.undrawn[:] = 0
    if genes is not None:
        core.child[:] = genes
    else:
        _draw_start(walk)
    core.genes[:] = core.child
    core.counters[RANK] = walk.engine.rank(walk.layout, walk.room, core.genes)
    walk.improvements[:] = [(0, walk.fitness)]


def _draw_start(walk: Walk) -> None:
    """Draw programs, and of the best of them one, as the child."""
    core, starts = walk.core, walk.task.law.starts
    random_program(core.stream, walk.layout, core.child)
    if starts == 1:
        return
    best, equals = walk.engine.rank(walk.layout, walk.room, core.child), 1
    core.genes[:] = core.child
    for _ in range(starts - 1):
        random_program(core.stream, walk.layout, core.child)
        rank = walk.engine.rank(walk.layout, walk.room, core.child)
        if rank < best:
            best, equals = rank, 1
            core.genes[:] = core.child
        elif rank == best and not walk.task.strict:
            equals += 1
            if below(core.stream, np.uint64(equals)) == 0:
                core.genes[:] = core.child
    core.child[:] = core.genes


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
    arrays = {"genes": core.genes, "stream": core.stream, "counters": core.counters}
    return arrays if walk.task.law.sam_stream == "literal" else arrays | {"undrawn": core.undrawn}


def restored(task: Task, arrays: Arrays, *, evaluation: str) -> Walk:
    """The walk that was saved."""
    walk = _walk(task, evaluation, arrays["stream"].copy(), arrays["genes"].copy())
    walk.core.counters[:] = arrays["counters"]
    walk.core.undrawn[:] = arrays.get("undrawn", 0)
    walk.core.counters[RANK] = walk.engine.rank(walk.layout, walk.room, walk.core.genes)
    return walk


def _walk(task: Task, evaluation: str, stream: NDArray[np.uint64], genes: Genes) -> Walk:
    engine = choose(task, evaluation)
    layout = layout_of(task.shape)
    rule = rule_of(task.law, task.mutation, offspring=task.offspring, strict=task.strict)
    core = core_of(genes, stream, np.zeros(8, dtype=np.int64))
    return Walk(task, engine, layout, rule, engine.room(task, layout), core)
