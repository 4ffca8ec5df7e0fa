"""Circuits as functions of Python and of C, and as expressions of SymPy: on all rows as the circuit."""

import ctypes
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.files import write_file
from gatewalk.circuit.formats import c_function, python_function, sympy_module
from gatewalk.circuit.formats.python_function import identifier


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("sum", "sum"),
        ("a b", "a_b"),
        ("A[3]", "A_3_"),
        ("3rd", "_3rd"),
        ("if", "if_"),
        ("__x", "_x"),
        ("é", "_x"),
        ("", "_x"),
        ("___", "_x"),
    ],
)
def test_labels_as_identifiers(label, name):
    spelt = identifier({"if", "for"})(label)
    assert spelt == name
    assert spelt.isidentifier()


@pytest.mark.parametrize("name", GATES)
def test_every_gate_in_python(name):
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


def check_sympy(circuit):
    expressions = circuit.to_sympy()
    assert list(expressions) == list(circuit.output_labels)
    for bits in product((0, 1), repeat=len(circuit.input_labels)):
        values = dict(zip(circuit.input_labels, map(bool, bits), strict=True))
        wanted = circuit(values)
        assert {label: int(bool(found.subs(values))) for label, found in expressions.items()} == wanted


def test_every_gate_in_sympy():
    nodes = tuple(Node(one, (0, 1, 2)[: one.arity]) for one in GATES.values())
    check_sympy(
        Circuit(("x", "y", "z"), nodes, tuple(range(3, 3 + len(nodes))), tuple(f"o_{name}" for name in GATES))
    )


def test_random_circuits_in_sympy(make_circuit):
    for seed in range(8):
        check_sympy(make_circuit(seed, inputs=3, gates=8))


def test_it_reads_as_the_gates_do(figure_1):
    assert str(figure_1.to_sympy()["o1"]) == "x2 & ((x1 & x2) | ~(x3 | (x1 & x2)))"


def load(circuit):
    names = {}
    exec(compile(python_function.write(circuit), "circuit.py", "exec"), names)
    return names


def outputs_of(found, circuit):
    return list(found) if len(circuit.outputs) > 1 else [found]


def test_python_as_written(figure_1):
    assert python_function.write(figure_1) == (
        "INPUTS = ('x1', 'x2', 'x3')\nOUTPUTS = ('o1',)\n\n\ndef circuit(x1, x2, x3, *, mask=1):\n"
        '    """The outputs, bit r of each for row r; `mask` holds the bits that count."""\n'
        "    g1 = x1 & x2\n    g2 = mask ^ (g1 | x3)\n    g3 = g2 | g1\n    g4 = g3 & x2\n"
        "    return g4 & mask\n"
    )


def test_bits_integers_and_arrays(some_circuits, odd_labels):
    for circuit in [*some_circuits, odd_labels]:
        function = load(circuit)["circuit"]
        n = len(circuit.input_labels)
        rows = unpack(projections(n), 1 << n)
        wanted = unpack(evaluate(circuit, projections(n)), 1 << n)
        for kind in (int, bool):
            for row, values in zip(rows.T, wanted.T, strict=True):
                found = outputs_of(function(*map(kind, row)), circuit)
                assert [int(value) for value in found] == values.astype(int).tolist()
        numbers = [sum(int(bit) << r for r, bit in enumerate(row)) for row in rows]
        found = outputs_of(function(*numbers, mask=(1 << (1 << n)) - 1), circuit)
        assert found == [sum(int(bit) << r for r, bit in enumerate(row)) for row in wanted]
        words = outputs_of(function(*projections(n), mask=2**64 - 1), circuit)
        assert all(word.dtype == np.uint64 for word in words)
        assert (unpack(np.array(words), 1 << n) == wanted).all()
        arrays = outputs_of(function(*rows.astype(np.int8)), circuit)
        assert (np.array(arrays) == wanted).all()


def test_labels_are_kept_apart_from_the_parameters(odd_labels):
    names = load(odd_labels)
    assert names["INPUTS"] == odd_labels.input_labels
    assert names["OUTPUTS"] == odd_labels.output_labels
    assert names["circuit"].__code__.co_varnames[:5] == ("a_b_2", "a_b", "a_0_", "module", "_x")


@pytest.mark.parametrize("label", ["lambda", "match", "mask", "1st", "", "_", "__x", "é", "a b", "None"])
def test_any_label_is_a_parameter(label, figure_1):
    function = load(replace(figure_1, input_labels=(label, "x2", "x3")))["circuit"]
    assert function(1, 1, 1) == 1


def test_sympy_as_written(figure_1):
    assert sympy_module.write(figure_1) == (
        "from sympy import Symbol, false, true\n\nx1 = Symbol('x1')\nx2 = Symbol('x2')\nx3 = Symbol('x3')\n"
        "inputs = [x1, x2, x3]\n\ng1 = x1 & x2\ng2 = ~(g1 | x3)\ng3 = g2 | g1\ng4 = g3 & x2\n"
        "outputs = {\n    'o1': g4,\n}\n"
    )


def test_sympy_reads_the_file(every_gate, make_circuit, odd_labels):
    sympy = pytest.importorskip("sympy")
    for circuit in (every_gate, odd_labels, *(make_circuit(seed) for seed in range(8))):
        names = {}
        exec(compile(sympy_module.write(circuit), "circuit.sympy.py", "exec"), names)
        assert [symbol.name for symbol in names["inputs"]] == list(circuit.input_labels)
        n = len(circuit.input_labels)
        wanted = unpack(evaluate(circuit, projections(n)), 1 << n)
        for label, values in zip(circuit.output_labels, wanted, strict=True):
            for row, bits in enumerate(product((False, True), repeat=n)):
                given = dict(zip(names["inputs"], reversed(bits), strict=True))
                assert sympy.sympify(names["outputs"][label]).subs(given) == bool(values[row])


def test_c_as_written(figure_1):
    lines = [line.strip() for line in c_function.write(figure_1).splitlines()]
    assert "void circuit(const uint64_t *in, uint64_t *out)" in " ".join(lines)
    assert "const uint64_t g1 = x1 & x2;" in lines
    assert "out[0] = g4;" in lines


def test_no_label_can_end_a_comment(figure_1):
    text = c_function.write(replace(figure_1, input_labels=("*/ int x;", "é", "x3")))
    assert "*/ int x;" not in text
    assert text.isascii()


def test_a_compiler_takes_our_c_without_a_warning(tool, run, some_circuits, odd_labels, tmp_path):
    compiler = tool("cc", "gcc")
    for number, circuit in enumerate([*some_circuits, odd_labels]):
        write_file(circuit, tmp_path / "ours.c")
        flags = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-shared", "-fPIC")
        run(compiler, *flags, "-o", f"ours{number}.so", "ours.c")
        function = ctypes.CDLL(str(tmp_path / f"ours{number}.so")).circuit
        n = len(circuit.input_labels)
        inputs = projections(n)
        wanted = evaluate(circuit, inputs)
        for word in range(inputs.shape[1]):
            given = np.ascontiguousarray(inputs[:, word])
            found = np.zeros(len(circuit.outputs), np.uint64)
            function(ctypes.c_void_p(given.ctypes.data), ctypes.c_void_p(found.ctypes.data))
            rows = min(64, 1 << n)
            assert (unpack(found[:, None], rows) == unpack(wanted[:, word : word + 1], rows)).all()
