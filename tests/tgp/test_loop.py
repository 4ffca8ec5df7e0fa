"""Running times of the (1+1) TGP against what is known exactly and what was published.

Fixed seeds; each comparison with an exact value would fail by chance about once in 10^9 (six
standard errors).
"""

import csv
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from kernels import entry
from scipy.stats import chi2
from walks import tree_search

from gatewalk.boolean.targets import family_target
from gatewalk.search.options import search_for
from gatewalk.search.session import advance, begin, result
from gatewalk.tgp.counts import Counts
from gatewalk.tgp.hvl import hvl_step, steps_of
from gatewalk.tgp.table import Table
from gatewalk.tgp.tgp_search import PAPER, TINYVERSE, TgpLaw
from gatewalk.tgp.tree import empty_tree, load, open_journal, program_of, undo
from gatewalk.tgp.walk import start

PUBLISHED = Path(__file__).parent / "data" / "published_tree_rows.csv"


def times(name, law, *, runs, seed, strict=False, steps="single"):
    """Offspring until success of so many runs, less those that the law does not count."""
    search = tree_search(name, family_target(name).gates, law, steps=steps, strict=strict)
    words = np.random.default_rng(seed).integers(2**64, size=(runs, 4), dtype=np.uint64)
    walk, iterations = None, np.empty(runs, dtype=np.int64)
    for run in range(runs):
        walk = start(search, None, stream=words[run], after=walk)
        walk.advance(10**9)
        iterations[run] = max(0, walk.offspring - law.uncounted)
    return iterations


def exact(n):
    """Mean and variance of T if only inserting one of the n - i missing inputs improves: p = (n-i)/3n."""
    chances = [(n - i) / (3 * n) for i in range(1, n)]
    return sum(1 / p for p in chances), sum((1 - p) / p**2 for p in chances)


@pytest.mark.parametrize("strict", [False, True], ids=["nonstrict", "strict"])
@pytest.mark.parametrize("n", range(2, 13))
def test_tinyverse_conjunctions_take_3_n_harmonic_number(n, strict):
    """E[T] = 3 n H(n-1), and the profile reports T - 1: 20,000 runs for each n."""
    mean, variance = exact(n)
    assert np.isclose(mean, 3 * n * sum(1 / k for k in range(1, n)))
    iterations = times(f"and:{n}", TINYVERSE, runs=20_000, seed=100 + n, strict=strict)
    assert abs(iterations.mean() - (mean - 1)) < 6 * np.sqrt(variance / iterations.size)


@pytest.mark.parametrize("n", [2, 5, 9])
def test_strict_paper_conjunctions_take_the_same_time(n):
    """Strict selection keeps all leaves different, so a substitution only ever ties."""
    mean, variance = exact(n)
    iterations = times(f"and:{n}", PAPER, runs=5_000, seed=200 + n, strict=True)
    assert abs(iterations.mean() - mean) < 6 * np.sqrt(variance / iterations.size)


def test_a_variance_is_exact_too():
    """The sample variance of 20,000 runs is right to 7 percent (its standard error is about 1.2)."""
    iterations = times("and:8", TINYVERSE, runs=20_000, seed=300, strict=True)
    assert abs(iterations.var() / exact(8)[1] - 1) < 0.07


def published(selection, mutation):
    with PUBLISHED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    chosen = [row for row in rows if (row["selection"], row["mutation"]) == (selection, mutation)]
    return {int(row["n"]): float(row["mean"]) for row in chosen}


@pytest.mark.parametrize("mutation", ["single", "multi"])
@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_the_published_rows_are_within_their_sampling_error(selection, mutation):
    """Chi-square of 13 published means of 30 runs; the data are given, so nothing here is random."""
    statistic = 0.0
    rows = published(selection, mutation)
    assert list(rows) == list(range(3, 16))
    for n, mean in rows.items():
        iterations = times(
            f"and:{n}",
            TINYVERSE,
            runs=2_000,
            seed=400 + n,
            strict=selection == "strict",
            steps=mutation,
        )
        statistic += (iterations.mean() - mean) ** 2 / (iterations.var() * (1 / 30 + 1 / iterations.size))
    assert chi2.sf(statistic, len(rows)) > 0.05


def test_other_laws_are_not_within_it():
    """The comparison can fail: the profile `paper` is another algorithm."""
    statistic = 0.0
    for n, mean in published("nonstrict", "single").items():
        iterations = times(f"and:{n}", PAPER, runs=1_000, seed=500 + n)
        statistic += (iterations.mean() - mean) ** 2 / (iterations.var() * (1 / 30 + 1 / iterations.size))
    assert chi2.sf(statistic, 13) < 1e-4


