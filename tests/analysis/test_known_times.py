"""Bounds and exact times where they can be had, and nothing elsewhere."""

from __future__ import annotations

import pytest

from gatewalk import settings
from gatewalk.analysis.known_times import exact_law, exact_time, upper_bound


def test_bounds() -> None:
    found = upper_bound(settings("and:5"))
    assert found is not None
    assert found.name == "Theorem 6"
    assert upper_bound(settings("and:5", algorithm="tgp-multi")) is None
    assert upper_bound(settings("and:5", training="sample")) is None


def test_exact_times_and_laws_agree() -> None:
    made = settings("and:3", nodes=2)
    law, mean = exact_law(made), exact_time(made)
    assert law is not None
    assert mean is not None
    assert mean == pytest.approx(sum(law.exceeds(t) for t in range(20_000)))


@pytest.mark.parametrize(
    "options",
    [{"mutation": "point:1"}, {"algorithm": "tgp-multi"}, {"training": "sample"}, {"nodes": 30}],
)
def test_what_is_not_known(options: dict[str, object]) -> None:
    made = settings("and:4", **options)  # type: ignore[arg-type]
    assert exact_time(made) is None
    assert exact_law(made) is None
