"""Sums over the offspring of a generation against their definitions, in fractions and many digits."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from gatewalk.theory.chain.offspring_sums import (
    geometric,
    log_of_rest,
    odd_geometric,
    share_of_best,
    share_of_ties,
)

CHANCES = [(0.0, 0.0), (0.0, 0.25), (0.25, 0.5), (0.125, 0.875), (0.5, 0.0), (1.0, 0.0)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 12, 13, 31, 32])
@pytest.mark.parametrize(("better", "here"), CHANCES)
def test_small_numbers_by_definition(count: int, better: float, here: float) -> None:
    u, a = 1 - Fraction(better), Fraction(here)
    w = u - a
    log_u, log_w = (log_of_rest(np.array([p])) for p in (better, better + here))
    expected = {
        geometric(log_u, count)[0]: sum(u**j for j in range(count)),
        odd_geometric(log_u, count)[0]: sum((2 * j + 1) * u**j for j in range(count)),
        share_of_best(log_u, log_w, count)[0]: sum(u ** (count - 1 - j) * w**j for j in range(count)),
        share_of_ties(log_u, log_w, count)[0]: sum(
            Fraction(comb(count, e) * e, e + 1) * a ** (e - 1) * w ** (count - e) for e in range(1, count + 1)
        ),
    }
    for found, exactly in expected.items():
        assert found == pytest.approx(float(exactly), rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("p", [1e-12, 1e-9, 1e-6, 1e-3, 0.3])
@pytest.mark.parametrize("count", [1000, 1_000_000, 10**12 + 1])
def test_large_numbers_in_many_digits(p: float, count: int) -> None:
    log_u, log_w = log_of_rest(np.array([p])), log_of_rest(np.array([1.5 * p]))
    with localcontext() as context:
        context.prec = 80
        u, w, many = 1 - Decimal(p), 1 - Decimal(1.5 * p), Decimal(count)
        a = u - w
        last = u**count
        plain = (1 - last) / Decimal(p)
        odd = 2 * (plain - 1 - (many - 1) * last) / Decimal(p) + plain
        best = (last - w**count) / a
        ties = (last - (u ** (count + 1) - w ** (count + 1)) / ((many + 1) * a)) / a
    assert geometric(log_u, count)[0] == pytest.approx(float(plain), rel=1e-12)
    assert odd_geometric(log_u, count)[0] == pytest.approx(float(odd), rel=1e-12)
    assert share_of_best(log_u, log_w, count)[0] == pytest.approx(float(best), rel=1e-12, abs=1e-300)
    assert share_of_ties(log_u, log_w, count)[0] == pytest.approx(float(ties), rel=1e-12, abs=1e-300)
