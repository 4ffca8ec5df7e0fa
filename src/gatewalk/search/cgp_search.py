"""Settings of the (1+lambda) CGP turned into a walk, and its programs into circuits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import Target, target
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import genotype, walk
from gatewalk.cgp.engines import Task
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.mutation import parse_mutation
from gatewalk.circuit.circuit import Circuit
from gatewalk.search.settings import Settings
from gatewalk.search.start import start_genes

advance = walk.advance
saved = walk.saved


def wanted(settings: Settings) -> Target:
    """The target as it is."""
    return target(settings.target)


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
    """What a walk with these settings searches for."""
    if not isinstance(settings.law, CgpLaw):
        raise TypeError("not the settings of a CGP search")
    return Task(
        target=target(settings.target),
        training=training,
        shape=shape_of(settings),
        law=settings.law,
        mutation=parse_mutation(settings.mutation or "sam"),
        strict=settings.strict,
        offspring=settings.offspring,
    )


def start(settings: Settings, training: TrainingSet | None, stream: NDArray[np.uint64]) -> walk.Walk:
    """Begin a walk."""
    genes = start_genes(settings.start)
    return walk.start(
        task_of(settings, training),
        evaluation=settings.evaluation,
        stream=stream,
        genes=None if genes is None else np.array(genes, dtype=np.int64),
    )


def again(settings: Settings, ended: walk.Walk, stream: NDArray[np.uint64]) -> walk.Walk:
    """Begin another walk with the settings of one that has ended, in its memory."""
    genes = start_genes(settings.start)
    walk.restart(ended, stream, genes=None if genes is None else np.array(genes, dtype=np.int64))
    return ended


def restored(settings: Settings, training: TrainingSet | None, arrays: walk.Arrays) -> walk.Walk:
    """Go on with a saved walk."""
    return walk.restored(task_of(settings, training), arrays, evaluation=settings.evaluation)


def gates(settings: Settings, program: NDArray[np.int32]) -> int:
    """Active gates of a program."""
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