@pytest.mark.parametrize("steps", ["single", "multi"])
def test_exclusive_disjunctions_take_exponential_time(steps):
    """Each input more multiplies the mean by about two: no power of n does (Mambrini and Oliveto)."""
    sizes = np.arange(4, 13)
    means = [times(f"xor:{n}", PAPER, runs=500, seed=600 + int(n), steps=steps).mean() for n in sizes]
    ratios = [after / before for before, after in pairwise(means)]
    assert min(ratios) > 1.4
    assert 1.6 < (means[-1] / means[0]) ** (1 / (len(means) - 1)) < 2.2
    logs = np.log(means)
    exponential = np.polyfit(sizes, logs, 1, full=True)[1][0]
    power = np.polyfit(np.log(sizes), logs, 1, full=True)[1][0]
    assert exponential < power / 3


def test_the_profile_reports_one_less():
    session = begin(search_for("and:6", algorithm="tgp-single", profile="tinyverse"), seed=1, run=0)
    advance(session)
    run = result(session)
    assert run.solved
    assert run.iterations == session.current.offspring - 1
    assert run.gates == session.current.program.size // 4


def walk_of(evaluation, law, *, strict, seed):
    search = tree_search("and:6", "and", law, strict=strict, evaluation=evaluation)
    return start(search, None, stream=np.random.SeedSequence(seed).generate_state(4, np.uint64))


@pytest.mark.parametrize("strict", [False, True])
def test_tables_and_counts_decide_alike(strict):
    accepted = 0
    for seed in range(5):
        table, counts = (walk_of(kind, TgpLaw(), strict=strict, seed=seed) for kind in ("table", "symbolic"))
        assert isinstance(table.evaluator, Table)
        assert isinstance(counts.evaluator, Counts)
        for limit in range(0, 200, 5):
            table.advance(limit)
            counts.advance(limit)
            assert table.program.tolist() == counts.program.tolist()
            assert (table.offspring, table.fitness) == (counts.offspring, counts.fitness)
        assert table.improvements == counts.improvements
        accepted += len(table.improvements)
    assert accepted > 10


@pytest.mark.parametrize("evaluation", ["table", "symbolic"])
def test_an_offspring_over_the_size_limit_is_rejected(evaluation):
    free = walk_of(evaluation, TgpLaw(), strict=False, seed=3)
    bounded = walk_of(evaluation, TgpLaw(size_limit=3), strict=False, seed=3)
    largest = {"free": 0, "bounded": 0}
    for limit in range(1, 300):
        for name, walk in (("free", free), ("bounded", bounded)):
            walk.advance(limit)
            largest[name] = max(largest[name], walk.size)
    assert largest["bounded"] == 3 < largest["free"]
    assert bounded.fitness == 2**3 - 1  # three of the six inputs


hvl_step, open_journal, undo = entry(hvl_step), entry(open_journal), entry(undo)

# A nested tree is a terminal, (function, left, right), or None if it is empty.
TERMINALS = 3
FUNCTIONS = 2
SAMPLES = 4000

ONE_LEAF = 1
CHERRY = (1, 0, 2)
DEEP = (0, (1, 2, (0, 0, 1)), (1, 1, 0))
DEEP_OF_ONE_FUNCTION = (0, 0, (0, (0, 1, 2), 2))


def numbers_of(tree):
    """A nested tree as a program."""
    leaves = []
    inner = []

    def add(node):
        if isinstance(node, tuple):
            place = len(inner)
            inner.append([node[0], 0, 0])
            inner[place][1:] = [add(node[1]), add(node[2])]
            return place
        assert node is not None
        leaves.append(node)
        return -len(leaves)

    return [] if tree is None else [add(tree), *leaves, *(number for node in inner for number in node)]


def nested(numbers):
    """A program as a nested tree."""
    if not numbers:
        return None
    count = (len(numbers) + 2) // 4

    def at(name):
        if name < 0:
            return numbers[1 - 1 - name]
        first = 1 + count + 3 * name
        return numbers[first], at(numbers[first + 1]), at(numbers[first + 2])

    return at(numbers[0])


def places(tree):
    """Every node as the turns that lead to it."""
    yield ()
    if isinstance(tree, tuple):
        for turn in (1, 2):
            for rest in places(tree[turn]):
                yield (turn, *rest)


def at(tree, place):
    for turn in place:
        assert isinstance(tree, tuple)
        tree = tree[turn]
    return tree


