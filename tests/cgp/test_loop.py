"""Algorithm 1: every combination of mutation, selection, offspring and judge walks as the literal twin."""

from __future__ import annotations

import numpy as np
import pytest
from walks import begin, task_of, twin_of

from gatewalk.cgp import walk
from gatewalk.cgp.engines import ENGINES, Task
from gatewalk.cgp.law import PAPER, TINYVERSE, CgpLaw
from gatewalk.reference import cgp as twin

LAWS = {
    "paper": PAPER,
    "tinyverse": TINYVERSE,
    "columns": CgpLaw(levels_back=2, levels_over="columns"),
    "starts": CgpLaw(starts=3, ties="coin"),
}
# For every kind of judge: an engine, a target, nodes and gates. Lanes: words that are computed together.
JUDGES = {
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
MUTATIONS = ("sam", "point:3", "rate:0.1")
# With lists that overflow, and where several nodes change together.
STRONG = ("point:200", "rate:0.6")


def check_as_twin(task: Task, engine: str, seed: int, generations: int) -> None:
    made = begin(task, engine, seed)
    setting, step, stream = twin_of(task, seed)
    for _ in range(generations):
        assert made.program.tolist() == step.x
        assert made.course.stream.tolist() == stream.words
        assert made.fitness == step.fitness
        assert (made.offspring, made.steps) == (step.iterations, step.elementary_steps)
        if step.fitness == 0:
            return
        walk.advance(made, 1)
        twin.generation(setting, step, stream, 10**6)


@pytest.mark.parametrize("offspring", [1, 4])
@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize("judge", JUDGES)
def test_every_judge_walks_as_the_twin(judge: str, mutation: str, offspring: int) -> None:
    engine, name, nodes, gates = JUDGES[judge]
    for number, law in enumerate(LAWS.values()):
        for strict in (False, True):
            task = task_of(
                name, nodes, gates=gates, law=law, strict=strict, mutation=mutation, offspring=offspring
            )
            check_as_twin(task, engine, 2 * number + strict, 25)


@pytest.mark.parametrize("mutation", STRONG)
@pytest.mark.parametrize("judge", JUDGES)
def test_strong_mutations_walk_as_the_twin(judge: str, mutation: str) -> None:
    engine, name, nodes, gates = JUDGES[judge]
    for seed, law in enumerate(LAWS.values()):
        check_as_twin(task_of(name, nodes, gates=gates, law=law, mutation=mutation), engine, seed, 12)


def check_as_plain(task: Task, engine: str, seeds: int, slices: int) -> None:
    """A fast engine and the plain one, in growing slices: far more offspring than a twin could make."""
    for seed in range(seeds):
        plain, fast = begin(task, "plain", seed), begin(task, engine, seed)
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


LONG = [
    ("small symbolic", "and:8", 30, ["and"], None),
    ("small symbolic", "and:1", 1, ["and"], None),
    ("small symbolic", "xor:9", 54, ["xor"], None),
    ("small", "parity:4", 20, ["and", "or", "nand", "nor"], None),
    ("small", "and:9", 20, ["and"], 18),
    ("small table", "and:10", 53, ["and"], None),
    ("small table", "or:11", 30, ["nand"], None),
    ("small table", "and:14", 20, ["and"], 1),
    ("small table", "and:14", 20, ["and"], 5000),
    ("symbolic", "and:12", 90, ["and"], None),
    ("symbolic", "xor:7", 200, ["xor"], None),
    ("incremental", "parity:7", 150, ["and", "or", "nand", "nor"], None),
    ("incremental", "mul:3", 70, ["and", "or", "xor", "not"], None),
    ("incremental", "sum:4", 40, ["and", "or", "not"], None),
    ("incremental", "and:14", 20, ["and"], 1),
    ("incremental", "and:14", 20, ["and"], 12_000),
    ("incremental", "parity:14", 60, ["and", "or", "nand", "nor"], None),  # head and tail
    ("incremental", "sum:7", 60, ["and", "xor", "not"], None),
]


@pytest.mark.parametrize("mutation", ["sam", "rate:0.03"])
@pytest.mark.parametrize(("engine", "name", "nodes", "gates", "rows"), LONG)
def test_long_walks_are_those_of_the_plain_engine(
    engine: str, name: str, nodes: int, gates, rows: int | None, mutation: str
) -> None:
    for law, strict, offspring in ((PAPER, False, 1), (TINYVERSE, True, 1), (LAWS["columns"], False, 4)):
        task = task_of(
            name,
            nodes,
            gates=gates,
            law=law,
            strict=strict,
            rows=rows,
            mutation=mutation,
            offspring=offspring,
        )
        check_as_plain(task, engine, 2, 11)


def test_all_engines_are_held_against_others() -> None:
    assert {engine.name for engine in ENGINES} == {case[0] for case in [*JUDGES.values(), *LONG]}


def test_strict_selection_with_few_nodes_reaches_success() -> None:
    # Very many iterations: the rejected offspring of a strict search are the cheapest ones.
    far = begin(task_of("and:12", 12, strict=True), "small symbolic", 1, limit=10**9)
    walk.advance(far, 10**9)
    assert far.solved
    assert far.offspring > 500_000


def test_runs_of_a_cell_are_those_that_each_would_be_alone() -> None:
    task = task_of("and:5", 9, law=TINYVERSE)
    alone = []
    for run in (5, 0, 2**40, 7):
        one = walk.start(
            task, evaluation="auto", entropy=np.arange(5, dtype=np.uint32), runs=[run], limit=200
        )
        walk.advance(one, 10**6)
        alone.append((one.offspring, one.steps, one.fitness, one.program.tolist(), one.improvements))
    for slice_size in (1, 7, 10**6):
        cell = walk.start(
            task, evaluation="auto", entropy=np.arange(5, dtype=np.uint32), runs=[5, 0, 2**40, 7], limit=200
        )
        while not cell.finished:
            walk.advance(cell, slice_size)
        for place, (offspring, steps, fitness, program, improvements) in enumerate(alone):
            assert cell.cell.offspring[place] == offspring
            assert cell.cell.steps[place] == steps
            assert cell.fitness_of(int(cell.cell.ranks[place])) == fitness
            assert cell.cell.programs[place].tolist() == program
            rows = np.concatenate(cell.logs)
            logged = rows[rows[:, 0] == place, 1:].tolist()
            assert [(at, cell.fitness_of(rank)) for at, rank in logged] == improvements


def test_a_full_log_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    task, entropy = task_of("and:6", 12), np.arange(5, dtype=np.uint32)
    usual = walk.start(task, evaluation="auto", entropy=entropy, runs=range(50), limit=10**5)
    walk.advance(usual, 10**6)
    monkeypatch.setattr(walk, "LOG_LENGTH", 3)
    narrow = walk.start(task, evaluation="auto", entropy=entropy, runs=range(50), limit=10**5)
    walk.advance(narrow, 10**6)
    assert narrow.finished
    assert np.array_equal(np.concatenate(usual.logs), np.concatenate(narrow.logs))
    assert np.array_equal(usual.cell.programs, narrow.cell.programs)
