"""The statements of a BLIF text, with their lines; connecting them is tested with the format."""

from __future__ import annotations

import pytest

from gatewalk.circuit.blif_text import Instance, read_models
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


def test_statements() -> None:
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


def test_a_text_without_a_model_is_one() -> None:
    (model,) = read_models(".inputs a\n.outputs a\n").values()
    assert (model.line, model.inputs) == (1, ["a"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".model a\n.model a\n", "line 2: a second model with the name 'a'"),
        ("11 1\n", "line 1: .* is a row of no .names table"),
        (".names\n", "line 1: .names needs the name"),
        (".names a y\n1 1\n0 0\n", "line 3: rows for 0 and rows for 1"),
        (".names a y\n11 1\n", "line 2: a row here needs 1 characters"),
        (".gate\n", "line 1: .gate needs the name"),
        (".subckt part a\n", "line 1: 'a' is not of the form formal=signal"),
        (".subckt part a=b a=c\n", "line 1: 'a' is connected twice"),
        (".latch a b\n", "line 1: .latch is"),
        (".nonsense\n", "line 1: unknown statement"),
    ],
)
def test_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_models(text)
