"""Tables of circuits, and circuits of tables."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.truth import circuit_of_tables, tables_of
from gatewalk.errors import InputError


def labels(letter, count):
    return [f"{letter}{i}" for i in range(count)]


@given(st.data())
def test_there_and_back(data):
    n = data.draw(st.integers(0, 7))
    tables = data.draw(st.lists(st.integers(0, (1 << (1 << n)) - 1), min_size=1, max_size=3))
    circuit = circuit_of_tables(tables, labels("x", n), labels("y", len(tables)))
    assert tables_of(circuit, most_inputs=7, purpose="a test") == tuple(tables)


def test_bit_r_is_row_r(make_circuit):
    for seed in range(20):
        circuit = make_circuit(seed)
        n = len(circuit.input_labels)
        rows = unpack(evaluate(circuit, projections(n)), 1 << n)
        found = tables_of(circuit, most_inputs=20, purpose="a test")
        assert [[number >> r & 1 for r in range(1 << n)] for number in found] == rows.astype(int).tolist()


@pytest.mark.parametrize(
    ("n", "value", "most"),
    [
        (14, lambda row: row.bit_count() & 1, 13),
        (9, lambda row: row.bit_count() > 4, 25),
        (8, lambda row: 0, 1),
    ],
)
def test_regular_functions_stay_small(n, value, most):
    table = sum(value(row) << row for row in range(1 << n))
    circuit = circuit_of_tables([table], labels("x", n), ["y"])
    assert len(circuit) <= most


def test_an_input_is_no_gate():
    assert circuit_of_tables([0b11001100], labels("x", 3), ["y"]).outputs == (1,)


def test_too_many_inputs(make_circuit):
    with pytest.raises(InputError, match="a test lists all rows, so Gatewalk writes at most 5 inputs, not 6"):
        tables_of(make_circuit(1, inputs=6), most_inputs=5, purpose="a test")
