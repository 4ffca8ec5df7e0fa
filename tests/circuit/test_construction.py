"""A circuit for every kind of target: right on all rows that count, and no larger than need be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.tables import pack
from gatewalk.boolean.targets import families, family_member, family_target
from gatewalk.circuit.circuit import circuit_tables, evaluate, needed
from gatewalk.circuit.construction import (
    check_library,
    circuit_named,
    circuit_of_tables,
    circuit_or_target,
    target_circuit,
    target_named,
    traced,
)
from gatewalk.circuit.cost import weights_named
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import read_file, write_file
from gatewalk.circuit.library import gates_named
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("with_cares", [False, True])
def test_a_table(seed, with_cares):
    generator = np.random.default_rng(seed)
    inputs, outputs = int(generator.integers(1, 8)), int(generator.integers(1, 4))
    rows = 1 << inputs

    def drawn():
        return [
            int.from_bytes(generator.bytes(-(-rows // 8)), "little") % (1 << rows) for _ in range(outputs)
        ]

    wanted = table_target(drawn(), inputs, cares=[one | 1 for one in drawn()] if with_cares else None)
    circuit = target_circuit(wanted)
    assert equivalent(circuit, wanted)
    assert circuit == circuit.simplify()


def test_rows_that_do_not_count_are_made_use_of():
    wanted = target("table:4:0x8000/0x8001")
    assert len(target_circuit(wanted)) == 0  # any input is right on both rows
    assert equivalent(target_circuit(wanted), wanted)


def test_parity_is_no_sum_of_products():
    parity = sum((row.bit_count() & 1) << row for row in range(1 << 10))
    circuit = target_circuit(table_target([parity], 10))
    assert set(circuit.counts) <= {"xor", "xor3"}
    assert len(circuit) <= 9


def test_named_ones_and_netlists_are_what_they_say():
    assert target_circuit(target("add:2")).counts == {"xor": 4, "and": 4, "or": 2}
    circuit = target_circuit(target("add:12"))
    wanted = target(circuit)
    assert wanted.family == "netlist"
    assert target_circuit(wanted) == circuit


def labels(letter, count):
    return [f"{letter}{i}" for i in range(count)]


@given(st.data())
def test_tables_become_a_circuit_and_again_tables(data):
    n = data.draw(st.integers(0, 7))
    tables = data.draw(st.lists(st.integers(0, (1 << (1 << n)) - 1), min_size=1, max_size=3))
    circuit = circuit_of_tables(tables, labels("x", n), labels("y", len(tables)))
    assert circuit_tables(circuit, most_inputs=7, purpose="a test") == tuple(tables)


@pytest.mark.parametrize(
    ("n", "value", "most"),
    [
        (14, lambda row: row.bit_count() & 1, 13),
        (9, lambda row: row.bit_count() > 4, 25),
        (8, lambda row: 0, 1),
    ],
)
def test_regular_functions_stay_small(n, value, most):
    table = sum(value(row) << row for row in range(1 << n))
    circuit = circuit_of_tables([table], labels("x", n), ["y"])
    assert len(circuit) <= most


def test_the_table_of_an_input_is_no_gate():
    assert circuit_of_tables([0b11001100], labels("x", 3), ["y"]).outputs == (1,)


SIZES = {"small": (1, 2, 3, 4, 5, 6), "large": (33, 40)}


def members(kind, most_inputs):
    return [
        family_member(family, size)
        for family in families()
        for size in SIZES[kind]
        if family.smallest <= size <= family.largest and len(family.input_labels(size)) <= most_inputs
    ]


@pytest.mark.parametrize("wanted", members("small", 16), ids=lambda wanted: wanted.name)
def test_a_rule_on_all_rows(wanted):
    circuit = traced(wanted)
    verdict = equivalent(circuit, wanted)
    assert verdict
    assert verdict.method == "all rows"
    assert (circuit.input_labels, circuit.output_labels) == (wanted.input_labels, wanted.output_labels)
    assert all(needed(circuit)[wanted.inputs :])
    assert set(circuit.counts) <= {"and", "or", "xor", "not", "const0", "const1"}


@pytest.mark.parametrize("wanted", members("large", 200), ids=lambda wanted: wanted.name)
def test_a_rule_on_random_rows_of_many_inputs(wanted):
    generator = np.random.default_rng(3)
    # Rows of every density, so that and, or and maj are not constant on them.
    density = np.concatenate([[0, 1], generator.random(62)])
    inputs = pack(generator.random((wanted.inputs, 64)) < density)
    assert (evaluate(traced(wanted), inputs) == wanted.evaluate(inputs)).all()


def test_sizes_are_those_of_the_textbook():
    assert traced(family_target("xor:1000")).depth == 10
    assert traced(family_target("add:8")).counts == {"xor": 16, "and": 16, "or": 8}  # a chain of full adders
    assert traced(family_target("sort:8")).counts == {
        "and": 19,
        "or": 19,
    }  # Batcher's network has 19 comparators
    assert traced(family_target("sort:16")).counts == {"and": 63, "or": 63}


def test_a_file(tmp_path, figure_1):
    path = str(tmp_path / "c.json")
    write_file(figure_1, path)
    assert circuit_named(path) == figure_1
    assert circuit_or_target(path) == figure_1


def test_a_target():
    assert circuit_or_target("AND:4") == family_target("and:4")
    assert circuit_named("and:4").counts == {"and": 3}
    assert circuit_named("table:3:0x96").counts == {"xor3": 1}


def test_rows_of_a_pla_that_do_not_count_help(tmp_path):
    """Of four inputs only two rows count, and any input tells them apart."""
    path = tmp_path / "f.pla"
    path.write_text(".i 4\n.o 1\n.type fr\n1111 1\n0000 0\n.e\n")
    circuit = circuit_named(str(path))
    assert len(circuit) == 0
    assert equivalent(circuit, circuit_or_target(str(path)))
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
    with pytest.raises(InputError, match=r"cells.genlib: line 1: 'x' is not an area"):
        weights_named(str(path))


def test_a_library_is_for_blif_files(tmp_path):
    library = tmp_path / "cells.genlib"
    library.write_text("GATE both 3 Y=A*B*C*D;\n")
    mapped = tmp_path / "mapped.blif"
    mapped.write_text(".model m\n.inputs a b c d\n.outputs y\n.gate both A=a B=b C=c D=d Y=y\n.end\n")
    circuit = circuit_named(str(mapped), library=str(library))
    assert [node.gate.text for node in circuit.nodes] == ["both=0x8000"]
    assert target_named(str(mapped), library=str(library)).content == "table:4:0x8000"
    assert equivalent(circuit_or_target(str(mapped), library=str(library)), circuit_or_target("and:4"))
    for text in ("and:4", str(library)):
        with pytest.raises(InputError, match="only a BLIF file uses a library of gates; remove --library"):
            check_library(str(library), text)
    check_library(str(library), "and:4", str(mapped))
    check_library(None, "and:4")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no.blif", "no.blif: cannot be read"),
        ("x.what", "'.what' is not that of a circuit"),
        ("nonsense", "unknown target"),
        ("", "unknown target"),
    ],
)
def test_neither_a_file_nor_a_target(text, words):
    for open_it in (circuit_named, circuit_or_target):
        with pytest.raises(InputError, match=words):
            open_it(text)
