"""Blocks of words against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.cgp.blocks import gate_block, seen_balance

gate_block, seen_balance = entry(gate_block), entry(seen_balance)

RANDOM = np.random.default_rng(7)


def words(count: int) -> np.ndarray:
    return RANDOM.integers(0, 2**64, size=count, dtype=np.uint64)


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("form", range(16))
def test_gate_block(lanes: int, form: int) -> None:
    gates = np.zeros(16, dtype=np.uint64)
    gates[8:12] = [np.uint64(2**64 - 1) * (form >> i & 1) for i in range(4)]
    out, old, xs, ys = words(40), words(40), words(40), words(40)
    u = np.uint64
    different = gate_block((0,) * lanes, out, u(3), old, xs, u(5), ys, u(11), gates, u(1))
    x, y = xs[5 : 5 + lanes], ys[11 : 11 + lanes]
    value = gates[8] ^ (gates[9] & x) ^ (gates[10] & y) ^ (gates[11] & x & y)
    assert np.array_equal(out[3 : 3 + lanes], value)
    assert (different != 0) == (value != old[3 : 3 + lanes]).any()


@pytest.mark.parametrize("lanes", [1, 8])
def test_seen_balance(lanes: int) -> None:
    new, old, seen, wanted = words(40), words(40), words(40), words(40)
    u = np.uint64
    found = seen_balance((0,) * lanes, new, old, u(2), seen, u(4), u(20), wanted, u(9))
    part = slice(2, 2 + lanes)
    changed = (new[part] ^ old[part]) & seen[4 : 4 + lanes]
    wrong = old[20 : 20 + lanes] ^ wanted[9 : 9 + lanes]
    assert found == (np.bitwise_count(changed & ~wrong).sum(), np.bitwise_count(changed & wrong).sum())
