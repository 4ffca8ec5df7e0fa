"""Strict selection without waiting has the law of the literal search: times, steps, accepted offspring.

Every test of a law may fail by chance with probability below 1e-6: means within 5.5 standard errors,
chi-square and Kolmogorov-Smirnov p-values above 1e-7.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from genotype_chain import Chain, chain_of
from scipy import stats

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.cgp import engines, walk
from gatewalk.cgp.core import LOGGED, RANK
from gatewalk.cgp.engines import Task
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PAPER, PROFILES, TINYVERSE, CgpLaw
from gatewalk.cgp.mutation import Mutation
from gatewalk.cgp.waiting import FOREVER, iterations_until
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings

LEAN = {"sam_stream": "lean"}
RUNS = 4_000
LEAST_P = 1e-7
COLUMNS = CgpLaw(levels_back=1, levels_over="columns", sam_ends="picked")
LAWS = {"paper": PAPER, "tinyverse": TINYVERSE, "columns": COLUMNS}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def task_of(name: str, nodes: int, law: CgpLaw, *, gates=None, lean: bool = True) -> Task:
    wanted = target(name)
    law = replace(law, sam_stream="lean" if lean else "literal")
    return Task(
        target=wanted,
        training=None,
        shape=shape_for(
            inputs=wanted.inputs,
            outputs=wanted.outputs,
            nodes=nodes,
            gates=gate_set(gates or wanted.gates),
            law=law,
        ),
        law=law,
        mutation=Mutation(),
        strict=True,
        offspring=1,
    )


def begin(task: Task, evaluation: str, seed: int, genes=None) -> walk.Walk:
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        if task.law.sam_stream == "literal":  # the simplest engine; the others walk as it does
            patch.setattr(walk, "choose", lambda *_: engines.PLAIN)
        return walk.start(task, evaluation=evaluation, stream=stream, genes=genes)


def test_a_walk_that_was_saved_tells_its_steps_at_once() -> None:
    made = begin(task_of("and:8", 12, PAPER), "auto", 1)
    walk.advance(made, 50)
    again = walk.restored(made.task, walk.saved(made), evaluation="auto")
    before = walk.saved(again)["counters"].tolist()
    assert again.steps == made.steps
    assert walk.saved(again)["counters"].tolist() == before


def test_only_its_engines_apply() -> None:
    task = task_of("and:7", 9, PAPER)
    assert [one for one in engines.ENGINES if one.applies(task)] == [
        engines.WAITING_SYMBOLIC,
        engines.WAITING_TABLE,
    ]
    for other in (replace(task, strict=False), replace(task, law=PAPER)):
        assert not engines.WAITING_SYMBOLIC.applies(other)
        assert not engines.WAITING_TABLE.applies(other)


@each_law
@pytest.mark.parametrize(("name", "nodes"), [("and:1", 1), ("and:8", 8), ("and:7", 30), ("xor:5", 70)])
def test_tables_and_symbols_walk_alike(name: str, nodes: int, law: CgpLaw) -> None:
    task = task_of(name, nodes, law)
    for seed in range(4):
        table, symbolic = (begin(task, evaluation, seed) for evaluation in ("table", "symbolic"))
        for limit in (1, 2, 5, 20, 100, 101, 1000, 10**5):
            walk.advance(table, limit)
            walk.advance(symbolic, limit)
            assert np.array_equal(table.core.genes, symbolic.core.genes)
            assert np.array_equal(symbolic.core.child, symbolic.core.genes)
            assert np.array_equal(table.core.stream, symbolic.core.stream)
            assert (table.offspring, table.steps) == (symbolic.offspring, symbolic.steps)
            assert table.improvements == symbolic.improvements


def improvements(one: walk.Walk, genes, count: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """How long parent `genes` stays, the steps of that time, and what replaces it, so many times."""
    found = []
    one.core = core = one.core._replace(log=one.core.log[:1])  # an engine returns when the log is full
    for _ in range(count):
        core.genes[:] = core.child[:] = genes
        core.counters[:] = 0
        core.undrawn[:] = 0
        core.counters[RANK] = one.engine.rank(one.layout, one.room, core.genes)
        one.engine.advance(core, one.layout, one.rule, one.room, 10**5)
        assert core.counters[LOGGED] == 1
        found.append((one.offspring, one.steps, tuple(core.genes.tolist())))
    return found


def check_chi_square(counts: Counter, law: dict[object, float]) -> None:
    """The counts may come from that law; what is expected less than five times is put together."""
    total = sum(counts.values())
    assert set(counts) <= set(law)
    often = [key for key, chance in law.items() if chance * total >= 5]
    seen = [counts[key] for key in often]
    expected = [law[key] * total for key in often]
    rest = total - sum(expected)
    if rest > 1e-6 * total:
        seen, expected = [*seen, total - sum(seen)], [*expected, rest]
    assert len(seen) < 2 or stats.chisquare(seen, expected, sum_check=False).pvalue > LEAST_P


def better_offspring(chain: Chain, genes: tuple[int, ...]) -> dict[tuple[int, ...], float]:
    """The law of SAM's fitter offspring, with their probabilities."""
    chances = chain.offspring_row(genes)
    now = chain.all_fitness[chain.genotypes.index(genes)]
    better = np.flatnonzero((chances > 0) & (chain.all_fitness < now))
    return {chain.genotypes[number]: float(chances[number]) for number in better}


