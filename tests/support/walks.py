"""Walks of one run on a chosen engine, the literal twin of the same run, and runs compared."""

import numpy as np

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import sample
from gatewalk.cgp import walk
from gatewalk.cgp.engines import Task, named
from gatewalk.cgp.genotype import Shape, check, shape_for
from gatewalk.cgp.law import PAPER
from gatewalk.native.seeding import entropy_of
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.cgp_reference import rules_of

CELL, RUN = 7, 3


def task_of(name, nodes, *, gates=None, law=PAPER, strict=False, mutation="sam", offspring=1, rows=None):
    """A task on the complete set, or on so many random rows."""
    wanted = family_target(name)
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


def begin(task, engine, seed, *, limit=10**6, genes=None):
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


def twin_of(task, seed):
    """The same start in plain Python."""
    rules = rules_of(task)
    words = np.random.SeedSequence(seed, spawn_key=(CELL, RUN)).generate_state(4, np.uint64)
    stream = Stream(words.tolist())
    return rules, next(twin.cgp(rules, stream, limit=0)), stream


def same_run(a, b):
    """Equal in all but the time it took and the way fitness was computed."""
    ours, theirs = a.record(), b.record()
    for record in (ours, theirs):
        del record["seconds"], record["evaluation"]
    return (
        ours == theirs
        and a.program.tolist() == b.program.tolist()
        and a.improvements == b.improvements
        and a.elementary_steps == b.elementary_steps
    )


def check_same_point(fast, slow):
    """Two sessions have the same program by the same history; the settings are named if not."""
    assert fast.walk.program.tolist() == slow.walk.program.tolist(), fast.settings
    assert fast.walk.fitness == slow.walk.fitness, fast.settings
    assert fast.walk.offspring == slow.walk.offspring, fast.settings
    assert fast.improvements == slow.improvements, fast.settings
    assert fast.walk.steps == slow.walk.steps, fast.settings


def figure_1():
    """Shape and genes of the paper's Figure 1: three inputs, five nodes of which node 6 is inactive."""
    shape = Shape(3, 1, 5, gate_set(["and", "or", "nor"]))
    blocks = [[0, 0, 1], [2, 3, 2], [1, 4, 3], [2, 0, 4], [0, 5, 1], [7]]
    return shape, check(shape, [gene for block in blocks for gene in block])
