"""Tables of few inputs: composition, support and gates that compute them, against values row by row."""

from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate, gate
from gatewalk.circuit.small_functions import compose, nested, pins_for, restricted, support


def bit(table, values):
    return table >> sum(value << j for j, value in enumerate(values)) & 1


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


def test_support_is_what_matters():
    @given(st.integers(0, 2**16 - 1))
    def check(table):
        found = support(table, 4)
        for variable in range(4):
            matters = any(bit(table, v) != bit(table, flipped(v, variable)) for v in rows(4))
            assert (variable in found) == matters
        small = restricted(table, 4, found)
        for values in rows(4):
            assert bit(small, [values[variable] for variable in found]) == bit(table, values)

    check()


def rows(n):
    return [[row >> j & 1 for j in range(n)] for row in range(1 << n)]


def flipped(values, variable):
    return [value ^ (j == variable) for j, value in enumerate(values)]


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
