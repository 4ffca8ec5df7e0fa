"""Point mutation: its exact law on small programs, what it hits, and more points than genes."""

from __future__ import annotations

from dataclasses import replace

import numba
import numpy as np
import pytest
from frequencies import check_frequencies

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.judges import incremental, table
from gatewalk.cgp.judging import drop, keep, load, save, weigh
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.mutations import mutate
from gatewalk.cgp.observing import Nobody
from gatewalk.cgp.program import drop_child, keep_child
from gatewalk.native.registers import load as load_stream
from gatewalk.native.registers import store as store_stream
from gatewalk.reference import cgp as reference
from gatewalk.reference.stream import Stream

SHAPES = {
    "gates": Shape(2, 1, 2, gate_set("and,nor")),
    "one gate": Shape(2, 1, 2, gate_set("nand")),
    "skipped": Shape(2, 1, 3, gate_set("nand"), levels_back=1, levels_over="sources"),
}


def law_of(shape: Shape, parent: tuple[int, ...], points: int) -> dict[tuple[int, ...], float]:
    """The law of the offspring, gene by gene."""
    law = {parent: 1.0}
    for _ in range(points):
        after: dict[tuple[int, ...], float] = {}
        for x, chance in law.items():
            for gene in range(shape.length):
                others = [v for v in valid_values(shape, gene) if v != x[gene]] or [x[gene]]
                for value in others:
                    y = (*x[:gene], value, *x[gene + 1 :])
                    after[y] = after.get(y, 0.0) + chance / shape.length / len(others)
        law = after
    return law


def random_genes(shape: Shape, seed: int) -> list[int]:
    random = np.random.default_rng(seed)
    return [int(random.choice(valid_values(shape, gene))) for gene in range(shape.length)]


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_offspring_law(driver, shape: Shape, points: int, large: bool) -> None:
    # Chi-square at 1e-7: that is the chance of a false alarm.
    maker = driver.maker(shape, f"point:{points}", large=large)
    parent = random_genes(shape, points)
    driver.begin(maker, parent)
    drawn, steps = driver.sample(maker, np.array([points, 2, 3, 4], dtype=np.uint64), 60_000)
    assert (steps == points).all()
    check_frequencies(drawn, law_of(shape, tuple(parent), points))


def check_offspring(driver, maker, changes) -> list[int]:
    """The offspring is what was written; the hits are the active genes that were; returns it."""
    parent, active, written = driver.parent(maker), driver.active(maker), driver.written(maker)
    child, shape = list(parent), maker.shape
    for gene, value in written:
        assert value != child[gene]
        child[gene] = value
    assert driver.child(maker) == child
    hits = [gene for gene, _ in written if active[gene]]
    if hasattr(maker.program, "hit"):
        if len(hits) > shape.length:
            hits = [gene for gene in range(shape.length) if active[gene] and child[gene] != parent[gene]]
        assert [int(slot) & 0xFFFFFF for slot in maker.program.hit[: changes.hits]] == hits
        assert changes.touched == maker.recorder.count[0]
    else:
        outputs = shape.nodes * 3
        owners = {63 if gene >= outputs else shape.inputs + gene // 3 for gene in hits}
        assert int(changes.hits) == sum(1 << owner for owner in owners)
    return child


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("points", [1, 5, 16, 17, 500])
@pytest.mark.parametrize("gates", ["nand", "and,not"])
def test_offspring_are_dropped_and_kept_whatever_the_number_of_points(
    driver, gates: str, points: int, large: bool
) -> None:
    shape = Shape(3, 1, 5, gate_set(gates))  # 16 genes: the lists of a large program overflow
    maker = driver.maker(shape, f"point:{points}", large=large)
    stream = np.array([points, 2, 3, 4], dtype=np.uint64)
    driver.begin(maker, random_genes(shape, 3))
    for number in range(200):
        parent = driver.parent(maker)
        changes = driver.make(maker, stream)
        child = check_offspring(driver, maker, changes)
        is_kept = number % 3 == 0
        driver.ended(maker.program, changes, is_kept)
        expected = child if is_kept else parent
        assert driver.child(maker) == driver.parent(maker) == expected
        if is_kept:
            driver.begin(maker, expected)


def test_several_outputs_are_hit(driver) -> None:
    shape = Shape(3, 6, 4, gate_set("and,or"))
    maker = driver.maker(shape, "point:12", large=True)
    driver.begin(maker, random_genes(shape, 1))
    stream = np.array([1, 2, 3, 4], dtype=np.uint64)
    for _ in range(100):
        changes = driver.make(maker, stream)
        check_offspring(driver, maker, changes)
        driver.ended(maker.program, changes, False)


@numba.njit
def ranked(mutation, program, judge, stream, parent, is_kept):
    """The rank of an offspring that is kept, or dropped."""
    state = load(judge)
    changes, registers = mutate(mutation, program, judge, state, load_stream(stream), Nobody(True))
    store_stream(stream, registers)
    rank, trial = weigh(judge, program, state, changes, parent, parent + 100)
    if is_kept:
        state = keep(judge, program, state, changes, trial)
        keep_child(program, changes)
    else:
        state = drop(judge, program, state, changes, trial)
        drop_child(program, changes)
    save(judge, state)
    return rank


@pytest.mark.parametrize("points", [3, 40])
@pytest.mark.parametrize("judge_of", [incremental.incremental_of, table.plain_of])
def test_ranks_are_right_whatever_the_number_of_points(driver, judge_of, points: int) -> None:
    shape, wanted = Shape(3, 1, 5, gate_set("and,or")), complete(target("maj:3"))
    rows = [(tuple(row), (int(sum(row) > 1),)) for row in np.ndindex(2, 2, 2)]
    setting = reference.Setting(Nin=3, Nout=1, Nfunc=5, functions=shape.gates.gates, k=2, training=rows)
    maker = driver.maker(shape, f"point:{points}", large=True)
    program, judge = maker.program, judge_of(layout_of(shape), wanted)
    driver.begun(program, judge, np.array(random_genes(shape, 5), dtype=np.int32))
    rank = reference.fitness(setting, driver.parent(maker))
    stream, twin = np.array([8, 2, 3, 4], dtype=np.uint64), Stream([8, 2, 3, 4])
    strength = replace(setting, strength=points)
    for number in range(300):
        child, _ = reference.mutation_point(strength, driver.parent(maker), twin)
        is_kept = number % 2 == 0
        found = ranked(maker.mutation, program, judge, stream, rank, is_kept)
        assert found == reference.fitness(setting, child)
        if is_kept:
            rank = found
            assert driver.parent(maker) == child
