"""BLIF: its statements, covers, models within models, gates of libraries, and what is refused."""

import pytest

from gatewalk.boolean.gates import gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.boolean.targets import family_target
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.formats import blif
from gatewalk.circuit.formats.blif import Instance, read, read_models, write
from gatewalk.circuit.formats.genlib import read_genlib
from gatewalk.errors import InputError

TEXT = """# a comment
.model top
.inputs a b \\
 c
.outputs y
.names a b y  # and
11 1
.subckt part in=c out=z
.end
.model part
.input in
.output out
.names in out
0 1
"""


def test_statements():
    top, part = read_models(TEXT).values()
    assert (top.inputs, top.outputs) == (["a", "b", "c"], ["y"])
    (table,) = top.tables
    assert (table.line, table.reads, table.signal, table.cubes, table.value) == (
        6,
        ("a", "b"),
        "y",
        ["11"],
        "1",
    )
    assert top.subcircuits == [Instance(8, "part", {"in": "c", "out": "z"})]
    assert (part.line, part.inputs, part.tables[0].cubes) == (10, ["in"], ["0"])
    assert list(read_models(TEXT)) == ["top", "part"]


def test_a_text_without_a_model_is_one():
    (model,) = read_models(".inputs a\n.outputs a\n").values()
    assert (model.line, model.inputs) == (1, ["a"])


def outputs_of(circuit):
    n = len(circuit.input_labels)
    return unpack(evaluate(circuit, projections(n)), 1 << n).astype(int).tolist()


def test_written(figure_1):
    assert write(figure_1) == (
        ".model gatewalk\n.inputs x1 x2 x3\n.outputs o1\n"
        ".names x1 x2 g1\n11 1\n.names g1 x3 g2\n00 1\n"
        ".names g2 g1 g3\n-1 1\n1- 1\n.names g3 x2 o1\n11 1\n.end\n"
    )


