"""Tables, essential inputs and symmetries, against the rows looked at one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.truth_table import table_target
from gatewalk.errors import InputError
from gatewalk.synthesis.target_tables import column, essential, exchanged, symmetric_pairs, target_tables

TABLES = st.integers(1, 4).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, (1 << (1 << n)) - 1), st.integers(1, (1 << (1 << n)) - 1))
)


def test_tables_of_a_target():
    wanted = target_tables("onescount:3", most_inputs=8, purpose="a test")
    assert (wanted.inputs, wanted.values, wanted.cares) == (3, (0x96, 0xE8), (0xFF, 0xFF))
    with pytest.raises(InputError, match="a test takes at most 2 inputs, and there are 3"):
        target_tables("onescount:3", most_inputs=2, purpose="a test")


def test_values_that_do_not_count_are_0():
    wanted = target_tables("table:2:0xe/0x6", most_inputs=8, purpose="a test")
    assert (wanted.values, wanted.cares) == ((0x6,), (0x6,))
    assert not wanted.is_complete(0)


@pytest.mark.parametrize("inputs", range(1, 9))
def test_columns_of_inputs(inputs):
    for j in range(inputs):
        assert column(inputs, j) == sum((row >> j & 1) << row for row in range(1 << inputs))


@given(TABLES)
def test_an_essential_input_tells_two_rows_apart(given_tables):
    inputs, value, care = given_tables
    wanted = target_tables(table_target([value], inputs, cares=[care]), most_inputs=4, purpose="a test")
    counts = [row for row in range(1 << inputs) if care >> row & 1]
    assert essential(wanted, 0) == tuple(
        j
        for j in range(inputs)
        if any(row ^ 1 << j in counts and (value >> row ^ value >> (row ^ 1 << j)) & 1 for row in counts)
    )


@given(TABLES)
def test_exchanging_two_inputs(given_tables):
    inputs, value, care = given_tables
    wanted = target_tables(table_target([value], inputs, cares=[care]), most_inputs=4, purpose="a test")
    same = []
    for q in range(inputs):
        for p in range(q):
            rows = []
            for row in range(1 << inputs):
                differs = (row >> p ^ row >> q) & 1
                rows.append(row ^ (1 << p | 1 << q) * differs)
            swapped = [
                sum((table >> rows[row] & 1) << row for row in range(1 << inputs))
                for table in (*wanted.values, *wanted.cares)
            ]
            assert swapped[0] == exchanged(wanted.values[0], inputs, p, q)
            if swapped == [*wanted.values, *wanted.cares]:
                same.append((p, q))
    assert sorted(same) == sorted(symmetric_pairs(wanted))
