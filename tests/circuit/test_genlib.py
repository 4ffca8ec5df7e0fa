"""Libraries of gates: the operators, and what is refused by its line."""

import pytest

from gatewalk.circuit.expression import table
from gatewalk.circuit.genlib import read_genlib
from gatewalk.errors import InputError


@pytest.mark.parametrize(
    ("text", "pins", "value"),
    [
        ("!(A*B)", "AB", 0b0111),
        ("(A+B)'", "AB", 0b0001),
        ("A B", "AB", 0b1000),
        ("A' B", "AB", 0b0100),
        ("!A!B", "AB", 0b0001),
        ("(A)(B)", "AB", 0b1000),
        ("A''", "A", 0b10),
        ("A^B", "AB", 0b0110),
        ("A|B&C", "ABC", 0b11101010),
        ("A^B*C+D", "ABCD", 0b1111111101101010),
        ("CONST1", "", 1),
        ("CONST0", "", 0),
    ],
)
def test_operators(text, pins, value):
    cell = read_genlib(f'GATE "cell" 1.5 O = {text};')["cell"]
    assert (cell.output, cell.area) == ("O", 1.5)
    assert cell.expression.names == tuple(pins)
    assert table(cell.expression, pins) == value


def test_pins_and_comments_are_passed_over():
    text = "# library\nGATE a 1 O=x; PIN x NONINV 1 999 1 0 1 0 # x\nGATE b 2\n  Y=!x;\nPIN * INV"
    assert list(read_genlib(text)) == ["a", "b"]
    assert read_genlib("") == {}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("GATE", "line 1: a gate is written GATE name area"),
        ("\nGATE a 1 O=x", "line 2: a gate is written"),
        ("GATE a 1 O x;", "line 1: a gate is written"),
        ("GATE a 1 O=;", "line 1: a gate is written"),
        ("GATE a 1 O=x;\nGATE a 1 O=x;", "line 2: gate 'a' is defined again"),
        ("GATE a 1 O=x*;", "line 1: an expression ends"),
        ("GATE a 1 O=(x;", "line 1: '\\(' without"),
        ("GATE a 1 O=x=y;", "line 1: '=' is no pin"),
        ("GATE a x O=x;", "line 1: 'x' is no area"),
        ("GATE a -1 O=x;", "line 1: '-1' is no area"),
        ("GATE a nan O=x;", "line 1: 'nan' is no area"),
        ("GATE a 1e999 O=x;", "line 1: '1e999' is no area"),
        ("LATCH a 1 Q=D;", "line 1: LATCH"),
        ("GTAE a", "line 1: 'GTAE' where GATE or PIN was expected"),
    ],
)
def test_refused(text, message):
    with pytest.raises(InputError, match=message):
        read_genlib(text)
