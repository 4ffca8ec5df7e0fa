"""Bounds by blocks of an enumerated chain: against exact times, and against values that prove nothing."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.cgp_search import PAPER
from gatewalk.cgp.genotype import shape_for
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory import block_bounds as bounds
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.sam.chain import build_chain, programs_of_segment
from gatewalk.theory.rounding import (
    ERROR,
    at_least,
    at_most,
    kept_chances,
    mean_over_offspring,
    rounded_down,
    rounded_up,
)

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
SMALL = [(2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3), (4, 3)]


def stored(name):
    records = [json.loads(line) for line in (RESULTS / f"{name}.jsonl").read_text().splitlines()]
    return {
        (record["n"], record["nodes"], record["selection"]): record
        for record in records
        if record["target"].startswith("and") and record.get("profile", "paper") == "paper"
    }


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
@pytest.mark.parametrize(("n", "nodes"), SMALL)
def test_they_enclose_the_exact_time_and_are_near(n, nodes, selection):
    known = exact(f"and:{n}", nodes=nodes, selection=selection)
    found = bounds.block_bounds(search_for(f"and:{n}", nodes=nodes, selection=selection))
    assert found.lower <= known.expected_iterations <= found.upper < 1.5 * found.lower
    assert known.worst_start_expected <= found.upper_from_worst
    assert found.blocks <= found.classes == known.classes - 1
    again = stored("enclosures")[n, nodes, selection]
    assert (found.lower, found.upper) == pytest.approx((again["lower"], again["upper"]), rel=1e-6)


def test_how_near_they_are_for_every_chain_that_can_be_enumerated():
    """Both are stored: the exact times, and the bounds of `benchmarks/enclosures.py`."""
    times, enclosures = stored("exact_times"), stored("enclosures")
    assert len(enclosures) == 30
    for case, found in enclosures.items():
        time = times[case]["expected_iterations"]
        assert found["lower"] <= time <= found["upper"] < 3 * time
        assert time < (3.2 if case == (6, 5, "nonstrict") else 3) * found["lower"]
        assert times[case]["worst_start_expected"] <= found["upper_from_worst"]


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_values_that_were_tampered_with_prove_nothing_false(selection):
    search = search_for("and:3", nodes=3, selection=selection)
    chain, known = build_chain(search), exact("and:3", nodes=3, selection=selection)
    low, high, _ = bounds.block_values(chain)
    rng = np.random.default_rng(34)
    refused = 0
    for _ in range(60):
        block, factor = rng.choice(np.unique(high)), rng.choice([0.5, 0.9, 0.99, 0.9999, 1.1, 2.0])
        try:
            upper, worst = bounds.proven_upper(chain, np.where(high == block, factor * high, high))
        except InputError:
            refused += 1
        else:
            assert upper >= known.expected_iterations
            assert worst >= known.worst_start_expected * (1 - 1e-12)
        block = rng.choice(np.unique(low))
        lower = bounds.proven_lower(chain, np.where(low == block, low / factor, low))
        assert lower <= known.expected_iterations
    assert refused > 5
    with pytest.raises(InputError, match="not superharmonic"):
        bounds.proven_upper(chain, 0 * high)
    for wrong in (np.full(chain.classes, np.inf), -high, high * np.nan, high * 1e-300):
        with pytest.raises(InputError, match="between"):
            bounds.proven_upper(chain, wrong)
        with pytest.raises(InputError, match="between"):
            bounds.proven_lower(chain, wrong)


def test_narrower_blocks_are_nearer():
    search = search_for("and:4", nodes=3)
    wide, narrow = bounds.block_bounds(search), bounds.block_bounds(search, width=1.002)
    assert wide.lower < narrow.lower < 91.54 < narrow.upper < wide.upper
    assert wide.blocks < narrow.blocks
    with pytest.raises(InputError, match="above 1"):
        bounds.block_bounds(search, width=1)


def test_the_exact_values_prove_themselves():
    """With a block for each class the bounds are the expected time, up to rounding."""
    chain = build_chain(search_for("and:3", nodes=2))
    known = exact("and:3", nodes=2)
    values = np.zeros(chain.classes)
    for level, (first, last) in enumerate(zip(chain.level_start, chain.level_start[1:], strict=False)):
        system = bounds._system(chain, level, values)
        first_guess = system.base / system.accepted
        values[first:last] = bounds._best(system, np.arange(last - first), np.argmax, first_guess)
    upper, worst = bounds.proven_upper(chain, values)
    assert known.expected_iterations <= float(upper) * (1 + 1e-12) < known.expected_iterations * (1 + 1e-9)
    assert float(worst) == pytest.approx(known.worst_start_expected, rel=1e-9)
    assert float(bounds.proven_lower(chain, values)) == pytest.approx(known.expected_iterations, rel=1e-9)


@pytest.mark.parametrize(("n", "nodes"), [(3, 2), (3, 3), (4, 3)])
def test_first_blocks_one_program_at_a_time(n, nodes, literal):
    chain = build_chain(search_for(f"and:{n}", nodes=nodes))
    found = bounds.first_blocks(chain)
    for segment in chain.segments:
        for number, genes in enumerate(programs_of_segment(chain, segment), start=segment.classes.start):
            program = genes.tolist()
            active = literal.active_nodes(n, program)
            surplus = len(active) - len(literal.used_inputs(n, program)) + 1
            readers = [(nodes, program[-1])]
            readers += [(gate, source) for gate in active for source in program[3 * gate + 1 : 3 * gate + 3]]
            over = useful = 0
            for node in set(range(nodes)) - set(active):
                connected = [*program[: 3 * nodes], n + node]
                cone = {n + gate for gate in literal.active_nodes(n, connected)}
                cone |= set(literal.used_inputs(n, connected))
                for reader, source in readers:
                    over += reader > node and source < n + node
                    useful += reader > node and source < n + node and source in cone
            assert found[number].tolist() == [surplus, over, useful]


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (3, 2)])
def test_means_over_offspring_by_listing_all_programs(n, nodes):
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(("and",)), law=PAPER)
    listed = chain_of(shape, PAPER)
    chain = build_chain(search_for(f"and:{n}", nodes=nodes))
    rng = np.random.default_rng(5)
    values = rng.random(chain.classes)
    state = np.array([-1 if (at := chain.state_of(genes)) is None else at for genes in listed.genotypes])
    fitness = listed.all_fitness
    for level in range(len(chain.levels)):
        means = mean_over_offspring(chain, level, values, solved=0.3, tie=0.5)
        for number in range(chain.level_start[level], chain.level_start[level + 1]):
            x = int(np.flatnonzero(state == number)[0])
            tie = np.where(fitness < fitness[x], 1.0, np.where(fitness == fitness[x], 0.5, 0.0))
            of = np.where(state < 0, 0.3, values[state]) * tie
            expected = float(listed.offspring_row(listed.genotypes[x]) @ of)
            assert means[number - chain.level_start[level]] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("counts", "ending"), [((), 3), ((2,), 1), ((3, 5), 4), ((2, 3, 4), 1)])
def test_chances_of_what_is_kept(counts, ending):
    """They add up, and the chance to keep everything is that of no loss before the end."""
    chances = kept_chances(counts, ending)
    kappas = [Fraction(k, k - 1) for k in counts]
    total = sum(
        chance * 2 ** lost.count(1)
        for chance, lost in zip(chances, product(range(3), repeat=len(counts)), strict=True)
    )
    assert total == 1
    assert chances[0] == Fraction(ending) / (ending + 2 * sum(kappas))
    if counts:  # one connection is kept with chance a / (a + kappa), whatever becomes of the others
        lost = product(range(3), repeat=len(counts))
        one = sum(
            chance * 2 ** some.count(1) * Fraction(2 - some[0], 2)
            for chance, some in zip(chances, lost, strict=True)
        )
        assert one == ending / (ending + kappas[0])


def test_rounding_is_outward():
    third = Fraction(1, 3)
    assert Fraction(rounded_down(third)) < third < Fraction(rounded_up(third))
    assert rounded_down(Fraction(1, 4)) == rounded_up(Fraction(1, 4)) == 0.25
    means = np.random.default_rng(1).random(1000)
    for mean, low, high in zip(means.tolist(), at_least(means), at_most(means), strict=True):
        assert Fraction(float(low)) * Fraction(1 + ERROR) <= Fraction(mean)
        assert Fraction(mean) <= Fraction(float(high)) * Fraction(1 - ERROR)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("xor:3", {"nodes": 3}, "and:N"),
        ("and:3", {"nodes": 3, "offspring": 2}, "lambda 1"),
        ("and:3", {"nodes": 3, "options": {"starts": 2}}, "start"),
        ("and:9", {"nodes": 9}, "genotypes"),
    ],
)
def test_other_searches_have_none(name, options, words):
    with pytest.raises(InputError, match=words):
        bounds.block_bounds(search_for(name, **options))
