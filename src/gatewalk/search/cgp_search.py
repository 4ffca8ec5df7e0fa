"""The (1+lambda) CGP by kernels: from settings to walks, and from programs to circuits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import Words
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import genotype, walk
from gatewalk.cgp.engines import Task
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.circuit import Circuit
from gatewalk.native.seeding import entropy_of
from gatewalk.search.algorithms import Programs
from gatewalk.search.settings import Settings
from gatewalk.search.start import start_genes

saved = walk.saved


def wanted(settings: Settings) -> Target:
    """The target of these settings."""
    return settings.wanted


@lru_cache(maxsize=64)
def shape_of(settings: Settings) -> genotype.Shape:
    """The shape of the programs of these settings."""
    if not isinstance(settings.law, CgpLaw) or settings.nodes is None:
        raise TypeError("not the settings of a CGP search")
    task = wanted(settings)
    return genotype.shape_for(
        inputs=task.inputs,
        outputs=task.outputs,
        nodes=settings.nodes,
        gates=gate_set(settings.gates),
        law=settings.law,
    )


def task_of(settings: Settings, training: TrainingSet | None) -> Task:
    """The task of a walk with these settings."""
    if not isinstance(settings.law, CgpLaw):
        raise TypeError("not the settings of a CGP search")
    return Task(
        target=settings.wanted,
        training=training,
        shape=shape_of(settings),
        law=settings.law,
        mutation=settings.mutation or "sam",
        strict=settings.strict,
        offspring=settings.offspring,
    )


def genes_of(settings: Settings) -> NDArray[np.int32] | None:
    """The program to begin from; None if it is random."""
    genes = start_genes(settings.start)
    return None if genes is None else np.array(genes, dtype=np.int32)


def start_many(
    settings: Settings,
    training: TrainingSet | None,
    *,
    seed: int,
    cell: int,
    runs: Sequence[int],
    observer: Any = None,
    samples: Words | None = None,
) -> walk.Walk:
    """A walk of many runs; the search has not begun. samples: see `walk.start`."""
    return walk.start(
        task_of(settings, training),
        evaluation=settings.evaluation,
        entropy=entropy_of(seed, cell),
        runs=runs,
        limit=settings.budget + settings.law.uncounted,
        genes=genes_of(settings),
        observer=observer,
        samples=samples,
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
    """Begin the walk of one run."""
    begun = start_many(settings, training, seed=seed, cell=cell, runs=[run])
    walk.advance(begun, 0)
    return begun


def advance(under_way: walk.Walk, limit: int) -> None:
    """Search until solved, or in whole generations until there were `limit` offspring."""
    walk.advance(under_way, limit - under_way.offspring)


def restored(settings: Settings, training: TrainingSet | None, arrays: walk.Arrays) -> walk.Walk:
    """The walk that `walk.saved` gave these arrays of."""
    again = start_many(settings, training, seed=0, cell=0, runs=[0])
    walk.resume(again, arrays)
    return again


def check_programs(settings: Settings, programs: Programs) -> None:
    """Raise `InputError` if arrays are not programs of these settings."""
    shape = shape_of(settings)
    is_table = isinstance(programs, np.ndarray) and programs.ndim == 2 and programs.shape[1] == shape.length
    if is_table and not genotype.invalid(shape, np.asarray(programs)).any():
        return
    for program in programs:
        genotype.check(shape, program.astype(np.int64))


def gates(settings: Settings, program: NDArray[np.int32]) -> int:
    """The number of active gates of a program."""
    return int(genotype.active_nodes(shape_of(settings), program.astype(np.int64)).sum())


def circuit(settings: Settings, program: NDArray[np.int32]) -> Circuit:
    """The circuit of a program."""
    task = wanted(settings)
    return genotype.decode(
        shape_of(settings),
        program.astype(np.int64),
        input_labels=task.input_labels,
        output_labels=task.output_labels,
    )
