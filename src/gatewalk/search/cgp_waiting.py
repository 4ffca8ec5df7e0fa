"""Cartesian GP with waiting times drawn (`CgpLaw.waiting`), by kernels: from settings to walks."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import waiting
from gatewalk.cgp.engines import Engine, Task, is_symbolic, named
from gatewalk.cgp.genotype import layout_of
from gatewalk.cgp.large import large_of
from gatewalk.errors import InputError
from gatewalk.native.draws import FOREVER
from gatewalk.search import cgp_search
from gatewalk.search.algorithms import Arrays
from gatewalk.search.cgp_search import check_programs, circuit, gates, task_of, wanted
from gatewalk.search.settings import Settings

__all__ = ["advance", "check_programs", "circuit", "gates", "restored", "saved", "start", "wanted"]


_SAVED = [waiting.OFFSPRING, waiting.PICKS, waiting.UNTIL_CANDIDATE, waiting.SKIPPED]


@dataclass(eq=False)
class WaitingWalk:
    """A search under way. improvements: (offspring, fitness) at the start and at each, since it was begun."""

    task: Task
    engine: Engine
    search: waiting.WaitingSearch
    improvements: list[tuple[int, int]] = field(default_factory=list)

    @property
    def evaluation(self) -> str:
        return self.engine.evaluation

    @property
    def offspring(self) -> int:
        return int(self.search.counters[waiting.OFFSPRING])

    @property
    def steps(self) -> int:
        return waiting.elementary_steps(self.search)

    @property
    def solved(self) -> bool:
        return bool(self.search.counters[waiting.RANK] == 0)

    @property
    def fitness(self) -> int:
        return self.engine.fitness(self.task, int(self.search.counters[waiting.RANK]))

    @property
    def program(self) -> NDArray[np.int32]:
        return self.search.program.parent[: self.task.shape.length]


def engine_of(task: Task, evaluation: str) -> Engine:
    """The symbolic engine where it is exact, else the plain one.

    Incremental evaluation would not pay: every change of a parent is evaluated once, and in full.
    """
    if is_symbolic(task) and evaluation in ("auto", "symbolic"):
        return named("symbolic")
    if evaluation == "symbolic":
        raise InputError(
            f"no symbolic evaluation for {task.target.name} with these settings; use --evaluation auto"
        )
    return named("plain")


def _walk(task: Task, evaluation: str, program: NDArray[np.int32]) -> WaitingWalk:
    engine, layout = engine_of(task, evaluation), layout_of(task.shape)
    copied = large_of(layout, picked=task.law.sam_ends == "picked")
    copied.genes[: program.size] = copied.parent[: program.size] = program
    evaluator = engine.evaluator(task, layout)
    return WaitingWalk(task, engine, waiting.waiting_of(layout, copied, evaluator))


def start(
    settings: Settings,
    training: TrainingSet | None,
    *,
    seed: int,
    cell: int,
    run: int,
    after: object = None,
) -> WaitingWalk:
    """Begin a walk, with the same first parent as under `waiting="walked"`; see `Algorithm.start`."""
    begun = cgp_search.start(settings, training, seed=seed, cell=cell, run=run)
    walk = _walk(begun.task, settings.evaluation, begun.program)
    walk.search.stream[:] = begun.course.stream
    walk.search.counters[waiting.RANK] = waiting.first_rank(walk.search)
    walk.improvements.append((0, walk.fitness))
    return walk


def advance(walk: WaitingWalk, limit: int) -> None:
    """Search until solved or until there were `limit` offspring."""
    while not walk.solved and walk.offspring < limit:
        if waiting.advance(walk.search, limit):
            walk.improvements.append((walk.offspring, walk.fitness))


def saved(walk: WaitingWalk) -> Arrays:
    """The arrays from which `restored` continues."""
    search = walk.search
    return {
        "program": walk.program.copy(),
        "stream": search.stream.copy(),
        "counters": search.counters[_SAVED],
        "undrawn": search.undrawn.copy(),
    }


def restored(settings: Settings, training: TrainingSet | None, arrays: Arrays) -> WaitingWalk:
    """The walk that `saved` gave these arrays of; raises `InputError` if no walk can have such counters."""
    walk = _walk(task_of(settings, training), settings.evaluation, arrays["program"])
    search = walk.search
    search.stream[:] = arrays["stream"]
    search.counters[_SAVED] = arrays["counters"]
    search.undrawn[:] = arrays["undrawn"]
    search.counters[waiting.RANK] = waiting.first_rank(search)
    waiting.to_next_parent(search, 0)  # finds the candidates; with a limit of 0 it does nothing else
    offspring, skipped = search.counters[waiting.OFFSPRING], search.counters[waiting.SKIPPED]
    undrawn = search.undrawn.astype(object).sum()
    if undrawn + skipped > offspring or search.undrawn[0] or (skipped and not search.candidates.stays.any()):
        raise InputError("these bytes are not a saved search: offspring were counted that cannot be")
    if not search.candidates.info[waiting.COUNT] and search.counters[waiting.UNTIL_CANDIDATE]:
        search.counters[waiting.UNTIL_CANDIDATE] = FOREVER  # there is no candidate, whatever was saved
    return walk
