"""Targets of one's own: whatever a function is given as, it is honoured or refused."""

from __future__ import annotations

import base64
import os
import zlib
from dataclasses import replace

import numpy as np
import pandas
import pytest

from gatewalk.boolean import targets
from gatewalk.boolean.tables import projections, unpack
from gatewalk.boolean.targets import label_of
from gatewalk.circuit import circuit as circuit_module
from gatewalk.circuit import covers
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.files import formats, write_file
from gatewalk.circuit.formats.pla import read_cover
from gatewalk.circuit.own_targets import Netlist, is_netlist, netlist_target, parse_netlist, target
from gatewalk.errors import InputError
from gatewalk.search.evolve import evolve
from gatewalk.search.options import law_text, search_for

MAJORITY = "table:3:0xe8"


def majority(a, b, c):
    return a + b + c >= 2


def test_a_function_of_python():
    made = target(majority)
    assert made.content == MAJORITY
    assert made.input_labels == ("a", "b", "c")
    assert target(lambda *bits: sum(bits) >= 2, inputs=3).name == MAJORITY
    both = target(lambda a, b: (a & b, a ^ b))
    assert both.content == "table:2:0x8,0x6"


def test_tables_as_numbers_arrays_and_text():
    bits = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    for what in (MAJORITY, target(0xE8, inputs=3), target(bits), target(bits.astype(bool))):
        assert target(what).content == MAJORITY


def test_examples_with_rows_left_out():
    rows = np.array([[0, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 0]])
    made = target(rows, inputs=2)
    assert made.content == "table:2:0x2/0xb"
    frame = pandas.DataFrame(rows, columns=["p", "q", "out"])
    named = target(frame)
    assert named.content == made.content
    assert (named.input_labels, named.output_labels) == (("p", "q"), ("out",))
    assert target(frame[:2], outputs=["q", "out"]).outputs == 2
    with pytest.raises(InputError, match="contradicts another one"):
        target(np.array([[0, 0], [0, 1]]), inputs=1)


def test_circuits_and_files(tmp_path):
    circuit = evolve("maj:3", nodes=30, gates="and,or", seed=1).circuit
    assert target(circuit).content == MAJORITY
    for suffix, one in formats().items():
        if one.read is not None:
            write_file(circuit, tmp_path / f"mine{suffix}")
            made = target(tmp_path / f"mine{suffix}")
            assert made.content == MAJORITY, suffix
            assert label_of(made.name) == "mine"
            assert target(made.name) == made


def test_a_file_whose_name_is_not_valid_unicode(tmp_path):
    path = os.fsencode(tmp_path) + b"/half\xff.tt"
    with open(path, "wb") as file:
        file.write(b"1000\n")
    assert target(os.fsdecode(path)).label == "half\\udcff"


def test_a_pla_leaves_rows_out(tmp_path):
    path = tmp_path / "f.pla"
    path.write_text(".i 2\n.o 1\n.ilb p q\n.ob z\n.type fd\n11 1\n00 -\n.e\n")
    made = target(str(path))
    assert (made.content, made.input_labels, made.output_labels) == ("table:2:0x8/0xe", ("p", "q"), ("z",))


WIDE = """.i 18
.o 2
.type {}
1-1-1-1-1-1-1-1-1- 1-
-----------0000000 1~
0000000----------- ~1
01---------------1 00
.e
"""


@pytest.mark.parametrize("kind", ["f", "fd", "fr", "fdr"])
def test_a_pla_of_many_inputs_is_the_netlist_of_its_cubes(tmp_path, kind):
    path = tmp_path / "wide.pla"
    path.write_text(WIDE.format(kind))
    made, specification = target(path), read_cover(path.read_text())
    assert (made.inputs, made.family) == (18, "netlist")
    assert target(made.name) == made
    columns = projections(18)
    counted = covers.cares(specification, columns)
    assert (made.cares is None) == (kind == "f")
    assert made.cares is None or (made.cares(columns) == counted).all()
    assert ((made.evaluate(columns) ^ covers.ones(specification, columns)) & counted == 0).all()


