"""Bounds on both sides of E[T] of conjunctions: each constant against exact chains, then the whole."""

from __future__ import annotations

import json
import random
from itertools import product
from math import comb
from pathlib import Path

import numpy as np
import pytest

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


def shapes(chain, literal):
    """For every class its level, its surplus, and whether an inactive node reads the source of a bridge."""
    found = []
    n, nodes = chain.shape.inputs, chain.shape.nodes
    for segment in chain.segments:
        for genes in programs_of_segment(chain, segment):
            program = genes.tolist()
            active, used = literal.active_nodes(n, program), literal.used_inputs(n, program)
            found.append((len(used), len(active) - len(used) + 1, is_prepared(n, nodes, program, active)))
    return np.array(found)


def is_prepared(n, nodes, program, active):
    return any(
        node not in active and bridged(n, program, active, node) & set(read(program, node))
        for node in range(nodes)
    )


def read(program, node):
    return program[3 * node + 1 : 3 * node + 3]


def bridged(n, program, active, node):
    """The sources below a node that an active node above it, or the output, reads."""
    reads = [program[-1]] + [source for above in active if above > node for source in read(program, above)]
    return {source for source in reads if source < n + node}


@pytest.mark.parametrize(("n", "nodes"), SOLVED)
def test_constants_hold_for_every_program(n, nodes, literal):
    """The exact chain knows the chances of all programs of a level."""
    chain = build_chain(search_for(f"and:{n}", nodes=nodes))
    of_class = shapes(chain, literal)
    for position in range(len(chain.levels)):
        first, last = chain.level_start[position], chain.level_start[position + 1]
        used, surplus, prepared = of_class[first:last].T
        level = int(used[0])
        assert (used == level).all()

        def to(flags, position=position, first=first, last=last):
            return chain.mean(position, flags.astype(float), first, last)

        up = chain.mean(position, np.ones(first), 0, first) + chain.solved(position)
        tree = surplus == 0
        a1, a0 = tree & (prepared == 1), tree & (prepared == 0)
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
def test_the_values_are_superharmonic(n, nodes, literal):
    """The theorem as a whole: 1 + P V <= V at every program, by the pass that proves bounds of blocks."""
    chain = build_chain(search_for(f"and:{n}", nodes=nodes))
    values, above = {}, 0.0
    for level in reversed(range(1, n)):
        values[level, False] = above + enclosure.time_in_surplus(n, nodes, level)
        above = values[level, True] = values[level, False] + enclosure.time_in_trees(n, nodes, level)
    of_class = np.array([values[level, surplus == 0] for level, surplus, _ in shapes(chain, literal)])
    assert float(proven_upper(chain, of_class)[1]) == pytest.approx(enclosure.by_levels(n, nodes), rel=1e-8)
    assert enclosure.by_levels(n, nodes) >= above


@pytest.mark.parametrize(("n", "nodes"), [(3, 3), (4, 3), (4, 5), (6, 8)])
def test_free_connections_and_pairs_that_lead_back(n, nodes, literal):
    """The counting in the proofs of Lemmas 2 and 4, on random programs of i+.

    Values are tried with the inactive nodes as they are: the proofs speak of any state of these.
    """
    rng = random.Random(n * 100 + nodes)
    seen = 0
    for _ in range(40_000):
        program = literal.random_program(n, nodes, rng)
        active, used = literal.active_nodes(n, program), literal.used_inputs(n, program)
        gates, level = len(active), len(used)
        surplus = gates - level + 1
        if surplus < 1 or level == n:
            continue
        seen += 1
        free = 0
        falls = {"unused": [], "cut off": [], "inactive": []}
        for gene in range(3 * nodes + 1):
            if gene < 3 * nodes and (gene % 3 == 0 or gene // 3 not in active):
                continue
            rises = 0
            for value in range(literal.values(n, nodes, gene)):
                other = [*program[:gene], value, *program[gene + 1 :]]
                after = len(literal.used_inputs(n, other))
                rises += after > level and value < n
                if after == level and len(literal.active_nodes(n, other)) == level - 1:
                    is_active = value in used or value - n in active
                    kind = "cut off" if is_active else "unused" if value < n else "inactive"
                    falls[kind].append((gene, value))
                    others = literal.values(n, nodes, gene) - 1
                    assert others >= n + surplus - (kind != "inactive")
            free += rises == n - level
        assert free >= surplus + 1
        assert len(falls["unused"]) <= 2 * (n - level)
        assert len(falls["cut off"]) <= min(surplus * (surplus + 1), gates + level - 1)
        assert len({value for _, value in falls["cut off"]}) == len(falls["cut off"])
        of_one_node = 1 if level == n - 1 else min(2, max(1, gates // (surplus + 1)))
        for node in {value for _, value in falls["inactive"]}:
            assert sum(value == node for _, value in falls["inactive"]) <= of_one_node
        if seen == 1500:
            break
    assert seen > 500


def random_tree(n, nodes, level, rng):
    """A program of i-, with uniform inactive nodes."""
    gates, loose = rng.sample(range(nodes), level - 1), rng.sample(range(n), level)
    program = [0] * (3 * nodes + 1)
    for node in range(nodes):
        if node in gates:
            rng.shuffle(loose)
            program[3 * node + 1 : 3 * node + 3] = loose.pop(), loose.pop()
            loose.append(n + node)
        else:
            program[3 * node + 1 : 3 * node + 3] = rng.randrange(n + node), rng.randrange(n + node)
    program[-1] = loose[0]
    return program


@pytest.mark.parametrize(("n", "nodes"), [(3, 3), (4, 3), (5, 8), (7, 9)])
def test_changes_from_tree_to_tree(n, nodes, literal):
    """The counting in the proof of Lemma 5, on random trees; as above, before any walk."""
    rng = random.Random(n * 100 + nodes)
    for number in range(600):
        level = 1 + number % (n - 1)
        program = random_tree(n, nodes, level, rng)
        active, used = literal.active_nodes(n, program), literal.used_inputs(n, program)
        assert (len(active), len(used)) == (level - 1, level)
        spare, swaps, swap_chance, unprepared = nodes - len(active), 0, 0.0, 0
        to_inactive = dict.fromkeys(range(n, n + nodes), 0)
        prepared = is_prepared(n, nodes, program, active)
        for gene in range(3 * nodes + 1):
            if gene < 3 * nodes and (gene % 3 == 0 or gene // 3 not in active):
                continue
            values = literal.values(n, nodes, gene)
            for value in set(range(values)) - {program[gene]}:
                other = [*program[:gene], value, *program[gene + 1 :]]
                gates = literal.active_nodes(n, other)
                if len(literal.used_inputs(n, other)) != level or len(gates) != level - 1:
                    continue
                unprepared += not is_prepared(n, nodes, other, gates)
                if value < n:
                    assert program[gene] < n
                    swaps += 1
                    swap_chance += 1 / (values - 1)
                else:
                    to_inactive[value] += 1
        others = np.arange(n + nodes - level, n + nodes - 1)
        least = (1 / others).sum() + 1 / others[0] if level > 1 else 1 / (n + nodes - 1)
        most = (1 / (n - 1 + np.arange(level) // 2)).sum() if level > 1 else least
        assert swaps == level * (n - level)
        assert least - 1e-12 <= swap_chance / (n - level) <= most + 1e-12
        assert max(to_inactive.values()) <= (1 if level == n - 1 else max(0, level - 1))
        assert not prepared or unprepared <= n - level + spare


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
