"""Bounds on both sides of E[T] of conjunctions: each constant against exact chains, then the whole."""

from __future__ import annotations

import json
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest
from conjunction_programs import prepared, shape_of

from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory import enclosure
from gatewalk.theory.block_bounds import proven_upper
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.sam.chain import build_chain, programs_of_segment
from gatewalk.theory.conjunctions import theorem6_levels
from gatewalk.theory.statements import applied

SOLVED = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4), (5, 4)]
ROUNDING = 1e-12  # of the chain's own means, which the constants are compared with
STORED = Path(__file__).parents[2] / "benchmarks" / "results" / "exact_times.jsonl"


def shapes(chain):
    """For every class its level, its surplus, and whether an inactive node reads the source of a bridge."""
    found = []
    n = chain.shape.inputs
    for segment in chain.segments:
        for genes in programs_of_segment(chain, segment):
            level, _, surplus = shape_of(n, genes.tolist())
            found.append((level, surplus, prepared(n, genes.tolist())))
    return np.array(found)


@pytest.mark.parametrize(("n", "nodes"), SOLVED)
def test_constants_hold_for_every_program(n, nodes):
    """The exact chain knows the chances of all programs of a level."""
    chain = build_chain(search_for(f"and:{n}", nodes=nodes))
    of_class = shapes(chain)
    for position in range(len(chain.levels)):
        first, last = chain.level_start[position], chain.level_start[position + 1]
        used, surplus, is_prepared = of_class[first:last].T
        level = int(used[0])
        assert (used == level).all()

        def to(flags, position=position, first=first, last=last):
            return chain.mean(position, flags.astype(float), first, last)

        up = chain.mean(position, np.ones(first), 0, first) + chain.solved(position)
        tree = surplus == 0
        a1, a0 = tree & (is_prepared == 1), tree & (is_prepared == 0)
        rising, falling = (
            of(n, nodes, level) for of in (enclosure.rise_by_surplus, enclosure.fall_by_surplus)
        )
        for c in range(1, surplus.max() + 1):
            assert rising[c - 1] <= up[surplus == c].min() + ROUNDING
            assert falling[c - 1] >= to(tree)[surplus == c].max() - ROUNDING
        assert enclosure.leave(n, nodes, level) <= (up + to(~tree))[tree].min() + ROUNDING
        assert enclosure.meeting(n, nodes, level) <= (up + to(~tree))[a1].min() + ROUNDING
        assert enclosure.preparing(n, nodes, level) <= (up + to(~tree) + to(a1))[a0].min() + ROUNDING
        assert enclosure.unpreparing(n, nodes, level) >= to(a0)[a1].max() - ROUNDING
        if (n, nodes) in [(4, 3), (5, 4)] and level == n - 1:  # two are the best possible
            assert enclosure.leave(n, nodes, level) == pytest.approx((up + to(~tree))[tree].min())
            assert rising[0] == pytest.approx(up[surplus == 1].min())


@pytest.mark.parametrize(("n", "nodes"), SOLVED)
def test_the_values_are_superharmonic(n, nodes):
    """The theorem as a whole: 1 + P V <= V at every program, by the pass that proves bounds of blocks."""
    chain = build_chain(search_for(f"and:{n}", nodes=nodes))
    values, above = {}, 0.0
    for level in reversed(range(1, n)):
        values[level, False] = above + enclosure.time_in_surplus(n, nodes, level)
        above = values[level, True] = values[level, False] + enclosure.time_in_trees(n, nodes, level)
    of_class = np.array([values[level, surplus == 0] for level, surplus, _ in shapes(chain)])
    assert float(proven_upper(chain, of_class)[1]) == pytest.approx(enclosure.by_levels(n, nodes), rel=1e-8)
    assert enclosure.by_levels(n, nodes) >= above


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 3), (3, 2), (3, 3), (4, 3)])
@pytest.mark.parametrize("strict", [False, True])
def test_chance_of_an_early_optimum(n, nodes, strict):
    selection = "strict" if strict else "nonstrict"
    law = exact(f"and:{n}", nodes=nodes, selection=selection).distribution()
    start, weighed = enclosure.optimal_start(n, nodes)
    assert 1 - law.exceeds(0) == pytest.approx(start)
    for t in range(12):
        changes = sum(comb(t, k) for k in range(min(t, n - 1 if strict else t) + 1))
        assert 1 - law.exceeds(t) <= weighed * changes + 1e-12


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (3, 2), (3, 3)])
def test_optimal_start_by_listing_all_programs(n, nodes, literal):
    count = optimal = genes = 0
    for program in product(*(range(literal.values(n, nodes, gene)) for gene in range(3 * nodes + 1))):
        count += 1
        if len(literal.used_inputs(n, list(program))) == n:
            optimal += 1
            genes += 2 * len(literal.active_nodes(n, list(program))) + 1
    assert enclosure.optimal_start(n, nodes) == pytest.approx((optimal / count, genes / count), rel=1e-12)


