"""Verilog: its words and statements, the circuits that they describe, and what is refused."""

import pytest

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.formats.verilog import read, read_module, words_of, write
from gatewalk.errors import InputError


def test_words_without_comments_and_attributes():
    text = "and // a gate\n/* two\nlines */ (* keep *) \\odd[name ;1'b0"
    assert [(token.kind, token.text, token.line) for token in words_of(text)] == [
        ("keyword", "and", 1),
        ("name", "odd[name", 3),
        (";", ";", 3),
        ("constant", "0", 3),
    ]


@pytest.mark.parametrize(
    "head",
    ["m (a, b, y); input a, b; output y;", "m (input a, b, output y);", "m (input a, input b, output y);"],
)
def test_ports_in_either_style(head):
    module = read_module(f"module {head}\nassign y = a & ~b;\nendmodule\n")
    assert (module.ports, list(module.inputs), list(module.outputs)) == (["a", "b", "y"], ["a", "b"], ["y"])
    (assignment,) = module.assignments
    assert (assignment.line, assignment.signal, assignment.primitive) == (2, "y", None)
    assert [token.text for token in assignment.operands[0].items] == ["a", "b", "~", "&"]


def test_several_gates_in_one_statement():
    text = "module m (input a, output y, z); and g (y, a, a), (z, a, 1'b1); endmodule"
    found = [(one.signal, one.primitive, len(one.operands)) for one in read_module(text).assignments]
    assert found == [("y", "and", 2), ("z", "and", 2)]


def values(circuit):
    n = len(circuit.input_labels)
    return unpack(evaluate(circuit, projections(n)), 1 << n).astype(int).tolist()


def names(circuit):
    return [node.gate.name for node in circuit.nodes]


def test_written(figure_1):
    assert write(figure_1) == (
        "module gatewalk (\n  x1,\n  x2,\n  x3,\n  o1\n);\n  input x1;\n  input x2;\n  input x3;\n"
        "  output o1;\n  wire g1;\n  wire g2;\n  wire g3;\n"
        "  and (g1, x1, x2);\n  nor (g2, g1, x3);\n  or (g3, g2, g1);\n  and (o1, g3, x2);\nendmodule\n"
    )
    assert read(write(figure_1)) == figure_1


@pytest.mark.parametrize(
    "head",
    [
        "module m (a, b, y); input a, b; output y; wire a; wire y;",
        "module m (input a, b, output y);",
        "module m (input wire a, input wire b, output wire y);",
        "`timescale 1ns / 1ps\n(* top = 1 *)\nmodule \\m$1 (a, b, y);\n /* several\n lines */ input a;\n"
        "input b; output wire y; // a comment\n",
    ],
)
def test_ports_of_a_circuit(head):
    circuit = read(head + " nand (y, a, b); endmodule")
    assert (circuit.input_labels, circuit.output_labels) == (("a", "b"), ("y",))
    assert names(circuit) == ["nand"]


HEAD = "module m (input a, input b, input c, input d, output y);\n"


@pytest.mark.parametrize(
    ("body", "gates"),
    [
        ("assign y = a & ~b;", ["nimply"]),
        ("assign y = a ? b : c;", ["mux"]),
        ("assign y = (a & b) | (b & c) | (a & c);", ["maj"]),
        ("assign y = !(a && b || c);", ["aoi21"]),
        ("assign y = a ^~ b;", ["xnor"]),
        ("assign y = a ~^ b;", ["xnor"]),
        ("assign y = a;", []),
        ("buf (y, a);", ["buf"]),
        ("assign y = 1'b0;", ["const0"]),
        ("assign y = 1 'h1;", ["const1"]),
        ("wire t = a & b; assign y = ~t;", ["and", "not"]),
        ("wire t, u; not n1 (t, u, a); or o (y, t, u);", ["not", "not", "or"]),
        ("xor (y, a, b, c);", ["xor3"]),
        ("nor g (y, a, b, c, d);", ["or", "or", "or", "not"]),
        ("and (y, a, ~b);", ["not", "and"]),
        ("assign y = a | b & c ^ d;", ["and", "xor", "or"]),
    ],
)
def test_statements(body, gates):
    assert names(read(HEAD + body + "\nendmodule\n")) == gates


def test_precedence_as_in_the_standard():
    text = HEAD + "assign y = a | b ^ c & ~d ? a && b | c || d : a ? b : c ^ d;\nendmodule"
    found = values(read(text))[0]
    for row in range(16):
        a, b, c, d = (row >> i & 1 for i in range(4))
        test = a | (b ^ (c & (1 - d)))
        assert found[row] == ((a & (b | c)) | d if test else (b if a else c ^ d))


