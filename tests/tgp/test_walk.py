"""Walks: growing arrays, other evaluations and large n change nothing; what cannot work is refused."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from walks import training_of, tree_search

from gatewalk.boolean.targets import family_target
from gatewalk.boolean.training import complete, fitness
from gatewalk.circuit.circuit import evaluate
from gatewalk.errors import InputError
from gatewalk.tgp import table as table_module
from gatewalk.tgp import walk as walk_module
from gatewalk.tgp.tgp_search import PAPER, TINYVERSE
from gatewalk.tgp.walk import choose, start


def words(seed):
    return np.random.SeedSequence(seed).generate_state(4, np.uint64)


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
    tree_search("xor:7", "xor", steps="multi", evaluation="table"),
    tree_search("xor:7", "xor", offspring=4, evaluation="table"),
    tree_search("maj:7", "and,or", steps="multi"),
    tree_search("maj:7", "and,or", TINYVERSE, steps="multi", offspring=3),
    tree_search("xor:5", "and,or,nand", replace(PAPER, empty="true", substitution="both"), steps="multi"),
]


@pytest.mark.parametrize("search", CASES)
def test_the_capacity_of_arrays_never_shows(search, monkeypatch):
    roomy = start(search, None, stream=words(1))
    assert roomy.evaluation == "table"
    roomy.advance(3000)
    monkeypatch.setattr(walk_module, "FIRST_CAPACITY", 1)
    tight = start(search, None, stream=words(1))
    assert tight.tree.leaf.shape[0] == 1
    tight.advance(3000)
    assert state(tight) == state(roomy)
    assert tight.tree.leaf.shape[0] > 1


@pytest.mark.parametrize("rows", [None, 40])
@pytest.mark.parametrize("evaluation", ["table", "auto"])
def test_a_walk_in_used_arrays_is_a_new_one(evaluation, rows):
    search = tree_search("and:8", "and", TINYVERSE, steps="multi", rows=rows, evaluation=evaluation)
    used = start(search, training_of(search), stream=words(4))
    used.advance(10**6)
    again = start(search, training_of(search), stream=words(5), after=used)
    assert again is used
    again.advance(10**6)
    new = start(search, training_of(search), stream=words(5))
    new.advance(10**6)
    assert state(again) == state(new)


def test_a_given_start():
    search = tree_search("and:4", "and")
    program = np.array([0, 0, 1, 2, 3, 0, -1, 1, 0, -2, 2, 0, -3, -4], dtype=np.int32)
    walk = start(search, None, stream=words(1), program=program)
    assert walk.solved
    assert walk.size == 4
    assert walk.program.tolist() == program.tolist()


def test_thousands_of_inputs():
    walk = start(tree_search("and:2000", "and", TINYVERSE), None, stream=words(6))
    assert walk.evaluation == "symbolic"
    assert walk.fitness == 2**1999 - 1
    walk.advance(10**7)
    assert walk.solved
    assert walk.fitness == 0
    assert walk.size >= 2000
    assert len(walk.improvements) == 2000


@pytest.mark.parametrize("offspring", [1, 3])
@pytest.mark.parametrize("kind", ["and", "or", "xor"])
def test_rows_longer_than_their_tails_are_evaluated_as_counts_are(kind, offspring):
    searches = [
        tree_search(f"{kind}:13", kind, steps="multi", offspring=offspring, evaluation=evaluation)
        for evaluation in ("table", "symbolic")
    ]
    for seed in range(10):
        table, symbolic = (start(search, None, stream=words(seed)) for search in searches)
        table.advance(500)
        symbolic.advance(500)
        assert state(table) == state(symbolic)


def test_long_rows_of_mixed_gates_are_evaluated_as_the_circuit_is():
    """Also with rows that do not fill the last word."""
    for rows in (None, 64 * 100 + 7):
        search = tree_search("maj:15", "and,or,xor", TINYVERSE, steps="multi", rows=rows)
        training = training_of(search) or complete(search.target)
        walk = start(search, training_of(search), stream=words(11))
        for limit in range(100, 1001, 100):
            walk.advance(limit)
            circuit = search.circuit_of(walk.program)
            assert fitness(evaluate(circuit, training.inputs), training) == walk.fitness


def test_bloat_takes_memory_for_the_tree_only():
    """10^5 iterations on 32 words a table: the arrays are within a small factor of the largest tree."""
    walk = start(tree_search("xor:11", "and,or", steps="multi"), None, stream=words(7))
    largest = 0
    for limit in range(1000, 100_001, 1000):
        walk.advance(limit)
        largest = max(largest, walk.size)
    assert walk.tree.leaf.shape[0] <= 4 * max(walk_module.FIRST_CAPACITY, largest)
    assert walk.evaluator.rows.shape[0] <= 8 * max(walk_module.FIRST_CAPACITY, largest)


def test_iterations_allocate_nothing():
    search = tree_search("xor:9", "xor", replace(PAPER, size_limit=8), evaluation="table")
    walk = start(search, None, stream=words(8))
    walk.advance(1000)
    tracemalloc.start()
    walk.advance(50_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert walk.offspring == 50_000
    assert peak < 10_000


def test_a_tree_too_large_for_memory_is_named(monkeypatch):
    monkeypatch.setattr(table_module, "LARGEST_BYTES", 30_000)
    walk = start(tree_search("xor:11", "and,or"), None, stream=words(9))
    with pytest.raises(InputError, match="size_limit"):
        walk.advance(100_000)


@pytest.mark.parametrize("merge", [False, True])
@pytest.mark.parametrize("terminals", ["inputs", "inputs+negated", "inputs+undesired:2+negated"])
def test_the_circuit_computes_what_the_walk_evaluated(terminals, merge):
    search = tree_search("xor:5", "and,or,nimply", replace(PAPER, terminals=terminals), steps="multi")
    training = complete(search.trained_on)
    for seed in range(10):
        walk = start(search, None, stream=words(seed))
        walk.advance(400)
        circuit = search.circuit_of(walk.program, merge=merge)
        assert fitness(evaluate(circuit, training.inputs), training) == walk.fitness
        if not merge and terminals == "inputs":
            assert len(circuit) == walk.size - 1


def test_auto_is_symbolic_only_where_that_is_exact():
    def chosen(name, gates, **law):
        return choose(tree_search(name, gates, replace(PAPER, **law)), None)

    assert chosen("and:5", "and") == chosen("or:5", "or") == chosen("xor:5", "xor") == "symbolic"
    assert chosen("and:5", "and", terminals="inputs+undesired:3") == "symbolic"
    assert chosen("and:5", "and", empty="true") == chosen("xor:5", "xor", empty="true") == "symbolic"
    assert chosen("and:5", "and", empty="false") == "table"
    assert chosen("and:5", "and,or") == chosen("and:5", "or") == chosen("maj:5", "and") == "table"
    assert chosen("and:5", "and", terminals="inputs+negated") == "table"
    sampled = tree_search("and:9", "and", rows=30)
    assert choose(sampled, training_of(sampled)) == "table"


def test_what_trees_cannot_do_is_refused():
    with pytest.raises(InputError, match="outputs"):
        tree_search("add:2", "and,or,xor")
    with pytest.raises(InputError, match='trees need two-input gates; remove "not"'):
        start(tree_search("and:3", "and,not"), None, stream=words(1))
    with pytest.raises(InputError, match="--evaluation auto"):
        choose(tree_search("maj:3", "and,or", evaluation="symbolic"), None)
    wide = tree_search("and:3", "and", replace(PAPER, terminals="inputs+undesired:1"), evaluation="table")
    with pytest.raises(InputError, match="widened"):
        start(wide, complete(family_target("and:3")), stream=words(1))
