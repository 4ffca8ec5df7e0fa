"""AIGER: every gate in few and gates, equal ones once; both forms, their labels, and what is refused."""

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import read_file
from gatewalk.circuit.formats.aiger import (
    Aig,
    circuit_of_graph,
    conjunction,
    graph_of,
    read,
    write_ascii,
    write_binary,
)
from gatewalk.errors import InputError


def test_a_circuit_as_a_graph_and_back(make_circuit):
    for seed in range(200):
        circuit = make_circuit(seed)
        graph = graph_of(circuit)
        assert all(b <= a < 2 * (graph.inputs + 1 + k) for k, (a, b) in enumerate(graph.ands))
        assert equivalent(circuit, circuit_of_graph(graph, circuit.input_labels, circuit.output_labels))


@pytest.mark.parametrize(
    ("name", "gates"),
    [
        ("and", 1),
        ("or", 1),
        ("imply", 1),
        ("xor", 3),
        ("mux", 3),
        ("maj", 5),
        ("xor3", 6),
        ("or3", 2),
        ("buf_b", 0),
    ],
)
def test_gates_take_few(name, gates):
    node = Node(GATES[name], (0, 1, 2)[: GATES[name].arity])
    assert len(graph_of(Circuit(("a", "b", "c"), (node,), (3,), ("y",))).ands) == gates


def test_what_needs_no_gate():
    graph = Aig(2)
    assert [conjunction(graph, 2, other) for other in (0, 1, 2, 3)] == [0, 2, 2, 0]
    assert conjunction(graph, 2, 5) == conjunction(graph, 5, 2) == 6
    assert graph.ands == [(5, 2)]


def values(circuit):
    n = len(circuit.input_labels)
    return unpack(evaluate(circuit, projections(n)), 1 << n).astype(int).tolist()


def test_the_half_adder_of_the_specification():
    circuit = read(
        b"aag 7 2 0 2 3\n2\n4\n6\n12\n6 13 15\n12 2 4\n14 3 5\ni0 x\ni1 y\no0 s\no1 c\nc\nhalf adder\n\xff\n"
    )
    assert circuit.input_labels == ("x", "y")
    assert circuit.output_labels == ("s", "c")
    assert [node.gate.name for node in circuit.nodes] == ["and", "nor", "nor"]
    assert values(circuit) == [[0, 1, 1, 0], [0, 0, 0, 1]]


def test_constants_wires_and_negations():
    circuit = read(b"aag 1 1 0 4 0\n2\n0\n1\n2\n3\n")
    assert values(circuit) == [[0, 0], [1, 1], [0, 1], [1, 0]]
    assert circuit.output_labels == ("y1", "y2", "y3", "y4")
    assert values(read(b"aig 0 0 0 2 0\n0\n1\n")) == [[0], [1]]


def test_labels_given_and_made_up_differ():
    circuit = read(b"aag 2 2 0 1 0\n2\n4\n2\ni0 x2\n")
    assert circuit.input_labels == ("x2", "x2_2")


def test_what_no_output_needs_is_left_out():
    assert len(read(b"aag 4 2 0 1 2\n2\n4\n6\n6 2 4\n8 3 5\n")) == 1


