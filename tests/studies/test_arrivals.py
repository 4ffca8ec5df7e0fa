"""Arrivals at Theorem 4's programs: against the solved chain, Algorithms 1-3 with lists, and whole runs.

Seeded; binomial tests fail by chance with 1e-7 each, means beyond 5.5 standard errors with less than 1e-7.
"""

import random
from collections import Counter

import literal_cgp as literal
import pytest
from scipy import stats

from gatewalk.cgp import waiting
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.search.seeds import entropy
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.conjunctions import expected_iterations
from gatewalk_studies.traps.arrivals import clopper_pearson, exact_trap_arrivals, trap_arrivals


@pytest.mark.parametrize("n", [3, 4, 5])
def test_runs_arrive_as_often_as_the_chain_says(n):
    """Traps, each other kind, solved ones; and the mean time."""
    solved = exact_trap_arrivals(n)
    reached = trap_arrivals(n, runs=2000, seed=31 + n)
    assert stats.binomtest(reached.traps, reached.runs, solved.trap_share).pvalue > 1e-7
    kinds = [arrival.kind for arrival in reached.arrivals if arrival.kind]
    seen = Counter((kind.after, kind.changes) for kind in kinds)
    shares = {}
    for kind, share in solved.shares:
        shares[kind.after, kind.changes] = shares.get((kind.after, kind.changes), 0.0) + share
    assert set(seen) <= set(shares)
    for kind, share in shares.items():
        assert stats.binomtest(seen[kind], reached.runs, share).pvalue > 1e-8
    short = sum(shares.values())
    assert stats.binomtest(sum(seen.values()), reached.runs, short).pvalue > 1e-7
    mean, error = reached.mean()
    assert abs(mean - solved.expected_iterations) < 5.5 * error


@pytest.mark.parametrize("n", [3, 4])
def test_the_literal_search_arrives_as_often(n):
    rng = random.Random(77)
    solved, runs, traps, waits = exact_trap_arrivals(n), 1500, 0, []
    chance = {kind.leaving: share for kind, share in solved.shares if kind.is_trap}
    assert list(chance) == [1 / expected_iterations(n)]
    for _ in range(runs):
        program = literal.random_program(n, n - 1, rng)
        level, time = len(literal.used_inputs(n, program)), 0
        while level < n - 1:
            child = literal.sam(n, program, rng)
            reached = len(literal.used_inputs(n, child))
            time += 1
            if reached > level:
                program, level = child, reached
        last = set(program[3 * n - 5 : 3 * n - 3])
        missing = set(range(n)) - literal.used_inputs(n, program)
        is_last = level == n - 1 and literal.active_nodes(n, program) == set(range(n - 2))
        traps += is_last and not last & (missing | {program[-1]})
        waits.append(time)
    assert stats.binomtest(traps, runs, solved.trap_share).pvalue > 1e-7
    before = solved.expected_iterations - solved.last_wait
    assert abs(sum(waits) / runs - before) < 5.5 * stats.sem(waits)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_the_exact_shares_add_up_to_the_exact_time(n):
    """All that is not at the last level but one is before it: the chain's own split by levels agrees."""
    solved = exact_trap_arrivals(n)
    levels = exact(f"and:{n}", nodes=n - 1, selection="strict").levels()
    last = next(level.total for level in levels if level.fitness == 1)
    assert solved.last_wait == pytest.approx(last, rel=1e-12)
    assert solved.expected_iterations == pytest.approx(sum(level.total for level in levels), rel=1e-12)
    assert sum(share for _, share in solved.shares) < 1
    assert solved.trap_share * float(expected_iterations(n)) < solved.last_wait


def test_runs_are_those_of_waiting_times():
    """The first improvement to at most one mismatch of each whole run, and the program that it ends with."""
    search = search_for("and:6", nodes=5, selection="strict", options={"waiting": "drawn"})
    for arrival in trap_arrivals(6, runs=40, seed=12).arrivals:
        walk = waiting.start(search, None, entropy=entropy(search, 12), run=arrival.run)
        walk.advance(2**62)
        time, fitness = next(pair for pair in walk.improvements if pair[1] <= 1)
        assert arrival.iterations == time
        assert (arrival.kind is None) == (fitness == 0)


def test_jobs_change_nothing():
    alone = trap_arrivals(7, runs=30, seed=3)
    assert [arrival.run for arrival in alone.arrivals] == list(range(30))
    assert alone == trap_arrivals(7, runs=30, seed=3, jobs=2)
    assert alone != trap_arrivals(7, runs=30, seed=4)


def test_the_bound_is_the_lower_end_times_theorem_4():
    reached = trap_arrivals(5, runs=400, seed=2)
    low = reached.lower_share(0.999)
    assert stats.binom.sf(reached.traps - 1, reached.runs, low) == pytest.approx(0.001)
    assert reached.lower_bound(0.999) == pytest.approx(low * float(expected_iterations(5)))
    assert reached.lower_bound(0.999) < reached.lower_bound(0.9) < exact_trap_arrivals(5).expected_iterations


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InputError, match="n >= 3"):
        trap_arrivals(2, runs=1, seed=0)
    with pytest.raises(InputError, match="at most 200"):
        trap_arrivals(201, runs=1, seed=0)
    with pytest.raises(InputError, match="exact times"):
        exact_trap_arrivals(7)


def test_limits_of_clopper_and_pearson_are_wrong_no_more_often_than_stated():
    """Of all outcomes of 25 trials, summed exactly, for a grid of probabilities."""
    limits = [clopper_pearson(events, 25, 0.95) for events in range(26)]
    assert limits[0][0] == 0.0
    assert limits[25][1] == 1.0
    for share in (0.01, 0.1, 0.3, 0.5, 0.77, 0.99):
        weights = stats.binom.pmf(range(26), 25, share)
        too_high = sum(w for w, (low, _) in zip(weights, limits, strict=True) if low > share)
        too_low = sum(w for w, (_, high) in zip(weights, limits, strict=True) if high < share)
        assert too_high <= 0.05
        assert too_low <= 0.05
