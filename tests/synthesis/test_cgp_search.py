"""The search for a cheaper circuit by the loop of CGP."""

from __future__ import annotations

import pytest
from cheaper_searches import COSTS, KNOWN_SIZES, check_cost, check_size, check_threads, searched

from gatewalk.synthesis.cgp_search import search_by_cgp


@pytest.mark.parametrize(("name", "gates", "size"), KNOWN_SIZES)
def test_known_sizes(name: str, gates: str, size: int) -> None:
    found = searched(search_by_cgp, "cgp", name, gates, evaluations=200_000, goal=size)
    check_size(found, name, gates, size)


@pytest.mark.parametrize("cost", COSTS)
def test_what_is_found_costs_no_more_than_the_start(cost: str) -> None:
    check_cost(search_by_cgp, "cgp", cost)


def test_threads_change_nothing_and_evaluations_are_kept_to() -> None:
    assert check_threads(search_by_cgp, "cgp") <= 2 * 5_000
