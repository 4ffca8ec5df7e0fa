"""The (1+lambda) TGP by kernels: from settings to walks, and from trees to circuits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet
from gatewalk.circuit.circuit import Circuit
from gatewalk.search.algorithms import Programs
from gatewalk.search.seeds import kernel_state, sequence
from gatewalk.search.settings import Settings
from gatewalk.tgp import walk
from gatewalk.tgp.law import TgpLaw, widened
from gatewalk.tgp.tree import check, leaves_of

advance = walk.advance
saved = walk.saved


def _law(settings: Settings) -> TgpLaw:
    if not isinstance(settings.law, TgpLaw):
        raise TypeError("not the settings of a tree search")
    return settings.law


def wanted(settings: Settings) -> Target:
    """The target, with the undesired inputs that the law adds."""
    return widened(settings.wanted, _law(settings).terminals)


def task_of(settings: Settings, training: TrainingSet | None) -> walk.Task:
    """The task of a walk with these settings."""
    return walk.Task(
        target=settings.wanted,
        training=training,
        gates=gate_set(settings.gates),
        law=_law(settings),
        multi=settings.algorithm == "tgp-multi",
        strict=settings.strict,
        offspring=settings.offspring,
    )


def start(
    settings: Settings,
    training: TrainingSet | None,
    *,
    seed: int,
    cell: int,
    run: int,
    after: object = None,
) -> walk.Walk:
    """Begin a walk, see `Algorithm.start`."""
    stream = kernel_state(sequence(seed, cell, run))
    if isinstance(after, walk.Walk):
        walk.restart(after, stream, training)
        return after
    return walk.start(task_of(settings, training), evaluation=settings.evaluation, stream=stream)


def restored(settings: Settings, training: TrainingSet | None, arrays: walk.Arrays) -> walk.Walk:
    """The walk that `walk.saved` gave these arrays of."""
    return walk.restored(task_of(settings, training), arrays, evaluation=settings.evaluation)


def check_programs(settings: Settings, programs: Programs) -> None:
    """Raise `InputError` if arrays are not trees of these settings."""
    task = task_of(settings, None)
    may_be_empty = task.law.empty != "never"
    for program in programs:
        check(program, terminals=len(task.terminals), gates=len(task.gates), may_be_empty=may_be_empty)


def gates(settings: Settings, program: NDArray[np.int32]) -> int:
    """The number of gates of a tree, one less than its leaves."""
    return max(0, leaves_of(program) - 1)


def circuit(settings: Settings, program: NDArray[np.int32]) -> Circuit:
    """The circuit of a tree, gate for gate."""
    return walk.circuit_of(task_of(settings, None), program)
