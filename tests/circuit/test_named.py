"""Files and targets by what a user calls them."""

import pytest

from gatewalk.circuit.formats import write_file
from gatewalk.circuit.named import circuit_named, side_named
from gatewalk.errors import InputError


def test_a_file(tmp_path, figure_1):
    path = str(tmp_path / "c.json")
    write_file(figure_1, path)
    assert circuit_named(path) == figure_1
    side = side_named(path)
    assert (side.name, side.circuit) == (path, figure_1)


def test_a_target():
    side = side_named("AND:4")
    assert (side.name, side.circuit) == ("and:4", None)
    with pytest.raises(InputError, match="and:4 is a target and has no circuit"):
        circuit_named("and:4")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no.blif", "no.blif: cannot be read"),
        ("x.what", "'.what' stands for no circuit"),
        ("nonsense", "unknown target"),
        ("", "unknown target"),
    ],
)
def test_neither(text, words):
    for open_it in (circuit_named, side_named):
        with pytest.raises(InputError, match=words):
            open_it(text)
