"""Lemmas 7 and 8, the walk and stuck programs against enumeration, sampling, exact chains and the paper."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, inf

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.cgp_search import PAPER
from gatewalk.cgp.genotype import shape_for
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory import exclusives
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.exclusives import (
    all_odd,
    is_stuck,
    optimal_active_genes,
    start_optimal,
    start_optimal_log2,
    stuck_lower,
    xor_walk,
)
from gatewalk.theory.statements import applied


def odd(reads, n):
    return sum(count % 2 for source, count in Counter(reads).items() if source < n)


def odd_inputs_at_start(n, nodes):
    """The distribution of V: each connection of block b toggles a uniform input with probability n/(n+b)."""
    chance = np.zeros(n + 1)
    chance[0] = 1.0
    odd = np.arange(n + 1)
    for block in range(nodes):
        toggles = n / (n + block)
        for _ in range(2):
            moved = np.zeros(n + 1)
            moved[1:] += chance[:-1] * (n - odd[:-1]) / n
            moved[:-1] += chance[1:] * odd[1:] / n
            chance = (1 - toggles) * chance + toggles * moved
    return chance


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (3, 2), (2, 3)])
def test_odd_inputs_at_the_start_by_enumeration(n, nodes):
    ranges = [range(n + b) for b in range(nodes) for _ in range(2)]
    counts = np.zeros(n + 1)
    for reads in product(*ranges):
        counts[odd(reads, n)] += 1
    assert odd_inputs_at_start(n, nodes) == pytest.approx(counts / counts.sum())
    for most in range(n):
        chance = Fraction(int(counts[: most + 1].sum()), int(counts.sum()))
        assert exclusives.few_odd_inputs(n, nodes, most) == chance


def test_lemma7_probability_by_sampling():
    n, nodes, programs = 12, 12, 20_000
    rng = random.Random(3)
    hits = 0
    for _ in range(programs):
        reads = tuple(rng.randrange(n + b) for b in range(nodes) for _ in range(2))
        hits += odd(reads, n) <= 3 * n / 4
    p = exclusives.lemma7_probability(n, nodes)
    assert abs(hits / programs - p) < 5.5 * (p * (1 - p) / programs) ** 0.5 + 1e-9


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 21, 50])
def test_few_odd_inputs_as_the_walk_has_them(n):
    for nodes in (n - 1, n, n + 1, 2 * n, 3 * n + 1):
        walk = odd_inputs_at_start(n, nodes).cumsum()
        chances = [float(exclusives.few_odd_inputs(n, nodes, most)) for most in range(n)]
        assert chances == pytest.approx(walk[:-1], abs=1e-13)


@pytest.mark.parametrize("n", [2, 5, 20, 60, 150])
@pytest.mark.parametrize("scale", [1, 2, 1000])
def test_the_bound_on_many_odd_inputs(n, scale):
    nodes = scale * n - (scale == 1)
    bound = exclusives.many_odd_inputs_bound(n, nodes)
    assert 1 - exclusives.few_odd_inputs(n, nodes, 3 * n // 4) <= bound
    if n >= 20:
        assert bound < np.exp(-n / 10)


def test_where_the_bound_takes_over_nothing_is_left_to_round():
    switch = next(n for n in range(2, 1000) if exclusives.many_odd_inputs_bound(n, n - 1) < 2.0**-54)
    assert 300 < switch < 400
    for n in (switch - 1, switch):
        assert 1 - exclusives.few_odd_inputs(n, n - 1, 3 * n // 4) < Fraction(1, 2**54)
        assert exclusives.lemma7_probability(n, n - 1) == 1.0
    assert exclusives.lemma7_probability(1_000_000, 2_000_000) == 1.0


def test_odd_inputs_are_asked_for_in_range():
    for most in (-1, 4):
        with pytest.raises(InputError, match="from 0 to 3"):
            exclusives.few_odd_inputs(4, 4, most)


def test_lemma7_tends_to_one():
    chances = [1 - exclusives.lemma7_probability(n, n) for n in (8, 32, 128)]
    assert chances[0] > chances[1] > chances[2]
    assert chances[2] < 1e-6


def test_lemma8_numbers_of_the_paper():
    d = Fraction(1, 100)
    floor = Fraction(12, 25) / (1 + d) ** 2 - Fraction(3, 42) - 9 * d  # for any D <= (1 + d) n
    assert floor > Fraction(3, 10)
    printed = 1 / (1 + d) * (Fraction(12) / (25 * (1 + d)) - 3 * (1 + d) / 42 - 9 * (1 + d) * d)
    assert floor == printed
    assert exclusives.lemma8_drift(1000, 1010) == floor
    assert exclusives.lemma8_drift(1000, 1000) == Fraction(12, 25) - Fraction(3, 42)
    with pytest.raises(InputError, match="d >= 0"):
        exclusives.toward_optimum(Fraction(-1, 100))


def test_what_is_left_of_lemma7_s_probability():
    for n, nodes in ((2, 1), (8, 8), (20, 20), (50, 100)):
        exactly = 1 - exclusives.few_odd_inputs(n, nodes, 3 * n // 4)
        assert exclusives.lemma7_rest(n, nodes) == float(exactly)
    for n in (400, 1_000_000):  # an upper bound, and none is 0
        assert 0 < exclusives.lemma7_rest(n, n) <= max(exclusives.many_odd_inputs_bound(n, n), 1e-300)


def test_excess_needs_enough_nodes():
    assert exclusives.excess(1000, 1010) == Fraction(1, 100)
    assert exclusives.excess(1000, 999) == 0
    with pytest.raises(InputError, match="cannot join"):
        exclusives.excess(10, 8)


SMALL = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)]


@cache
def walked(n, nodes):
    """The chain of all genotypes, written from Algorithms 1-3."""
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(("xor",)), law=PAPER)
    return chain_of(shape, PAPER, gate="xor")


def active_genes(chain, genes):
    """Active genes that can change: connections of active nodes, and the output."""
    pairs = zip(chain.active(genes), chain.values, strict=True)
    return sum(on and len(values) > 1 for on, values in pairs)


@pytest.mark.parametrize(("n", "nodes"), SMALL)
def test_start_and_active_genes_by_listing_all_programs(n, nodes, literal):
    programs = product(*(range(literal.values(n, nodes, gene)) for gene in range(3 * nodes + 1)))
    count = optimal = active = 0
    for program in programs:
        count += 1
        if len(literal.parity(n, list(program))) == n:
            optimal += 1
            active += 2 * len(literal.active_nodes(n, list(program))) + 1
    assert start_optimal(n, nodes) == Fraction(optimal, count)
    assert optimal_active_genes(n, nodes) == pytest.approx(active / optimal, rel=1e-12)


@pytest.mark.parametrize(("n", "nodes"), [(2, 9), (3, 20), (7, 7), (9, 12), (20, 21), (12, 30)])
def test_logarithms_are_those_of_the_fractions(n, nodes):
    exactly = start_optimal(n, nodes)
    assert 2.0 ** start_optimal_log2(n, nodes) == pytest.approx(float(exactly), rel=1e-11)
    assert exactly <= Fraction(1, 2 ** (n - 1))


def test_all_inputs_odd_is_least_likely_of_its_parity():
    """The induction: p(w) of a vertex with w odd inputs falls in w, at every number of toggles."""
    for n in range(1, 10):
        chances = [Fraction(1)] + [Fraction(0)] * n  # of one vertex with w odd inputs
        for toggles in range(60):
            assert all_odd(n, toggles) == chances[n] <= Fraction(2, 2**n)
            assert sum(comb(n, w) * chance for w, chance in enumerate(chances)) == 1
            of_parity = chances[toggles % 2 :: 2]
            assert of_parity == sorted(of_parity, reverse=True)
            below, above = [Fraction(0), *chances], [*chances[1:], Fraction(0)]
            chances = [(w * below[w] + (n - w) * above[w]) / n for w in range(n + 1)]


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (3, 2)])
def test_kept_offspring_are_stationary_in_proportion_to_active_genes(n, nodes):
    """The chain that keeps every offspring is reversible: its law is proportional to the active genes."""
    chain = walked(n, nodes)
    kernel = np.stack([chain.offspring_row(genes) for genes in chain.genotypes])
    weight = np.array([active_genes(chain, genes) for genes in chain.genotypes], dtype=float)
    law = weight / weight.sum()
    np.testing.assert_allclose(law @ kernel, law, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (3, 2)])
def test_elementary_steps_keep_uniform_and_end_at_the_first_optimum(n, nodes):
    chain = walked(n, nodes)
    number = {genes: i for i, genes in enumerate(chain.genotypes)}
    changeable = [g for g, values in enumerate(chain.values) if len(values) > 1]
    assert len(changeable) == 2 * nodes + 1
    step = np.zeros((len(number), len(number)))
    for genes, i in number.items():
        for g in changeable:
            others = [value for value in chain.values[g] if value != genes[g]]
            for value in others:
                after = (*genes[:g], value, *genes[g + 1 :])
                step[i, number[after]] += 1 / len(changeable) / len(others)
                if not chain.active(genes)[g]:  # SAM goes on: then this is not where the optimum is found
                    assert chain.fitness(genes) == chain.fitness(after)
    np.testing.assert_array_equal(step, step.T)


@pytest.mark.parametrize(("n", "nodes"), [*SMALL, (3, 4), (4, 4)])
def test_the_walk_s_bound_is_below_the_exact_time(n, nodes):
    solved, walk = exact(f"xor:{n}", nodes=nodes), xor_walk(n, nodes)
    assert walk.start_optimal == pytest.approx(solved.p_solved_at_start, rel=1e-10)
    assert 2**walk.log2_lower <= 2**walk.log2_lower_active * (1 + 1e-12)
    assert 2**walk.log2_lower_active < solved.expected_iterations


@pytest.mark.parametrize(("n", "nodes"), [(2, 3), (3, 2), (3, 3), (4, 3)])
def test_chance_of_an_early_optimum(n, nodes):
    """P(T <= t) <= pi + t pi A, for every t."""
    walk, law = xor_walk(n, nodes), exact(f"xor:{n}", nodes=nodes).distribution()
    for t in range(200):
        at_most = walk.start_optimal * (1 + t * walk.active_genes)
        assert 1 - law.exceeds(t) <= at_most + 1e-12


def test_known_values_of_the_walk():
    assert 2 ** xor_walk(4, 3).log2_lower == pytest.approx(49.857, abs=1e-3)
    assert start_optimal(4, 3) == Fraction(1, 700)
    assert optimal_active_genes(6, 5) == pytest.approx(11)  # every node of an optimum is active at D = n - 1


def test_the_walk_s_bound_is_exponential_for_many_nodes_and_beyond_the_range_of_floats():
    many = xor_walk(40, 100_000)
    assert (many.exact, many.log2_start) == (False, -39)
    assert 2**many.log2_lower > 2**38 / 200_001 * (1 - 1e-9)
    large = xor_walk(400, 400)
    assert large.log2_lower > 1200
    assert large.log2_start < -1022 < 0 == large.start_optimal
    with pytest.raises(InputError, match="at most"):
        optimal_active_genes(400, 400)
    with pytest.raises(InputError, match="nodes"):
        xor_walk(4, 2)


def test_statements_say_where_the_walk_s_bound_holds():
    assert applied("xor_lower", search_for("xor:4", nodes=3)).value == pytest.approx(49.857, abs=1e-3)
    assert applied("xor_start_optimal", search_for("xor:4", nodes=3)).value == pytest.approx(1 / 700)
    for options, about in [
        ({"selection": "strict"}, "selection"),
        ({"training": "sample"}, "training"),
        ({"offspring": 2}, "lambda"),
        ({"options": {"starts": 2}}, "start"),
        ({"options": {"levels_back": 1}}, "reach"),
        ({"options": {"ties": "coin"}}, "selection"),
        ({"mutation": "point:2"}, "mutation"),
        ({"gates": "xor,and"}, "target"),
    ]:
        statement = applied("xor_lower", search_for("xor:4", nodes=3, **options))
        assert statement.value is None
        assert statement.why.startswith(about), statement
    few = applied("xor_lower", search_for("xor:4", nodes=2))
    assert "D >= n - 1" in few.why
    large = search_for("xor:400", nodes=400)
    assert applied("xor_lower", large).why == "n: is above the range of floats: see xor_lower_log2"
    assert applied("xor_start_optimal", large).why.startswith("n: is below")
    assert applied("xor_lower_log2", large).value > 1200


def double_chain(n, nodes):
    """A program that is stuck for all D >= 2: each node reads the one before it twice, the first an input."""
    genes = [0, 0, 0]
    for node in range(1, nodes):
        genes += [0, n + node - 1, n + node - 1]
    return [*genes, n + nodes - 1]


def known_stuck(n, nodes, literal):
    """All programs that `is_stuck` knows, and the number of all programs."""
    stuck, count = [], 0
    for genes in product(*(range(literal.values(n, nodes, gene)) for gene in range(3 * nodes + 1))):
        count += 1
        active, used = literal.active_nodes(n, list(genes)), literal.used_inputs(n, list(genes))
        last = nodes - 1 in active
        if is_stuck(n, nodes, active=len(active), used=len(used), last_active=last):
            stuck.append(list(genes))
    return stuck, count


@pytest.mark.parametrize(("n", "nodes"), [(3, 2), (3, 3), (4, 3)])
def test_known_stuck_programs_have_no_optimal_offspring(n, nodes, literal):
    """Every one of them, by the exact chain; a twelfth of the smallest cases by SAM's law itself."""
    stuck, count = known_stuck(n, nodes, literal)
    assert stuck_lower(n, nodes) == pytest.approx(len(stuck) / count, rel=1e-12)
    solved = exact(f"xor:{n}", nodes=nodes, selection="strict")
    assert all(solved.expected_from(genes) == inf for genes in stuck[:: 1 if nodes < 3 else 7])
    assert solved.p_never >= len(stuck) / count - 1e-12
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(("xor",)), law=PAPER)
    chain = chain_of(shape, PAPER, gate="xor", strict=True)
    for genes in stuck[:: 12 if nodes < 3 else len(stuck) // 5]:
        reached = [child for child, chance in chain.offspring(tuple(genes)).items() if chance > 0]
        assert all(len(literal.parity(n, list(child))) < n for child in reached)


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 4), (4, 4), (5, 4)])
def test_double_chain_is_stuck_and_the_chance_is_a_lower_bound(n, nodes):
    solved = exact(f"xor:{n}", nodes=nodes, selection="strict")
    assert solved.expected_from(double_chain(n, nodes)) == inf
    assert 0 < stuck_lower(n, nodes) <= solved.p_never + 1e-12
    assert solved.expected_iterations == inf