def test_a_search_for_a_pla_of_many_inputs(tmp_path):
    """A conjunction of the first three of 17 inputs, which counts on every row."""
    path = tmp_path / "wide.pla"
    rows = "".join(f"{j * '-'}0{(16 - j) * '-'} 0\n" for j in range(3))
    path.write_text(f".i 17\n.o 1\n.type fr\n111{'-' * 14} 1\n{rows}.e\n")
    run = evolve(target(path), nodes=20, gates="and,or", seed=1, budget=100_000)
    assert run.solved
    assert equivalent(run.circuit, target(path))


def test_a_netlist_of_many_inputs(tmp_path):
    wide = evolve("and:20", nodes=40, seed=1).circuit
    write_file(wide, tmp_path / "wide.blif")
    made = target(tmp_path / "wide.blif")
    assert (made.inputs, made.family) == (20, "netlist")
    again = target(made.name)
    assert again == made
    rows = np.random.default_rng(2).integers(0, 2**63, (20, 3), dtype=np.uint64)
    assert (again.evaluate(rows) == targets.family_target("and:20").evaluate(rows)).all()
    relabelled = replace(wide, input_labels=tuple(f"i{i}" for i in range(20)))
    assert target(relabelled).content == made.content
    run = evolve(made, training="sample:40", gates="and", nodes=60, budget=20_000, seed=1)
    assert run.generalisation is not None


def test_a_changed_target_is_honoured_and_not_replaced_by_that_of_its_name():
    known = targets.family_target("maj:3")
    assert target(known) is known
    changed = replace(known, evaluate=lambda columns: ~known.evaluate(columns))
    made = target(changed)
    assert made.content == "table:3:0x17"
    assert made.input_labels == known.input_labels
    run = evolve(changed, nodes=40, gates="and,or,not", seed=1)
    assert run.solved
    assert not equivalent(run.circuit, known)
    assert equivalent(run.circuit, made)
    with pytest.raises(InputError, match="more than 16 inputs"):
        target(replace(targets.family_target("and:17"), evaluate=lambda columns: columns[:1]))


def test_runs_are_seeded_by_what_a_function_computes():
    texts = [
        law_text(search_for(what, nodes=9)) for what in (majority, MAJORITY, target(0xE8, inputs=3, name="m"))
    ]
    assert len(set(texts)) == 1
    assert law_text(search_for("table:3:0xe9", nodes=9)) != texts[0]


def test_a_name_gives_the_rows_of_the_function():
    made = target("odd@table:3:0x96:a,b,c:sum")
    assert label_of(made.name) == "odd"
    assert unpack(made.evaluate(projections(3)), 8)[0].astype(int).tolist() == [0, 1, 1, 0, 1, 0, 0, 1]
    assert label_of("and:4") == "and:4"


