"""Strict selection with waiting times drawn has the law of the literal search: times, steps, offspring.

Every test of a law may fail by chance with probability below 1e-6: means within 5.5 standard errors,
chi-square and Kolmogorov-Smirnov p-values above 1e-7.
"""

import random
from collections import Counter
from dataclasses import asdict, replace

import numpy as np
import pytest
from genotype_chain import chain_of
from scipy import stats
from walks import check_same_point

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import waiting, walk
from gatewalk.cgp.cgp_search import PAPER, PROFILES, TINYVERSE, CgpLaw
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.loop import POSITION, STAGE, UNBORN
from gatewalk.errors import InputError
from gatewalk.native.draws import FOREVER
from gatewalk.native.seeding import entropy_of
from gatewalk.search import session, twins
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.saving import restore, save

RUNS = 4_000
LEAST_P = 1e-7
COLUMNS = CgpLaw(levels_back=1, levels_over="columns", sam_ends="picked")
LAWS = {"paper": PAPER, "tinyverse": TINYVERSE, "columns": COLUMNS}
each_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


def drawn(name, nodes, law, **options):
    law_options = {**asdict(law), "waiting": "drawn"}
    return search_for(name, nodes=nodes, selection="strict", options=law_options, **options)


def walked(search):
    """The same, every offspring made."""
    return replace(search, law=replace(search.law, waiting="walked"))


def begin(search, run):
    return waiting.start(search, None, entropy=entropy_of(11, 0), run=run)


def test_programs_are_evaluated_by_symbols_where_these_are_exact():
    for gates, evaluation, name in (
        ("and", "auto", "symbolic"),
        ("and", "symbolic", "symbolic"),
        ("and", "table", "plain"),
        ("and,or", "auto", "plain"),
        ("and,or", "table", "plain"),
    ):
        assert begin(drawn("and:7", 9, PAPER, gates=gates, evaluation=evaluation), 0).engine.name == name
    with pytest.raises(InputError, match="no symbolic evaluation for and:7"):
        begin(drawn("and:7", 9, PAPER, gates="and,or", evaluation="symbolic"), 0)


@each_law
@pytest.mark.parametrize(("name", "nodes"), [("and:1", 1), ("and:8", 8), ("and:7", 30), ("xor:5", 70)])
def test_tables_and_symbols_walk_alike(name, nodes, law):
    search = drawn(name, nodes, law)
    for run in range(4):
        table, symbolic = (begin(replace(search, evaluation=way), run) for way in ("table", "symbolic"))
        assert (table.evaluation, symbolic.evaluation) == ("table", "symbolic")
        for limit in (1, 2, 5, 20, 100, 101, 1000, 10**5):
            table.advance(limit)
            symbolic.advance(limit)
            for begun in (table, symbolic):
                assert np.array_equal(begun.state.program.genes[:-1], begun.program)
            assert np.array_equal(table.program, symbolic.program)
            assert np.array_equal(table.state.stream, symbolic.state.stream)
            assert (table.offspring, table.steps) == (symbolic.offspring, symbolic.steps)
            assert table.improvements == symbolic.improvements


def drawn_improvements(search, genes, count):
    """How long parent `genes` stays, the steps of that time, and what replaces it, so many times."""
    begun, improvements = begin(search, 0), []
    state = begun.state
    for _ in range(count):
        state.program.genes[:-1] = state.program.parent[:-1] = genes
        state.candidates.info[:] = 0
        state.counters[:] = 0
        state.undrawn[:] = 0
        state.counters[waiting.RANK] = waiting.first_rank(state)
        assert waiting.next_parent(state, 10**5)
        improvements.append((begun.offspring, begun.steps, tuple(begun.program.tolist())))
    return improvements


def literal_improvements(search, genes, count):
    """The same of the search that makes every offspring."""
    literal = replace(walked(search), start=tuple(map(int, genes)))
    begun = walk.start(literal, None, entropy=entropy_of(12, 0), runs=range(count))
    begun.course = begun.course._replace(log=begun.course.log[:2])  # a kernel returns when the log is full
    improvements = []
    for run in range(count):
        walk.advance(begun, 10**5)
        assert len(begun.logs[-1]) == 2  # the start and an improvement
        program = tuple(begun.cell.programs[run].tolist())
        improvements.append((begun.offspring, begun.steps, program))
        begun.course.counters[[POSITION, STAGE]] = run + 1, UNBORN
    return improvements


