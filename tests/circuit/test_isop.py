"""Irredundant sums of products: the table again, and no cube too many."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.circuit.cubes import holds
from gatewalk.circuit.isop import isop


def rows_of(cubes, n):
    return sum(1 << row for row in range(1 << n) if any(holds(cube, row) for cube in cubes))


@given(st.data())
def test_the_cubes_are_the_table_and_none_can_be_left_out(data):
    n = data.draw(st.integers(0, 5))
    table = data.draw(st.integers(0, (1 << (1 << n)) - 1))
    cubes = isop(table, n)
    assert rows_of(cubes, n) == table
    for cube in cubes:
        assert rows_of([other for other in cubes if other != cube], n) != table


@given(st.data())
def test_free_rows_are_covered_or_not(data):
    n = data.draw(st.integers(0, 5))
    table, free = (data.draw(st.integers(0, (1 << (1 << n)) - 1)) for _ in range(2))
    cubes = isop(table, n, free=free)
    assert rows_of(cubes, n) & ~free == table & ~free
    for cube in cubes:
        assert rows_of([other for other in cubes if other != cube], n) & ~free != table & ~free
    assert isop(table | free, n, free=free) == cubes


@pytest.mark.parametrize("n", [3, 12])
def test_parity_needs_every_row(n):
    table = sum((row.bit_count() & 1) << row for row in range(1 << n))
    assert len(isop(table, n)) == 1 << (n - 1)