def test_deep_nesting_and_long_chains():
    deep = 20_000
    text = HEAD + f"assign y = {'~(' * deep}a{')' * deep} & b & c & d;\nendmodule"
    assert values(read(text))[0] == [int(row == 15) for row in range(16)]
    chain = HEAD + f"assign y = {' ? b : '.join(['a'] * deep)} ? c : d;\nendmodule"
    assert len(read(chain)) == deep


def test_labels(odd_labels):
    again = read(write(odd_labels))
    assert equivalent(again, odd_labels)
    assert again.input_labels == ("a_b_2", "a_b", "a[0]", "module", "_/*")
    wire = Circuit(("a", "b"), (), (0, 0), ("a", "y"))
    assert read(write(wire)).output_labels == ("a_2", "y")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a Verilog file for Gatewalk begins with module"),
        ("\nassign y = a;", "line 2: a Verilog file for Gatewalk begins with module"),
        ("module", "line 1: module needs a name"),
        ("module m (a", "line 1: ports in parentheses"),
        ("module m (a);\ninput a;", "line 2: the module has no endmodule"),
        ("module m (input [3:0] a);", r"line 1: '\[3:0\]' is not supported"),
        ("module m (a, y);\ninput a;\nendmodule", "port 'y' is neither an input nor an output"),
        ("module m (a);\ninput a;\nendmodule", "the module has no output"),
        ("module m (a);\ninput a, b;\nendmodule", "line 2: 'b' is not among the module's ports"),
        ("module m (a);\ninput a;\noutput a;\nendmodule", "line 3: 'a' is declared twice"),
        ("module m (a, a); input a; endmodule", "no output"),
        ("module m (inout a); endmodule", "line 1: 'inout a' is not a scalar port"),
        (HEAD + "reg r;\nendmodule", "line 2: reg is not supported"),
        (HEAD + "always @(posedge a) y = b;\nendmodule", "line 2: '@"),
        (HEAD + "adder u1 (a, b, y);\nendmodule", "line 2: 'adder' is not a gate; flatten"),
        (HEAD + "assign y = a + b;\nendmodule", r"line 2: '\+' is not supported"),
        (HEAD + "assign y = 2'b01;\nendmodule", 'line 2: "2\'b01;" is not supported'),
        (HEAD + "assign y = 1'bx;\nendmodule", "line 2: .* is not supported"),
        (HEAD + "assign y = a b;\nendmodule", "line 2: 'b' where an operator was expected"),
        (HEAD + "assign y = a &;\nendmodule", "line 2: an expression ends where a signal"),
        (HEAD + "assign y = (a;\nendmodule", r"line 2: '\(' without its '\)'"),
        (HEAD + "assign y = a);\nendmodule", r"line 2: '\)' without its '\('"),
        (HEAD + "assign y = a ? b;\nendmodule", r"line 2: '\?' without its ':'"),
        (HEAD + "assign y = a : b;\nendmodule", r"line 2: ':' without its '\?'"),
        (HEAD + "assign y = (a ? b) : c;\nendmodule", r"line 2: '\)' without its '\('"),
        (HEAD + "assign = a;\nendmodule", "line 2: an assignment is written"),
        (HEAD + "assign y = a,;\nendmodule", "line 2: something is missing"),
        (HEAD + "assign y = a\nendmodule", "line 3: endmodule within a statement, a ';' is missing"),
        (HEAD + "and (y);\nendmodule", "line 2: and needs an output and inputs"),
        (HEAD + "and y;\nendmodule", "line 2: a gate is written and name"),
        (HEAD + "and (~y, a);\nendmodule", "line 2: the output of and must be a signal"),
        (HEAD + "assign y = a;\nassign y = b;\nendmodule", "line 3: 'y' is defined again, first on line 2"),
        (HEAD + "assign a = y;\nendmodule", "line 2: 'a' is an input and cannot be defined"),
        (
            HEAD + "assign y = t;\nendmodule",
            "signal 't' is neither an input nor defined .it is read on",
        ),
        (HEAD + "assign y = t;\nassign t = y & a;\nendmodule", "depends on itself"),
        (HEAD + "assign y = a; /* \nendmodule", r"line 2: '/\*' without its '\*/'"),
        (HEAD + "assign y = a;\nendmodule\nmodule n; endmodule", "line 4: only one module is read"),
    ],
)
def test_refused(text, message):
    with pytest.raises(InputError, match=message) as error:
        read(text)
    assert "\n" not in str(error.value)
