"""Libraries in genlib, and cells as gates: known ones by what they do, others under their names."""

from itertools import permutations

import pytest

from gatewalk.boolean.gates import GATES, gate
from gatewalk.circuit.expressions import table
from gatewalk.circuit.formats.genlib import read_genlib
from gatewalk.circuit.library import cell_gates, library_areas, library_gates
from gatewalk.errors import InputError

CELLS = """
GATE zero 0 Y=CONST0;
GATE INVX1 1.5 Y=!A;
GATE INVX4 4 Y=!A;
GATE NAND2 2 Y=!(A*B);
GATE MX2 6 Y=A*!S+B*S;
GATE AOI22 4.5 Y=!(A*B+C*D);
GATE AOI22B 4 Y=!(A*B+C*D);
GATE AND8 9 Y=A*B*C*D*E*F*G*H;
"""


def test_gates_and_areas():
    library = read_genlib(CELLS)
    assert library_gates(library).texts == ("const0", "not", "nand", "mux", "AOI22=0x0777")
    assert library_areas(library) == {"const0": 0, "not": 1.5, "nand": 2, "mux": 6, "AOI22": 4}
    assert "AND8" not in cell_gates(library)


@pytest.mark.parametrize("order", list(permutations("ABS")))
def test_pins_are_those_of_the_cell_in_whatever_order(order):
    """A multiplexer whose expression names its pins in this order."""
    terms = {"A": "A*!S", "B": "B*S", "S": "S*A*B"}
    cell = read_genlib(f"GATE MX 1 Y={'+'.join(terms[pin] for pin in order)};")["MX"]
    found = cell_gates({"MX": cell})["MX"]
    pins = cell.expression.names
    assert found.gate == GATES["mux"]
    for row in range(8):
        values = [row >> j & 1 for j in range(3)]
        assert found.gate(*(values[pin] for pin in found.pins)) == table(cell.expression, pins) >> row & 1


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (("and",), ["cell_and"]),  # that name is taken by a gate that does something else
        (("22",), ["cell_22"]),
        (("a-b", "a.b"), ["a_b", "cell_a_b_2"]),
        (("x",), ["cell_x"]),
    ],
)
def test_names_that_gates_cannot_have(names, found):
    expressions = ("!(A*B+C*D)", "A*B+C*D")
    text = " ".join(f"GATE {name} 1 Y={one};" for name, one in zip(names, expressions, strict=False))
    gates = library_gates(read_genlib(text))
    assert list(gates.names) == found
    assert [gate(text) for text in gates.texts] == list(gates.gates)


def test_no_gate_at_all():
    with pytest.raises(InputError, match="no gate of up to 6 inputs"):
        library_gates({})


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
def test_operators_of_genlib(text, pins, value):
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
        ("GATE a 1 O=x=y;", "line 1: '=' is not a pin"),
        ("GATE a x O=x;", "line 1: 'x' is not an area"),
        ("GATE a -1 O=x;", "line 1: '-1' is not an area"),
        ("GATE a nan O=x;", "line 1: 'nan' is not an area"),
        ("GATE a 1e999 O=x;", "line 1: '1e999' is not an area"),
        ("LATCH a 1 Q=D;", "line 1: LATCH"),
        ("GTAE a", "line 1: 'GTAE' where GATE or PIN was expected"),
    ],
)
def test_refused_libraries(text, message):
    with pytest.raises(InputError, match=message):
        read_genlib(text)
