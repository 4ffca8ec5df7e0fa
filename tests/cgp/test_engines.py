"""Every fast engine walks as the plain one: same programs, same stream, slice by slice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import sample
from gatewalk.cgp import engines, walk
from gatewalk.cgp.core import LOGGED
from gatewalk.cgp.engines import Task
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PAPER, TINYVERSE, CgpLaw
from gatewalk.cgp.mutation import Mutation

COLUMNS = CgpLaw(levels_back=2, levels_over="columns")


def task_of(name: str, nodes: int, *, gates=None, law=PAPER, strict=False, rows=None) -> Task:
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
        mutation=Mutation(),
        strict=strict,
        offspring=1,
    )


def begin(task: Task, engine: engines.Engine, seed: int, monkeypatch: pytest.MonkeyPatch) -> walk.Walk:
    monkeypatch.setattr(walk, "choose", lambda task, evaluation: engine)
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64)
    return walk.start(task, evaluation="auto", stream=stream)


def check_equal_walks(task: Task, engine, seeds: int, slices: int, patch: pytest.MonkeyPatch) -> None:
    assert engine.applies(task)
    for seed in range(seeds):
        plain, fast = (begin(task, one, seed, patch) for one in (engines.PLAIN, engine))
        size = 1
        for _ in range(slices):
            limit = plain.offspring + size
            walk.advance(plain, limit)
            walk.advance(fast, limit)
            assert np.array_equal(plain.core.genes, fast.core.genes)
            assert np.array_equal(fast.core.child, fast.core.genes)
            assert np.array_equal(plain.core.stream, fast.core.stream)
            fast.core.counters[LOGGED] = 0
            assert plain.fitness == fast.fitness
            assert (plain.offspring, plain.steps) == (fast.offspring, fast.steps)
            assert np.array_equal(plain.core.undrawn, fast.core.undrawn)
            size = min(2 * size, 4096)
        assert plain.improvements == fast.improvements


LEAN = replace(PAPER, sam_stream="lean")
LAWS = {
    "paper": PAPER,
    "tinyverse": TINYVERSE,
    "columns": COLUMNS,
    "lean": LEAN,
    "lean-tinyverse": replace(TINYVERSE, sam_stream="lean"),
    "lean-columns": replace(COLUMNS, sam_stream="lean"),
}


WALKS = [
    pytest.param(law, strict, id=f"{name}-{'strict' if strict else 'nonstrict'}")
    for name, law in LAWS.items()
    for strict in (False, True)
    if not (strict and law.sam_stream == "lean")  # offspring are skipped: tests/cgp/test_waiting.py
]
each_walk = pytest.mark.parametrize(("law", "strict"), WALKS)


@each_walk
@pytest.mark.parametrize(("name", "nodes"), [("and:7", 7), ("and:8", 30), ("and:10", 53)])
def test_cone_symbolic(name: str, nodes: int, law: CgpLaw, strict: bool, monkeypatch) -> None:
    task = task_of(name, nodes, law=law, strict=strict)
    check_equal_walks(task, engines.CONE_SYMBOLIC, 6, 16, monkeypatch)


@each_walk
@pytest.mark.parametrize(
    ("name", "nodes"),
    [("xor:2", 1), ("xor:3", 4), ("xor:5", 20), ("xor:9", 54), ("xor:3", 60), ("and:5", 12), ("and:1", 1)],
)
def test_cone_sets(name: str, nodes: int, law: CgpLaw, strict: bool, monkeypatch) -> None:
    task = task_of(name, nodes, law=law, strict=strict)
    check_equal_walks(task, engines.CONE_SETS, 6, 16, monkeypatch)


@each_walk
@pytest.mark.parametrize(
    ("name", "nodes", "gates"),
    [
        ("and:5", 15, ["and"]),
        ("parity:4", 20, ["and", "or", "nand", "nor"]),
        ("maj:5", 50, ["and", "or", "not"]),
        ("xor:3", 7, ["xor", "not", "and"]),
    ],
)
def test_cone(name: str, nodes: int, gates, law: CgpLaw, strict: bool, monkeypatch) -> None:
    task = task_of(name, nodes, gates=gates, law=law, strict=strict)
    check_equal_walks(task, engines.CONE, 5, 16, monkeypatch)


def test_cone_on_sampled_rows(monkeypatch) -> None:
    check_equal_walks(task_of("and:9", 20, rows=18), engines.CONE, 5, 14, monkeypatch)


@each_walk
@pytest.mark.parametrize(
    ("name", "nodes", "gates"),
    [
        ("and:3", 4, ["and"]),
        ("and:7", 12, ["and"]),
        ("and:10", 53, ["and"]),
        ("and:12", 12, ["and"]),
        ("or:11", 30, ["nand"]),
        ("xor:10", 40, ["nor"]),
    ],
)
def test_cone_table(name: str, nodes: int, gates, law: CgpLaw, strict: bool, monkeypatch) -> None:
    task = task_of(name, nodes, gates=gates, law=law, strict=strict)
    check_equal_walks(task, engines.CONE_TABLE, 5, 15, monkeypatch)


@pytest.mark.parametrize("rows", [1, 70, 512, 513, 5000])
def test_cone_table_on_sampled_rows(rows: int, monkeypatch) -> None:
    check_equal_walks(task_of("and:14", 20, rows=rows), engines.CONE_TABLE, 3, 13, monkeypatch)


@each_walk
@pytest.mark.parametrize(
    ("name", "nodes"),
    [("and:1", 1), ("and:2", 1), ("and:6", 8), ("xor:3", 4), ("xor:7", 200), ("and:12", 90)],
)
def test_symbolic(name: str, nodes: int, law: CgpLaw, strict: bool, monkeypatch) -> None:
    task = task_of(name, nodes, law=law, strict=strict)
    check_equal_walks(task, engines.SYMBOLIC, 5, 16, monkeypatch)


def test_symbolic_reaches_sizes_that_no_table_can() -> None:
    stream = np.random.SeedSequence(3).generate_state(4, np.uint64)
    far = walk.start(task_of("and:1000", 1000), evaluation="auto", stream=stream)
    assert far.evaluation == "symbolic"
    walk.advance(far, 20_000)
    assert 0 < far.fitness < 2**1000
    missing = far.fitness.bit_length()
    assert far.fitness == 2**missing - 1


@each_walk
@pytest.mark.parametrize(
    ("name", "nodes", "gates"),
    [
        ("and:3", 4, ["and"]),
        ("and:10", 12, ["and"]),
        ("parity:7", 150, ["and", "or", "nand", "nor"]),
        ("mul:3", 70, ["and", "or", "xor", "not"]),
        ("add:4", 40, ["and", "or", "not"]),
    ],
)
def test_incremental(name: str, nodes: int, gates, law: CgpLaw, strict: bool, monkeypatch) -> None:
    task = task_of(name, nodes, gates=gates, law=law, strict=strict)
    check_equal_walks(task, engines.INCREMENTAL, 3, 15, monkeypatch)


@pytest.mark.parametrize("rows", [1, 70, 700, 8192, 8193, 12000])
def test_incremental_on_sampled_rows(rows: int, monkeypatch) -> None:
    check_equal_walks(task_of("and:14", 20, rows=rows), engines.INCREMENTAL, 3, 13, monkeypatch)


@pytest.mark.parametrize("law", [PAPER, TINYVERSE, LEAN], ids=["paper", "tinyverse", "lean"])
@pytest.mark.parametrize(
    ("name", "nodes", "gates"),
    [("parity:14", 60, ["and", "or", "nand", "nor"]), ("add:7", 60, ["and", "xor", "not"])],
)
def test_incremental_with_head_and_tail(name: str, nodes: int, gates, law: CgpLaw, monkeypatch) -> None:
    task = task_of(name, nodes, gates=gates, law=law)
    check_equal_walks(task, engines.INCREMENTAL, 2, 11, monkeypatch)


@pytest.mark.parametrize(
    ("name", "gates", "expected"),
    [
        ("maj:5", ["and", "or", "nor", "const1"], engines.PLAIN),
        ("mul:2", ["and", "xor", "const0"], engines.PLAIN),
        ("maj:5", ["and", "or", "not"], engines.CONE),
        ("mul:2", ["and", "xor", "not"], engines.INCREMENTAL),
    ],
)
def test_gates_without_inputs_are_left_to_the_plain_walk(name: str, gates, expected) -> None:
    assert engines.choose(task_of(name, 30, gates=gates), "auto") is expected


def test_strict_selection_with_few_nodes_reaches_success() -> None:
    # Millions of iterations: the rejected offspring of a strict search are the cheapest ones.
    stream = np.random.SeedSequence(1).generate_state(4, np.uint64)
    far = walk.start(task_of("and:12", 12, strict=True), evaluation="auto", stream=stream)
    walk.advance(far, 10**9)
    assert far.solved
    assert far.offspring > 10**6
