"""Algorithm 1: evaluators, mutations, selections and numbers of offspring walk as the literal twin.

A kernel is compiled for an evaluator, a mutation, and one or several offspring. `make test` has all pairs of
the three, with half of the kernels; `make test-all` has every combination.
"""

from itertools import product

import numpy as np
import pytest
from walks import begin, cgp_search, twin_of

from gatewalk.cgp import walk
from gatewalk.cgp.cgp_search import PAPER, TINYVERSE, CgpLaw
from gatewalk.cgp.engines import ENGINES
from gatewalk.reference import cgp as twin

LAWS = {
    "paper": PAPER,
    "tinyverse": TINYVERSE,
    "columns": CgpLaw(levels_back=2, levels_over="columns"),
    "starts": CgpLaw(starts=3, ties="coin"),
}
# For every kind of evaluator: an engine, a target, nodes and gates. Lanes: words that are computed together.
EVALUATORS = {
    "sets": ("small symbolic", "and:5", 11, ["and"]),
    "parity of one gate": ("small symbolic", "epar:4", 7, ["xnor"]),
    "parity of several gates": ("small symbolic", "xor:4", 9, ["xor", "xnor", "not"]),
    "table of one gate": ("small", "and:4", 9, ["nand"]),
    "table of several gates": ("small", "maj:3", 12, ["and", "or", "not"]),
    "larger table": ("small table", "and:7", 9, ["and"]),
    "reached": ("symbolic", "or:5", 12, ["or"]),
    "affine": ("symbolic", "xnor:4", 12, ["xor", "xnor", "not"]),
    "incremental in one word": ("incremental", "mul:2", 14, ["and", "or", "xor", "not"]),
    "incremental in lanes": ("incremental", "xor:7", 20, ["and", "nor"]),
    "plain": ("plain", "maj:3", 9, ["and", "or", "mux", "const1"]),
}
MUTATIONS = ("sam", "rate:0.1", "point:3")
# With lists that overflow, and where several nodes change together.
STRONG = ("rate:0.6", "point:200")
OFFSPRING = (1, 4)


def cases(firsts, mutations, evaluator_of=lambda first: first):
    """Every first thing, mutation and number of offspring; the half in which all pairs occur is not slow.

    evaluator_of: the evaluator of a first thing. Those of one evaluator have the same half, and so the same
    kernels.
    """
    evaluators, kinds, made = list(EVALUATORS), ["sam", "rate", "point"], []
    for first, mutation, offspring in product(firsts, mutations, OFFSPRING):
        kind = mutation.partition(":")[0]
        number = evaluators.index(evaluator_of(first)) + kinds.index(kind) + OFFSPRING.index(offspring)
        marks = [pytest.mark.slow] if number % 2 else []
        name = first if isinstance(first, str) else ", ".join(map(str, first[:2]))
        made.append(
            pytest.param(first, mutation, offspring, marks=marks, id=f"{name}-{mutation}-{offspring}")
        )
    return made


def check_as_twin(search, engine, seed, generations):
    begun = begin(search, engine, seed)
    rules, step, stream = twin_of(search, seed)
    for _ in range(generations):
        assert begun.program.tolist() == step.x
        assert begun.course.stream.tolist() == stream.words
        assert begun.fitness == step.fitness
        assert (begun.offspring, begun.steps) == (step.iterations, step.elementary_steps)
        if step.fitness == 0:
            return
        walk.advance(begun, 1)
        twin.generation(rules, step, stream, search.limit)


@pytest.mark.parametrize(("evaluator", "mutation", "offspring"), cases(EVALUATORS, MUTATIONS))
def test_every_evaluator_walks_as_the_twin(evaluator, mutation, offspring):
    engine, name, nodes, gates = EVALUATORS[evaluator]
    for number, law in enumerate(LAWS.values()):
        for strict in (False, True):
            search = cgp_search(
                name, nodes, gates=gates, law=law, strict=strict, mutation=mutation, offspring=offspring
            )
            check_as_twin(search, engine, 2 * number + strict, 25)


@pytest.mark.parametrize(("evaluator", "mutation", "offspring"), cases(EVALUATORS, STRONG))
def test_strong_mutations_walk_as_the_twin(evaluator, mutation, offspring):
    engine, name, nodes, gates = EVALUATORS[evaluator]
    for seed, law in enumerate(LAWS.values()):
        search = cgp_search(name, nodes, gates=gates, law=law, mutation=mutation, offspring=offspring)
        check_as_twin(search, engine, seed, 12)


