"""Circuits: evaluation against gate by gate on single bits, drafts, tables, and what is no circuit."""

import pickle
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit import circuit as module
from gatewalk.circuit.circuit import (
    Circuit,
    Draft,
    Node,
    circuit_of,
    circuit_tables,
    depth,
    evaluate,
    gate_counts,
    levels,
)
from gatewalk.circuit.files import read_file, write_file
from gatewalk.errors import InputError


def slowly(circuit, bits):
    values = list(bits)
    for node in circuit.nodes:
        values.append(node.gate(*(values[source] for source in node.sources)))
    return [values[source] for source in circuit.outputs]


def on_all_rows(circuit):
    n = len(circuit.input_labels)
    return unpack(evaluate(circuit, projections(n)), 1 << n)


def test_evaluate_is_gate_by_gate(make_circuit):
    @given(st.integers(0, 2**32))
    def check(seed):
        circuit = make_circuit(seed)
        n = len(circuit.input_labels)
        outputs = on_all_rows(circuit)
        for row in range(1 << n):
            assert outputs[:, row].tolist() == slowly(circuit, [row >> i & 1 for i in range(n)])

    check()


def test_figure_1(figure_1):
    rows = on_all_rows(figure_1)[0].tolist()
    # ((x1 & x2) nor x3 or x1 & x2) & x2: rows with x2 = 1 and (x1 = 1 or x3 = 0)
    assert rows == [bool(r & 2) and (bool(r & 1) or not r & 4) for r in range(8)]


def test_depth_and_levels(figure_1):
    assert levels(figure_1) == (0, 0, 0, 1, 2, 3, 4)
    assert depth(figure_1) == 4
    assert gate_counts(figure_1) == {"and": 2, "nor": 1, "or": 1}
    assert len(figure_1) == 4


def test_a_wire_is_a_circuit():
    wire = Circuit(("x1", "x2"), (), (1,), ("y",))
    assert on_all_rows(wire).tolist() == [[False, False, True, True]]
    assert depth(wire) == len(wire) == 0
    assert bool(wire)
    assert str(wire) == "y = x2"
    assert "0 gates (none)" in repr(wire)


def test_constants_without_inputs_to_read():
    circuit = Circuit(("x1",), (Node(gate("const1"), ()),), (1, 1), ("y1", "y2"))
    assert on_all_rows(circuit).all()
    assert levels(circuit) == (0, 1)


def test_evaluate_wants_all_inputs(figure_1):
    with pytest.raises(ValueError, match="3 inputs, 2 columns"):
        evaluate(figure_1, projections(2))


def test_what_has_a_circuit_can_be_written(figure_1, tmp_path):
    write_file(SimpleNamespace(circuit=figure_1), tmp_path / "c.json")
    assert read_file(tmp_path / "c.json") == figure_1
    figure_1.save(tmp_path / "d.blif")
    assert read_file(tmp_path / "d.blif") == figure_1
    with pytest.raises(InputError, match="3 is not a circuit and has none"):
        circuit_of(3)


def test_methods_say_what_the_functions_say(figure_1):
    assert figure_1.depth == depth(figure_1)
    assert figure_1.counts == gate_counts(figure_1)
    assert figure_1.cost({"and": 1, "nor": 1, "or": 1}) == 4
    assert figure_1.simplify(gates="and,or,nor") == figure_1


def test_repr_and_str(figure_1):
    assert repr(figure_1) == "<Circuit: 3 inputs, 1 outputs, 4 gates (2 and, 1 nor, 1 or), depth 4>"
    assert str(figure_1) == "g1 = x1 & x2\no1 = (~(g1 | x3) | g1) & x2"
    assert figure_1 == pickle.loads(pickle.dumps(figure_1))


def test_a_notebook_draws_it(figure_1, make_circuit):
    assert figure_1._repr_svg_().startswith("<svg")
    assert make_circuit(1, gates=2000, names=("and",))._repr_svg_() is None


@pytest.mark.parametrize(
    ("nodes", "outputs", "inputs", "labels", "message"),
    [
        ([("and", (0, 2))], (2,), ("a", "b"), ("y",), "node 0 reads"),
        ([("and", (0, -1))], (2,), ("a", "b"), ("y",), "node 0 reads"),
        ([("and", (0,))], (2,), ("a", "b"), ("y",), "gate 'and' of 2 inputs but has 1 source"),
        ([], (2,), ("a", "b"), ("y",), "an output reads"),
        ([], (0,), ("a", "a"), ("y",), "two inputs have the name 'a'"),
        ([], (0, 1), ("a", "b"), ("y", "y"), "two outputs have the name 'y'"),
        ([], (0, 1), ("a", "b"), ("y",), "2 outputs but 1 output names"),
    ],
)
def test_what_is_no_circuit(nodes, outputs, inputs, labels, message):
    with pytest.raises(InputError, match=message):
        Circuit(inputs, tuple(Node(gate(name), sources) for name, sources in nodes), outputs, labels)


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


def test_gates_are_numbered_after_the_inputs():
    draft = Draft(2)
    both = draft.add(GATES["and"], (0, 1))
    assert (both, draft.add(GATES["or"], (both, 0))) == (2, 3)
    circuit = draft.circuit(["a", "b"], [3], ["y"])
    assert [circuit(a, b) for a in (0, 1) for b in (0, 1)] == [0, 0, 1, 1]


def test_constants():
    draft = Draft(0)
    circuit = draft.circuit([], [draft.constant(0), draft.constant(1)], ["no", "yes"])
    assert circuit() == (0, 1)


def test_a_negation_is_built_once():
    draft = Draft(2)
    assert draft.negation(1) == draft.negation(1) == 2
    assert draft.negation(0) == 3
    assert len(draft.nodes) == 2


@pytest.mark.parametrize(("count", "depth"), [(1, 0), (2, 1), (3, 2), (5, 3), (8, 3), (9, 4)])
def test_trees_are_flat(count, depth):
    draft = Draft(count)
    root = draft.tree(GATES["and"], range(count))
    circuit = draft.circuit([f"x{i}" for i in range(count)], [root], ["y"])
    assert (len(circuit), circuit.depth) == (count - 1, depth)
    assert circuit(*[1] * count) == 1
    assert not any(circuit(*[int(i != zero) for i in range(count)]) for zero in range(count))


def test_too_many_gates_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_GATES", 2)
    draft = Draft(1)
    draft.negation(draft.negation(0))
    with pytest.raises(InputError, match="more than 2 gates"):
        draft.constant(0)


def test_bit_r_of_a_table_is_row_r(make_circuit):
    for seed in range(20):
        circuit = make_circuit(seed)
        n = len(circuit.input_labels)
        rows = unpack(evaluate(circuit, projections(n)), 1 << n)
        found = circuit_tables(circuit, most_inputs=20, purpose="a test")
        assert [[number >> r & 1 for r in range(1 << n)] for number in found] == rows.astype(int).tolist()


def test_a_table_of_too_many_inputs_names_the_purpose(make_circuit):
    with pytest.raises(InputError, match="a test lists all rows, so Gatewalk writes at most 5 inputs, not 6"):
        circuit_tables(make_circuit(1, inputs=6), most_inputs=5, purpose="a test")