def test_a_full_adder_as_others_write_it():
    text = """
# a comment
.model full_adder   # another
.inputs a \\
        b
.inputs cin
.outputs sum cout
.names t cin sum
10 1
01 1
.names a b cin cout # majority by its zeros
00- 0
0-0 0
-00 0
.names a b t
10 1
01 1
.end
"""
    circuit = read(text)
    assert circuit.input_labels == ("a", "b", "cin")
    assert circuit.output_labels == ("sum", "cout")
    assert [node.gate.name for node in circuit.nodes] == ["xor", "xor", "maj"]
    assert outputs_of(circuit) == [
        [(a + b + c) % 2 for c in (0, 1) for b in (0, 1) for a in (0, 1)],
        [(a + b + c) // 2 for c in (0, 1) for b in (0, 1) for a in (0, 1)],
    ]


@pytest.mark.parametrize(
    ("rows", "values"),
    [
        ("", [0, 0, 0, 0]),
        ("-- 1", [1, 1, 1, 1]),
        ("-- 0", [0, 0, 0, 0]),
        ("11 1", [0, 0, 0, 1]),
        ("11 0", [1, 1, 1, 0]),
        ("1- 1\n-1 1", [0, 1, 1, 1]),
        ("1 0 1", [0, 1, 0, 0]),
    ],
)
def test_covers(rows, values):
    assert outputs_of(read(f".model m\n.inputs a b\n.outputs y\n.names a b y\n{rows}\n.end")) == [values]


def test_constants():
    text = ".model m\n.inputs a\n.outputs zero one also\n.names zero\n.names one\n1\n.names also\n0\n"
    assert outputs_of(read(text)) == [[0, 0], [1, 1], [0, 0]]


def test_wide_covers_become_small_gates():
    head = ".model m\n.inputs a b c d e\n.outputs y z\n"
    circuit = read(head + ".names a b c d e y\n1-01- 1\n00--1 1\n.names a b c d z\n1111 0\n")
    assert {node.gate.name for node in circuit.nodes} <= {"and", "or", "not"}
    y = [(a and not c and d) or (not a and not b and e) for a, b, c, d, e in rows(5)]
    z = [not (a and b and c and d) for a, b, c, d, _ in rows(5)]
    assert outputs_of(circuit) == [[int(bool(value)) for value in column] for column in (y, z)]


def rows(n):
    return [[row >> i & 1 for i in range(n)] for row in range(1 << n)]


def test_a_hundred_inputs_in_one_cover():
    names = " ".join(f"x{i}" for i in range(100))
    circuit = read(f".model m\n.inputs {names}\n.outputs y\n.names {names} y\n{'1' * 100} 1\n.end\n")
    assert len(circuit) == 99
    assert equivalent(circuit, family_target("and:100"))


def test_wires_to_outputs_are_no_gates_and_buffers_are():
    wire = Circuit(("a", "b"), (), (0, 0, 1), ("y", "z", "b"))
    assert read(write(wire)) == wire
    buffer = Circuit(("a",), (Node(gate("buf"), (0,)),), (1,), ("y",))
    assert read(write(buffer)) == buffer


def test_an_output_that_bears_the_name_of_another_input():
    crossed = Circuit(("a", "b"), (), (1, 0), ("a", "b"))
    again = read(write(crossed))
    assert equivalent(again, crossed)
    assert again.output_labels == ("a_2", "b_2")


def test_labels_that_blif_cannot_hold():
    odd = Circuit(("a b", "a#b", "c\\"), (Node(gate("and"), (0, 1)),), (3,), ("a=b",))
    again = read(write(odd))
    assert equivalent(again, odd)
    assert again.input_labels == ("a_b", "a_b_2", "c_")


def test_a_thousand_inputs_in_lines_one_can_read():
    wanted = Circuit(tuple(f"x{i}" for i in range(1000)), (), (999,), ("y",))
    assert max(map(len, write(wanted).splitlines())) <= 81
    assert read(write(wanted)) == wanted


def test_what_no_output_needs_is_left_out():
    text = ".model m\n.inputs a b\n.outputs y\n.names $false\n.names a b t\n11 1\n.names a b y\n10 1\n.end\n"
    assert len(read(text)) == 1


def test_attributes_and_delays_are_passed_over():
    text = (
        ".model m\n.inputs a\n.outputs y\n.names a y\n0 1\n.attr src x\n.default_input_arrival 0 0\n.area 3\n"
    )
    assert read(text).nodes[0].gate.name == "not"


def test_a_deep_chain_given_backwards():
    lines = [f".names s{i} s{i + 1}\n0 1" for i in reversed(range(5000))]
    circuit = read("\n".join([".model m\n.inputs s0\n.outputs s5000", *lines, ".end"]))
    assert len(circuit) == 5000
    assert outputs_of(circuit) == [[0, 1]]


HALF = ".model half\n.inputs a b\n.outputs s c\n.names a b s\n10 1\n01 1\n.names a b c\n11 1\n.end\n"


def test_models_within_models_are_put_in_their_place():
    adder = (
        ".model adder\n.inputs a b c\n.outputs s c2\n.subckt half a=a b=b s=t c=c0\n"
        ".subckt half a=t b=c s=s c=c1\n.names c0 c1 c2\n1- 1\n-1 1\n.end\n"
    )
    wider = (
        ".model top\n.inputs a0 a1 b0 b1\n.outputs s0 s1 s2\n.subckt half a=a0 b=b0 s=s0 c=t\n"
        ".subckt adder a=a1 b=b1 c=t s=s1 c2=s2\n.end\n"
    )
    circuit = read(wider + adder + HALF)
    wanted = [[(x & 3) + (x >> 2) >> k & 1 for x in range(16)] for k in range(3)]
    assert outputs_of(circuit) == wanted
    assert circuit.input_labels == ("a0", "a1", "b0", "b1")


def test_an_output_may_be_left_open():
    text = ".model top\n.inputs x y\n.outputs z\n.subckt half a=x b=y c=z\n.end\n" + HALF
    assert [node.gate.name for node in read(text).nodes] == ["and"]


def test_gates_of_a_library():
    library = read_genlib("GATE nd 1 Y=!(A*B);\nGATE zero 0 Y=CONST0;\nGATE wide 4 Y=A B C D + E;")
    gates = ".gate zero Y=z\n.gate nd A=a B=b Y=t\n.gate nd B=z A=t Y=y\n.end\n"
    circuit = read(HEAD + gates, library=library)
    assert [node.gate.name for node in circuit.nodes] == ["const0", "nand", "nand"]
    wide = read(HEAD + ".gate wide A=a B=b C=a D=b E=a Y=y", library=library)
    assert outputs_of(wide) == [[0, 1, 0, 1]]


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("nd3 A=a Y=y", "line 4: the library has no gate 'nd3'"),
        ("nd A=a Y=y", "line 4: pin 'B' of gate 'nd' is not connected"),
        ("nd A=a B=b", "line 4: pin 'Y' of gate 'nd' is not connected"),
        ("nd A=a B=b C=a Y=y", "line 4: gate 'nd' has no pin 'C'"),
        ("nd A=a A=b Y=y", "line 4: 'A' is connected twice"),
        ("nd A a", "line 4: 'A' is not of the form formal=signal"),
        ("", "line 4: .gate needs the name"),
    ],
)
def test_refused_gates(statement, message):
    with pytest.raises(InputError, match=message):
        read(HEAD + f".gate {statement}", library=read_genlib("GATE nd 1 Y=!(A*B);"))


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        (".subckt half a=a s=y", "line 4: input 'b' of model 'half' is not connected"),
        (".subckt half a=a b=b q=y", "line 4: model 'half' has no input or output 'q'"),
        (".subckt m a=a b=b y=y", "line 4: model 'm' contains itself"),
        (".subckt half a=a b=b s=y c=y", "is defined again"),
    ],
)
def test_refused_subcircuits(statement, message):
    with pytest.raises(InputError, match=message):
        read(HEAD + statement + "\n.end\n" + HALF)


