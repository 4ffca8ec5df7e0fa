"""The distribution of the running time: against its moments and against stepping all the way."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.theory.chain.hitting_times import forwards
from gatewalk.theory.chain.sam_search import exact

CASES: list[dict[str, Any]] = [
    {},
    {"selection": "strict"},
    {"offspring": 3},
    {"offspring": 2, "selection": "strict"},
    {"options": {"uncounted": 2, "starts": 2}},
]


@pytest.mark.parametrize("options", CASES)
def test_moments(options: dict[str, Any]) -> None:
    found = exact("and:3", nodes=2, **options)
    ends = found.distribution()
    assert ends.error <= 1e-12
    beyond = np.array([ends.exceeds(t) for t in range(20_000)])
    mean = beyond.sum()
    square = ((2 * np.arange(beyond.size) + 1) * beyond).sum()
    assert mean == pytest.approx(found.expected_iterations, rel=1e-8)
    assert square - mean**2 == pytest.approx(found.std_iterations**2, rel=1e-6)
    assert (np.diff(beyond) <= 1e-15).all()


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_tail_is_what_stepping_gives(selection: str) -> None:
    found = exact("and:3", nodes=2, selection=selection)
    ends = found.distribution()
    now = found.start
    for t in range(3 * ends.beyond.size + 50):
        assert abs(ends.exceeds(t) - now.sum()) < 1e-11
        now = forwards(found.chain, found.times.generations, now)


def test_quantiles() -> None:
    found = exact("and:3", nodes=2)
    ends = found.distribution()
    for probability in (0.0, 0.01, 0.3, 0.9, 0.999999):
        t = int(ends.quantile(probability))
        assert ends.cumulative(t) >= probability
        assert t == 0 or ends.cumulative(t - 1) < probability
    assert ends.exceeds(-1) == 1
    with pytest.raises(InputError, match="probability"):
        ends.quantile(1.0)


def test_never() -> None:
    found = exact("and:3", nodes=3, profile="tinyverse", selection="strict")
    ends = found.distribution()
    assert ends.quantile(0.999) == inf
    assert ends.exceeds(10**7) == pytest.approx(found.p_never, rel=1e-9)


def test_refused_when_too_long() -> None:
    with pytest.raises(InputError, match="not known after 10 iterations"):
        exact("and:3", nodes=3).distribution(most=10)