def check_chi_square(counts, law):
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


def better_offspring(chain, genes):
    """The law of SAM's fitter offspring, with their probabilities."""
    chances = chain.offspring_row(genes)
    now = chain.all_fitness[chain.genotypes.index(genes)]
    better = np.flatnonzero((chances > 0) & (chain.all_fitness < now))
    return {chain.genotypes[number]: float(chances[number]) for number in better}


def some_parents(chain, count):
    """Of some programs that can improve and have inactive nodes, half those that find it hardest."""
    random = np.random.default_rng(3)
    chances = {}
    for number in random.permutation(len(chain.genotypes))[:40]:
        genes = chain.genotypes[number]
        if not all(chain.active(genes)):
            chances[genes] = sum(better_offspring(chain, genes).values())
    possible = sorted((genes for genes in chances if chances[genes] > 0), key=lambda genes: chances[genes])
    return possible[: count // 2] + possible[len(possible) // 2 :][: count - count // 2]


def chain_for(gate, n, nodes, law):
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set([gate]), law=law)
    return chain_of(shape, law, gate=gate, strict=True)


@pytest.mark.parametrize("sample", [drawn_improvements, literal_improvements], ids=["drawn", "walked"])
@each_law
@pytest.mark.parametrize(("gate", "n", "nodes"), [("and", 2, 3), ("and", 3, 2), ("xor", 3, 2)])
def test_what_follows_a_parent_and_when(gate, n, nodes, law, sample):
    search, chain = drawn(f"{gate}:{n}", nodes, law), chain_for(gate, n, nodes, law)
    for genes in some_parents(chain, 4):
        better = better_offspring(chain, genes)
        chance = sum(better.values())
        improvements = sample(search, genes, 2000)
        followers = Counter(program for _, _, program in improvements)
        check_chi_square(followers, {y: p / chance for y, p in better.items()})
        edges = np.unique(stats.geom.ppf(np.linspace(0.1, 0.9, 9), chance))
        share = np.diff(stats.geom.cdf([0, *edges, np.inf], chance))
        bins = Counter(int(np.searchsorted(edges, iterations)) for iterations, _, _ in improvements)
        check_chi_square(bins, {i: p for i, p in enumerate(share) if p > 0})
        # By Wald's equation; the difference varies much less than the steps themselves.
        mean_steps = steps_per_offspring(chain, genes)
        check_mean([steps - mean_steps * iterations for iterations, steps, _ in improvements], 0.0)


def steps_per_offspring(chain, genes):
    """Expected elementary steps of SAM's loop: each ends it if the gene is active and may end it."""
    ends = [
        on and (chain.sam_ends == "picked" or len(values) > 1)
        for on, values in zip(chain.active(genes), chain.values, strict=True)
    ]
    return len(genes) / sum(ends)


def check_mean(numbers, expected):
    numbers = np.asarray(numbers, dtype=float)
    assert abs(numbers.mean() - expected) <= 5.5 * numbers.std() / np.sqrt(len(numbers))


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
@pytest.mark.parametrize(("gate", "n", "nodes"), [("and", 2, 1), ("and", 2, 3), ("and", 3, 2), ("xor", 3, 2)])
def test_mean_times_and_steps_of_runs(gate, n, nodes, profile):
    law = PROFILES[profile]
    chain = chain_for(gate, n, nodes, law)
    stuck = bool(np.isinf(chain.expected_from).any())
    search = drawn(f"{gate}:{n}", nodes, law, budget=2000 if stuck else 10**7)
    runs = run_many(search, seed=5, runs=range(300 if stuck else RUNS))
    assert runs.solved.all() == (not stuck)
    if stuck:
        return
    check_mean(runs.iterations, chain.expected_iterations)
    check_mean(runs.elementary_steps, expected_steps(chain))


