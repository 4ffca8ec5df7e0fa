"""Walks of one run on a chosen engine, and the literal twin of the same run."""

from __future__ import annotations

import numpy as np

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import sample
from gatewalk.cgp import walk
from gatewalk.cgp.engines import Task, named
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PAPER, CgpLaw
from gatewalk.native.seeding import entropy_of
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.cgp_reference import setting_of

CELL, RUN = 7, 3


def task_of(
    name: str,
    nodes: int,
    *,
    gates=None,
    law: CgpLaw = PAPER,
    strict: bool = False,
    mutation: str = "sam",
    offspring: int = 1,
    rows: int | None = None,
) -> Task:
    """A task on the complete set, or on so many random rows."""
    wanted = target(name)
    shape = shape_for(
        inputs=wanted.inputs,
        outputs=wanted.outputs,
        nodes=nodes,
        gates=gate_set(gates or wanted.gates),
        law=law,
    )
    training = None
    if rows is not None:
        random = np.random.default_rng(5)
        training = sample(wanted, rows, lambda count: random.integers(0, 2**64, size=count, dtype=np.uint64))
    return Task(
        target=wanted,
        training=training,
        shape=shape,
        law=law,
        mutation=mutation,
        strict=strict,
        offspring=offspring,
    )


def begin(task: Task, engine: str, seed: int, *, limit: int = 10**6, genes=None) -> walk.Walk:
    """The start of a run on the engine of that name."""
    chosen = named(engine)
    assert chosen.applies(task)
    made = walk.start(
        task,
        evaluation=chosen.evaluation,
        entropy=entropy_of(seed, CELL),
        runs=[RUN],
        limit=limit,
        genes=genes,
        engine=chosen,
    )
    walk.advance(made, 0)
    return made


def twin_of(task: Task, seed: int) -> tuple[twin.Setting, twin.Step, Stream]:
    """The same start in plain Python."""
    setting = setting_of(task)
    words = np.random.SeedSequence(seed, spawn_key=(CELL, RUN)).generate_state(4, np.uint64)
    stream = Stream(words.tolist())
    return setting, next(twin.cgp(setting, stream, limit=0)), stream
