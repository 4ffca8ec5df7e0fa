"""Circuits called on bits, arrays and names agree with gate by gate evaluation, and refuse the rest."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError

ADDER = Circuit(("a", "b"), (Node(gate("xor"), (0, 1)), Node(gate("and"), (0, 1))), (2, 3), ("s", "c"))
NAND = Circuit(("a", "b"), (Node(gate("nand"), (0, 1)),), (2,), ("y",))


def test_bits_and_table_agree(make_circuit):
    @given(st.integers(0, 2**32))
    def check(seed):
        circuit = make_circuit(seed)
        n = len(circuit.input_labels)
        table = circuit.table()
        assert table.shape == (1 << n, len(circuit.outputs))
        assert table.dtype == bool
        for row in range(1 << n):
            values = circuit(*(row >> i & 1 for i in range(n)))
            wanted = tuple(table[row].astype(int).tolist())
            assert values == (wanted if len(wanted) > 1 else wanted[0])
        arrays = circuit(*(np.arange(1 << n) >> i & 1 for i in range(n)))
        arrays = arrays if isinstance(arrays, tuple) else (arrays,)
        assert (table == np.array(arrays).T).all()

    check()


def test_kinds_of_bits():
    assert ADDER(1, True) == (0, 1)
    assert ADDER(np.True_, np.uint8(0)) == (1, 0)
    assert isinstance(NAND(True, True), int)
    assert ADDER({"b": 1, "a": 0}) == {"s": 1, "c": 0}


def test_arrays_are_broadcast_and_keep_their_kind():
    truths = NAND(np.array([[True], [False]]), np.array([True, False, True]))
    assert truths.dtype == bool
    assert truths.tolist() == [[False, True, False], [True, True, True]]
    numbers = ADDER(np.array([0, 1, 1], np.int8), 1)
    assert [part.tolist() for part in numbers] == [[1, 0, 0], [0, 1, 1]]
    assert numbers[0].dtype.kind == "i"
    assert NAND([0, 1], [1, 1]).tolist() == [1, 0]
    assert NAND(np.array([], bool), True).shape == (0,)
    assert {name: part.tolist() for name, part in ADDER({"a": [0, 1], "b": 1}).items()} == {
        "s": [1, 0],
        "c": [0, 1],
    }


def test_more_rows_than_a_word_holds():
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 2, (2, 1000)).astype(bool)
    assert (NAND(a, b) == ~(a & b)).all()


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ((1,), "1 values for 2 inputs"),
        ((1, 2), "input 'b' is 2; it must be 0 or 1"),
        ((1, -1), "input 'b' is -1"),
        ((1, 0.5), "input 'b' is 0.5"),
        ((1, "1"), "input 'b' is '1'"),
        ((1, None), "input 'b' is None"),
        (([0, 1], [0, 3]), "3.*; it must be 0 or 1"),
        (([0, 1], [0, 1, 1]), r"shapes '\(2,\), \(3,\)' do not fit"),
        (({"a": 1},), "no value for 'b'"),
        (({"a": 1, "b": 1, "c": 1},), "there is no input 'c'"),
    ],
)
def test_what_is_no_input(inputs, words):
    with pytest.raises(InputError, match=words):
        ADDER(*inputs)


def test_a_table_of_many_inputs_is_refused():
    wires = Circuit(tuple(f"x{i}" for i in range(21)), (), (0,), ("y",))
    with pytest.raises(InputError, match="2\\^21 rows; at most 20"):
        wires.table()