def test_models_that_contain_each_other_or_too_many_are_refused(monkeypatch):
    monkeypatch.setattr(blif, "MOST_SIGNALS", 10_000)
    part = ".model m{}\n.inputs a\n.outputs y\n.subckt m{} a=a y=t\n.subckt m{} a=t y=y\n.end\n"
    with pytest.raises(InputError, match="model 'm0' contains itself"):
        read(part.format(0, 1, 1) + part.format(1, 2, 2) + part.format(2, 0, 0))
    with pytest.raises(InputError, match="more than 64 deep"):
        read("".join(part.format(i, i + 1, i + 1) for i in range(100)))
    doubled = "".join(part.format(i, i + 1, i + 1) for i in range(40))
    with pytest.raises(InputError, match="flattened, the file has more than 10,000 signals"):
        read(doubled + ".model m40\n.inputs a\n.outputs y\n.names a y\n0 1\n.end\n")


HEAD = ".model m\n.inputs a b\n.outputs y\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + ".latch a y re clk 2", "line 4: .latch is a latch, but Gatewalk reads combinational"),
        (HEAD + ".subckt other a=a y=y", "line 4: there is no model 'other' in this file"),
        (HEAD + ".gate nand2 A=a B=b O=y", "line 4: .gate 'nand2' is a library gate; give its genlib"),
        (HEAD + ".names a b y\n11 1\n.model m", "line 6: a second model with the name 'm'"),
        (HEAD + ".names a b y\n111 1", "line 5: a row here needs 2 characters"),
        (HEAD + ".names a b y\n1 1", "line 5: a row here needs 2 characters"),
        (HEAD + ".names a b y\n1x 1", "line 5: a row"),
        (HEAD + ".names a b y\n11 2", "line 5: a row"),
        (HEAD + ".names a b y\n11 1\n00 0", "line 6: .* rows for 0 and rows for 1"),
        (
            HEAD + ".names a b \\\n y\n11 1\n\n.names b y\n1 1",
            "line 8: 'y' is defined again, first on",
        ),
        (HEAD + ".names b a\n1 1\n.names a y\n1 1", "line 4: 'a' is an input"),
        (HEAD + ".names\n", "line 4: .names needs"),
        (HEAD + "11 1", "line 4: '11 1' does not belong to a .names table"),
        (HEAD + ".foo", "line 4: unknown statement '.foo'"),
        (HEAD, "signal 'y' is neither an input nor defined .it is an output"),
        (
            HEAD + ".names a c y\n11 1",
            "signal 'c' is neither an input nor defined .*read on line 4",
        ),
        (HEAD + ".names a t y\n11 1\n.names y t\n1 1", "depends on itself"),
        (HEAD + ".names a y y\n11 1", "line 4: 'y' depends on itself"),
        (".model m\n.inputs a\n.end", "no .outputs"),
        ("", "no .outputs"),
        (".model m\n.inputs a a\n.outputs a", "two inputs have the name 'a'"),
    ],
)
def test_refused(text, message):
    with pytest.raises(InputError, match=message):
        read(text)
