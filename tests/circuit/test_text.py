"""Expressions are read back and evaluated; lists are complete."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.labels import source_names
from gatewalk.circuit.text import (
    LINE,
    expression_lines,
    formula_without_not,
    gate_formula,
    listing,
    operands_read,
)


class Bit:
    """A bit with Python's operators, so that an expression evaluates as Python."""

    def __init__(self, value):
        self.value = bool(value)

    def __and__(self, other):
        return Bit(self.value and other.value)

    def __or__(self, other):
        return Bit(self.value or other.value)

    def __xor__(self, other):
        return Bit(self.value != other.value)

    def __invert__(self):
        return Bit(not self.value)

    def __bool__(self):
        return self.value


def as_python(text):
    """The constants as bits, and `s ? a : b` as a call: both its operands and s are single pieces."""
    text = re.sub(r"\b([01])\b", r"Bit(\1)", text)
    before, question, after = text.partition(" ? ")
    if not question:
        return text
    start, colon = piece_before(before), piece_after(after)
    one, other = after[:colon], after[colon + 3 :]
    end = piece_after(other)
    return as_python(f"{before[:start]}pick({before[start:]}, {one}, {other[:end]}){other[end:]}")


def piece_after(text):
    """Where the first piece of the text ends: a name, a call or parentheses, perhaps negated."""
    level = 0
    for place, sign in enumerate(text):
        level += {"(": 1, ")": -1}.get(sign, 0)
        if level < 0 or (level == 0 and sign in " ,"):
            return place
    return len(text)


def piece_before(text):
    """Where the last piece of the text starts."""
    level = 0
    for place in reversed(range(len(text))):
        level += {")": 1, "(": -1}.get(text[place], 0)
        if level < 0 or (level == 0 and text[place] in " ,"):
            return place + 1
    return 0


def pick(select, one, other):
    return one if select else other


def majority(a, b, c):
    return a & b | a & c | b & c


def evaluated(lines, bits):
    names = {name: Bit(value) for name, value in bits.items()}
    for line in lines:
        name, text = line.split(" = ", 1)
        names[name] = eval(as_python(text), {"Bit": Bit, "maj": majority, "pick": pick}, dict(names))
    return names


def check(circuit):
    n = len(circuit.input_labels)
    lines = expression_lines(circuit)
    outputs = unpack(evaluate(circuit, projections(n)), 1 << n)
    for row in range(1 << n):
        bits = {label: row >> i & 1 for i, label in enumerate(circuit.input_labels)}
        values = evaluated(lines, bits)
        assert [bool(values[label]) for label in circuit.output_labels] == outputs[:, row].tolist(), lines


def test_expressions_mean_the_circuit(make_circuit):
    @given(st.integers(0, 2**32))
    def run(seed):
        check(make_circuit(seed, inputs=4))

    run()


@pytest.mark.parametrize("name", GATES)
def test_every_gate_over_terms_that_need_parentheses(name):
    inner = [("and", (0, 1)), ("or", (2, 3)), ("mux", (0, 2, 3)), ("not", (1,))]
    nodes = [Node(GATES[inner_name], sources) for inner_name, sources in inner]
    for first in range(4):
        sources = tuple(4 + (first + j) % 4 for j in range(GATES[name].arity))
        check(Circuit(tuple("pqrs"), (*nodes, Node(GATES[name], sources)), (8,), ("y",)))


def test_a_shared_term_is_written_once(figure_1):
    assert expression_lines(figure_1) == ["g1 = x1 & x2", "o1 = (~(g1 | x3) | g1) & x2"]


def test_a_chain_has_no_parentheses():
    nodes = tuple(Node(GATES["xor"], (1 + i if i else 0, 1)) for i in range(3))
    assert expression_lines(Circuit(("p", "q"), nodes, (4,), ("y",))) == ["y = p ^ q ^ q ^ q"]


def test_hundreds_of_gates_stay_readable(make_circuit):
    circuit = make_circuit(3, inputs=12, gates=400, names=("and", "or", "xor", "nand", "nor"))
    lines = expression_lines(circuit)
    assert max(map(len, lines)) < 2 * LINE
    assert len(lines) < 400 + len(circuit.outputs)
    chain = Circuit(
        tuple(f"x{i + 1}" for i in range(300)),
        tuple(Node(GATES["and"], (300 + i - 1 if i else 0, i + 1)) for i in range(299)),
        (598,),
        ("y",),
    )
    assert max(map(len, expression_lines(chain))) < 2 * LINE


def test_listing(figure_1):
    assert listing(figure_1) == [
        "name  gate    inputs  level",
        "g1    and     x1, x2  1",
        "g2    nor     g1, x3  2",
        "g3    or      g2, g1  3",
        "g4    and     g3, x2  4",
        "o1    output  g4      4",
    ]


def test_listing_marks_what_nothing_reads():
    nodes = (Node(GATES["const1"], ()), Node(GATES["not"], (0,)))
    lines = listing(Circuit(("x",), nodes, (2,), ("y",)))
    assert lines[1].split() == ["g1", "const1", "-", "1", "(unread)"]
    assert expression_lines(Circuit(("x",), nodes, (2,), ("y",))) == ["y = ~x"]


def test_names_of_gates_avoid_labels():
    circuit = Circuit(("g1", "b"), (Node(GATES["and"], (0, 1)),), (2,), ("g2",))
    assert source_names(circuit) == ("g1", "b", "g_1")


def test_a_gate_without_a_symbol_is_written_as_a_call():
    own = Gate("own", 5, 1 << 31, "")
    nodes = (Node(GATES["or"], (0, 1)), Node(own, (5, 1, 2, 3, 4)), Node(GATES["not"], (6,)))
    circuit = Circuit(tuple("vwxyz"), nodes, (7,), ("o",))
    assert str(circuit) == "o = ~own(v | w, w, x, y, z)"


@pytest.mark.parametrize("arity", [0, 1, 2, 3])
def test_every_table(arity):
    for table in range(1 << (1 << arity)):
        gate = Gate("own", arity, table, "")
        operands = "abc"[:arity]
        text = gate_formula(gate, operands, zero="0", one="1")
        other = formula_without_not(gate, operands, zero="0", one="m", ones="m")
        for row in range(1 << arity):
            values = {letter: row >> j & 1 for j, letter in enumerate(operands)} | {"m": 1}
            assert eval(text, {}, values) & 1 == table >> row & 1, text
            assert eval(other, {}, values) == table >> row & 1, other
        read = {j for j in range(arity) if "abc"[j] in text}
        assert read == set(operands_read(gate))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nand", "~(a & b)"),
        ("nimply", "a & ~b"),
        ("imply", "~a | b"),
        ("xnor3", "~(a ^ b ^ c)"),
        ("buf_b", "b"),
        ("aoi21", "~(c | (a & b))"),
        ("true", "1"),
        ("mux", "(~a & b) | (a & c)"),
    ],
)
def test_as_one_writes_them(name, text):
    assert gate_formula(GATES[name], "abc", zero="0", one="1") == text
