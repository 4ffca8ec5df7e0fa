"""The words and statements of a Verilog text; the circuit that they describe is tested with the format."""

from __future__ import annotations

import pytest

from gatewalk.circuit.verilog_text import read_module, words_of
from gatewalk.errors import InputError


def test_words_without_comments_and_attributes() -> None:
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
def test_ports_in_either_style(head: str) -> None:
    module = read_module(f"module {head}\nassign y = a & ~b;\nendmodule\n")
    assert (module.ports, list(module.inputs), list(module.outputs)) == (["a", "b", "y"], ["a", "b"], ["y"])
    (assignment,) = module.assignments
    assert (assignment.line, assignment.signal, assignment.primitive) == (2, "y", None)
    assert [token.text for token in assignment.operands[0].items] == ["a", "b", "~", "&"]


def test_primitives() -> None:
    text = "module m (input a, output y, z); and g (y, a, a), (z, a, 1'b1); endmodule"
    found = [(one.signal, one.primitive, len(one.operands)) for one in read_module(text).assignments]
    assert found == [("y", "and", 2), ("z", "and", 2)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a Verilog file for Gatewalk begins with module"),
        ("/* open", "line 1: .* without its"),
        ("module m (input a);\nalways @(a);\nendmodule", "line 2"),
        ("module m (input a); endmodule\nmodule n; endmodule", "line 2"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_module(text)
