"""Truth tables as text: their order, hexadecimal ones, and what is refused."""

import pytest

from gatewalk.circuit.formats.truth_table import read, write
from gatewalk.errors import InputError


def test_the_row_of_all_ones_comes_first():
    circuit = read("1000\n1010\n1100\n")
    assert [node.gate.name for node in circuit.nodes] == ["and"]
    assert circuit.outputs == (2, 0, 1)
    assert circuit.input_labels == ("x1", "x2")
    assert circuit.output_labels == ("y1", "y2", "y3")
    assert write(circuit) == "1000\n1010\n1100\n"


def test_hexadecimal_comments_and_empty_lines():
    assert write(read("# majority\n\n0xE8 # of three\r\n0x96\n")) == "11101000\n10010110\n"


def test_constants_of_no_input():
    circuit = read("0\n1\n")
    assert circuit.input_labels == ()
    assert write(circuit) == "0\n1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no truth table"),
        ("10 01", "line 1: one table of 0 and 1 per line"),
        ("10\n\n1000", "line 3: a table of 4 rows, but the first has 2"),
        ("100", "line 1: a table of 3 rows; it must be a power of two"),
        ("0x123", "line 1: a table of 12 rows; it must be a power of two"),
        ("12", "line 1: '12' is no table"),
        ("0x", "line 1: '0x' is no table"),
        ("1_0", "line 1: '1_0' is no table"),
        ("0" * (1 << 21), "line 1: .*2,097,152 rows, Gatewalk reads .* 20 inputs"),
    ],
)
def test_refused(text, message):
    with pytest.raises(InputError, match=message):
        read(text)


def test_twenty_inputs_at_once():
    table = "10" * (1 << 19)
    assert read(table).outputs == (0,)