def test_the_chance_to_be_stuck_is_exact_for_three_inputs_and_two_nodes():
    solved = exact("xor:3", nodes=2, selection="strict")
    assert stuck_lower(3, 2) == pytest.approx(solved.p_never, rel=1e-12)


def test_the_chance_to_be_stuck_is_positive_for_all_sizes():
    for n in (3, 5, 10, 25):
        for nodes in (n - 1, n, 2 * n):
            assert 0 < stuck_lower(n, nodes) < 1
    assert stuck_lower(2, 1) == 0
    with pytest.raises(InputError, match="at most"):
        stuck_lower(5, 1000)


def test_the_statement_on_stuck_programs():
    strict = search_for("xor:4", nodes=3, selection="strict")
    assert applied("xor_stuck_lower", strict).value == stuck_lower(4, 3)
    assert applied("xor_stuck_lower", search_for("xor:4", nodes=3)).value is None
    many = search_for("xor:4", nodes=500, selection="strict")
    assert "infinite for any D" in applied("xor_stuck_lower", many).why


def reached_within(search, counts):
    """P(T <= t) for some numbers t of offspring, from the exact chain, and E[T]."""
    solved = exact(search)
    law = solved.distribution()
    return [1 - law.exceeds(t) for t in counts], solved.expected_iterations


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (3, 2), (3, 3)])
@pytest.mark.parametrize(
    ("words", "starts"),
    [({}, 1), ({"options": {"ties": "coin"}}, 1), ({"options": {"starts": 2}}, 2), ({"offspring": 3}, 1)],
)
def test_corollaries_of_the_walk_theorem(n, nodes, words, starts):
    """P(T <= t) <= pi (1 + t A), T counting offspring; twice that for the better of two starts."""
    start = starts * float(exclusives.start_optimal(n, nodes))
    genes = exclusives.optimal_active_genes(n, nodes)
    search = search_for(f"xor:{n}", nodes=nodes, **words)
    counts = range(0, 13, search.offspring)
    reached, expected = reached_within(search, counts)
    for t, chance in zip(counts, reached, strict=True):
        assert chance <= start * (1 + t * genes) + 1e-12
    assert expected >= (1 - start) ** 2 / (2 * start * genes)


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (3, 2)])
def test_the_walk_theorem_with_the_complement_of_xor(n, nodes):
    """Gates xor and xnor: T is at least the time until all inputs are odd."""
    start = float(exclusives.start_optimal(n, nodes))
    genes = 3 * (exclusives.optimal_active_genes(n, nodes) - 1) / 2 + 1
    reached, expected = reached_within(search_for(f"xor:{n}", nodes=nodes, gates="xor,xnor"), range(12))
    for t, chance in enumerate(reached):
        assert chance <= start * (1 + t * genes) + 1e-12
    assert expected >= (1 - start) ** 2 / (2 * start * genes)


