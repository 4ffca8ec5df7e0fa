"""Tables in whole numbers: columns, support, exchanges, composition and gates, against values row by row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate, gate
from gatewalk.boolean.small_tables import (
    column,
    compose,
    exchanged,
    nested,
    pins_for,
    restricted,
    support,
    symmetric_pairs,
)

TABLES_AND_CARES = st.integers(1, 4).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, (1 << (1 << n)) - 1), st.integers(0, (1 << (1 << n)) - 1))
)


def bit(table, values):
    return table >> sum(value << j for j, value in enumerate(values)) & 1


def rows(n):
    return [[row >> j & 1 for j in range(n)] for row in range(1 << n)]


@pytest.mark.parametrize("inputs", range(1, 9))
def test_columns_of_inputs(inputs):
    for j in range(inputs):
        assert column(inputs, j) == sum((row >> j & 1) << row for row in range(1 << inputs))


@given(TABLES_AND_CARES)
def test_an_input_matters_if_it_tells_two_rows_that_count_apart(case):
    inputs, value, care = case
    for counted, cares in ((care, care), ((1 << (1 << inputs)) - 1, None)):
        counts = [row for row in range(1 << inputs) if counted >> row & 1]
        assert support(value, inputs, cares=cares) == tuple(
            j
            for j in range(inputs)
            if any(row ^ 1 << j in counts and (value >> row ^ value >> (row ^ 1 << j)) & 1 for row in counts)
        )


@given(st.integers(0, 2**16 - 1))
def test_inputs_that_do_not_matter_can_be_dropped(table):
    kept = support(table, 4)
    small = restricted(table, kept)
    for values in rows(4):
        assert bit(small, [values[j] for j in kept]) == bit(table, values)


@given(st.integers(0, 2**16 - 1), st.permutations(range(4)))
def test_inputs_in_another_order(table, order):
    for values in rows(4):
        assert bit(restricted(table, order), [values[j] for j in order]) == bit(table, values)


@given(TABLES_AND_CARES)
def test_exchanging_two_inputs(case):
    inputs, *tables = case
    unchanged = []
    for p in range(inputs):
        for q in range(p + 1, inputs):
            order = list(range(inputs))
            order[p], order[q] = q, p
            swapped = [restricted(table, order) for table in tables]
            assert swapped == [exchanged(table, inputs, p, q) for table in tables]
            if swapped == tables:
                unchanged.append((p, q))
    assert symmetric_pairs(tables, inputs) == tuple(unchanged)


def test_composition_is_substitution():
    @given(
        st.integers(0, 255),
        st.lists(st.tuples(st.none() | st.integers(0, 2), st.booleans()), min_size=3, max_size=3),
    )
    def check(table, operands):
        composed = compose(table, tuple(operands), 3)
        for row in range(8):
            values = [row >> j & 1 for j in range(3)]
            inner = [
                (0 if variable is None else values[variable]) ^ negated for variable, negated in operands
            ]
            assert bit(composed, values) == bit(table, inner)

    check()


def test_functions_of_functions():
    half = nested(gate("xor").table, ((gate("and").table, (0, 2)), (0b10, (1,))), 3)
    for values in rows(3):
        assert bit(half, values) == (values[0] & values[2]) ^ values[1]


def test_pins_compute_the_function():
    for one in GATES.values():
        for variables in range(3):
            for table in range(1 << (1 << variables)):
                if len(support(table, variables)) < variables:
                    continue
                pins = pins_for(one, table, variables)
                if pins is not None:
                    for values in rows(max(1, variables)):
                        wanted = bit(table, values[:variables])
                        assert one(*(values[pin] for pin in pins)) == wanted


def test_what_a_gate_can_do():
    assert pins_for(gate("nand"), 0b01, 1) == (0, 0)
    assert pins_for(gate("and"), 0b01, 1) is None
    assert pins_for(gate("xor"), 0, 0) == (0, 0)
    assert pins_for(gate("const1"), 1, 0) == ()
    assert pins_for(gate("mux"), gate("and").table, 2) == (0, 0, 1)
    assert pins_for(gate("not"), gate("and").table, 2) is None
    wide = Gate("wide", 6, 1 << 63, "wide")
    assert pins_for(wide, 0b10, 1) is None
