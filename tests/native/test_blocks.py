"""Blocks of words against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import GATES, anf
from gatewalk.boolean.tables import apply
from gatewalk.native.blocks import (
    and_block,
    apply_gate,
    copy,
    gate_block,
    gate_columns,
    seen_balance,
    seen_block,
    wrong_block,
    wrong_columns,
    xor_block,
    zeros,
)

gate_block, seen_balance, seen_block = entry(gate_block), entry(seen_balance), entry(seen_block)
and_block, xor_block, wrong_block = entry(and_block), entry(xor_block), entry(wrong_block)
copy, gate_columns, wrong_columns = entry(copy), entry(gate_columns), entry(wrong_columns)

RANDOM = np.random.default_rng(7)


def words(count):
    return RANDOM.integers(0, 2**64, size=count, dtype=np.uint64)


@pytest.mark.parametrize("lanes", [1, 8])
@pytest.mark.parametrize("form", range(16))
def test_gate_block(lanes, form):
    gates = np.zeros(16, dtype=np.uint64)
    gates[8:12] = [np.uint64(2**64 - 1) * (form >> i & 1) for i in range(4)]
    out, old, xs, ys = words(40), words(40), words(40), words(40)
    u = np.uint64
    different = gate_block((0,) * lanes, out, u(3), old, u(7), xs, u(5), ys, u(11), gates, u(1))
    x, y = xs[5 : 5 + lanes], ys[11 : 11 + lanes]
    value = gates[8] ^ (gates[9] & x) ^ (gates[10] & y) ^ (gates[11] & x & y)
    assert np.array_equal(out[3 : 3 + lanes], value)
    assert (different != 0) == (value != old[7 : 7 + lanes]).any()


@pytest.mark.parametrize("lanes", [1, 8])
def test_seen_balance(lanes):
    new, old, seen, wanted = words(40), words(40), words(40), words(40)
    u = np.uint64
    found = seen_balance((0,) * lanes, new, old, u(2), seen, u(4), u(20), wanted, u(9))
    part = slice(2, 2 + lanes)
    changed = (new[part] ^ old[part]) & seen[4 : 4 + lanes]
    wrong = old[20 : 20 + lanes] ^ wanted[9 : 9 + lanes]
    assert found == (np.bitwise_count(changed & ~wrong).sum(), np.bitwise_count(changed & wrong).sum())


@pytest.mark.parametrize("lanes", [1, 8])
def test_and_block(lanes):
    values, u = words(60), np.uint64
    x, y, old = values[5 : 5 + lanes].copy(), values[20 : 20 + lanes].copy(), values[30 : 30 + lanes].copy()
    different = and_block((0,) * lanes, values, u(45), values, u(30), values, u(5), values, u(20))
    assert np.array_equal(values[45 : 45 + lanes], x & y)
    assert (different != 0) == ((x & y) != old).any()
    assert and_block((0,) * lanes, values, u(50), values, u(45), values, u(5), values, u(20)) == 0


@pytest.mark.parametrize("lanes", [1, 8])
def test_wrong_block(lanes):
    values, wanted, mask, u = words(40), words(40), words(40), np.uint64
    wrong = (values[3 : 3 + lanes] ^ wanted[6 : 6 + lanes]) & mask[9 : 9 + lanes]
    found = wrong_block((0,) * lanes, values, u(3), wanted, u(6), mask, u(9))
    assert found == np.bitwise_count(wrong).sum()


@pytest.mark.parametrize("lanes", [1, 8])
def test_xor_block(lanes):
    out, xs, ys, u = words(40), words(40), words(40), np.uint64
    xor_block((0,) * lanes, out, u(3), xs, u(5), ys, u(11))
    assert np.array_equal(out[3 : 3 + lanes], xs[5 : 5 + lanes] ^ ys[11 : 11 + lanes])


@pytest.mark.parametrize("lanes", [1, 8])
def test_seen_block(lanes):
    out, xs, ys, mask, u = words(40), words(40), words(40), words(40), np.uint64
    seen_block((0,) * lanes, out, u(3), xs, u(5), ys, u(11), mask, u(7))
    expected = (xs[5 : 5 + lanes] ^ ys[11 : 11 + lanes]) & mask[7 : 7 + lanes]
    assert np.array_equal(out[3 : 3 + lanes], expected)


@pytest.mark.parametrize("kind", [np.uint8, np.int64, np.uint64])
def test_copy(kind):
    array = RANDOM.integers(0, 100, size=600).astype(kind)
    expected = array.copy()
    expected[7:199] = array[301:493]
    copy(array, np.uint64(7), array, np.uint64(301), np.uint64(192))
    assert np.array_equal(array, expected)


@pytest.mark.parametrize("count", [0, 1, 5, 8, 100])
def test_zeros_begin_with_a_line_of_the_cache(count):
    room = zeros(count)
    assert room.size == count
    assert not room.any()
    assert room.ctypes.data % 64 == 0 or count == 0


@pytest.mark.parametrize(("lanes", "start", "end"), [(1, 0, 1), (8, 0, 24), (8, 8, 24), (8, 8, 8)])
def test_columns_are_blocks_one_after_the_other(lanes, start, end):
    xor, u = np.array([0, -1, -1, 0, 0, 0, 0, 0]).astype(np.uint64), np.uint64
    out, old, xs, ys, mask = words(60), words(60), words(60), words(60), words(60)
    before, value = out.copy(), xs[5 : 5 + end] ^ ys[7 : 7 + end]
    different = gate_columns((0,) * lanes, out, u(3), old, xs, u(5), ys, u(7), xor, u(0), u(start), u(end))
    before[3 + start : 3 + end] = value[start:]
    assert np.array_equal(out, before)
    assert (different != 0) == (start < end)
    wrong = (out[3 + start : 3 + end] ^ ys[9 + start : 9 + end]) & mask[9 + start : 9 + end]
    found = wrong_columns((0,) * lanes, out, u(3), ys, u(9), mask, u(start), u(end))
    assert found == np.bitwise_count(wrong).sum()


apply_to = entry(apply_gate)


@pytest.mark.parametrize("name", GATES)
def test_every_gate(name):
    gate, random = GATES[name], np.random.default_rng(1)
    columns = list(random.integers(0, 2**64, size=(3, 5), dtype=np.uint64))
    form = np.zeros(8, dtype=np.uint64)
    form[: 1 << gate.arity] = np.array(anf(gate), dtype=np.uint64) * np.uint64(2**64 - 1)
    used, result = [*columns[: gate.arity], *columns[:1] * 3][:3], np.zeros(5, dtype=np.uint64)
    apply_to(*used, form, gate.arity, result)
    wanted = apply(gate, *columns[: gate.arity]) if gate.arity else np.full(5, -gate.table % 2**64, np.uint64)
    assert np.array_equal(result, wanted)
