"""Which solver a search gets, and which searches get none."""

from __future__ import annotations

import pytest

from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory.chain import solver
from gatewalk.theory.chain.point_rate_search import PointRateTimes
from gatewalk.theory.chain.ranked_search import ranked_result
from gatewalk.theory.chain.sam_search import Exact
from gatewalk.theory.chain.solver import exact_details, exact_result


def test_the_solver_takes_it_for_large_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    known = exact_result(settings("and:3", nodes=3))
    monkeypatch.setattr(solver, "RANKED_FROM", 0)
    taken = []
    monkeypatch.setattr(
        solver,
        "ranked_result",
        lambda search, **options: taken.append(search) or ranked_result(search, **options),
    )
    found = exact_result(settings("and:3", nodes=3))
    assert found.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)
    lost = exact_result(settings("xor:3", nodes=2, selection="strict"))
    assert lost.p_never > 0  # by the other solver
    assert [search.target for search in taken] == ["and:3", "xor:3"]
    exact_result(settings("and:3", nodes=3), lump=False)
    assert len(taken) == 2


def test_refused_before_any_memory_is_taken() -> None:
    with pytest.raises(InputError, match=r"and:5 with 8 nodes .* GB and too many for --memory 16: up to 6"):
        exact_result(settings("and:5", nodes=8))
    with pytest.raises(InputError, match="--memory 1: up to 5 nodes"):
        exact_result(settings("and:6", nodes=6), memory=10**9)


def test_details_are_those_of_the_result() -> None:
    for mutation, kind in (("sam", Exact), ("point:1", PointRateTimes)):
        search = settings("and:2", nodes=2, mutation=mutation)
        found = exact_details(search)
        assert isinstance(found, kind)
        expected = exact_result(search).expected_iterations
        assert found.result.expected_iterations == pytest.approx(expected, rel=1e-12)


def test_trees_have_a_result_and_no_details() -> None:
    trees = settings("and:3", algorithm="tgp-single", profile="tinyverse")
    assert exact_result(trees).states is None
    with pytest.raises(InputError, match="known for cgp only"):
        exact_details(trees)
