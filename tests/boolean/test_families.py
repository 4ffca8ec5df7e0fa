"""Families: what the decorator registers; every rule and the arithmetic below it against plain numbers."""

from math import comb, prod
from operator import eq, gt, lt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean import bit_sliced
from gatewalk.boolean.families import FAMILIES, LARGEST_SIZE, address_bits, bus, family
from gatewalk.boolean.tables import pack, projections, unpack
from gatewalk.boolean.targets import families, family_target


def test_a_decorated_rule_becomes_a_family(monkeypatch):
    monkeypatch.setitem(FAMILIES, "copy", None)  # forgotten at the end of the test

    @family("copy", gates="and,or", symmetric=False, smallest=2, example=3)
    def copied(x, size):
        """The inputs, copied.

        More about it.
        """
        return x

    one = FAMILIES["copy"]
    assert one.rule is copied
    assert one.description == "The inputs, copied."
    assert (one.gates, one.symmetric, one.nodes) == (("and", "or"), False, None)
    assert (one.smallest, one.largest, one.example) == (2, LARGEST_SIZE, 3)
    assert (one.input_labels(2), one.output_labels(2), one.fewest_nodes(5)) == (("x1", "x2"), ("y",), 4)


def test_every_family_is_registered_under_its_name():
    assert list(FAMILIES.values()) == list(families())
    assert all(name == one.name for name, one in FAMILIES.items())
    assert all(one.smallest <= one.example <= one.largest for one in FAMILIES.values())


def test_labels_of_a_bus():
    assert bus("A", 3) == ("A[0]", "A[1]", "A[2]")
    assert bus("A", 0) == ()


@pytest.mark.parametrize(("size", "bits"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1024, 10), (1025, 11)])
def test_addresses_tell_so_many_apart(size, bits):
    assert address_bits(size) == bits


LARGEST = {"icomp": 40}  # sizes that tests of all families take
SMALL = range(1, 7)


def number(bits):
    return sum(int(bit) << place for place, bit in enumerate(bits))


def halves(x, size):
    return number(x[:size]), number(x[size : 2 * size])


def one_of(size, chosen, value=1):
    """The number with that bit, if it is one of so many, else 0."""
    return value << chosen if chosen < size else 0


def difference(a, b, size):
    return (a - b) % 2 ** (size + 1)


def pairs_compared(x):
    found = [(x[i], x[j]) for i in range(len(x)) for j in range(i + 1, len(x))]
    return number([bit for a, b in found for bit in (a < b, a == b, a > b)])


def operated(x, size):
    """The ALU: carry first, then the result."""
    a, b = halves(x[3:], size)
    result = [a & b, a | b, a ^ b, a + b, *[difference(a, b, size)] * 4][number(x[:3])]
    return result % 2**size << 1 | result >> size


# family -> value of the outputs, read as a binary number, from the bits of the inputs and the size
DEFINITIONS = {
    "and": lambda x, size: all(x),
    "or": lambda x, size: any(x),
    "xor": lambda x, size: sum(x) % 2,
    "nand": lambda x, size: not all(x),
    "nor": lambda x, size: not any(x),
    "xnor": lambda x, size: sum(x) % 2 == 0,
    "maj": lambda x, size: sum(x) > len(x) / 2,
    "parity": lambda x, size: sum(x) % 2,
    "epar": lambda x, size: sum(x) % 2 == 0,
    "mux": lambda x, size: [*x[:size], *[0] * size][number(x[size:])],
    "add": lambda x, size: sum(halves(x, size)) + x[-1],
    "sum": lambda x, size: sum(halves(x, size)),
    "add_sub": lambda x, size: difference(*halves(x, size), size) if x[-1] else sum(halves(x, size)),
    "mul": lambda x, size: prod(halves(x, size)),
    "mcomp": lambda x, size: number([op(*halves(x, size)) for op in (lt, eq, gt)]),
    "icomp": lambda x, size: pairs_compared(x),
    "demux": lambda x, size: one_of(size, number(x[1:]), x[0]),
    "onehot_enc": lambda x, size: one_of(size, number(x)),
    "onescount": lambda x, size: sum(x),
    "alu": operated,
    "sort": lambda x, size: number(sorted(x)),
}


def test_every_family_has_a_definition_here():
    assert list(DEFINITIONS) == [family.name for family in families()]
    assert all(family.description.endswith((".", ")")) for family in families())


def members(size, most_inputs=1000):
    """The targets of this size, of every family that has one with so many inputs at most."""
    return [
        pytest.param(family.name, size, id=f"{family.name}:{size}")
        for family in families()
        if family.smallest <= size <= LARGEST.get(family.name, size)
        and len(family.input_labels(size)) <= most_inputs
    ]


@pytest.mark.parametrize(("family", "size"), [case for size in (*SMALL, 8, 9) for case in members(size, 13)])
def test_complete_table(family, size):
    wanted = family_target(f"{family}:{size}")
    rows = 1 << wanted.inputs
    outputs = unpack(wanted.evaluate(projections(wanted.inputs)), rows)
    assert outputs.shape == (wanted.outputs, rows)
    for row in range(rows):
        inputs = [row >> i & 1 for i in range(wanted.inputs)]
        assert number(outputs[:, row]) == int(DEFINITIONS[family](inputs, size))


@pytest.mark.parametrize(("family", "size"), [case for size in (40, 50, 201) for case in members(size)])
def test_any_number_of_inputs_on_any_rows(family, size):
    wanted = family_target(f"{family}:{size}")
    generator = np.random.default_rng(7)
    # Rows of every density, so that and, or and maj are not constant on them.
    density = np.concatenate([[0, 1], generator.random(98)])
    inputs = generator.random((wanted.inputs, 100)) < density
    outputs = unpack(wanted.evaluate(pack(inputs)), 100)
    for row in range(100):
        bits = inputs[:, row].astype(int).tolist()
        assert number(outputs[:, row]) == int(DEFINITIONS[family](bits, size))


@pytest.mark.parametrize(
    ("name", "inputs", "outputs"),
    [
        ("add_sub:3", "000 100 1", "1111"),
        ("add_sub:3", "100 010 1", "1111"),
        ("add_sub:3", "111 111 0", "0111"),
        ("demux:8", "1 001", "00001000"),
        ("demux:8", "0 001", "00000000"),
        ("alu:3", "001 100 101", "1001"),
        ("alu:3", "110 100 101", "0011"),
        ("alu:3", "110 111 111", "1011"),
        ("mcomp:3", "011 101", "001"),
        ("icomp:6", "010000", "100 010 010 010 010 001 001 001 001 010 010 010 010 010 010"),
    ],
)
def test_rows_of_the_published_suite(name, inputs, outputs):
    """Rows of its files, in the order of its labels; our alu:3 has no O[3], which is always 0 there."""
    wanted = family_target(name)
    columns = pack([[int(bit)] for bit in inputs.replace(" ", "")])
    found = unpack(wanted.evaluate(columns), 1)[:, 0]
    assert "".join(str(int(bit)) for bit in found) == outputs.replace(" ", "")


@pytest.mark.parametrize("size", range(1, 12))
def test_majority_of_an_even_number_is_strict(size):
    wanted = family_target(f"maj:{size}")
    ones = unpack(wanted.evaluate(projections(size)), 1 << size).sum()
    assert ones == sum(comb(size, k) for k in range(size + 1) if 2 * k > size)


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
