"""What is asked for beside an exact result, and nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest

from gatewalk.search.settings import settings
from gatewalk.theory.chain.details import Wanted, rare, result_with_details
from gatewalk.theory.chain.result import ExactResult

MADE = settings("and:3", nodes=2)


def solve(wanted: Wanted, made: object = MADE) -> tuple[ExactResult, dict[str, object], list[float]]:
    shares: list[float] = []
    found, extra = result_with_details(
        made,  # type: ignore[arg-type]
        wanted,
        lump=True,
        memory=10**9,
        watch=lambda what, done: shares.append(done),
    )
    return found, extra, shares


def test_nothing_is_added_unasked() -> None:
    found, extra, _ = solve(Wanted())
    assert extra == {}
    assert found.expected_iterations > 0


def test_everything_at_once() -> None:
    found, extra, shares = solve(
        Wanted(quantiles=(0.0, 0.5, 0.99), tail=(0, 100), levels=True, worst_start=True, fraction=True)
    )
    assert list(extra) == ["quantiles", "tail", "levels", "worst_start", "fraction"]
    quantiles, tail, levels = extra["quantiles"], extra["tail"], extra["levels"]
    assert list(quantiles) == ["0.0", "0.5", "0.99"]  # type: ignore[call-overload]
    assert sorted(quantiles.values()) == list(quantiles.values())  # type: ignore[attr-defined]
    assert tail["0"] == pytest.approx(1 - found.p_solved_at_start)  # type: ignore[index]
    assert [one["level"] for one in levels] == [1, 2]  # type: ignore[attr-defined]
    assert len(extra["worst_start"]) == 7  # type: ignore[arg-type]
    assert float(Fraction(str(extra["fraction"]))) == pytest.approx(found.expected_iterations)
    assert shares == sorted(shares)


def test_a_search_that_may_never_end_says_so() -> None:
    stuck = settings("and:3", nodes=3, profile="tinyverse", selection="strict")
    found, extra, _ = solve(Wanted(quantiles=(0.999,)), stuck)
    assert 0 < extra["p_never"] < 1  # type: ignore[operator]
    assert rare(found).keys() == {"p_never", "expected_if_solved"}
    assert extra["quantiles"] == {"0.999": "inf"}