def put(tree, place, new):
    if not place:
        return new
    assert isinstance(tree, tuple)
    children = list(tree)
    children[place[0]] = put(tree[place[0]], place[1:], new)
    return tuple(children)


def chosen(tree, how):
    """Places and their probabilities."""
    every = list(places(tree))
    leaves = [place for place in every if not isinstance(at(tree, place), tuple)]
    if how == "descent":
        return [(place, Fraction(1, 2 ** len(place))) for place in leaves]
    inner = [place for place in every if isinstance(at(tree, place), tuple)]
    listed = {"leaf": leaves, "leaves": leaves, "node": every, "both": every, "functions": inner}[how]
    return [(place, Fraction(1, len(listed))) for place in listed]


def expected(tree, law, functions):
    """The distribution of the tree after one step."""
    result = defaultdict(Fraction)
    operators = ["insert", "delete"] + (["substitute"] if law.substitution != "off" else [])
    share = Fraction(1, len(operators))
    if tree is None:
        for terminal in range(TERMINALS):
            result[terminal] += share / TERMINALS
        result[tree] += 1 - share
        return result
    for place, chance in chosen(tree, law.insert_at):
        v = at(tree, place)
        for u, f in product(range(TERMINALS), range(functions)):
            orders = [(f, u, v)] + ([(f, v, u)] if law.child_order == "random" else [])
            for new in orders:
                result[put(tree, place, new)] += share * chance / (TERMINALS * functions * len(orders))
    if not isinstance(tree, tuple):
        result[tree if law.empty == "never" else None] += share
    else:
        for place, chance in chosen(tree, law.delete_at):
            above = at(tree, place[:-1])
            assert isinstance(above, tuple)
            result[put(tree, place[:-1], above[3 - place[-1]])] += share * chance
    if law.substitution != "off":
        options = chosen(tree, law.substitution)
        for place, chance in options:
            v = at(tree, place)
            labels = range(functions if isinstance(v, tuple) else TERMINALS)
            for label in labels:
                new = (label, v[1], v[2]) if isinstance(v, tuple) else label
                result[put(tree, place, new)] += share * chance / len(labels)
        if not options:
            result[tree] += share
    return result


def drawn(tree, law, functions, seed):
    """What the kernel makes of the tree, many times."""
    program = np.array(numbers_of(tree), dtype=np.int32)
    arrays = empty_tree(16)
    load(arrays, program)
    steps = steps_of(law, functions=functions, terminals=TERMINALS, paths=True)
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64)
    programs = Counter()
    for _ in range(SAMPLES):
        open_journal(arrays)
        assert hvl_step(arrays, steps, stream)
        programs[tuple(program_of(arrays).tolist())] += 1
        undo(arrays)
        arrays.inner[:, 6] = 0  # marks: nothing is evaluated here
    assert program_of(arrays).tolist() == program.tolist()
    result = Counter()
    for numbers, count in programs.items():
        result[nested(list(numbers))] += count
    return result


def check(tree, law, functions, seed):
    law_of_tree = expected(tree, law, functions)
    assert sum(law_of_tree.values()) == 1
    counts = drawn(tree, law, functions, seed)
    assert set(counts) <= set(law_of_tree)
    statistic, cells, rest_expected, rest_drawn = 0.0, 0, 0.0, 0
    for outcome, chance in law_of_tree.items():
        mean = float(chance) * SAMPLES
        if mean < 5:
            rest_expected += mean
            rest_drawn += counts[outcome]
            continue
        statistic += (counts[outcome] - mean) ** 2 / mean
        cells += 1
    if rest_expected > 0:
        statistic += (rest_drawn - rest_expected) ** 2 / rest_expected
        cells += 1
    assert chi2.sf(statistic, max(1, cells - 1)) > 1e-9, (tree, law, statistic, cells)


@pytest.mark.parametrize("substitution", ["leaves", "functions", "both", "off"])
@pytest.mark.parametrize("insert_at", ["node", "leaf", "descent"])
def test_one_step_has_the_enumerated_distribution(insert_at, substitution):
    seed = 0
    for delete_at, order, empty in product(("leaf", "descent"), ("random", "new-first"), ("never", "true")):
        law = TgpLaw(
            insert_at=insert_at,
            delete_at=delete_at,
            substitution=substitution,
            child_order=order,
            empty=empty,
        )
        trees = [ONE_LEAF, CHERRY, DEEP] if empty == "never" else [None, ONE_LEAF]
        for tree in trees:
            seed += 1
            check(tree, law, FUNCTIONS, seed)
    check(DEEP_OF_ONE_FUNCTION, law, 1, seed)
