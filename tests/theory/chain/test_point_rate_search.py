"""Point and rate mutation: dead ends, limits of strength, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory.chain.point_rate_search import solved_point_or_rate
from gatewalk.theory.chain.solver import exact_details, exact_result


def test_one_point_and_strict_selection_can_be_stuck() -> None:
    found = solved_point_or_rate(settings("and:3", nodes=2, mutation="point:1", selection="strict"))
    assert found.expected_iterations == found.worst_start_expected == inf
    assert 0 < found.p_never < 1
    assert found.expected_if_solved < 1000


def test_full_rate_is_blind() -> None:
    """Every gene of one node and its output always changes: of two values, to the other one."""
    found = solved_point_or_rate(settings("and:2", nodes=1, mutation="rate:1.0", options={"levels_back": 1}))
    assert found.classes == 9
    assert found.expected_iterations > 1


def test_profiles_differ_by_what_they_count() -> None:
    counted = solved_point_or_rate(settings("and:2", nodes=2, mutation="point:2"))
    less = solved_point_or_rate(settings("and:2", nodes=2, mutation="point:2", options={"uncounted": 1}))
    unsolved = 1 - counted.p_solved_at_start
    assert less.expected_iterations == pytest.approx(counted.expected_iterations - unsolved, rel=1e-12)


def test_refused() -> None:
    with pytest.raises(InputError, match="one offspring"):
        solved_point_or_rate(settings("and:2", nodes=2, mutation="point:1", offspring=2))
    with pytest.raises(InputError, match="states with rate"):
        solved_point_or_rate(settings("and:3", nodes=6, mutation="rate:0.1"))
    with pytest.raises(InputError, match="point:K and rate:P, not sam"):
        solved_point_or_rate(settings("and:2", nodes=2))
    with pytest.raises(InputError, match="unknown mutation"):
        exact_result(replace(settings("and:2", nodes=2), mutation="shuffle:2"))


def test_each_search_finds_its_chain() -> None:
    assert exact_result(settings("and:2", nodes=1)).classes < 12
    assert exact_result(settings("and:2", nodes=1, mutation="point:1")).classes == 9
    assert exact_result(settings("and:2", algorithm="tgp-single")).states is None
    with pytest.raises(InputError, match="sam only"):
        exact_details(settings("and:2", nodes=1, mutation="point:1"))
