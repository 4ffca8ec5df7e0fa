"""Files and targets by what a user calls them."""

import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.circuit.equivalence import circuit_side, compare
from gatewalk.circuit.formats import read_file, write_file
from gatewalk.circuit.named import (
    check_library,
    circuit_named,
    gates_named,
    side_named,
    target_named,
    weights_named,
)
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
    assert circuit_named("and:4").counts == {"and": 3}
    assert circuit_named("table:3:0x96").counts == {"xor3": 1}


def test_rows_of_a_pla_that_do_not_count_help(tmp_path):
    """Of four inputs only two rows count, and any input tells them apart."""
    path = tmp_path / "f.pla"
    path.write_text(".i 4\n.o 1\n.type fr\n1111 1\n0000 0\n.e\n")
    circuit = circuit_named(str(path))
    assert len(circuit) == 0
    assert compare(circuit_side(circuit), side_named(str(path)))
    assert len(read_file(path)) == 3
    path.write_text(".i 4\n.o 1\n1111 1\n.e\n")
    assert circuit_named(str(path)) == read_file(path)


def test_gates_and_costs(tmp_path):
    path = tmp_path / "cells.genlib"
    path.write_text("GATE inv 1 Y=!A;\nGATE nand2 2 Y=!(A*B);\n")
    assert gates_named(str(path)) == gate_set("not,nand")
    assert gates_named("not, nand") == gate_set("not,nand")
    assert weights_named(str(path)) == weights_named("not=1,nand=2")
    with pytest.raises(InputError, match=r"none.genlib: cannot be read"):
        gates_named("none.genlib")
    path.write_text("GATE inv x Y=!A;\n")
    with pytest.raises(InputError, match=r"cells.genlib: line 1: 'x' is no area"):
        weights_named(str(path))


def test_a_library_is_for_blif_files(tmp_path):
    library = tmp_path / "cells.genlib"
    library.write_text("GATE both 3 Y=A*B*C*D;\n")
    mapped = tmp_path / "mapped.blif"
    mapped.write_text(".model m\n.inputs a b c d\n.outputs y\n.gate both A=a B=b C=c D=d Y=y\n.end\n")
    circuit = circuit_named(str(mapped), library=str(library))
    assert [node.gate.text for node in circuit.nodes] == ["both=0x8000"]
    assert target_named(str(mapped), library=str(library)).content == "table:4:0x8000"
    assert compare(side_named(str(mapped), library=str(library)), side_named("and:4"))
    for text in ("and:4", str(library)):
        with pytest.raises(InputError, match="only a BLIF file uses a library of gates: leave out --library"):
            check_library(str(library), text)
    check_library(str(library), "and:4", str(mapped))
    check_library(None, "and:4")


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
