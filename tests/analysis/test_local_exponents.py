"""Exponents between sizes."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.analysis import local_exponents, sample


def test_powers_are_found_with_intervals() -> None:
    rng = np.random.default_rng(3)
    cells = {n: sample(rng.exponential(n**2.0, 400), [True] * 400) for n in (4, 8, 16)}
    found = local_exponents(cells)
    assert [one.n for one in found] == [(4, 8), (8, 16)]
    for one in found:  # the exponent has a deviation of 0.1
        assert one.exponent == pytest.approx(2, abs=0.6)
        assert one.interval.low < one.exponent < one.interval.high


def test_sizes_without_success_are_left_out() -> None:
    cells = {2: sample([4], [True]), 3: sample([9], [False]), 8: sample([64], [True])}
    assert [(one.n, one.exponent) for one in local_exponents(cells)] == [((2, 8), 2.0)]
    assert local_exponents({2: cells[2]}) == ()
