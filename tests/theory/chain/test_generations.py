"""One generation on vectors: values backwards and probabilities forwards are transposes of each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gatewalk.theory.chain.generations import chance_to, mix, mix_transposed, onward, onward_transposed
from gatewalk.theory.chain.sam_search import exact

CASES: list[dict[str, Any]] = [
    {},
    {"selection": "strict"},
    {"options": {"ties": "coin"}},
    {"offspring": 3},
    {"offspring": 4, "options": {"ties": "coin"}},
]


@pytest.mark.parametrize("options", CASES)
def test_transposes(options: dict[str, Any]) -> None:
    found = exact("and:3", nodes=3, **options)
    chain, random = found.chain, np.random.default_rng(2)
    for generation in found.times.generations:
        segment = generation.segment
        size = segment.classes.stop - segment.classes.start
        values, flow = random.random(chain.classes), random.random(size)
        into = np.zeros(chain.classes)
        onward_transposed(chain, generation, flow, into)
        assert flow @ onward(chain, generation, values) == pytest.approx(into @ values, rel=1e-11)
        inner = random.random(size)
        moved = mix_transposed(chain, segment, flow)
        assert flow @ mix(chain, segment, inner) == pytest.approx(moved @ inner, rel=1e-11)
        assert moved.sum() == pytest.approx(flow.sum(), rel=1e-11)  # no probability is lost


@pytest.mark.parametrize("options", CASES)
def test_a_parent_is_left_for_another_or_for_a_solved_program(options: dict[str, Any]) -> None:
    found = exact("and:3", nodes=3, **options)
    chain = found.chain
    for generation in found.times.generations:
        ones = np.ones(chain.classes)
        solved = 1 - (1 - generation.solved) ** chain.offspring
        left = onward(chain, generation, ones) + solved
        assert left == pytest.approx(generation.leaving, rel=1e-10, abs=1e-14)


def test_chances_of_one_offspring_by_where_it_is() -> None:
    found = exact("and:3", nodes=3)
    chain, ones = found.chain, np.ones(found.chain.classes)
    for generation in found.times.generations:
        segment = generation.segment
        better = chain.level_start[segment.level]
        end = chain.level_start[segment.level + 1]
        to_better = chance_to(chain, segment, ones, 0, better)
        to_ties = chance_to(chain, segment, ones, better, end)
        solved = chance_to(chain, segment, ones, 0, 0, solved=1.0)
        assert solved == pytest.approx(generation.solved, rel=1e-12, abs=1e-15)
        assert to_better + to_ties + solved == pytest.approx(generation.leaving, rel=1e-10)
