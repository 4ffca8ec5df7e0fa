"""SAM's offspring follow Algorithm 3: chi-square against the law by enumeration, for all small n and D."""

from __future__ import annotations

import numpy as np
import pytest
from frequencies import check_frequencies
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape, shape_for
from gatewalk.cgp.law import PAPER, TINYVERSE

SAMPLES = 60_000


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("law", [PAPER, TINYVERSE], ids=["changed", "picked"])
@pytest.mark.parametrize(("n", "nodes"), [(n, nodes) for n in (2, 3) for nodes in (1, 2, 3)])
def test_offspring_law(driver, n: int, nodes: int, law, large: bool) -> None:
    # Up to four parents of different activity, chi-square at 1e-7 each: a false alarm in 2.5e6.
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(["and"]), law=law)
    chain = chain_of(shape, law)
    maker = driver.maker(shape, "sam", large=large, picked=law.sam_ends == "picked")
    random, stream = np.random.default_rng(n + nodes), np.array([n, nodes, 5, 7], dtype=np.uint64)
    for output in sorted({0, n, n + nodes - 1, n + nodes // 2}):
        parent = [int(random.choice(values)) for values in chain.values]
        parent[-1] = output
        driver.begin(maker, parent)
        drawn, _ = driver.sample(maker, stream, SAMPLES)
        assert driver.child(maker) == driver.parent(maker) == parent
        law_of_y = chain.offspring(tuple(parent))
        assert sum(law_of_y.values()) == pytest.approx(1, abs=1e-12)
        check_frequencies(drawn, law_of_y)


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize(("picked", "ending"), [(False, 3), (True, 4)])
def test_elementary_steps_are_geometric(driver, large: bool, picked: bool, ending: int) -> None:
    # All four genes are active; the only gate of the node ends the loop where picking it does.
    maker = driver.maker(Shape(2, 1, 1, gate_set(["and"])), "sam", large=large, picked=picked)
    driver.begin(maker, [0, 0, 1, 2])
    _, steps = driver.sample(maker, np.array([1, 2, 3, 4], dtype=np.uint64), SAMPLES)
    share = ending / 4
    error = np.sqrt((1 - share) / share**2 / SAMPLES)
    assert abs(steps.mean() - 1 / share) <= 5.5 * error  # a false alarm in 2.6e7


@pytest.mark.parametrize("is_kept", [False, True], ids=["dropped", "kept"])
@pytest.mark.parametrize("picked", [False, True], ids=["changed", "picked"])
@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_the_last_write_is_the_only_active_one(driver, large: bool, picked: bool, is_kept: bool) -> None:
    shape = Shape(3, 1, 8, gate_set(["and"]))
    maker = driver.maker(shape, "sam", large=large, picked=picked)
    random, stream = np.random.default_rng(2), np.array([1, 2, 3, 4], dtype=np.uint64)
    driver.begin(maker, random.integers(0, shape.ranges.count))
    without_hit = 0
    for _ in range(300):
        parent, active = driver.parent(maker), driver.active(maker)
        changes = driver.make(maker, stream)
        written, child = driver.written(maker), list(parent)
        for gene, value in written:
            child[gene] = value
        assert driver.child(maker) == child
        assert changes.steps == maker.recorder.count[0]
        hits = [gene for gene, _ in written if active[gene]]
        assert hits in ([], [written[-1][0]] if written else [])
        without_hit += not hits
        if large:
            assert [int(slot) & 0xFFFFFF for slot in maker.program.hit[: changes.hits]] == hits
        else:
            owners = [63 if gene == shape.length - 1 else 3 + gene // 3 for gene in hits]
            assert int(changes.hits) == sum(1 << owner for owner in owners)
        driver.ended(maker.program, changes, is_kept)
        expected = child if is_kept else parent
        assert driver.child(maker) == driver.parent(maker) == expected
        if is_kept:
            driver.begin(maker, expected)
    assert (without_hit > 0) == picked
