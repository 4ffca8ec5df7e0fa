"""Circuits: evaluation against gate by gate on single bits, and what a circuit refuses to be."""

import pickle
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, circuit_of, depth, evaluate, gate_counts, levels
from gatewalk.circuit.formats import read_file, write_file
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