def test_a_long_chain_given_backwards():
    n = 5000
    lines = [f"{2 * k} {2 * k - 1} {2 * k - 1}" for k in reversed(range(2, n + 2))]
    text = "\n".join([f"aag {n + 1} 1 0 1 {n}", "2", str(2 * n + 2), *lines, ""])
    assert values(read(text.encode())) == [[0, 1]]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: an AIGER file begins with aag or aig"),
        (b"aag 1 1\n", "line 1: an AIGER file begins with aag or aig and five numbers"),
        (b"AAG 1 1 0 0 0\n", "line 1: an AIGER file begins"),
        (b"aag 1 2 3 4 5 6 7 8 9 10 11\n", "line 1"),
        (b"aag x 1 0 0 0\n", "line 1: the largest variable must be a whole number"),
        (
            b"aig 4000000000 1 0 1 3999999999\n",
            "line 1: the largest variable is '4000000000'",
        ),
        (b"aig 2000000 2000000 0 1 1\n", "line 1: 2000000 inputs and 1 and gates are more than"),
        (b"aig 2000000 2000000 0 1 0\n2\n", "line 1: 2,000,000 inputs; .* at most 131,072"),
        (b"aag 1 0 1 0 0\n", "line 1: the file has latches, but"),
        (b"aag 1 1 0 0 0 1\n2\n2\n", "line 1: the file has properties, but"),
        (b"aag 2 1 0 0 0\n", "line 2: the file ends where an input was expected"),
        (b"aag 1 1 0 1 0\n2\n", "line 3: the file ends where an output was expected"),
        (b"aag 2 1 0 1 1\n2\n4\n", "line 4: the file ends where an and gate was expected"),
        (b"aag 1 1 0 1 0\n2 4\n2\n", "line 2: an input needs 1 numbers"),
        (b"aag 1 1 0 1 0\n2\n9\n", "line 3: a literal is '9'; Gatewalk reads at most 3"),
        (b"aag 1 1 0 1 0\n3\n2\n", "line 2: literal 3 is negated"),
        (b"aag 2 2 0 1 0\n2\n2\n2\n", "line 3: literal 2 is defined twice"),
        (b"aag 1 1 0 1 0\n0\n2\n", "line 2: literal 0 is defined twice"),
        (b"aag 2 1 0 1 1\n2\n4\n4 4 2\n", "line 4: the and gate of literal 4 depends on itself"),
        (b"aag 3 1 0 1 2\n2\n4\n4 6 2\n6 4 2\n", "depends on itself"),
        (b"aag 4 1 0 1 1\n2\n4\n4 8 2\n", "line 4: literal 8 is neither an input nor defined"),
        (b"aag 2 1 0 1 0\n2\n4\n", "output literal 4 is neither an input nor defined"),
        (b"aag 1 1 0 1 0\n2\n2\nl0 x\n", "line 4: 'l0 x' is not a symbol"),
        (b"aag 1 1 0 1 0\n2\n2\ni1 x\n", "line 4: 'i1' does not exist"),
        (b"aag 1 1 0 1 0\n2\n2\ni0 x\ni0 y\n", "line 5: 'i0' has a symbol already"),
        (b"aag 1 1 0 1 0\n2\n2\ni0 \xff\n", "line 4: not valid UTF-8"),
        (b"aag 2 2 0 1 0\n2\n4\n2\ni0 a\ni1 a\n", "two inputs have the name 'a'"),
        (
            b"aig 3 1 0 1 1\n4\n\x02\x00",
            "line 1: in binary form the variables are the inputs and",
        ),
        (b"aig 2 1 0 1 1\n4\n", "the file ends within and gate 0"),
        (b"aig 2 1 0 1 1\n4\n\x00\x00", r"and gate 0 \(byte 18\): it reads itself"),
        (b"aig 2 1 0 1 1\n4\n\x02\x7f", "and gate 0 .*: it reads itself or a later gate"),
        (b"aig 2 1 0 1 1\n4\n" + b"\xff" * 40, "and gate 0 .*: a number of more than 32 bits"),
    ],
)
def test_refused(data, message):
    with pytest.raises(InputError, match=message):
        read(data)


SYMBOLS = b"i0 x1\ni1 x2\ni2 x3\no0 o1\nc\nwritten by Gatewalk\n"


def test_written_in_ascii(figure_1):
    ands = "8 4 2\n10 9 7\n12 11 9\n14 13 4\n"
    assert write_ascii(figure_1) == f"aag 7 3 0 1 4\n2\n4\n6\n14\n{ands}".encode() + SYMBOLS


def test_both_forms_are_read_by_either_name(figure_1, tmp_path):
    for suffix in (".aag", ".aig"):
        for write in (write_ascii, write_binary):
            path = tmp_path / f"circuit{suffix}"
            path.write_bytes(write(figure_1))
            assert equivalent(read_file(path), figure_1)


def test_no_two_signals_are_called_alike(odd_labels):
    again = read(write_ascii(odd_labels))
    assert equivalent(again, odd_labels)
    assert again.input_labels == ("a b", "a_b", "a[0]", "module", "é/*")
    assert again.output_labels == ("a_b_2", "wire", "_", "a b", "g1")


def test_written_in_binary(figure_1):
    # The differences 8-4 4-2, 10-9 9-7, 12-11 11-9, 14-13 13-4, a byte each.
    assert write_binary(figure_1) == b"aig 7 3 0 1 4\n14\n\x04\x02\x01\x02\x01\x02\x01\x09" + SYMBOLS


def test_large_differences_take_several_bytes():
    inputs = 20_000
    labels = tuple(f"x{i}" for i in range(inputs))
    wide = Circuit(labels, (Node(GATES["and"], (0, inputs - 1)),), (inputs,), ("y",))
    again = read(write_binary(wide))
    assert sorted(again.nodes[0].sources) == [0, inputs - 1]
    assert again.input_labels == wide.input_labels
