"""Expressions as targets and circuits as equations: read as they are printed, refused with the place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, unpack
from gatewalk.boolean.targets import label_of
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.construction import circuit_named
from gatewalk.circuit.equations import MOST_CHARACTERS, read_equations
from gatewalk.circuit.own_targets import kind_of, target
from gatewalk.circuit.text import operands_read
from gatewalk.errors import InputError

INPUTS = [f"x{i}" for i in range(1, 5)]

# Texts whose ~ & ^ | bind as Python's, with blanks and parentheses anywhere.
texts = st.recursive(
    st.sampled_from([*INPUTS, "0", "1"]),
    lambda inner: st.one_of(
        inner.map("~{}".format).map("({})".format),
        inner.map("( {} )".format),
        st.tuples(inner, st.sampled_from((" & ", "&", " ^", "| ")), inner).map("".join),
    ),
    max_leaves=20,
)


@given(texts)
def test_an_expression_is_what_python_computes(text):
    circuit = read_equations(f"{text} & (x4 | ~x4)")
    rows = [{name: row >> j & 1 for j, name in enumerate(INPUTS)} for row in range(16)]
    wanted = [eval(f"{text} & (x4 | ~x4)", {}, row) & 1 for row in rows]
    assert unpack(evaluate(circuit, projections(4)), 16)[0].astype(int).tolist() == wanted
    assert circuit.output_labels == ("y",)


@st.composite
def circuits(draw):
    """Circuits with the labels that inputs have by default, of gates whose signs name all their inputs."""
    inputs = draw(st.integers(1, 5))
    nodes = []
    signs = [
        gate for gate in GATES.values() if "maj" not in gate.symbol and len(operands_read(gate)) == gate.arity
    ]
    for i in range(draw(st.integers(0, 15))):
        gate = draw(st.sampled_from(signs))
        nodes.append(Node(gate, tuple(draw(st.integers(0, inputs + i - 1)) for _ in range(gate.arity))))
    outputs = draw(st.lists(st.integers(0, inputs + len(nodes) - 1), min_size=1, max_size=3))
    labels = ("y",) if len(outputs) == 1 else ("s[0]", "s[1]", "carry")[: len(outputs)]
    return Circuit((*INPUTS, "x5")[:inputs], tuple(nodes), tuple(outputs), labels)


@given(circuits())
def test_a_circuit_is_read_as_it_prints_itself(circuit):
    read = read_equations(str(circuit))
    assert read.output_labels == circuit.output_labels
    columns = projections(5)  # inputs that nothing reads are not printed
    assert (
        evaluate(read, columns[: len(read.input_labels)])
        ^ evaluate(circuit, columns[: len(circuit.input_labels)])
    ).any() == 0


def test_lines_stand_in_any_order_and_names_that_are_read_are_no_outputs():
    adder = read_equations("carry = x1 & x2 | half & x3\n\nhalf = x1 ^ x2; sum = half ^ x3\n")
    assert adder.input_labels == ("x1", "x2", "x3")
    assert adder.output_labels == ("carry", "sum")
    assert adder(1, 0, 1) == (1, 0)
    assert read_equations("x1 ? x2 : x3").counts == {"mux": 1}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x1 &", "character 4: an expression ends where a signal was expected"),
        ("x1 & )", "character 6: '.' where a signal was expected"),
        ("(x1 | x2", r"character 1: '\(' without its '\)'"),
        ("x1 | x2)", r"character 8: '\)' without its '\('"),
        ("x1 ? x2", r"character 4: '\?' without its ':'"),
        ("x1 + x2", r"character 4: '\+' where an operator was expected"),
        ("x1 & a", "character 6: 'a' is neither an input, as x1, x2, ..., nor the name of a line"),
        ("x0 & x1", "character 1: 'x0' is neither an input"),
        ("y = x1;\nz = x2 x3", "line 2, character 8: 'x3' where an operator was expected"),
        ("x2 = x1", "character 1: x2 is an input; give the output another name"),
        ("x1; x2", "line 1: with several lines each needs a name, as in y1 = x1 & x2"),
        ("y = x1; y = x2", "line 1: 'y' is defined again"),
        ("a = b | x1\nb = a\ny = a", "line 1: 'a' depends on itself"),
        ("y = ~y", "none is an output"),
        (" ; ", "an expression is empty"),
        ("x99999", "at most 65,536 inputs"),
        ("(" * 1000 + "x1", r"character 1000: '\(' without"),
        ("~" * MOST_CHARACTERS + "x1", "at most 65,536 characters"),
    ],
)
def test_a_mistake_is_told_with_its_place(text, words):
    with pytest.raises(InputError, match=words) as error:
        read_equations(text)
    assert "\n" not in str(error.value)


def test_an_expression_is_a_target_seeded_by_what_it_computes():
    made = target("x1 & (x2 | ~x3)")
    assert made.content == "table:3:0x8a"
    assert label_of(made.name) == "x1 & (x2 | ~x3)"
    assert target(made.name) == made
    assert target("x1  & x2", name="both").label == "both"
    assert target("s = x1 ^ x2; c = x1 & x2").output_labels == ("s", "c")
    assert target("x4").inputs == 4
    wide = target(" ^ ".join(f"x{i}" for i in range(1, 100)))
    assert (wide.inputs, wide.family, len(wide.label)) == (99, "netlist", 31)
    with pytest.raises(InputError, match=r"^target 'x1 &': character 4: "):
        target("x1 &")
    with pytest.raises(InputError, match="target '1': a target reads an input, such as x1"):
        target("1")


def test_a_circuit_of_an_expression_is_as_it_is_written():
    assert str(circuit_named("y = ~(x1 & ~(x2 ^ x3))")) == "y = ~(x1 & ~(x2 ^ x3))"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("and:8", "name"),
        ("and", "name"),
        ("and 8", "name"),
        ("sort:10", "name"),
        ("table:3:0x96/0xfe", "packed"),
        ("x1 & x2@table:2:0x8", "packed"),
        ("x@netlist:abc", "packed"),
        ("mine.py:dnf:5", "python"),
        ("some/where/mine.py:dnf", "python"),
        ("f.pla", "file"),
        ("x1.pla", "file"),
        ("x1 & x2.v", "file"),
        ("./x1", "file"),
        ("mine.py", "file"),
        ("x1", "expression"),
        ("x1 & x2", "expression"),
        ("~x1", "expression"),
        ("y = x1 ? x2 : x3", "expression"),
        ("x1 and x2", "expression"),
        ("0", "expression"),
        ("10", "name"),
    ],
)
def test_a_text_is_of_one_kind(text, kind):
    assert kind_of(text) == kind


def test_what_a_text_is_does_not_depend_on_the_files_there_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x1", "x1 & x2", "and:8"):
        (tmp_path / name).write_text("")
    assert target("x1 & x2").content == "table:2:0x8"
    assert target("x1").inputs == 1
    assert target("and:8").name == "and:8"