def expected_steps(chain):
    """Of a whole run: the offspring of every parent, times the steps that one of them takes."""
    inside = np.flatnonzero(chain.all_fitness > 0)
    system = np.eye(len(inside)) - chain.moves[np.ix_(inside, inside)]
    steps = [steps_per_offspring(chain, chain.genotypes[number]) for number in inside]
    return float(chain.start_law[inside] @ np.linalg.solve(system, steps))


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
def test_runs_are_as_literal_ones(name, nodes, gates, profile, budget):
    search = drawn(name, nodes, PROFILES[profile], gates=gates, budget=budget, evaluation="table")
    mine = run_many(search, seed=1, runs=range(1000))
    other = run_many(walked(search), seed=2, runs=range(10_000))
    for ours, theirs in (
        (mine.iterations, other.iterations),
        (mine.elementary_steps, other.elementary_steps),
        (mine.fitness, other.fitness),
        (steps_each(mine), steps_each(other)),
    ):
        assert stats.ks_2samp(ours, theirs, method="asymp").pvalue > LEAST_P


def steps_each(runs):
    """Steps per iteration of the longer runs."""
    long = runs.iterations > 10
    return runs.elementary_steps[long] / runs.iterations[long]


@each_law
@pytest.mark.parametrize(
    ("name", "nodes", "gates"),
    [("maj:3", 5, "maj,not,and"), ("xor:3", 4, "xor,not,const1"), ("sum:1", 5, "xor,and")],
)
def test_what_follows_a_parent_of_many_gates(name, nodes, gates, law):
    """Two samples, drawn and walked, of the accepted offspring: every gene, and all of them together."""
    search = drawn(name, nodes, law, gates=gates, evaluation="table", budget=10**5)
    programs = (begin(search, run).program for run in range(100))
    genes = next(genes for genes in programs if improves_soon(search, genes))
    mine, other = drawn_improvements(search, genes, 2000), literal_improvements(search, genes, 2000)
    check_same([y for _, _, y in mine], [y for _, _, y in other])
    for gene in range(genes.size):
        check_same([y[gene] for _, _, y in mine], [y[gene] for _, _, y in other])
    for column in (0, 1):
        both = ([improvement[column] for improvement in sample] for sample in (mine, other))
        assert stats.ks_2samp(*both, method="asymp").pvalue > LEAST_P


def improves_soon(search, genes):
    """Does this program always improve in at most 300 iterations, as far as twenty runs tell?"""
    short = replace(walked(search), start=tuple(map(int, genes)), budget=300)
    runs = run_many(short, runs=range(20))
    return all(len(improvements) > 1 for improvements in runs.improvements)


def check_same(mine, other):
    """Chi-square of two samples; what is seen less than ten times in both is put together."""
    counts = Counter(mine), Counter(other)
    often = [key for key in counts[0] | counts[1] if counts[0][key] + counts[1][key] >= 10]
    table = np.array([[*(c[key] for key in often), c.total() - sum(c[key] for key in often)] for c in counts])
    table = table[:, table.sum(axis=0) > 0]
    assert table.shape[1] < 2 or stats.chi2_contingency(table, correction=False).pvalue > LEAST_P


def test_a_parent_that_cannot_improve_stays_to_the_end():
    (run,) = run_many(drawn("and:2", 1, TINYVERSE, budget=10**12), seed=1, runs=[0])
    assert not run.solved
    assert run.iterations == 10**12
    assert run.elementary_steps > 10**12


@pytest.mark.parametrize("budget", [2**61, 2**62])
def test_a_parent_without_candidates_stays_under_any_budget(budget):
    """There is nothing in the table of candidates, so nothing of it may be read."""
    for evaluation in ("auto", "table", "reference"):
        search = drawn("and:3", 1, PAPER, budget=budget, evaluation=evaluation)
        runs = run_many(search, seed=1, runs=range(40), jobs=1)
        stuck = runs.iterations == budget
        assert stuck.sum() > 30
        assert not runs.solved.any()
        assert (runs.elementary_steps[stuck] > budget).all()


def test_a_search_without_candidates_goes_on_as_its_twin_after_each_save():
    search = drawn("and:3", 1, PAPER, budget=2**62)
    fast = session.begin(search, seed=1, run=0)
    slow = session.begin(replace(search, evaluation="reference"), seed=1, run=0)
    for iterations in (10, 2**61, 2**61 - 100, 80, 20, 1):
        session.advance(fast, iterations)
        session.advance(slow, iterations)
        check_same_point(fast, slow)
        fast, slow = (restore(one.search, save(one)) for one in (fast, slow))
        assert fast.current.state.counters[waiting.UNTIL_CANDIDATE] == FOREVER
    assert fast.finished
    assert fast.iterations == 2**62


