"""The ways to evaluate programs, fastest first, and which of them are exact for a task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp import cone, cone_symbolic, cone_table, incremental, plain, symbolic, waiting, workspace
from gatewalk.cgp.core import Core
from gatewalk.cgp.genotype import Genes, Shape
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.mutation import Mutation
from gatewalk.cgp.rule import Rule
from gatewalk.cgp.slots import fits_slots
from gatewalk.errors import InputError
from gatewalk.jit import Int


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

    room makes its arrays for a task; rank(layout, room, genes) evaluates a program and takes it as
    the parent; advance(core, layout, rule, room, limit) walks; fitness turns a rank into mismatches
    on the training set; undrawn(core, layout, rule, room) is `Core.undrawn` as it stands.
    """

    evaluation: str
    applies: Callable[[Task], bool]
    room: Callable[..., Any]
    rank: Callable[[Layout, Any, Genes], Int]
    advance: Callable[[Core, Layout, Rule, Any, int], None]
    fitness: Callable[[Task, int], int]
    undrawn: Callable[[Core, Layout, Rule, Any], NDArray[np.int64]] = lambda core, *_: core.undrawn


@lru_cache(maxsize=4)
def _complete(target: Target) -> TrainingSet:
    return complete(target)


def training_of(task: Task) -> TrainingSet:
    """The rows of a task; of the complete set, all of them."""
    return _complete(task.target) if task.training is None else task.training


def rows_of(task: Task) -> int:
    """The number of rows of a task's training set."""
    return 1 << task.target.inputs if task.training is None else task.training.rows


MOST_BITS = 1 << 34  # of values and observability that may be kept: 2 GiB
FEW_INPUTS = 6  # up to which so many offspring are kept that a plain pass is fastest


def symbolic_fitness(task: Task, rank: int) -> int:
    """Mismatches on the complete table: 2^(n-i) - 1 for AND (Lemma 2), half of the rows for XOR."""
    if rank == 0:
        return 0
    if _is_parity(task):
        return 1 << (task.target.inputs - 1)
    return (1 << rank) - 1


def _is_conjunction(task: Task) -> bool:
    return _is_alone(task, "and")


def _is_parity(task: Task) -> bool:
    return _is_alone(task, "xor")


def _is_alone(task: Task, gate: str) -> bool:
    """Is the task a gate's own n-ary function, on its complete table, from that gate alone?"""
    return task.training is None and task.target.family == gate and task.shape.gates.names == (gate,)


def _waits(task: Task) -> bool:
    """Are offspring that cannot be fitter skipped? Then no engine that makes them applies."""
    return task.strict and task.law.sam_stream == "lean"


def _one_by_sam(task: Task) -> bool:
    is_one = task.mutation.name == "sam" and task.offspring == 1
    return is_one and fits_slots(task.shape) and not _waits(task)


def _is_symbolic(task: Task) -> bool:
    return (_is_conjunction(task) or _is_parity(task)) and _one_by_sam(task)


def _by_two_inputs(task: Task) -> bool:
    """Does every gate read one input or two? A constant reads none, which only plain walks know of."""
    return task.shape.arity == 2 and all(gate.arity > 0 for gate in task.shape.gates.gates)


def _is_small(task: Task) -> bool:
    return task.shape.inputs + task.shape.nodes <= workspace.LARGEST


def _is_small_table(task: Task) -> bool:
    """Is it one output of a program so small that sets of sources are words?"""
    return _one_by_sam(task) and _is_small(task) and _by_two_inputs(task) and task.shape.outputs == 1