def some_parents(chain: Chain, count: int) -> list[tuple[int, ...]]:
    """Of some programs that can improve and have inactive nodes, half those that find it hardest."""
    random = np.random.default_rng(3)
    chances = {}
    for number in random.permutation(len(chain.genotypes))[:40]:
        genes = chain.genotypes[number]
        if not all(chain.active(genes)):
            chances[genes] = sum(better_offspring(chain, genes).values())
    possible = sorted((genes for genes in chances if chances[genes] > 0), key=lambda genes: chances[genes])
    return possible[: count // 2] + possible[len(possible) // 2 :][: count - count // 2]


@each_law
@pytest.mark.parametrize(("gate", "n", "nodes"), [("and", 2, 3), ("and", 3, 2), ("xor", 3, 2)])
def test_what_follows_a_parent_and_when(gate: str, n: int, nodes: int, law: CgpLaw) -> None:
    task = task_of(f"{gate}:{n}", nodes, law)
    chain = chain_of(task.shape, law, gate=gate, strict=True)
    for seed, genes in enumerate(some_parents(chain, 4)):
        better = better_offspring(chain, genes)
        chance = sum(better.values())
        found = improvements(begin(task, "auto", seed), genes, 2000)
        check_chi_square(Counter(one[2] for one in found), {y: p / chance for y, p in better.items()})
        edges = np.unique(stats.geom.ppf(np.linspace(0.1, 0.9, 9), chance))
        share = np.diff(stats.geom.cdf([0, *edges, np.inf], chance))
        bins = Counter(int(np.searchsorted(edges, one[0])) for one in found)
        check_chi_square(bins, {i: p for i, p in enumerate(share) if p > 0})
        # By Wald's equation; the difference varies much less than the steps themselves.
        each = steps_per_offspring(chain, genes)
        check_mean([steps - each * iterations for iterations, steps, _ in found], 0.0)


def steps_per_offspring(chain: Chain, genes: tuple[int, ...]) -> float:
    """Expected elementary steps of SAM's loop: each ends it if the gene is active and may end it."""
    ends = [
        on and (chain.sam_ends == "picked" or len(values) > 1)
        for on, values in zip(chain.active(genes), chain.values, strict=True)
    ]
    return len(genes) / sum(ends)


def check_mean(numbers, expected: float) -> None:
    numbers = np.asarray(numbers, dtype=float)
    assert abs(numbers.mean() - expected) <= 5.5 * numbers.std() / np.sqrt(len(numbers))


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
@pytest.mark.parametrize(("gate", "n", "nodes"), [("and", 2, 1), ("and", 2, 3), ("and", 3, 2), ("xor", 3, 2)])
def test_mean_times_and_steps_of_runs(gate: str, n: int, nodes: int, profile: str) -> None:
    law = PROFILES[profile]
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set([gate]), law=law)
    chain = chain_of(shape, law, gate=gate, strict=True)
    stuck = bool(np.isinf(chain.expected_from).any())
    made = settings(
        f"{gate}:{n}", nodes=nodes, profile=profile, selection="strict", options=LEAN,
        budget=2000 if stuck else 10**7,
    )  # fmt: skip
    runs = [run_once(made, seed=5, run=run) for run in range(300 if stuck else RUNS)]
    assert all(run.solved for run in runs) == (not stuck)
    if stuck:
        return
    check_mean([run.iterations for run in runs], chain.expected_iterations)
    check_mean([run.elementary_steps for run in runs], expected_steps(chain))


def expected_steps(chain: Chain) -> float:
    """Of a whole run: the offspring of every parent, times the steps that one of them takes."""
    inside = np.flatnonzero(chain.all_fitness > 0)
    system = np.eye(len(inside)) - chain.moves[np.ix_(inside, inside)]
    each = [steps_per_offspring(chain, chain.genotypes[number]) for number in inside]
    return float(chain.start_law[inside] @ np.linalg.solve(system, each))


