"""3 n H(n-1) against a simulation of the only step that matters."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.theory.trees import ORDERS, single_tinyverse


def test_small_values():
    assert single_tinyverse(2) == 6
    assert single_tinyverse(3) == pytest.approx(9 * 1.5)


def test_simulated_insertions():
    n, runs = 6, 20_000
    rng = np.random.default_rng(2)
    times = np.zeros(runs)
    for level in range(1, n):
        times += rng.geometric((n - level) / (3 * n), runs)
    assert abs(times.mean() - single_tinyverse(n)) < 5.5 * times.std() / runs**0.5


def test_orders_carry_their_source():
    assert all(order.source and order.order for order in ORDERS)


def test_one_input_is_no_conjunction():
    with pytest.raises(InputError, match="n >= 2"):
        single_tinyverse(1)