WAITING_SYMBOLIC = Engine(
    evaluation="symbolic",
    applies=lambda task: _waits(task) and (_is_conjunction(task) or _is_parity(task)),
    room=lambda task, layout: waiting.symbolic_room_of(
        layout, lean_of(task.law, layout), parity=_is_parity(task)
    ),
    rank=waiting.rank,
    advance=waiting.advance,
    fitness=symbolic_fitness,
    undrawn=waiting.undrawn,
)
WAITING_TABLE = Engine(
    evaluation="table",
    applies=_waits,
    room=lambda task, layout: waiting.table_room_of(layout, training_of(task), lean_of(task.law, layout)),
    rank=waiting.rank,
    advance=waiting.advance,
    fitness=lambda task, rank: rank,
    undrawn=waiting.undrawn,
)
CONE_SYMBOLIC = Engine(
    evaluation="symbolic",
    applies=lambda task: (
        _is_symbolic(task) and _is_conjunction(task) and _is_small(task) and task.shape.inputs > FEW_INPUTS
    ),
    room=lambda task, layout: cone_symbolic.room_of(layout, lean_of(task.law, layout)),
    rank=cone_symbolic.rank,
    advance=cone_symbolic.advance,
    fitness=symbolic_fitness,
)
CONE_SETS = Engine(
    evaluation="symbolic",
    applies=lambda task: _is_symbolic(task) and _is_small(task),
    room=lambda task, layout: cone.symbolic_room_of(
        layout, lean_of(task.law, layout), parity=_is_parity(task)
    ),
    rank=cone.rank,
    advance=cone.advance,
    fitness=symbolic_fitness,
)
SYMBOLIC = Engine(
    evaluation="symbolic",
    applies=_is_symbolic,
    room=lambda task, layout: symbolic.room_of(layout, lean_of(task.law, layout), parity=_is_parity(task)),
    rank=symbolic.rank,
    advance=symbolic.advance,
    fitness=symbolic_fitness,
)
CONE = Engine(
    evaluation="table",
    applies=lambda task: _is_small_table(task) and rows_of(task) <= 64,
    room=lambda task, layout: cone.room_of(layout, training_of(task), lean_of(task.law, layout)),
    rank=cone.rank,
    advance=cone.advance,
    fitness=lambda task, rank: rank,
)
CONE_TABLE = Engine(
    evaluation="table",
    applies=lambda task: (
        _is_small_table(task)
        and len(task.shape.gates.names) == 1  # with several, searches get stuck, and observability pays
        and 2 * 64 * rows_of(task) <= MOST_BITS
    ),
    room=lambda task, layout: cone_table.room_of(layout, training_of(task), lean_of(task.law, layout)),
    rank=cone_table.rank,
    advance=cone_table.advance,
    fitness=lambda task, rank: rank,
)
INCREMENTAL = Engine(
    evaluation="table",
    applies=lambda task: (
        _one_by_sam(task)
        and _by_two_inputs(task)
        and task.shape.outputs <= incremental.MOST_OUTPUTS
        and rows_of(task) * task.shape.nodes * (task.shape.outputs + 2) <= MOST_BITS
    ),
    room=lambda task, layout: incremental.room_of(layout, training_of(task), lean_of(task.law, layout)),
    rank=incremental.rank,
    advance=incremental.advance,
    fitness=lambda task, rank: rank,
)
PLAIN = Engine(
    evaluation="table",
    applies=lambda task: not _waits(task),
    room=lambda task, layout: plain.plain_of(layout, training_of(task), lean_of(task.law, layout)),
    rank=plain.rank,
    advance=plain.advance,
    fitness=lambda task, rank: rank,
)
# The first that applies is taken, so the fastest come first.
ENGINES = (
    WAITING_SYMBOLIC,
    WAITING_TABLE,
    CONE_SYMBOLIC,
    CONE_SETS,
    SYMBOLIC,
    CONE,
    CONE_TABLE,
    INCREMENTAL,
    PLAIN,
)


def choose(task: Task, evaluation: str) -> Engine:
    """The fastest engine of that evaluation (`auto`: of any) that is exact for the task."""
    for engine in ENGINES:
        if evaluation in (engine.evaluation, "auto") and engine.applies(task):
            return engine
    raise InputError(
        f"no {evaluation} evaluation for {task.target.name} with these settings: use --evaluation auto"
    )
