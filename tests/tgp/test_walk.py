"""Walks: growing arrays, other evaluations and large n change nothing; what cannot work is refused."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete, fitness, sample
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import InputError
from gatewalk.tgp import table as table_module
from gatewalk.tgp import walk as walk_module
from gatewalk.tgp.law import PAPER, TINYVERSE, widened
from gatewalk.tgp.walk import Task, advance, choose, circuit_of, restart, start


def words(seed):
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


def task(name, gates, law=PAPER, *, multi=False, offspring=1):
    return Task(
        target=family_target(name),
        training=None,
        gates=gate_set(gates),
        law=law,
        multi=multi,
        strict=False,
        offspring=offspring,
    )


def random_words(count):
    return np.random.default_rng(4).integers(2**64, size=count, dtype=np.uint64)


def state(walk):
    return (
        walk.offspring,
        walk.steps,
        walk.fitness,
        walk.program.tolist(),
        walk.course.stream.tolist(),
        walk.improvements,
    )


CASES = [
    task("xor:7", "xor", multi=True),
    task("xor:7", "xor", offspring=4),
    task("maj:7", "and,or", multi=True),
    task("maj:7", "and,or", TINYVERSE, multi=True, offspring=3),
    task("xor:5", "and,or,nand", replace(PAPER, empty="true", substitution="both"), multi=True),
]


@pytest.mark.parametrize("wanted", CASES)
def test_the_capacity_of_arrays_never_shows(wanted, monkeypatch):
    roomy = start(wanted, evaluation="table", stream=words(1))
    advance(roomy, 3000)
    monkeypatch.setattr(walk_module, "FIRST_CAPACITY", 1)
    tight = start(wanted, evaluation="table", stream=words(1))
    assert tight.tree.leaf.shape[0] == 1
    advance(tight, 3000)
    assert state(tight) == state(roomy)
    assert tight.tree.leaf.shape[0] > 1


def test_a_restarted_walk_is_a_new_one():
    for evaluation in ("table", "symbolic"):
        wanted = task("and:8", "and", TINYVERSE, multi=True)
        used = start(wanted, evaluation=evaluation, stream=words(4))
        advance(used, 10**6)
        restart(used, words(5))
        advance(used, 10**6)
        new = start(wanted, evaluation=evaluation, stream=words(5))
        advance(new, 10**6)
        assert state(used) == state(new)


def test_a_given_start():
    wanted = task("and:4", "and")
    program = np.array([0, 0, 1, 2, 3, 0, -1, 1, 0, -2, 2, 0, -3, -4], dtype=np.int32)
    walk = start(wanted, stream=words(1), program=program)
    assert walk.solved
    assert walk.size == 4
    assert walk.program.tolist() == program.tolist()


def test_thousands_of_inputs():
    wanted = task("and:2000", "and", TINYVERSE)
    walk = start(wanted, stream=words(6))
    assert walk.evaluation == "symbolic"
    assert walk.fitness == 2**1999 - 1
    advance(walk, 10**7)
    assert walk.solved
    assert walk.fitness == 0
    assert walk.size >= 2000
    assert len(walk.improvements) == 2000


@pytest.mark.parametrize("offspring", [1, 3])
@pytest.mark.parametrize("kind", ["and", "or", "xor"])
def test_rows_longer_than_their_tails_are_evaluated_as_counts_are(kind, offspring):
    wanted = task(f"{kind}:13", kind, multi=True, offspring=offspring)
    for seed in range(10):
        walks = [start(wanted, evaluation=name, stream=words(seed)) for name in ("table", "symbolic")]
        for walk in walks:
            advance(walk, 500)
        assert state(walks[0]) == state(walks[1])


def test_long_rows_of_mixed_gates_are_evaluated_as_the_circuit_is():
    """Also with rows that do not fill the last word."""
    base = task("maj:15", "and,or,xor", TINYVERSE, multi=True)
    rows = sample(base.target, 64 * 100 + 7, random_words)
    for training in (complete(base.target), rows):
        walk = start(replace(base, training=training), evaluation="table", stream=words(11))
        for limit in range(100, 1001, 100):
            advance(walk, limit)
            circuit = circuit_of(base, walk.program, merge=False)
            assert fitness(evaluate(circuit, training.inputs), training) == walk.fitness


def test_bloat_takes_memory_for_the_tree_only():
    """10^5 iterations on 32 words a table: the arrays are within a small factor of the largest tree."""
    wanted = task("xor:11", "and,or", PAPER, multi=True)
    walk = start(wanted, stream=words(7))
    largest = 0
    for limit in range(1000, 100_001, 1000):
        advance(walk, limit)
        largest = max(largest, walk.size)
    assert walk.tree.leaf.shape[0] <= 4 * max(walk_module.FIRST_CAPACITY, largest)
    assert walk.evaluator.rows.shape[0] <= 8 * max(walk_module.FIRST_CAPACITY, largest)


def test_iterations_allocate_nothing():
    wanted = task("xor:9", "xor", replace(PAPER, size_limit=8))
    walk = start(wanted, evaluation="table", stream=words(8))
    advance(walk, 1000)
    tracemalloc.start()
    advance(walk, 50_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert walk.offspring == 50_000
    assert peak < 10_000


def test_a_tree_too_large_for_memory_is_named(monkeypatch):
    monkeypatch.setattr(table_module, "LARGEST_BYTES", 30_000)
    walk = start(task("xor:11", "and,or"), stream=words(9))
    with pytest.raises(InputError, match="size_limit"):
        advance(walk, 100_000)


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("terminals", ["inputs", "inputs+negated", "inputs+undesired:2+negated"])
def test_the_circuit_computes_what_the_walk_evaluated(terminals, merge):
    law = replace(PAPER, terminals=terminals)
    wanted = task("xor:5", "and,or,nimply", law, multi=True)
    for seed in range(10):
        walk = start(wanted, stream=words(seed))
        advance(walk, 400)
        circuit = circuit_of(wanted, walk.program, merge=merge)
        training = complete(widened(wanted.target, terminals))
        assert fitness(evaluate(circuit, training.inputs), training) == walk.fitness
        if not merge and terminals == "inputs":
            assert len(circuit) == walk.size - 1


def test_auto_is_symbolic_only_where_that_is_exact():
    def chosen(name, gates, **law):
        return choose(task(name, gates, replace(PAPER, **law)), "auto")

    assert chosen("and:5", "and") == chosen("or:5", "or") == chosen("xor:5", "xor") == "symbolic"
    assert chosen("and:5", "and", terminals="inputs+undesired:3") == "symbolic"
    assert chosen("and:5", "and", empty="true") == chosen("xor:5", "xor", empty="true") == "symbolic"
    assert chosen("and:5", "and", empty="false") == "table"
    assert chosen("and:5", "and,or") == chosen("and:5", "or") == chosen("maj:5", "and") == "table"
    assert chosen("and:5", "and", terminals="inputs+negated") == "table"
    sampled = replace(
        task("and:9", "and"), training=sample(family_target("and:9"), 30, np.random.PCG64(1).random_raw)
    )
    assert choose(sampled, "auto") == "table"


def test_what_trees_cannot_do_is_refused():
    with pytest.raises(InputError, match="outputs"):
        task("add:2", "and,or,xor")
    with pytest.raises(InputError, match='trees need two-input gates; remove "not"'):
        task("and:3", "and,not")
    with pytest.raises(InputError, match="at least 1 offspring"):
        task("and:3", "and", offspring=0)
    with pytest.raises(InputError, match="--evaluation auto"):
        choose(task("maj:3", "and,or"), "symbolic")
    narrow = replace(
        task("and:3", "and", replace(PAPER, terminals="inputs+undesired:1")),
        training=complete(family_target("and:3")),
    )
    with pytest.raises(InputError, match="widened"):
        start(narrow, evaluation="table", stream=words(1))
