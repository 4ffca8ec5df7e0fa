"""Theorems C and D, on D = n - 1 nodes, step by step: docs/theory/fewest-nodes.md."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from conjunction_programs import all_programs, changed, connections, random_tree
from genotype_chain import chain_of as genotypes
from literal_cgp import active_nodes, used_inputs, values

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.cgp_search import PAPER
from gatewalk.cgp.genotype import shape_for
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.start import penultimate
from gatewalk.theory import conjunction_times as times
from gatewalk.theory import enclosure
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.sam.chain import build_chain

# Theorem C.


def leading_to_last(n, tree, first, second):
    """Inputs used when the output reads the last node and that reads these two."""
    program = changed(
        changed(changed(tree, 3 * (n - 2) + 1, first), 3 * (n - 2) + 2, second), 3 * (n - 1), 2 * n - 2
    )
    return len(used_inputs(n, program))


@pytest.mark.parametrize(("n", "trees", "most"), [(3, 20, 6), (4, 60, 4), (5, 40, 4), (7, 20, 4)])
def test_how_many_pairs_make_the_last_node_useful(n, trees, most):
    """Step 2: besides the root, few ordered pairs, each with a gate from n = 4 on."""
    rng, seen = random.Random(n), 0
    for _ in range(trees):
        tree = random_tree(n, n - 1, n - 1, rng)
        while 2 * n - 2 - n in active_nodes(n, tree):  # the last node is to be the inactive one
            tree = random_tree(n, n - 1, n - 1, rng)
        root, pairs = tree[-1], []
        for first in range(2 * n - 2):
            for second in range(2 * n - 2):
                useful = leading_to_last(n, tree, first, second) >= n - 1
                assert useful or root not in (first, second)
                if useful and root not in (first, second):
                    pairs.append((first, second))
        assert len(pairs) <= most
        assert n == 3 or all(max(pair) >= n for pair in pairs)
        seen = max(seen, len(pairs))
    assert seen == most


@pytest.mark.parametrize(
    ("n", "reads"), [(4, (0, 0)), (4, (0, 1)), pytest.param(5, (0, 1), marks=pytest.mark.slow)]
)
def test_times_from_the_penultimate_start(n, reads):
    """The bounds of Theorem C, and P(T <= t) <= t q, on the exact chain."""
    start = penultimate(n, n - 1)
    start[3 * (n - 2) + 1 : 3 * (n - 2) + 3] = reads
    solved = exact(f"and:{n}", nodes=n - 1, start="genes:" + ",".join(map(str, start)))
    assert times.penultimate_lower(n) <= solved.expected_iterations <= times.penultimate_upper(n)
    q = 6 / ((2 * n - 3) * (2 * n - 2) ** 2)
    law = solved.distribution()
    for t in (1, 2, 5, 10, int(1 / q)):
        assert 1 - law.exceeds(t) <= t * q


@pytest.mark.parametrize(("n", "runs"), [(6, 100), (10, 60)])
def test_means_from_the_penultimate_start(n, runs):
    """By six standard errors: passed by chance with less than 10^-6."""
    search = search_for(f"and:{n}", nodes=n - 1, start="penultimate", budget=10**9)
    found = run_many(search, seed=3, runs=range(runs)).iterations
    error = found.std() / runs**0.5
    assert times.penultimate_lower(n) < found.mean() - 6 * error
    assert found.mean() + 6 * error < times.penultimate_upper(n)


@pytest.mark.parametrize("n", [*range(3, 61), 500, 5000])
def test_the_upper_bound_from_there_is_cubic(n):
    assert times.penultimate_upper(n) == enclosure.time_at_level(n, n - 1, n - 1) < 168 * n**3
    falling, rising, leave, meeting, preparing, unpreparing = (
        of(n, n - 1, n - 1)
        for of in (
            enclosure.fall_by_surplus,
            enclosure.rise_by_surplus,
            enclosure.leave,
            enclosure.meeting,
            enclosure.preparing,
            enclosure.unpreparing,
        )
    )
    assert (falling / rising)[0] <= 2 * (2 * n - 3) / n + 1e-12
    assert unpreparing / meeting < 6
    assert 1 / preparing <= 24 * n**3
    way = 1 / meeting + (1 + unpreparing / meeting) / preparing
    assert enclosure.time_in_trees(n, n - 1, n - 1) == min(1 / leave, way) <= 4 * n**2 + 168 * n**3
    assert 5 * way + 1 / rising[0] <= 850 * n**3 < 1300 * n**3


def test_beyond_the_enclosure_the_upper_bound_is_the_theorem_s():
    n = enclosure.MOST_ADDED
    assert times.penultimate_upper(n) < 168 * n**3
    assert times.penultimate_upper(n + 1) == pytest.approx(1300 * (n + 1) ** 3)


# Theorem D.


def is_bijective(program):
    """Whether the connections and the output read each source exactly once."""
    return len({value for gene, value in enumerate(program) if gene % 3 or gene == len(program) - 1}) == (
        2 * (len(program) // 3) + 1
    )


@pytest.mark.parametrize("n", [2, 3])
def test_optimal_programs_are_the_bijective_ones(n):
    count = optimal = 0
    for program in all_programs(n, n - 1):
        count += 1
        optimal += is_bijective(program)
        assert is_bijective(program) == (len(used_inputs(n, program)) == n)
    assert times.optimal_start(n) == Fraction(optimal, count)


@pytest.mark.parametrize("n", [2, 3, 6, 15])
def test_the_chance_to_start_at_one(n):
    assert float(times.optimal_start(n)) == pytest.approx(enclosure.optimal_start(n, n - 1)[0], rel=1e-10)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_greatest_chance_over_all_programs_is_that_of_theorem_d(n):
    chain = build_chain(search_for(f"and:{n}", nodes=n - 1))
    chances = np.concatenate([chain.solved(level) for level in range(len(chain.levels))])
    assert chances.max() == pytest.approx(float(times.success_chance(n)), abs=1e-12)
    attained = np.flatnonzero(chances > chances.max() - 1e-12)
    for state in range(len(chances)):
        program = chain.program_of(state).tolist()
        reads = Counter(source for _, _, source in connections(n, program))
        all_active = len(reads) == 2 * n - 2 and len(active_nodes(n, program)) == n - 1
        if all_active and program[1] == program[2] and reads[program[1]] == 2:
            assert state in attained, program


def ready_changes(n, active_genes, program):
    """chi: the changes of connections active in the parent that make the program bijective."""
    nodes, found = n - 1, 0
    for gene in active_genes:
        for value in range(values(n, nodes, gene)):
            if value != program[gene]:
                found += is_bijective(changed(program, gene, value))
    return found


@pytest.mark.parametrize(("n", "tries"), [(3, 400), (4, 400), (5, 250), (7, 120)])
def test_pairs_of_an_inactive_connection_and_a_value(n, tries):
    """The counting of Theorem D, on programs that are nearly bijective."""
    rng, nodes, seen = random.Random(n), n - 1, Counter()
    while min(seen[1], seen[2]) < tries // 8 or sum(seen.values()) < tries:
        program = nearly_bijective(n, rng)
        active = active_nodes(n, program)
        if len(active) == nodes:
            continue
        active_genes = [gene for gene, _, _ in connections(n, program)]
        idle_genes = [
            3 * node + argument for node in range(nodes) if node not in active for argument in (1, 2)
        ]
        unread = set(range(2 * n - 1)) - {program[gene] for gene in (*active_genes, *idle_genes)}
        assert unread  # no program with an inactive node is bijective
        spare, a = nodes - len(active), len(active_genes)
        chi = ready_changes(n, active_genes, program)
        assert chi <= (1 if a == 1 else 2)
        highest = n + max(set(range(nodes)) - active)
        assert highest >= n + spare - 1
        pairs = []
        for gene in idle_genes:
            for value in range(values(n, nodes, gene)):
                if value != program[gene]:
                    ways = ready_changes(n, active_genes, changed(program, gene, value))
                    pairs += [ways] * (ways > 0)
        if len(unread) == 1:
            assert len(pairs) <= 2 * a
            assert set(pairs) <= {1}
        elif len(unread) == 2:
            assert len(pairs) <= min(4, 2 * spare)
        else:
            assert not pairs
        seen[min(len(unread), 3)] += 1


def nearly_bijective(n, rng):
    """A bijective program with a few connections changed."""
    program = random_tree(n, n - 1, n, rng)
    for _ in range(rng.randrange(1, 4)):
        gene = rng.choice([gene for gene in range(len(program)) if gene % 3 or gene == len(program) - 1])
        program[gene] = rng.randrange(values(n, n - 1, gene))
    return program


@pytest.mark.parametrize("n", [3, 4])
def test_expected_ready_changes_in_a_loop(n):
    """E[sum of chi] over the programs within SAM's loop, exactly, against the estimate."""
    nodes, rng = n - 1, random.Random(n)
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set("and"), law=PAPER)
    chain = genotypes(shape, PAPER)
    programs = list(all_programs(n, nodes)) if n == 3 else [nearly_bijective(n, rng) for _ in range(25)]
    for program in programs:
        active = active_nodes(n, program)
        spare = nodes - len(active)
        if not 1 <= spare <= 2:
            continue
        walking = [3 * node + argument for node in range(nodes) if node not in active for argument in (1, 2)]
        active_genes = [gene for gene, _, _ in connections(n, program)]
        expected = visits_times_chi(chain, n, program, walking, active_genes)
        a = len(active_genes)
        assert (
            expected <= (1 if a == 1 else 2) * (1 + max(min(4, 2 * spare) / a, 1) / (n - 1)) + 1e-9 or a == 1
        )
        assert a > 1 or expected <= 1 + 4 / (n - 1) + 1e-9


