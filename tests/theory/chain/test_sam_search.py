"""Exact times: known values, lumped against full, starts, levels, and what is refused."""

from __future__ import annotations

from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest

from gatewalk.cgp.genotype import valid_values
from gatewalk.search.settings import settings
from gatewalk.theory import penultimate
from gatewalk.theory.bounds import theorem3, theorem6
from gatewalk.theory.chain.generations import mix, mix_transposed
from gatewalk.theory.chain.hitting_times import backwards, forwards
from gatewalk.theory.chain.sam_search import Exact, exact, solved


def test_strict_and_nonstrict_for_four_inputs_and_three_nodes() -> None:
    strict, loose = (exact("and:4", nodes=3, selection=one) for one in ("strict", "nonstrict"))
    assert round(strict.expected_iterations) == 2192
    assert round(loose.expected_iterations) == 92
    assert strict.states == loose.states == 100_800
    assert strict.expected_iterations < strict.worst_start_expected < theorem3(4, 3)
    assert loose.worst_start_expected < theorem6(4, 3)


def test_published_dead_ends_of_tinyverse() -> None:
    found = exact("and:3", nodes=3, profile="tinyverse", selection="strict")
    assert (found.never_improving, found.states) == (204, 4374)
    assert found.expected_iterations == found.worst_start_expected == inf
    assert found.record()["expected_iterations"] == "inf"
    assert 0 < found.p_never < 0.2
    assert found.worst_start is not None
    assert found.expected_from(found.worst_start) == inf
    assert exact("and:3", nodes=3, profile="tinyverse").p_never == 0
    assert exact("and:3", nodes=3, selection="strict").p_never == 0


@pytest.mark.parametrize("n", [3, 4, 5])
def test_penultimate_program_of_theorem_4(n: int) -> None:
    found = exact(f"and:{n}", nodes=n - 1, selection="strict")
    known = float(penultimate.expected_iterations(n))
    assert found.worst_start_expected == pytest.approx(known, rel=1e-9)


SMALL: list[tuple[str, int, dict[str, Any]]] = [
    ("and:2", 3, {}),
    ("and:3", 2, {}),
    ("and:3", 2, {"selection": "strict"}),
    ("and:3", 2, {"profile": "tinyverse", "options": {"levels_back": "none"}}),
    ("xor:3", 2, {}),
    ("and:3", 2, {"offspring": 3}),
    ("and:3", 2, {"offspring": 2, "options": {"ties": "coin", "uncounted": 1}}),
    ("nor:2", 2, {"gates": "nor,nimply,ncimply"}),
    ("xnor:2", 2, {"gates": "xor,not"}),
    ("sum:1", 2, {"gates": "and,xor"}),
]


@pytest.mark.parametrize(("name", "nodes", "options"), SMALL)
def test_lumped_equals_full_from_every_program(name: str, nodes: int, options: dict[str, Any]) -> None:
    lumped, full = (exact(name, nodes=nodes, lump=lump, **options) for lump in (True, False))
    assert lumped.classes <= full.classes
    assert full.chain.size.max() == 1
    for one in (lumped, full):
        assert int(one.chain.size.sum()) <= one.states
    for key, value in full.record().items():
        if isinstance(value, str):
            assert lumped.record()[key] == value
        elif key != "classes":
            assert lumped.record()[key] == pytest.approx(value, rel=1e-10)
    shape = full.chain.shape
    programs = list(product(*(valid_values(shape, gene) for gene in range(shape.length))))
    for genes in programs[:: max(1, len(programs) // 500)]:
        assert lumped.expected_from(genes) == pytest.approx(full.expected_from(genes), rel=1e-10)


@pytest.mark.parametrize(("name", "nodes", "options"), SMALL)
def test_probabilities_sum_to_one(name: str, nodes: int, options: dict[str, Any]) -> None:
    found = exact(name, nodes=nodes, **options)
    chain, generations = found.chain, found.times.generations
    assert abs(found.start.sum() + found.p_solved_at_start - 1) < 1e-12
    for generation in generations:
        ones = np.ones(generation.solved.size)
        assert np.abs(mix(chain, generation.segment, ones) - 1).max() < 1e-12
        assert abs(mix_transposed(chain, generation.segment, ones).sum() - ones.size) < 1e-9
        assert abs(generation.segment.probabilities.sum() - 1) < 1e-12
    solved_soon = np.concatenate(
        [1 - (1 - generation.solved) ** chain.offspring for generation in generations]
    )
    rows = backwards(chain, generations, np.ones(chain.classes)) + solved_soon
    assert np.abs(rows - 1).max() < 1e-12
    values = np.arange(chain.classes) / chain.classes
    assert found.start @ backwards(chain, generations, values) == pytest.approx(
        forwards(chain, generations, found.start) @ values, rel=1e-12
    )


@pytest.mark.parametrize(
    "options", [{}, {"selection": "strict"}, {"offspring": 3}, {"options": {"starts": 2}}]
)
def test_times_at_levels_sum_to_the_expectation(options: dict[str, Any]) -> None:
    found = exact("and:3", nodes=3, **options)
    levels = found.levels()
    assert [level.fitness for level in levels] == [3, 1]
    assert sum(level.total for level in levels) == pytest.approx(found.expected_iterations, rel=1e-10)


def test_worst_start_is_worst() -> None:
    found = exact("and:3", nodes=3)
    assert found.worst_start is not None
    assert found.expected_from(found.worst_start) == pytest.approx(found.worst_start_expected, rel=1e-12)
    assert found.expected_from([0, 0, 1, 0, 2, 3, 0, 0, 0, 4]) == 0


def test_uncounted_iterations() -> None:
    counted = exact("and:3", nodes=2)
    less = exact("and:3", nodes=2, options={"uncounted": 1})
    assert less.expected_iterations == pytest.approx(
        counted.expected_iterations - (1 - counted.p_solved_at_start), rel=1e-12
    )
    ends = counted.distribution()
    mean = sum(ends.exceeds(t) for t in range(1, 3000))
    square = sum((2 * t - 1) * ends.exceeds(t) for t in range(1, 3000))
    assert less.expected_iterations == pytest.approx(mean, rel=1e-9)
    assert less.std_iterations == pytest.approx((square - mean**2) ** 0.5, rel=1e-9)


def test_too_few_nodes_never_succeed() -> None:
    found = exact("and:4", nodes=2)
    assert found.p_never == pytest.approx(1)
    assert found.expected_iterations == inf


def test_everything_solved_at_the_start() -> None:
    found = exact("and:1", nodes=1)
    assert (found.expected_iterations, found.std_iterations, found.p_solved_at_start) == (0, 0, 1)
    assert found.worst_start_expected == 0
    assert found.distribution().quantile(0.99) == 0


def test_progress_is_told() -> None:
    told: list[tuple[str, float]] = []
    found = solved(settings("and:3", nodes=3), watch=lambda what, done: told.append((what, done)))
    assert isinstance(found, Exact)
    assert all(0 <= done <= 1 for _, done in told)
    assert any("mean" in what for what, _ in told)


def test_what_is_found_is_shown_shortly() -> None:
    found = exact("and:3", nodes=2)
    assert repr(found).startswith("<Exact and:3 nodes=2 nonstrict paper: ")
    assert repr(found.result).startswith("<ExactResult and:3 nodes=2 nonstrict paper: ")
    assert "<th>expected_iterations</th>" in found._repr_html_()
    assert repr(found.distribution()).startswith("<Distribution of T: P(T = 0) = ")
