"""Arrivals at Theorem 4's programs: against the solved chain, Algorithms 1-3 with lists, and whole runs.

Seeded; binomial tests fail by chance with 1e-7 each, means beyond 5.5 standard errors with less than 1e-7.
"""

import random
from collections import Counter

import pytest
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.search import cgp_waiting
from gatewalk.search.seeds import cell_of
from gatewalk.theory.chain import exact
from gatewalk.theory.conjunctions import expected_iterations
from gatewalk.theory.traps import (
    exact_trap_arrivals,
    trap_arrivals,
    trap_settings,
)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_runs_arrive_as_often_as_the_chain_says(n):
    """Traps, each other kind, solved ones; and the mean time."""
    solved = exact_trap_arrivals(n)
    found = trap_arrivals(n, runs=2000, seed=31 + n)
    assert stats.binomtest(found.traps, found.runs, solved.trap_share).pvalue > 1e-7
    seen = Counter((item.found.after, item.found.changes) for item in found.arrivals if item.found)
    shares = {}
    for kind, share in solved.shares:
        shares[kind.after, kind.changes] = shares.get((kind.after, kind.changes), 0.0) + share
    assert set(seen) <= set(shares)
    for kind, share in shares.items():
        assert stats.binomtest(seen[kind], found.runs, share).pvalue > 1e-8
    short = sum(shares.values())
    assert stats.binomtest(sum(seen.values()), found.runs, short).pvalue > 1e-7
    mean, error = found.mean()
    assert abs(mean - solved.expected_iterations) < 5.5 * error


@pytest.mark.parametrize("n", [3, 4])
def test_the_literal_search_arrives_as_often(n, literal):
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
    search = trap_settings(6)
    for item in trap_arrivals(6, runs=40, seed=12).arrivals:
        walk = cgp_waiting.start(search, None, seed=12, cell=cell_of(search), run=item.run)
        cgp_waiting.advance(walk, 2**62)
        time, fitness = next(pair for pair in walk.improvements if pair[1] <= 1)
        assert item.iterations == time
        assert (item.found is None) == (fitness == 0)


def test_jobs_change_nothing_and_news_come_in_order():
    told = []
    one = trap_arrivals(7, runs=30, seed=3)
    two = trap_arrivals(7, runs=30, seed=3, jobs=2, on_done=lambda item: told.append(item.run))
    assert one == two
    assert told == list(range(30))
    assert one != trap_arrivals(7, runs=30, seed=4)


def test_the_bound_is_the_lower_end_times_theorem_4():
    found = trap_arrivals(5, runs=400, seed=2)
    low = found.lower_share(0.999)
    assert stats.binom.sf(found.traps - 1, found.runs, low) == pytest.approx(0.001)
    assert found.lower_bound(0.999) == pytest.approx(low * float(expected_iterations(5)))
    assert found.lower_bound(0.999) < found.lower_bound(0.9) < exact_trap_arrivals(5).expected_iterations


def test_what_cannot_be_asked_is_refused():
    with pytest.raises(InputError, match="n >= 3"):
        trap_arrivals(2, runs=1, seed=0)
    with pytest.raises(InputError, match="at most 200"):
        trap_arrivals(201, runs=1, seed=0)
    with pytest.raises(InputError, match="runs is 0"):
        trap_arrivals(4, runs=0, seed=0)
    with pytest.raises(InputError, match="exact times"):
        exact_trap_arrivals(7)
