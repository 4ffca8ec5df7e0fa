"""Searches made from values, their walks on a chosen engine, the literal twin of each, and runs compared."""

from functools import cache

import numpy as np

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import COMPLETE, Sample, sample
from gatewalk.cgp import walk
from gatewalk.cgp.cgp_search import PAPER, CgpSearch
from gatewalk.cgp.engines import named
from gatewalk.cgp.genotype import Shape, check
from gatewalk.cgp.mutations import mutation_from_text
from gatewalk.native.seeding import entropy_of
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.twins import rules_of
from gatewalk.tgp.tgp_search import PAPER as TREE_PAPER
from gatewalk.tgp.tgp_search import TgpSearch

CELL, RUN = 7, 3


def cgp_search(
    name,
    nodes,
    *,
    gates=None,
    law=PAPER,
    strict=False,
    mutation="sam",
    offspring=1,
    rows=None,
    limit=10**6,
    evaluation="auto",
):
    """A search on the complete set, or on so many random rows, that ends after `limit` offspring."""
    target = family_target(name)
    return CgpSearch(
        target=target,
        gates=gate_set(gates or target.gates),
        nodes=nodes,
        mutation=mutation_from_text(mutation),
        selection="strict" if strict else "nonstrict",
        offspring=offspring,
        training=COMPLETE if rows is None else Sample(rows),
        law=law,
        budget=limit - law.uncounted,
        evaluation=evaluation,
    )


def tree_search(
    name, gates, law=TREE_PAPER, *, steps="single", strict=False, offspring=1, rows=None, evaluation="auto"
):
    """A search by tree GP on the complete set, or on so many random rows."""
    return TgpSearch(
        target=family_target(name),
        gates=gate_set(gates),
        steps=steps,
        selection="strict" if strict else "nonstrict",
        offspring=offspring,
        training=COMPLETE if rows is None else Sample(rows),
        law=law,
        evaluation=evaluation,
    )


@cache
def training_of(search):
    """Rows for a search made here; None if it is trained on the complete set."""
    if search.rows is None:
        return None
    random = np.random.default_rng(5)
    return sample(
        search.trained_on, search.rows, lambda count: random.integers(0, 2**64, size=count, dtype=np.uint64)
    )


def begin(search, engine, seed):
    """The start of a run on the engine of that name."""
    engine, training = named(engine), training_of(search)
    assert engine.applies(search, training)
    begun = walk.start(search, training, entropy=entropy_of(seed, CELL), runs=[RUN], engine=engine)
    walk.advance(begun, 0)
    return begun


def twin_of(search, seed):
    """The same start in plain Python."""
    rules = rules_of(search, training_of(search))
    words = np.random.SeedSequence(seed, spawn_key=(CELL, RUN)).generate_state(4, np.uint64)
    stream = Stream(words.tolist())
    return rules, next(twin.cgp(rules, stream, limit=0)), stream


def same_run(a, b):
    """Equal in all but the time it took and the way fitness was computed."""
    ours, theirs = a.record(), b.record()
    for record in (ours, theirs):
        del record["seconds"], record["evaluation"]
    return ours == theirs and a.program.tolist() == b.program.tolist() and a.improvements == b.improvements


def check_same_point(fast, slow):
    """Two sessions have the same program by the same history; the search is named if not."""
    ours, theirs = fast.current, slow.current
    assert ours.program.tolist() == theirs.program.tolist(), fast.search
    assert fast.fitness == slow.fitness, fast.search
    assert ours.offspring == theirs.offspring, fast.search
    assert fast.improvements == slow.improvements, fast.search
    assert ours.steps == theirs.steps, fast.search


def figure_1():
    """Shape and genes of the paper's Figure 1: three inputs, five nodes of which node 6 is inactive."""
    shape = Shape(3, 1, 5, gate_set(["and", "or", "nor"]))
    blocks = [[0, 0, 1], [2, 3, 2], [1, 4, 3], [2, 0, 4], [0, 5, 1], [7]]
    return shape, check(shape, [gene for block in blocks for gene in block])
