"""Rate mutation: its exact law on small programs and on a long one, what it hits."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from frequencies import check_frequencies
from scipy import stats

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.native.gaps import MOST_THRESHOLDS

SHAPES = {
    "gates": Shape(2, 1, 2, gate_set("and,nor")),
    "one gate": Shape(2, 1, 2, gate_set("nand")),
    "skipped": Shape(2, 1, 3, gate_set("nand"), levels_back=1, levels_over="sources"),
}


def random_genes(shape: Shape, seed: int) -> list[int]:
    random = np.random.default_rng(seed)
    return [int(random.choice(valid_values(shape, gene))) for gene in range(shape.length)]


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("rate", [0.04, 0.3, 0.9])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_genes_change_independently_and_uniformly(driver, shape: Shape, rate: float, large: bool) -> None:
    # The law of whole offspring is a product over genes. Chi-square at 1e-7, twice.
    maker = driver.maker(shape, f"rate:{rate}", large=large)
    parent, samples = random_genes(shape, 1), 60_000
    driver.begin(maker, parent)
    drawn, steps = driver.sample(maker, np.array([9, 2, 3, 4], dtype=np.uint64), samples)
    law = {}
    choices = [valid_values(shape, gene) for gene in range(shape.length)]
    for child in product(*choices):
        law[child] = 1.0
        for old, value, values in zip(parent, child, choices, strict=True):
            if len(values) > 1:
                law[child] *= 1 - rate if value == old else rate / (len(values) - 1)
    check_frequencies(drawn, law)
    genes = shape.length
    check_frequencies(
        steps[:, np.newaxis], {(k,): float(stats.binom.pmf(k, genes, rate)) for k in range(genes + 1)}
    )


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_at_rate_one_every_gene_changes_that_can(driver, shape: Shape, large: bool) -> None:
    maker = driver.maker(shape, "rate:1", large=large)
    parent = random_genes(shape, 4)
    driver.begin(maker, parent)
    drawn, steps = driver.sample(maker, np.array([1, 2, 3, 4], dtype=np.uint64), 200)
    assert ((drawn != parent) == (shape.ranges.count > 1)).all()
    assert (steps == shape.length).all()


@pytest.mark.parametrize("rate", [1e-4, 1e-5])
def test_a_long_genotype_takes_more_words_than_there_are_thresholds(driver, rate: float) -> None:
    # Genes beyond the last threshold are decided by the next word: over three spans of 5000 genes, wherever
    # the thresholds end, changes are independent binomial numbers. Chi-square at 1e-7.
    shape, span, most = Shape(2, 1, 5000, gate_set("and,or")), 5000, 2  # two or more are one class
    assert shape.length > 3 * MOST_THRESHOLDS
    maker = driver.maker(shape, f"rate:{rate}", large=True)
    driver.begin(maker, np.zeros(shape.length))
    stream, counts = np.array([3, 2, 3, 4], dtype=np.uint64), []
    for _ in range(20):
        drawn, steps = driver.sample(maker, stream, 1000)
        assert ((drawn != 0).sum(axis=1) == steps).all()
        counts.append((drawn[:, : 3 * span] != 0).reshape(1000, 3, span).sum(axis=2))
    chance = [float(stats.binom.pmf(k, span, rate)) for k in range(most)]
    chance.append(1 - sum(chance))
    law = {ks: chance[ks[0]] * chance[ks[1]] * chance[ks[2]] for ks in product(range(most + 1), repeat=3)}
    check_frequencies(np.minimum(np.concatenate(counts), most), law)


@pytest.mark.parametrize("is_kept", [False, True], ids=["dropped", "kept"])
@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("gates", ["nand", "and,not"])
def test_hits_are_the_active_genes_that_changed(driver, gates: str, large: bool, is_kept: bool) -> None:
    shape = Shape(3, 1, 8, gate_set(gates))
    maker = driver.maker(shape, "rate:0.1", large=large)
    stream = np.array([1, 2, 3, 4], dtype=np.uint64)
    driver.begin(maker, random_genes(shape, 2))
    for _ in range(300):
        parent, active = np.array(driver.parent(maker)), driver.active(maker)
        changes = driver.make(maker, stream)
        child = np.array(driver.child(maker))
        hits = np.flatnonzero((child != parent) & active).tolist()
        if large:
            assert [int(slot) & 0xFFFFFF for slot in maker.program.hit[: changes.hits]] == hits
        else:
            owners = {63 if gene == shape.length - 1 else 3 + gene // 3 for gene in hits}
            assert int(changes.hits) == sum(1 << owner for owner in owners)
        driver.ended(maker.program, changes, is_kept)
        expected = (child if is_kept else parent).tolist()
        assert driver.child(maker) == driver.parent(maker) == expected
        if is_kept:
            driver.begin(maker, expected)
