"""The lower bound by the symmetric walk: every step of its proof tried by brute force, and exact times."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from types import ModuleType

import numpy as np
import pytest
from genotype_chain import Chain, chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PAPER
from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory.chain import exact
from gatewalk.theory.statements import applied
from gatewalk.theory.xor_walk import (
    all_odd,
    optimal_active_genes,
    start_optimal,
    start_optimal_log2,
    xor_walk,
)

SMALL = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 3)]


@cache
def walked(n: int, nodes: int) -> Chain:
    """The chain of all genotypes, written from Algorithms 1-3."""
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(("xor",)), law=PAPER)
    return chain_of(shape, PAPER, gate="xor")


def active_genes(chain: Chain, genes: tuple[int, ...]) -> int:
    """Active genes that can change: connections of active nodes, and the output."""
    pairs = zip(chain.active(genes), chain.values, strict=True)
    return sum(on and len(values) > 1 for on, values in pairs)


@pytest.mark.parametrize(("n", "nodes"), SMALL)
def test_start_and_active_genes_by_listing_all_programs(n: int, nodes: int, literal: ModuleType) -> None:
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
def test_logarithms_are_those_of_the_fractions(n: int, nodes: int) -> None:
    exactly = start_optimal(n, nodes)
    assert 2.0 ** start_optimal_log2(n, nodes) == pytest.approx(float(exactly), rel=1e-11)
    assert exactly <= Fraction(1, 2 ** (n - 1))


def test_all_inputs_odd_is_least_likely_of_its_parity() -> None:
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
def test_kept_offspring_are_stationary_in_proportion_to_active_genes(n: int, nodes: int) -> None:
    """The chain that keeps every offspring is reversible: its law is proportional to the active genes."""
    chain = walked(n, nodes)
    kernel = np.stack([chain.offspring_row(genes) for genes in chain.genotypes])
    weight = np.array([active_genes(chain, genes) for genes in chain.genotypes], dtype=float)
    law = weight / weight.sum()
    np.testing.assert_allclose(law @ kernel, law, rtol=0, atol=1e-14)


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (3, 2)])
def test_elementary_steps_keep_uniform_and_end_at_the_first_optimum(n: int, nodes: int) -> None:
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
def test_below_the_exact_time(n: int, nodes: int) -> None:
    found, walk = exact(f"xor:{n}", nodes=nodes), xor_walk(n, nodes)
    assert walk.start_optimal == pytest.approx(found.p_solved_at_start, rel=1e-10)
    assert 2**walk.log2_lower <= 2**walk.log2_lower_active * (1 + 1e-12)
    assert 2**walk.log2_lower_active < found.expected_iterations


@pytest.mark.parametrize(("n", "nodes"), [(2, 3), (3, 2), (3, 3), (4, 3)])
def test_chance_of_an_early_optimum(n: int, nodes: int) -> None:
    """P(T <= t) <= pi + t pi A, for every t."""
    walk, law = xor_walk(n, nodes), exact(f"xor:{n}", nodes=nodes).distribution()
    for t in range(200):
        at_most = walk.start_optimal * (1 + t * walk.active_genes)
        assert 1 - law.exceeds(t) <= at_most + 1e-12


def test_known_values() -> None:
    assert 2 ** xor_walk(4, 3).log2_lower == pytest.approx(49.857, abs=1e-3)
    assert start_optimal(4, 3) == Fraction(1, 700)
    assert optimal_active_genes(6, 5) == pytest.approx(11)  # every node of an optimum is active at D = n - 1


def test_exponential_for_many_nodes_and_beyond_the_range_of_floats() -> None:
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


def test_statements_say_where_it_holds() -> None:
    assert applied("xor_lower", settings("xor:4", nodes=3)).value == pytest.approx(49.857, abs=1e-3)
    assert applied("xor_start_optimal", settings("xor:4", nodes=3)).value == pytest.approx(1 / 700)
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
        found = applied("xor_lower", settings("xor:4", nodes=3, **options))
        assert found.value is None
        assert found.why.startswith(about), found
    few = applied("xor_lower", settings("xor:4", nodes=2))
    assert "D >= n - 1" in few.why
    large = settings("xor:400", nodes=400)
    assert applied("xor_lower", large).why == "n: is above the range of floats: see xor_lower_log2"
    assert applied("xor_start_optimal", large).why.startswith("n: is below")
    assert applied("xor_lower_log2", large).value > 1200