@pytest.mark.parametrize("budget", [40, 2000])
@pytest.mark.parametrize(
    ("name", "nodes", "gates", "profile"),
    [
        ("and:4", 4, None, "paper"),
        ("and:4", 6, None, "tinyverse"),
        ("xor:3", 4, "xor,and,not", "paper"),
        ("maj:3", 5, "maj,not,const1", "tinyverse"),
    ],
)
def test_runs_are_as_literal_ones(name: str, nodes: int, gates, profile: str, budget: int) -> None:
    def runs(seed: int, *, lean: bool) -> np.ndarray:
        task = task_of(name, nodes, PROFILES[profile], gates=gates and gates.split(","), lean=lean)
        found = []
        for run in range(1000):
            one = begin(task, "table", 1000 * seed + run)
            walk.advance(one, budget)
            found.append((one.offspring, one.steps, one.fitness))
        return np.array(found)

    lean, literal = runs(1, lean=True), runs(2, lean=False)
    for mine, other in zip(lean.T, literal.T, strict=True):
        assert stats.ks_2samp(mine, other, method="asymp").pvalue > LEAST_P
    long = [numbers[numbers[:, 0] > 10] for numbers in (lean, literal)]
    mine, other = (numbers[:, 1] / numbers[:, 0] for numbers in long)
    assert stats.ks_2samp(mine, other, method="asymp").pvalue > LEAST_P


@each_law
@pytest.mark.parametrize(
    ("name", "nodes", "gates"),
    [("maj:3", 5, "maj,not,and"), ("xor:3", 4, "xor,not,const1"), ("add:1", 5, "xor,and")],
)
def test_what_follows_a_parent_of_many_gates(name: str, nodes: int, gates: str, law: CgpLaw) -> None:
    """Two samples, lean and literal, of the accepted offspring: every gene, and all of them together."""
    lean, literal = (task_of(name, nodes, law, gates=gates.split(","), lean=lean) for lean in (True, False))
    genes = next(genes for genes in map(partial(start_of, lean), range(100)) if improves_soon(lean, genes))
    mine = improvements(begin(lean, "table", 1), genes, 2000)
    other = improvements(begin(literal, "table", 2), genes, 2000)
    check_same([one[2] for one in mine], [one[2] for one in other])
    for gene in range(genes.size):
        check_same([one[2][gene] for one in mine], [one[2][gene] for one in other])
    for column in (0, 1):
        both = ([one[column] for one in sample] for sample in (mine, other))
        assert stats.ks_2samp(*both, method="asymp").pvalue > LEAST_P


def start_of(task: Task, seed: int) -> np.ndarray:
    """A random program."""
    return begin(task, "table", seed).core.genes.copy()


def improves_soon(task: Task, genes: np.ndarray) -> bool:
    """Did this program improve ten times out of ten in at most 300 iterations?"""
    for seed in range(10):
        one = begin(task, "table", seed, genes)
        walk.advance(one, 300)
        if len(one.improvements) < 2:
            return False
    return True


def check_same(mine: list, other: list) -> None:
    """Chi-square of two samples; what is seen less than ten times in both is put together."""
    counts = Counter(mine), Counter(other)
    often = [key for key in counts[0] | counts[1] if counts[0][key] + counts[1][key] >= 10]
    table = np.array([[*(c[key] for key in often), c.total() - sum(c[key] for key in often)] for c in counts])
    table = table[:, table.sum(axis=0) > 0]
    assert table.shape[1] < 2 or stats.chi2_contingency(table, correction=False).pvalue > LEAST_P


def test_a_parent_that_cannot_improve_stays_to_the_end() -> None:
    made = settings("and:2", nodes=1, profile="tinyverse", selection="strict", options=LEAN, budget=10**12)
    run = run_once(made, seed=1, run=0)
    assert not run.solved
    assert run.iterations == 10**12
    assert run.elementary_steps > 10**12


def test_waiting_times() -> None:
    assert iterations_until(1.0, 0.999) == 1
    assert iterations_until(1.5, 0.5) == 1
    assert iterations_until(0.0, 0.0) == FOREVER
    assert iterations_until(0.5, 0.49) == 1
    assert iterations_until(0.5, 0.51) == 2
    assert iterations_until(1e-300, 0.5) == FOREVER
    assert iterations_until(1e-10, 0.5) == 6931471806


@pytest.mark.parametrize(("name", "nodes"), [("and:12", 12), ("and:14", 14)])
def test_far_runs_reach_success(name: str, nodes: int) -> None:
    far = [begin(task_of(name, nodes, PAPER), "auto", seed) for seed in range(10)]
    for one in far:
        walk.advance(one, 10**15)
    assert all(one.solved for one in far)
    assert max(one.offspring for one in far) > 10**6
