"""Offspring of every mutation by their law: chi-square against enumerations; and what is noted as changed."""

from itertools import product

import numpy as np
import pytest
from genotype_chain import chain_of
from kernels import check_frequencies
from scipy import stats

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.cgp_search import PAPER, TINYVERSE
from gatewalk.cgp.genotype import Shape, shape_for, valid_values
from gatewalk.native.draws import MOST_THRESHOLDS

SAMPLES = 60_000


@pytest.mark.parametrize("law", [PAPER, TINYVERSE], ids=["changed", "picked"])
@pytest.mark.parametrize(("n", "nodes"), [(n, nodes) for n in (2, 3) for nodes in (1, 2, 3)])
def test_sam_offspring_law(driver, n, nodes, law):
    # Four parents of different activity, small and large, chi-square at 1e-7 each: a false alarm in 1e6.
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(["and"]), law=law)
    chain = chain_of(shape, law)
    makers = [
        driver.maker(shape, "sam", large=large, picked=law.sam_ends == "picked") for large in (False, True)
    ]
    random, stream = np.random.default_rng(n + nodes), np.array([n, nodes, 5, 7], dtype=np.uint64)
    for output in sorted({0, n, n + nodes - 1, n + nodes // 2}):
        parent = [int(random.choice(values)) for values in chain.values]
        parent[-1] = output
        law_of_y = chain.offspring(tuple(parent))
        assert sum(law_of_y.values()) == pytest.approx(1, abs=1e-12)
        for maker in makers:
            driver.begin(maker, parent)
            drawn, _ = driver.sample(maker, stream, SAMPLES)
            assert driver.child(maker) == driver.parent(maker) == parent
            check_frequencies(drawn, law_of_y)


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize(("picked", "ending"), [(False, 3), (True, 4)])
def test_elementary_steps_of_sam_are_geometric(driver, large, picked, ending):
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
def test_the_last_write_of_sam_is_the_only_active_one(driver, large, picked, is_kept):
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


SHAPES = {
    "gates": Shape(2, 1, 2, gate_set("and,nor")),
    "one gate": Shape(2, 1, 2, gate_set("nand")),
    "skipped": Shape(2, 1, 3, gate_set("nand"), levels_back=1, levels_over="sources"),
}


def law_of_points(shape, parent, points):
    """The law of the offspring, gene by gene."""
    law = {parent: 1.0}
    for _ in range(points):
        after = {}
        for x, chance in law.items():
            for gene in range(shape.length):
                others = [v for v in valid_values(shape, gene) if v != x[gene]] or [x[gene]]
                for value in others:
                    y = (*x[:gene], value, *x[gene + 1 :])
                    after[y] = after.get(y, 0.0) + chance / shape.length / len(others)
        law = after
    return law


def random_genes(shape, seed):
    random = np.random.default_rng(seed)
    return [int(random.choice(valid_values(shape, gene))) for gene in range(shape.length)]


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("points", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_point_offspring_law(driver, shape, points, large):
    # Chi-square at 1e-7: that is the chance of a false alarm.
    maker = driver.maker(shape, f"point:{points}", large=large)
    parent = random_genes(shape, points)
    driver.begin(maker, parent)
    drawn, steps = driver.sample(maker, np.array([points, 2, 3, 4], dtype=np.uint64), 60_000)
    assert (steps == points).all()
    check_frequencies(drawn, law_of_points(shape, tuple(parent), points))


def check_offspring(driver, maker, changes):
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
def test_offspring_are_dropped_and_kept_whatever_the_number_of_points(driver, gates, points, large):
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


def test_several_outputs_are_hit(driver):
    shape = Shape(3, 6, 4, gate_set("and,or"))
    maker = driver.maker(shape, "point:12", large=True)
    driver.begin(maker, random_genes(shape, 1))
    stream = np.array([1, 2, 3, 4], dtype=np.uint64)
    for _ in range(100):
        changes = driver.make(maker, stream)
        check_offspring(driver, maker, changes)
        driver.ended(maker.program, changes, False)


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("rate", [0.04, 0.3, 0.9])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_rate_offspring_law(driver, shape, rate, large):
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
def test_at_rate_one_every_gene_changes_that_can(driver, shape, large):
    maker = driver.maker(shape, "rate:1", large=large)
    parent = random_genes(shape, 4)
    driver.begin(maker, parent)
    drawn, steps = driver.sample(maker, np.array([1, 2, 3, 4], dtype=np.uint64), 200)
    assert ((drawn != parent) == (shape.ranges.count > 1)).all()
    assert (steps == shape.length).all()


@pytest.mark.parametrize("rate", [1e-4, 1e-5])
def test_a_long_genotype_takes_more_words_than_there_are_thresholds(driver, rate):
    # Genes beyond the last threshold are decided by the next word: over three spans of 5000 genes, wherever
    # the thresholds end, changes are independent binomial numbers. Chi-square at 1e-7.
    shape, span, most = Shape(2, 1, 5000, gate_set("and,or")), 5000, 2  # two or more are one class
    assert shape.length > 3 * MOST_THRESHOLDS
    maker = driver.maker(shape, f"rate:{rate}", large=True)
    driver.begin(maker, np.zeros(shape.length))
    stream, counts = np.array([3, 2, 3, 4], dtype=np.uint64), []
    for _ in range(10):
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
def test_hits_of_a_rate_are_the_active_genes_that_changed(driver, gates, large, is_kept):
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
