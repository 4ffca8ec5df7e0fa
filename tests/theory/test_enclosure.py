"""Bounds on both sides of E[T] of conjunctions: each constant against exact chains, then the whole."""

import json
import random
from itertools import product
from math import comb
from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory import enclosure
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain_bounds import certified_levels
from gatewalk.theory.conjunctions import theorem6_levels
from gatewalk.theory.statements import applied

SOLVED = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4)]
ROUNDING = 1e-11  # certified constants are moved by 1e-12
STORED = Path(__file__).parents[2] / "benchmarks" / "results" / "exact_times.jsonl"


@pytest.mark.parametrize(("n", "nodes"), [*SOLVED, (5, 4)])
def test_constants_hold_for_every_program(n, nodes):
    """The exact chain knows the extremes over all programs of a level."""
    for constants in certified_levels(search_for(f"and:{n}", nodes=nodes)).levels:
        assert constants.leave is not None
        assert enclosure.leave(n, nodes, constants.level) <= constants.leave + ROUNDING
        if constants.rise is not None:
            assert enclosure.rise(n, nodes, constants.level) <= constants.rise + ROUNDING
            assert enclosure.fall_over_rise(n, nodes, constants.level) >= constants.fall - 100 * ROUNDING


@pytest.mark.parametrize(("n", "nodes"), [(4, 3), (5, 4)])
def test_two_of_the_constants_are_the_best_possible_where_no_node_is_to_spare(n, nodes):
    last = certified_levels(search_for(f"and:{n}", nodes=nodes)).levels[-1]
    assert enclosure.leave(n, nodes, n - 1) == pytest.approx(last.leave, abs=ROUNDING)
    assert enclosure.rise(n, nodes, n - 1) == pytest.approx(last.rise, abs=ROUNDING)


@pytest.mark.parametrize(("n", "nodes"), [(3, 3), (4, 3), (4, 5), (6, 8)])
def test_free_connections_and_genes_that_lead_back(n, nodes, literal):
    """The counting in the proofs of Lemmas 2 and 3, on random programs of i+.

    Values are tried with the inactive nodes as they are: the proofs speak of any state of these.
    """
    rng = random.Random(n * 100 + nodes)
    seen = 0
    for _ in range(40_000):
        program = literal.random_program(n, nodes, rng)
        gates, level = len(literal.active_nodes(n, program)), len(literal.used_inputs(n, program))
        surplus = gates - level + 1
        if surplus < 1 or level == n:
            continue
        seen += 1
        free = falling = otherwise = pairs = 0
        active = literal.active_nodes(n, program)
        for gene in range(3 * nodes + 1):
            if gene < 3 * nodes and (gene % 3 == 0 or gene // 3 not in active):
                continue
            rises, falls = set(), set()
            for value in range(literal.values(n, nodes, gene)):
                other = [*program[:gene], value, *program[gene + 1 :]]
                after = len(literal.used_inputs(n, other))
                if after > level and value < n:
                    rises.add(value)
                if after == level and len(literal.active_nodes(n, other)) == level - 1:
                    falls.add(value)
            free += len(rises) == n - level
            to_inactive = {value for value in falls if value >= n and value - n not in active}
            falling += bool(falls)
            otherwise += bool(falls - to_inactive)
            pairs += len(to_inactive)
            assert len(falls - to_inactive) <= n - level + surplus + 1
            assert len(falls) <= n + nodes + 2 - 2 * level
        assert free >= enclosure.least_free_connections(level, gates)
        assert falling <= gates
        assert otherwise <= 2 * surplus
        assert pairs <= (nodes - gates) * (1 if level == n - 1 else max(1, gates // (surplus + 1)))
        if seen == 1500:
            break
    assert seen > 500


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
        strict = record["selection"] == "strict"
        assert enclosure.lower(record["n"], record["nodes"], strict=strict) <= record["expected_iterations"]
        if not strict:
            assert record["worst_start_expected"] <= enclosure.upper(record["n"], record["nodes"])


@pytest.mark.parametrize(("n", "nodes"), [(8, 7), (8, 16), (12, 12), (12, 36)])
def test_it_encloses_means_of_runs(n, nodes):
    """Means of 100 runs, by six standard errors: passed by chance once in 10^8 times."""
    times = run_many(search_for(f"and:{n}", nodes=nodes, budget=10**8), seed=1, runs=range(100)).iterations
    error = times.std() / 10
    assert enclosure.lower(n, nodes, strict=False) < times.mean() - 6 * error
    assert times.mean() + 6 * error < enclosure.upper(n, nodes) < theorem6_levels(n, nodes)


def test_grows_no_faster_than_proved():
    """O(n^4 D^2): the constant of the proof is below 40."""
    for n in (3, 10, 40, 100):
        for nodes in (n - 1, 2 * n, n * n):
            if nodes <= 1000:
                assert enclosure.upper(n, nodes) < 40 * n**4 * nodes**2


def test_statements_on_both_sides():
    search = search_for("and:6", nodes=5)
    assert applied("enclosure_lower", search).value == enclosure.lower(6, 5, strict=False)
    assert applied("enclosure_upper", search).value == enclosure.upper(6, 5)
    strict = search_for("and:6", nodes=5, selection="strict")
    assert applied("enclosure_lower", strict).value == enclosure.lower(6, 5, strict=True)
    assert applied("enclosure_upper", strict).value is None
    assert "D <= 100" in applied("enclosure_lower", search_for("and:6", nodes=101)).why
    with pytest.raises(InputError, match="at most"):
        enclosure.lower(6, 101, strict=False)
    with pytest.raises(InputError, match="nodes"):
        enclosure.upper(6, 4)