@pytest.mark.parametrize("evaluation", ["auto", "reference"])
@pytest.mark.parametrize("earlier", [2**50, 2**55, 2**61])
def test_more_steps_than_fit_into_64_bits_are_the_most_that_do(evaluation, earlier):
    """One of many genes ended the loops of so many offspring of earlier parents."""
    search = drawn("and:6", 60, PAPER, budget=2**62, evaluation=evaluation)
    begun = session.begin(search, seed=1, run=0)
    session.advance(begun)
    arrays = begun.current.saved()
    arrays["counters"][0] += earlier
    arrays["undrawn"][1] += earlier
    restored = twins.restored if evaluation == "reference" else waiting.restored
    steps = restored(search, None, arrays).steps
    if earlier == 2**61:
        assert steps == 2**63 - 1
    else:
        assert steps == pytest.approx(search.shape.length * earlier, rel=1e-6)


@pytest.mark.parametrize(("name", "nodes"), [("and:12", 12), ("and:14", 14)])
def test_far_runs_reach_success(name, nodes):
    far = run_many(drawn(name, nodes, PAPER, budget=10**15), runs=range(10))
    assert far.solved.all()
    assert far.iterations.max() > 10**6


def test_it_begins_as_any_search():
    search = drawn("and:5", 9, PAPER)
    begun, other = begin(search, 3), walk.start(walked(search), None, entropy=entropy_of(11, 0), runs=[3])
    walk.advance(other, 0)
    assert begun.program.tolist() == other.program.tolist()
    assert begun.improvements == other.improvements == [(0, begun.fitness)]


def test_counters_that_cannot_be_are_refused():
    search = drawn("and:5", 9, PAPER)
    begun = begin(search, 3)
    begun.advance(40)
    assert waiting.restored(search, None, begun.saved()).offspring == 40
    made = 40 - int(begun.state.undrawn.sum()) - int(begun.state.counters[waiting.SKIPPED])
    assert made > 0
    for name, place, value in (
        ("undrawn", slice(None), 1000),
        ("undrawn", 0, 1),
        ("undrawn", 5, 2**62),
        ("counters", 0, 0),  # offspring
        ("counters", 1, made - 1),  # picks
        ("counters", 3, 41),  # skipped
        ("counters", 3, 2**62),
        ("counters", 3, 2**63 - 1),
    ):
        arrays = begun.saved()
        arrays[name][place] = value
        with pytest.raises(InputError, match="not a saved search"):
            waiting.restored(search, None, arrays)


TARGETS = ["and:1", "and:2", "and:3", "and:4", "xor:3", "xor:4", "maj:3", "sum:1"]
GATE_SETS = [None, None, "and,or,nand,nor", "nand", "xor,and,not", "maj,not,const1", "not"]
SLICES = [1, 1, 2, 1, 3, 5, 8, 20, 60, 200]


def random_search(number):
    """Search number `number` of an endless varied list."""
    draw = random.Random(number)
    options = {"waiting": "drawn"}
    if draw.random() < 0.6:
        options["sam_ends"] = draw.choice(["changed", "picked"])
        options["levels_back"] = draw.choice([None, 1, 2, 3, "nodes"])
        options["levels_over"] = draw.choice(["sources", "columns"])
    return search_for(
        draw.choice(TARGETS),
        nodes=draw.choice([1, 2, 3, 4, 6]),
        gates=draw.choice(GATE_SETS),
        profile=draw.choice(["paper", "tinyverse"]),
        selection="strict",
        options=options,
        training=draw.choice(["complete", "complete", "sample:10"]),
        evaluation=draw.choice(["auto", "auto", "table"]),
    )


@pytest.mark.parametrize("block", range(6))
def test_it_walks_as_the_twin(block):
    for number in range(block * 20, block * 20 + 20):
        search = random_search(number)
        fast = session.begin(search, seed=number, run=3)
        slow = session.begin(replace(search, evaluation="reference"), seed=number, run=3)
        assert fast.current.evaluation != "reference"
        for size in SLICES:
            check_same_point(fast, slow)
            if fast.finished:
                break
            session.advance(fast, size)
            session.advance(slow, size)
        check_same_point(fast, slow)