def test_it_encloses_every_stored_exact_value():
    """All exact times of conjunctions of up to six inputs that `benchmarks/exact_times.py` found."""
    records = [json.loads(line) for line in STORED.read_text().splitlines()]
    records = [
        record for record in records if record["profile"] == "paper" and record["target"].startswith("and")
    ]
    assert {record["n"] for record in records} == {2, 3, 4, 5, 6}
    for record in records:
        n, nodes, strict = record["n"], record["nodes"], record["selection"] == "strict"
        assert enclosure.by_early_optimum(n, nodes, strict=strict) <= record["expected_iterations"]
        if not strict:
            assert record["worst_start_expected"] <= enclosure.by_levels(n, nodes)


@pytest.mark.parametrize(("n", "nodes"), [(8, 7), (8, 16), (12, 12), (12, 36)])
def test_it_encloses_means_of_runs(n, nodes):
    """Means of 100 runs, by six standard errors: passed by chance once in 10^8 times."""
    times = run_many(search_for(f"and:{n}", nodes=nodes, budget=10**8), seed=1, runs=range(100)).iterations
    error = times.std() / 10
    assert enclosure.lower(n, nodes, strict=False) < times.mean() - 6 * error
    assert times.mean() + 6 * error < enclosure.by_levels(n, nodes) < theorem6_levels(n, nodes)


@pytest.mark.parametrize(("n", "nodes", "factor"), [(8, 7, 42.7), (12, 11, 57.4), (12, 12, 145.6)])
def test_how_near_the_measured_means_the_upper_bound_is(n, nodes, factor):
    """What docs/theory/enclosure.md says, from means of 400 runs."""
    measured = {(8, 7): 1931.6, (12, 11): 8108.7, (12, 12): 3590.3}[n, nodes]
    assert enclosure.by_levels(n, nodes) == pytest.approx(factor * measured, rel=0.002)


def test_grows_no_faster_than_proved():
    """O(n^4 D^2): the constant of the proof is below 40."""
    for n in (3, 10, 40, 100):
        for nodes in (n - 1, 2 * n, n * n):
            if n * nodes <= enclosure.MOST_ADDED:
                assert enclosure.by_levels(n, nodes) < 40 * n**4 * nodes**2


def test_statements_on_both_sides():
    search = search_for("and:6", nodes=5)
    assert applied("enclosure_lower", search).value == enclosure.by_early_optimum(6, 5, strict=False)
    assert applied("enclosure_upper", search).value == enclosure.by_levels(6, 5)
    strict = search_for("and:6", nodes=5, selection="strict")
    assert applied("enclosure_lower", strict).value == enclosure.lower(6, 5, strict=True)
    assert applied("enclosure_upper", strict).value is None
    assert "D <= 100" in applied("enclosure_lower", search_for("and:6", nodes=101)).why
    with pytest.raises(InputError, match="at most"):
        enclosure.lower(6, 101, strict=False)
    with pytest.raises(InputError, match="nodes"):
        enclosure.by_levels(6, 4)
    with pytest.raises(InputError, match="level 6"):
        enclosure.time_at_level(6, 5, 6)
    assert applied("enclosure_upper", search_for("and:100", nodes=10_000)).value is not None
    assert "D <= 10,000 nodes" in applied("enclosure_upper", search_for("and:100", nodes=10_001)).why


def test_small_chains_are_enumerated():
    search = search_for("and:4", nodes=3)
    known = exact("and:4", nodes=3)
    assert known.expected_iterations / 1.3 < applied("enclosure_lower", search).value
    assert known.expected_iterations < applied("enclosure_upper", search).value < 107
    start = [0, 0, 1, 0, 4, 2, 0, 0, 0, 5]  # from one program, the bound is that of any start
    from_one = applied("enclosure_upper", search_for("and:4", nodes=3, start=start)).value
    assert known.worst_start_expected < from_one < 155
    assert enclosure.enumerated(6, 5, strict=False) is None
