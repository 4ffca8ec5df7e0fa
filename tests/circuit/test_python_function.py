"""The compiled function: every gate, single bits and many rows in one number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Node


@pytest.mark.parametrize("name", GATES)
def test_every_gate(name):
    one = GATES[name]
    labels = tuple("abc"[: one.arity])
    circuit = Circuit(labels, (Node(one, tuple(range(one.arity))),), (one.arity,), ("y",))
    function = circuit.to_function()
    rows = [[row >> j & 1 for j in range(one.arity)] for row in range(1 << one.arity)]
    assert [function(*row) for row in rows] == [one(*row) for row in rows]


def test_any_table_of_four_inputs():
    @given(st.integers(0, 2**16 - 1))
    def check(table):
        circuit = Circuit(tuple("abcd"), (Node(Gate("own", 4, table, "own"), (0, 1, 2, 3)),), (4,), ("y",))
        columns = [sum((row >> j & 1) << row for row in range(16)) for j in range(4)]
        assert circuit.to_function()(*columns, mask=2**16 - 1) == table

    check()


def test_all_rows_in_one_number(make_circuit):
    for seed in range(60):
        circuit = make_circuit(seed)
        n = len(circuit.input_labels)
        columns = [sum((row >> i & 1) << row for row in range(1 << n)) for i in range(n)]
        found = circuit.to_function()(*columns, mask=(1 << (1 << n)) - 1)
        found = found if isinstance(found, tuple) else (found,)
        wanted = [sum(int(bit) << row for row, bit in enumerate(column)) for column in circuit.table().T]
        assert list(found) == wanted


def test_arrays_and_strange_labels():
    nodes = (Node(GATES["nand"], (0, 1)),)
    function = Circuit(("class", "a b"), nodes, (2,), ("*")).to_function()
    words = np.array([0, 2**64 - 1], np.uint64)
    assert function(words, words, mask=np.uint64(2**64 - 1)).tolist() == [2**64 - 1, 0]


def test_truth_values_are_bits():
    """~True is -2, and a warning: negations are taken against the mask."""
    nodes = (Node(GATES["nand"], (0, 1)), Node(GATES["not"], (2,)))
    function = Circuit(("a", "b"), nodes, (2, 3), ("y", "z")).to_function()
    assert function(True, True) == (0, 1)
    assert function(True, False) == (1, 0)
