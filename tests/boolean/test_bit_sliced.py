"""Bit-sliced arithmetic against Python's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean import bit_sliced
from gatewalk.boolean.tables import pack, unpack

ROWS = 100


def sliced(numbers, bits):
    return pack([[value >> place & 1 for value in numbers] for place in range(bits)])


def numbers(words):
    columns = unpack(np.atleast_2d(words), ROWS)
    return [sum(int(column[row]) << place for place, column in enumerate(columns)) for row in range(ROWS)]


def drawn(seed, bits):
    generator = np.random.default_rng(seed)
    return [int("".join(map(str, generator.integers(0, 2, bits))), 2) for _ in range(ROWS)]


@given(st.integers(1, 70), st.integers(0, 2**32))
def test_arithmetic(bits, seed):
    a, b, carry = drawn(seed, bits), drawn(seed + 1, bits), drawn(seed + 2, 1)
    b[:20] = a[:20]  # else two numbers are hardly ever equal
    x, y, c = sliced(a, bits), sliced(b, bits), sliced(carry, 1)[0]
    assert numbers(bit_sliced.add(x, y, c)) == [p + q + r for p, q, r in zip(a, b, carry, strict=True)]
    assert numbers(bit_sliced.subtract(x, y)) == [
        (p - q) % 2 ** (bits + 1) for p, q in zip(a, b, strict=True)
    ]
    assert numbers(bit_sliced.multiply(x, y)) == [p * q for p, q in zip(a, b, strict=True)]
    less, equal, greater = (numbers(one) for one in bit_sliced.compare(x, y))
    assert less == [p < q for p, q in zip(a, b, strict=True)]
    assert equal == [p == q for p, q in zip(a, b, strict=True)]
    assert greater == [p > q for p, q in zip(a, b, strict=True)]


@given(st.integers(1, 70), st.integers(0, 2**32))
def test_count_ones(n, seed):
    values = drawn(seed, n)
    ones = bit_sliced.count_ones(sliced(values, n))
    assert numbers(ones) == [value.bit_count() for value in values]
    for bound in (0, n // 2, n):
        assert numbers(bit_sliced.exceeds(ones, bound)) == [value.bit_count() > bound for value in values]


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8, 9])
def test_select_and_decode(count):
    bits = (count - 1).bit_length()
    where = [row % (1 << bits) for row in range(ROWS)]
    choices, enable = drawn(3, count), drawn(4, 1)
    address = sliced(where, bits) if bits else np.zeros((0, 2), np.uint64)
    chosen = bit_sliced.select(address, sliced(choices, count))
    assert numbers(chosen) == [value >> place & 1 for value, place in zip(choices, where, strict=True)]
    lines = bit_sliced.decode(address, sliced(enable, 1)[0], count)
    assert lines.shape[0] == count
    assert numbers(lines) == [
        bit << place if place < count else 0 for bit, place in zip(enable, where, strict=True)
    ]
