"""Formulas of gates: right for every table of up to three inputs, and as one would write them."""

import pytest

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.formula import formula, formula_without_not, operands_read


@pytest.mark.parametrize("arity", [0, 1, 2, 3])
def test_every_table(arity):
    for table in range(1 << (1 << arity)):
        gate = Gate("own", arity, table, "")
        operands = "abc"[:arity]
        text = formula(gate, operands, zero="0", one="1")
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
    assert formula(GATES[name], "abc", zero="0", one="1") == text
