"""Theorem 4's exact leaving probability against its series, a solved chain and simulation."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from types import ModuleType

import pytest

from gatewalk.errors import InputError
from gatewalk.search.start import penultimate as penultimate_program
from gatewalk.theory import penultimate
from gatewalk.theory.chain.sam_search import exact


def genes(n: int) -> list[int]:
    return penultimate_program(n, n - 1)


@pytest.mark.parametrize("n", [3, 4, 5, 6, 10, 100, 2000])
def test_closed_form_equals_its_series(n: int) -> None:
    assert penultimate.leaving_probability(n) == penultimate.leaving_probability_series(n)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_closed_form_equals_the_solved_chain_of_algorithm_3(n: int, literal: ModuleType) -> None:
    assert literal.leave_chance(n, genes(n)) == penultimate.leaving_probability(n)


@pytest.mark.parametrize("n", [3, 4, 5, 9])
def test_start_is_on_the_penultimate_level(n: int, literal: ModuleType) -> None:
    program = genes(n)
    assert len(literal.used_inputs(n, program)) == n - 1
    assert literal.active_nodes(n, program) == set(range(n - 2))
    last = program[3 * (n - 2) + 1 : 3 * (n - 2) + 3]
    missing = n - 1
    assert missing not in last
    assert program[-1] not in last
    assert all(0 <= value < literal.values(n, n - 1, gene) for gene, value in enumerate(program))


def test_simulated_sam_leaves_as_often_as_predicted(literal: ModuleType) -> None:
    rng = random.Random(20261)
    calls = 60_000
    program = genes(3)
    hits = sum(len(literal.used_inputs(3, literal.sam(3, program, rng))) == 3 for _ in range(calls))
    p = float(penultimate.leaving_probability(3))
    assert abs(hits - calls * p) < 5.5 * math.sqrt(calls * p * (1 - p))  # false alarm < 1e-6


def test_order_is_sixteen_n_to_the_sixth() -> None:
    assert float(penultimate.expected_iterations(10_000) / 10_000**6) == pytest.approx(16, rel=2e-3)
    assert penultimate.expected_iterations(3) == 663


@pytest.mark.parametrize("n", [3, 4, 10, 1000])
def test_paper_estimate_is_its_sum_and_of_the_same_order(n: int) -> None:
    x = Fraction(3, 3 * n - 2)
    terms = (
        x ** (i - 1)
        * Fraction(1, (3 * n - 2) * (2 * n - 2))
        * Fraction((i - 1) * (i - 2), 2)
        * (Fraction(2, 3) * Fraction(1, 2 * n - 2)) ** 2
        for i in range(3, 60)
    )
    assert float(penultimate.paper_estimate(n)) == pytest.approx(float(sum(terms)), rel=1e-12)
    ratio = penultimate.leaving_probability(n) / penultimate.paper_estimate(n)
    assert 1 < ratio < Fraction(27, 8)


def test_two_inputs_have_no_such_start() -> None:
    with pytest.raises(InputError, match="n >= 3"):
        penultimate.leaving_probability(2)


@pytest.mark.parametrize("n", [3, 4])
def test_exact_solver_finds_the_same_time_and_no_worse_start(n: int) -> None:
    solved = exact(f"and:{n}", nodes=n - 1, selection="strict")
    expected = float(penultimate.expected_iterations(n))
    assert solved.expected_from(genes(n)) == pytest.approx(expected, rel=1e-9)
    assert solved.worst_start_expected == pytest.approx(expected, rel=1e-9)