def check_as_plain(search, engine, seeds, slices):
    """A fast engine and the plain one, in growing slices: far more offspring than a twin could make."""
    for seed in range(seeds):
        plain, fast = begin(search, "plain", seed), begin(search, engine, seed)
        size = 1
        for _ in range(slices):
            walk.advance(plain, size)
            walk.advance(fast, size)
            assert np.array_equal(plain.program, fast.program)
            assert np.array_equal(plain.course.stream, fast.course.stream)
            assert (plain.offspring, plain.steps) == (fast.offspring, fast.steps)
            assert (plain.fitness, plain.done) == (fast.fitness, fast.done)
            size = min(2 * size, 4096)
        assert plain.improvements == fast.improvements
        if plain.finished:
            assert np.array_equal(plain.cell.gates, fast.cell.gates)


# For long walks: an evaluator, a target, nodes, gates, and the rows of a sample, if it is one.
LONG = [
    ("sets", "and:8", 30, ["and"], None),
    ("sets", "and:1", 1, ["and"], None),
    ("parity of one gate", "xor:9", 54, ["xor"], None),
    ("table of several gates", "parity:4", 20, ["and", "or", "nand", "nor"], None),
    ("table of one gate", "and:9", 20, ["and"], 18),
    ("larger table", "and:10", 53, ["and"], None),
    ("larger table", "or:11", 30, ["nand"], None),
    ("larger table", "and:14", 20, ["and"], 1),
    ("larger table", "and:14", 20, ["and"], 5000),
    ("reached", "and:12", 90, ["and"], None),
    ("affine", "xor:7", 200, ["xor"], None),
    ("incremental in lanes", "parity:7", 150, ["and", "or", "nand", "nor"], None),
    ("incremental in one word", "mul:3", 70, ["and", "or", "xor", "not"], None),
    ("incremental in lanes", "sum:4", 40, ["and", "or", "not"], None),
    ("incremental in one word", "and:14", 20, ["and"], 1),
    ("incremental in lanes", "and:14", 20, ["and"], 12_000),
    ("incremental in lanes", "parity:14", 60, ["and", "or", "nand", "nor"], None),  # head and tail
    ("incremental in lanes", "sum:7", 60, ["and", "xor", "not"], None),
]


@pytest.mark.parametrize(
    ("case", "mutation", "offspring"), cases(LONG, ("sam", "rate:0.03"), evaluator_of=lambda case: case[0])
)
def test_long_walks_are_those_of_the_plain_engine(case, mutation, offspring):
    evaluator, name, nodes, gates, rows = case
    for law, strict in ((PAPER, False), (TINYVERSE, True), (LAWS["columns"], False)):
        search = cgp_search(
            name,
            nodes,
            gates=gates,
            law=law,
            strict=strict,
            rows=rows,
            mutation=mutation,
            offspring=offspring,
        )
        check_as_plain(search, EVALUATORS[evaluator][0], 2, 11)


def test_all_engines_are_held_against_others():
    assert {engine.name for engine in ENGINES} == {engine for engine, *_ in EVALUATORS.values()}


def test_strict_selection_with_few_nodes_reaches_success():
    # Very many iterations: the rejected offspring of a strict search are the cheapest ones.
    far = begin(cgp_search("and:12", 12, strict=True, limit=10**9), "small symbolic", 1)
    walk.advance(far, 10**9)
    assert far.solved
    assert far.offspring > 500_000


def test_runs_of_a_cell_are_those_that_each_would_be_alone():
    search, entropy = cgp_search("and:5", 9, law=TINYVERSE, limit=200), np.arange(5, dtype=np.uint32)
    numbers, alone = [5, 0, 2**40, 7], []
    for run in numbers:
        single = walk.start(search, None, entropy=entropy, runs=[run])
        walk.advance(single, 10**6)
        alone.append(
            (single.offspring, single.steps, single.fitness, single.program.tolist(), single.improvements)
        )
    for slice_size in (1, 7, 10**6):
        many = walk.start(search, None, entropy=entropy, runs=numbers)
        while not many.finished:
            walk.advance(many, slice_size)
        for position, (offspring, steps, fitness, program, improvements) in enumerate(alone):
            assert many.cell.offspring[position] == offspring
            assert many.cell.steps[position] == steps
            assert many.fitness_of(int(many.cell.ranks[position])) == fitness
            assert many.cell.programs[position].tolist() == program
            rows = np.concatenate(many.logs)
            logged = rows[rows[:, 0] == position, 1:].tolist()
            assert [(time, many.fitness_of(rank)) for time, rank in logged] == improvements


def test_a_full_log_loses_nothing(monkeypatch):
    search, entropy = cgp_search("and:6", 12), np.arange(5, dtype=np.uint32)
    usual = walk.start(search, None, entropy=entropy, runs=range(50))
    walk.advance(usual, 10**6)
    monkeypatch.setattr(walk, "LOG_LENGTH", 3)
    narrow = walk.start(search, None, entropy=entropy, runs=range(50))
    walk.advance(narrow, 10**6)
    assert narrow.finished
    assert np.array_equal(np.concatenate(usual.logs), np.concatenate(narrow.logs))
    assert np.array_equal(usual.cell.programs, narrow.cell.programs)