def visits_times_chi(chain, n, program, walking, active_genes):
    """The sum over settings of the walking genes of how often the loop is there, times chi."""
    G = len(program)
    places = list(product(*(range(values(n, n - 1, gene)) for gene in walking)))
    here = places.index(tuple(program[gene] for gene in walking))
    active = [
        gene in active_genes or (gene % 3 == 0 and gene // 3 in active_nodes(n, program)) for gene in range(G)
    ]
    visits = chain._visits(tuple(walking), active)[here] * (2 * n - 1) / G  # of picks of connections
    total = 0.0
    for place, often in zip(places, visits, strict=True):
        moved = list(program)
        for gene, value in zip(walking, place, strict=True):
            moved[gene] = value
        total += often * ready_changes(n, active_genes, moved)
    return total


def test_the_last_inequality_for_all_sizes():
    for n in [*range(3, 40), *range(40, 400, 9)]:
        q = times.success_chance(n)
        for spare in range(1, n):
            a, highest = 2 * (n - 1 - spare) + 1, n + spare - 1
            if a == 1:
                chance = (1 + Fraction(4, n - 1)) / ((2 * n - 1) * (2 * n - 2))
            else:
                loops = max(Fraction(min(4, 2 * spare), a), Fraction(1))
                chance = 2 * (1 + loops / (n - 1)) / ((2 * n - 1) * highest)
            assert chance <= q


@pytest.mark.parametrize("selection", ["strict", "nonstrict", "ties:0.3"])
@pytest.mark.parametrize("n", [2, 3, 4])
def test_theorem_d_holds_whatever_the_selection(n, selection):
    if selection.startswith("ties"):
        search = search_for(f"and:{n}", nodes=n - 1, options={"ties": "coin"})
    else:
        search = search_for(f"and:{n}", nodes=n - 1, selection=selection)
    solved = exact(search)
    least = float((1 - times.optimal_start(n)) / times.success_chance(n))
    assert least <= solved.expected_iterations
    law = solved.distribution() if n < 4 else None
    for t in range(1, 20 if law else 1):
        reached = float(times.optimal_start(n) + (1 - times.optimal_start(n)) * t * times.success_chance(n))
        assert 1 - law.exceeds(t) <= reached + 1e-12
