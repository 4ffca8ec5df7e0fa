"""Lemmas 1, 2, 5 and 10, Theorems 3, 4 and 6 against sums, hand values, simulations and exact chains."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.errors import InputError
from gatewalk.search.start import penultimate as penultimate_program
from gatewalk.theory import conjunctions
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.uniform_programs import active_and_used, thinned, two_more

CASES = [(2, 1), (3, 2), (3, 7), (8, 16), (20, 400)]


def test_lemma1_by_hand():
    # n = 3, D = 5, three gates of two inputs: 16 genes of log2(1 + 8) bits
    assert conjunctions.lemma1_bits(3, 5, gates=3) == pytest.approx(16 * math.log2(9))
    assert conjunctions.lemma1_bits(2, 1, gates=20) == pytest.approx(4 * math.log2(21))


@pytest.mark.parametrize("n", [2, 3, 5])
def test_lemma2_counts_rows(n):
    for level in range(1, n + 1):
        wrong = sum(all(row[:level]) != all(row) for row in product([0, 1], repeat=n))
        assert conjunctions.lemma2_mismatches(n, level) == wrong
    assert conjunctions.lemma2_mismatches(3000, 1) == 2**2999 - 1


@pytest.mark.parametrize(("n", "nodes"), CASES)
def test_theorem3_sums_the_levels(n, nodes):
    direct = sum(1 / conjunctions.theorem3_s(n, nodes, i) for i in range(1, n))
    assert conjunctions.theorem3(n, nodes) == pytest.approx(float(direct), rel=1e-12)
    alpha = nodes / (n - 1)
    closed = (3 * nodes + 1) ** 3 * 4 * nodes**3 / alpha * math.pi**2 / 6
    assert conjunctions.theorem3_closed(n, nodes) == pytest.approx(closed, rel=1e-12)
    assert conjunctions.theorem3(n, nodes) <= conjunctions.theorem3_closed(n, nodes)


@pytest.mark.parametrize(("n", "nodes"), CASES)
def test_theorem6_sums_lemma5_over_the_levels(n, nodes):
    direct = sum(
        conjunctions.upper_bound_from_estimates(
            conjunctions.theorem6_q(n, nodes, i),
            conjunctions.theorem6_r(n, nodes, i),
            conjunctions.theorem6_s(n, nodes),
        )
        for i in range(1, n)
    )
    assert conjunctions.theorem6_levels(n, nodes) == pytest.approx(float(direct), rel=1e-12)
    genes, alpha = 3 * nodes + 1, nodes / (n - 1)
    h = sum(1 / i for i in range(1, n))
    printed = (genes * 2 * nodes + genes**2 * (2 * nodes) ** 2 / (2 * alpha)) * h
    printed += 2 * genes**2 * (2 * nodes) ** 3 / (2 * alpha) * math.pi**2 / 6
    assert conjunctions.theorem6(n, nodes) == pytest.approx(printed, rel=1e-12)
    assert conjunctions.theorem6_levels(n, nodes) <= conjunctions.theorem6(n, nodes)


def test_hand_values():
    # n = 2, D = 1: one level, s_1 = 1/(4^3 * 4); r' = 1/8, q' = 2/64, s' = 1/2
    assert conjunctions.theorem3_s(2, 1, 1) == Fraction(1, 256)
    assert conjunctions.theorem3(2, 1) == 256
    assert conjunctions.theorem6_levels(2, 1) == 8 + 32 + 128


def test_tail_of_theorem3():
    assert conjunctions.theorem3_tail(5, 10, 1) == pytest.approx(2 * 20 * math.pi**2 * 4 * 10**5)
    assert conjunctions.theorem3_closed(5, 10) <= conjunctions.theorem3_tail(5, 10, 1) / 2
    with pytest.raises(InputError, match="D >= 10"):
        conjunctions.theorem3_tail(5, 9, 1)
    with pytest.raises(InputError, match="delta >= 1"):
        conjunctions.theorem3_tail(5, 10, 0.5)


@pytest.mark.parametrize(
    "bound", [conjunctions.theorem3, conjunctions.theorem3_closed, conjunctions.theorem6]
)
def test_assumptions_are_checked(bound):
    with pytest.raises(InputError, match="n >= 2"):
        bound(1, 5)
    with pytest.raises(InputError, match="cannot join"):
        bound(5, 3)


def test_levels_are_checked():
    for level in (0, 4):
        with pytest.raises(InputError, match="level"):
            conjunctions.theorem3_s(4, 8, level)
    with pytest.raises(InputError, match="level"):
        conjunctions.lemma2_mismatches(4, 5)


def test_thousands_of_inputs_do_not_overflow():
    n = 5000
    for value in (
        conjunctions.theorem3(n, n * n),
        conjunctions.theorem3_closed(n, n * n),
        conjunctions.theorem3_tail(n, n * n, 7),
        conjunctions.theorem6(n, n * n),
        conjunctions.lemma1_bits(n, n * n),
    ):
        assert math.isfinite(value)


@pytest.mark.parametrize("nodes_of", [lambda n: n - 1, lambda n: 2 * n, lambda n: 4 * n])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_bounds_hold_on_simulated_means(n, nodes_of, literal):
    nodes = nodes_of(n)
    rng = random.Random(1000 * n + nodes)
    for strict in (False, True):
        times = [literal.conjunction_time(n, nodes, strict=strict, rng=rng) for _ in range(60)]
        mean = sum(times) / len(times)
        assert mean < conjunctions.theorem3(n, nodes)
        if not strict:
            assert mean < conjunctions.theorem6_levels(n, nodes)


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)])
def test_bounds_hold_on_exact_expectations_from_the_worst_start(n, nodes):
    strict = exact(f"and:{n}", nodes=nodes, selection="strict").worst_start_expected
    nonstrict = exact(f"and:{n}", nodes=nodes).worst_start_expected
    assert max(strict, nonstrict) < conjunctions.theorem3(n, nodes) <= conjunctions.theorem3_closed(n, nodes)
    assert nonstrict < conjunctions.theorem6_levels(n, nodes) <= conjunctions.theorem6(n, nodes)


half = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(49, 100), max_denominator=1000)


@given(p=half, q=half, r=half, s=half)
def test_lemma5_solves_its_chain(p, q, r, s):
    first, second = (
        conjunctions.expected_from_first(p, q, r, s),
        conjunctions.expected_from_second(p, q, r, s),
    )
    assert first == 1 + q * second + (1 - p - q) * first
    assert second == 1 + s * first + (1 - r - s) * second


@given(p=half, q=half, r=half, s=half, cut=st.fractions(min_value=Fraction(1, 10), max_value=1))
def test_both_upper_bounds_of_lemma5_hold(p, q, r, s, cut):
    exact = conjunctions.expected_from_first(p, q, r, s)
    assert exact <= conjunctions.upper_bound(q, r, s)
    assert exact <= conjunctions.upper_bound_from_estimates((p + q) * cut, r * cut, min(Fraction(1), s / cut))


def test_lemma5_on_a_simulated_chain():
    p, q, r, s = 0.02, 0.2, 0.1, 0.3
    rng = np.random.default_rng(5)
    runs = 20_000
    state = np.ones(runs, dtype=int)
    time = np.zeros(runs)
    while (state < 3).any():
        time += state < 3
        u = rng.random(runs)
        in_first, in_second = state == 1, state == 2
        state = np.where(in_first & (u < p), 3, np.where(in_first & (u < p + q), 2, state))
        state = np.where(in_second & (u < r), 3, np.where(in_second & (u < r + s), 1, state))
    expected = conjunctions.expected_from_first(p, q, r, s)
    assert abs(time.mean() - expected) < 5.5 * time.std() / runs**0.5  # false alarm < 1e-6


@pytest.mark.parametrize(
    ("p", "q", "r", "s"),
    [(0.1, 0.0, 0.1, 0.1), (0.1, 0.1, 0.0, 0.1), (0.6, 0.6, 0.1, 0.1), (-0.1, 0.1, 0.1, 0.1)],
)
def test_probabilities_of_lemma5_are_checked(p, q, r, s):
    with pytest.raises(InputError, match="Lemma 5"):
        conjunctions.expected_from_first(p, q, r, s)


def test_estimates_of_lemma5_are_checked():
    with pytest.raises(InputError, match="estimates"):
        conjunctions.upper_bound_from_estimates(0.0, 0.1, 0.1)


def genes(n):
    return penultimate_program(n, n - 1)


def leaving_probability_as_a_series(n):
    """The geometric series of the derivation, term by term."""
    values, genes = 2 * n - 2, 2 * n - 1
    y, u = Fraction(2, genes), Fraction(-1, values - 1)
    series = 1 / (1 - y) - 2 / (1 - y * (1 + u) / 2) + 1 / (1 - y * u)
    return Fraction(1, genes) * Fraction(1, 2 * n - 2) * Fraction(2, values**2) * series


def leaving_probability_of_the_proof(n):
    """The proof's estimate: x^2/(1-x)^3 / ((3n-2)(2n-2)) (2/3/(2n-2))^2 with x = 3/(3n-2).

    It counts the idle picks of active nodes' function genes as the end of the loop and j+'s values as 2n-2
    instead of the 2n-3 others; the exact p is larger by a factor that tends to 27/8. The order n^-6, and so
    the theorem, is the same.
    """
    x = Fraction(3, 3 * n - 2)
    redirect = Fraction(2, 3 * (2 * n - 2))
    return x**2 / (1 - x) ** 3 * Fraction(1, (3 * n - 2) * (2 * n - 2)) * redirect**2


@pytest.mark.parametrize("n", [3, 4, 5, 6, 10, 100, 2000])
def test_closed_form_equals_its_series(n):
    assert conjunctions.leaving_probability(n) == leaving_probability_as_a_series(n)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_closed_form_equals_the_solved_chain_of_algorithm_3(n, literal):
    assert literal.leave_chance(n, genes(n)) == conjunctions.leaving_probability(n)


@pytest.mark.parametrize("n", [3, 4, 5, 9])
def test_start_is_on_the_penultimate_level(n, literal):
    program = genes(n)
    assert len(literal.used_inputs(n, program)) == n - 1
    assert literal.active_nodes(n, program) == set(range(n - 2))
    last = program[3 * (n - 2) + 1 : 3 * (n - 2) + 3]
    missing = n - 1
    assert missing not in last
    assert program[-1] not in last
    assert all(0 <= value < literal.values(n, n - 1, gene) for gene, value in enumerate(program))


def test_simulated_sam_leaves_as_often_as_predicted(literal):
    rng = random.Random(20261)
    calls = 60_000
    program = genes(3)
    hits = sum(len(literal.used_inputs(3, literal.sam(3, program, rng))) == 3 for _ in range(calls))
    p = float(conjunctions.leaving_probability(3))
    assert abs(hits - calls * p) < 5.5 * math.sqrt(calls * p * (1 - p))  # false alarm < 1e-6


def test_order_is_sixteen_n_to_the_sixth():
    assert float(conjunctions.expected_iterations(10_000) / 10_000**6) == pytest.approx(16, rel=2e-3)
    assert conjunctions.expected_iterations(3) == 663


@pytest.mark.parametrize("n", [3, 4, 10, 1000])
def test_the_proof_s_leaving_probability_is_its_sum_and_of_the_same_order(n):
    x = Fraction(3, 3 * n - 2)
    terms = (
        x ** (i - 1)
        * Fraction(1, (3 * n - 2) * (2 * n - 2))
        * Fraction((i - 1) * (i - 2), 2)
        * (Fraction(2, 3) * Fraction(1, 2 * n - 2)) ** 2
        for i in range(3, 60)
    )
    assert float(leaving_probability_of_the_proof(n)) == pytest.approx(float(sum(terms)), rel=1e-12)
    ratio = conjunctions.leaving_probability(n) / leaving_probability_of_the_proof(n)
    assert 1 < ratio < Fraction(27, 8)


def test_two_inputs_have_no_such_start():
    with pytest.raises(InputError, match="n >= 3"):
        conjunctions.leaving_probability(2)


@pytest.mark.parametrize("n", [3, 4])
def test_exact_solver_finds_the_same_time_and_no_worse_start(n):
    solved = exact(f"and:{n}", nodes=n - 1, selection="strict")
    expected = float(conjunctions.expected_iterations(n))
    assert solved.expected_from(genes(n)) == pytest.approx(expected, rel=1e-9)
    assert solved.worst_start_expected == pytest.approx(expected, rel=1e-9)


CHANCES = [0.5, 0.1, 0.02, 0.01, 0.3]


def simulated(runs):
    rng = np.random.default_rng(11)
    return np.asarray(sum(rng.geometric(p, runs) for p in CHANCES), dtype=float)


def test_moments_of_a_geometric_sum():
    total = conjunctions.geometric_sum(CHANCES)
    assert total.mean == pytest.approx(sum(1 / p for p in CHANCES))
    assert total.squares == pytest.approx(sum(1 / p**2 for p in CHANCES))
    assert total.least == 0.01


@pytest.mark.parametrize("gamma", [0.0, 50.0, 200.0, 600.0])
def test_lemma10_bounds_simulated_tails(gamma):
    total = conjunctions.geometric_sum(CHANCES)
    times = simulated(100_000)
    noise = 5 / math.sqrt(times.size)  # five standard deviations of a frequency at most 1/2 wide
    assert (times >= total.mean + gamma).mean() <= conjunctions.lemma10_upper(total, gamma) + noise
    assert (times <= total.mean - gamma).mean() <= conjunctions.lemma10_lower(total, gamma) + noise


@pytest.mark.parametrize("probability", [0.1, 0.5, 0.9, 0.99, 0.999999])
def test_quantile_inverts_lemma10(probability):
    total = conjunctions.geometric_sum(CHANCES)
    quantile = conjunctions.lemma10_quantile(total, probability)
    assert conjunctions.lemma10_upper(total, quantile - total.mean) == pytest.approx(
        1 - probability, rel=1e-9
    )


def test_theorem3_quantiles():
    n, nodes, probability = 8, 16, 0.99
    witt = conjunctions.theorem3_witt_quantile(n, nodes, probability)
    direct = conjunctions.geometric_sum(float(conjunctions.theorem3_s(n, nodes, i)) for i in range(1, n))
    assert witt == pytest.approx(conjunctions.lemma10_quantile(direct, probability), rel=1e-9)
    delta = 3 * math.log(100)
    assert conjunctions.theorem3_quantile(n, nodes, probability) == pytest.approx(
        conjunctions.theorem3_tail(n, nodes, delta)
    )
    assert conjunctions.theorem3_quantile(n, nodes, 0.01) == conjunctions.theorem3_tail(n, nodes, 1)
    assert witt < conjunctions.theorem3_quantile(n, nodes, probability)


def test_markov_takes_the_better_of_once_and_windows():
    assert conjunctions.markov_quantile(100.0, 0.5) == 200.0
    assert conjunctions.markov_quantile(100.0, 0.999) == pytest.approx(100 * math.e * 7)
    assert conjunctions.markov_quantile(math.inf, 0.5) == math.inf


@pytest.mark.parametrize(("p", "probability"), [(0.5, 0.5), (0.3, 0.99), (1.0, 0.9), (1e-12, 0.5)])
def test_geometric_quantile_is_the_least(p, probability):
    t = conjunctions.geometric_quantile(p, probability)
    assert 1 - (1 - p) ** t >= probability * (1 - 1e-3)
    if t > 1:
        assert 1 - (1 - p) ** (t - 1) <= probability * (1 + 1e-3)


@pytest.mark.parametrize("probability", [0.0, 1.0, -0.1, 1.5, math.nan])
def test_probabilities_of_tails_are_checked(probability):
    with pytest.raises(InputError, match="between 0 and 1"):
        conjunctions.markov_quantile(10.0, probability)


def test_success_probabilities_are_checked():
    for chances in ([], [0.0], [1.5]):
        with pytest.raises(InputError, match="Lemma 10"):
            conjunctions.geometric_sum(chances)


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (1, 3), (3, 3)])
def test_active_nodes_and_used_inputs_by_listing_all_programs(n, nodes, literal):
    counts = np.zeros((nodes + 1, n + 1))
    for program in product(*(range(literal.values(n, nodes, gene)) for gene in range(3 * nodes + 1))):
        active, used = literal.active_nodes(n, list(program)), literal.used_inputs(n, list(program))
        counts[len(active), len(used)] += 1
    np.testing.assert_allclose(active_and_used(n, nodes), counts / counts.sum(), atol=1e-14)


def test_active_nodes_and_used_inputs_of_many_nodes_sum_to_one():
    assert active_and_used(20, 60).sum() == pytest.approx(1, abs=1e-12)


def test_thinned_and_shifted_tables():
    table = thinned(4, 0.25)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    np.testing.assert_allclose(table[2], [0.5625, 0.375, 0.0625, 0])
    np.testing.assert_allclose(two_more(table)[2], [0, 0, 0.5625, 0.375])