@pytest.mark.parametrize(
    ("what", "options", "words"),
    [
        (lambda *bits: 0, {}, "the number of inputs"),
        (lambda a: 2, {}, "one bit or several"),
        (lambda a: (), {}, "one bit or several"),
        (lambda a, b: (a,) * (1 + b), {}, "different numbers of outputs"),
        (lambda a: 1 // a, {}, "the function fails on .0,.: ZeroDivisionError"),
        (lambda a: a, {"inputs": 17}, "from 1 to 16 inputs"),
        (0x96, {}, "the number of inputs"),
        (0x196, {"inputs": 3}, "does not fit"),
        (np.zeros(6), {}, "2.n entries, not 6"),
        (np.array([0, 2]), {}, "0s and 1s only"),
        (np.array(["a", "b"]), {}, "0s and 1s"),
        (np.zeros((3, 3, 3)), {"inputs": 2}, "rows and columns"),
        (np.zeros((4, 2)), {"inputs": 2}, "an output and a row at least"),
        (np.zeros((0, 3)), {"inputs": 2}, "a row at least"),
        (None, {}, "a name such as"),
        (3.5, {}, "a name such as"),
        ("nowhere.blif", {}, "No such file"),
        ("netlist:xyz", {}, "not a packed netlist"),
        ("netlist:" + "A" * 5000, {}, "not a packed netlist"),
        ("and8", {}, "did you mean and"),
        (0x96, {"inputs": 3, "name": "\ud800"}, r"'\\ud800' is not valid Unicode"),
        ("table:2:0x8:a,\udc98:y", {}, r"'\\udc98' is not valid Unicode"),
    ],
)
def test_what_is_no_function_is_refused_in_a_line(what, options, words):
    with pytest.raises(InputError, match=words) as error:
        target(what, **options)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 700


def test_a_mapped_file(tmp_path):
    (tmp_path / "cells.genlib").write_text("GATE all 1 Y=A*B*C*D;")
    mapped = tmp_path / "m.blif"
    mapped.write_text(".model m\n.inputs a b c d\n.outputs y\n.gate all A=a B=b C=c D=d Y=y\n.end\n")
    assert target(mapped, library=tmp_path / "cells.genlib").content == "table:4:0x8000"
    with pytest.raises(InputError, match=r"line 4: .gate 'all' is a library gate; give its genlib file"):
        target(mapped)
    with pytest.raises(InputError, match="only a BLIF file uses a library of gates"):
        target("and:4", library=tmp_path / "cells.genlib")


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("name", ["", "mine", "a/b@c:d"])
def test_a_netlist_is_built_again_from_its_name(make_circuit, seed, name):
    circuit, cares = (make_circuit(seed + k, inputs=5, gates=10) for k in (0, 100))
    cares = replace(cares, outputs=cares.outputs[:1], output_labels=cares.output_labels[:1])
    circuit = replace(circuit, outputs=circuit.outputs[:1], output_labels=circuit.output_labels[:1])
    for made in (netlist_target(circuit, name=name), netlist_target(circuit, cares=cares, name=name)):
        assert is_netlist(made.name)
        assert parse_netlist(made.name) == made
    assert (made.evaluate(projections(5)) == evaluate(circuit, projections(5))).all()
    assert (made.cares(projections(5)) == evaluate(cares, projections(5))).all()


def test_what_it_is_called_is_not_what_it_is(make_circuit):
    circuit = make_circuit(3, inputs=4)
    renamed = replace(circuit, input_labels=("a", "b", "c", "d"))
    assert netlist_target(circuit).content == netlist_target(renamed, name="other").content
    assert netlist_target(circuit).content != netlist_target(make_circuit(4, inputs=4)).content
    assert netlist_target(circuit).content != netlist_target(circuit, cares=circuit).content


def test_a_netlist_is_evaluated_in_blocks(make_circuit, monkeypatch):
    monkeypatch.setattr(circuit_module, "_MOST_WORDS", 1)
    circuit = make_circuit(7, inputs=6, gates=30)
    columns = np.random.default_rng(1).integers(0, 2**64, (6, 200), np.uint64)
    assert (Netlist(circuit)(columns) == evaluate(circuit, columns)).all()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("netlist:", "cut short"),
        ("netlist:%%%", "not a packed netlist"),
        ("netlist:AAAA", "not a packed netlist"),
        ("netlist:A/B/C", "more than two parts"),
        ("netlist:" + base64.urlsafe_b64encode(zlib.compress(b"{}")).decode(), "not a circuit of Gatewalk"),
        ("netlist:" + base64.urlsafe_b64encode(zlib.compress(b"\xff")).decode(), "not a packed netlist"),
        ("netlist:" + base64.urlsafe_b64encode(zlib.compress(b"0" * (1 << 25))).decode(), "too large"),
    ],
)
def test_what_is_no_netlist(text, words):
    with pytest.raises(InputError, match=words):
        parse_netlist(text)


def test_what_counts_is_of_the_same_shape(make_circuit):
    circuit, other = make_circuit(3, inputs=4), make_circuit(3, inputs=5)
    with pytest.raises(InputError, match="different sizes"):
        netlist_target(circuit, cares=other)