def test_active_genes_are_stationary_with_two_functions():
    """Corollary 5, by the law of all programs of two inputs and a node: the weights are 3m + 1."""
    nodes = 1
    values = [list(range(2 + gene // 3)) for gene in range(3 * nodes + 1)]
    values[0 : 3 * nodes : 3] = [[0, 1]] * nodes  # the functions
    programs = list(product(*values))
    index = {program: number for number, program in enumerate(programs)}
    weight, law = np.zeros(len(programs)), np.zeros((len(programs), len(programs)))
    for program in programs:
        nodes_on, open_ = set(), [program[-1]]
        while open_:
            node = open_.pop() - 2
            if node >= 0 and node not in nodes_on:
                nodes_on.add(node)
                open_ += program[3 * node + 1 : 3 * node + 3]
        on = [gene == 3 * nodes or gene // 3 in nodes_on for gene in range(3 * nodes + 1)]
        weight[index[program]] = sum(on)
        assert sum(on) == 3 * len(nodes_on) + 1
        idle = [gene for gene, active in enumerate(on) if not active]
        places = list(product(*(values[gene] for gene in idle)))
        step = np.zeros((len(places), len(places)))
        for row, place in enumerate(places):
            for which, gene in enumerate(idle):
                for value in values[gene]:
                    if value != place[which]:
                        other = (*place[:which], value, *place[which + 1 :])
                        step[row, places.index(other)] += 1 / len(on) / (len(values[gene]) - 1)
        here = places.index(tuple(program[gene] for gene in idle))
        visits = np.linalg.inv(np.eye(len(places)) - step)[here]
        for place, often in zip(places, visits, strict=True):
            moved = list(program)
            for gene, value in zip(idle, place, strict=True):
                moved[gene] = value
            for gene, active in enumerate(on):
                for value in values[gene] if active else ():
                    if value != moved[gene]:
                        y = (*moved[:gene], value, *moved[gene + 1 :])
                        law[index[program], index[y]] += often / len(on) / (len(values[gene]) - 1)
    np.testing.assert_allclose(law.sum(axis=1), 1, atol=1e-12)
    np.testing.assert_allclose(weight @ law, weight, atol=1e-9)


def test_it_takes_exponentially_long_with_high_probability():
    """Corollary 1: P(T <= 2^(n/2)) <= pi (1 + 2^(n/2) A) <= (4D + 4) 2^(-n/2)."""
    for n in (2, 3, 8, 20, 40):
        for nodes in (n - 1, n, 2 * n):
            start = 2.0 ** exclusives.start_optimal_log2(n, nodes)
            reached = start * (1 + 2 ** (n / 2) * (2 * nodes + 1))
            assert reached <= (4 * nodes + 4) * 2 ** (-n / 2)
