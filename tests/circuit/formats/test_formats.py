"""Formats are found by suffix, files are written and read, errors name the file."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES
from gatewalk.circuit import files
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.own_targets import target
from gatewalk.errors import InputError


@pytest.mark.parametrize("suffix", [".json", ".blif", ".BLIF"])
def test_a_file_is_read_as_it_was_written(suffix, figure_1, tmp_path):
    path = tmp_path / f"circuit{suffix}"
    files.write_file(figure_1, path)
    assert files.read_file(str(path)) == figure_1


def circuits():
    """Random circuits of all gates, with labels that formats can hold and with others."""

    @st.composite
    def build(draw):
        inputs = draw(st.integers(0, 5))
        nodes = []
        for i in range(draw(st.integers(0, 12))):
            usable = [one for one in GATES.values() if one.arity == 0 or inputs + i]
            one = draw(st.sampled_from(usable))
            nodes.append(Node(one, tuple(draw(st.integers(0, inputs + i - 1)) for _ in range(one.arity))))
        sources = st.integers(0, inputs + len(nodes) - 1) if inputs or nodes else st.nothing()
        outputs = draw(st.lists(sources, min_size=1, max_size=5)) if inputs or nodes else []
        plain = st.from_regex(r"[a-z][a-z0-9_]{0,3}", fullmatch=True)
        label = st.one_of(plain, st.text(st.characters(exclude_categories=["Cs"]), max_size=5))
        labels = [
            draw(st.lists(label, min_size=size, max_size=size, unique=True))
            for size in (inputs, len(outputs))
        ]
        return Circuit(tuple(labels[0]), tuple(nodes), tuple(outputs), tuple(labels[1]))

    return build().filter(lambda circuit: circuit.outputs)


READABLE = [suffix for suffix, one in files.formats().items() if one.read is not None]
WRITERS = {suffix: one.write for suffix, one in files.formats().items() if one.write is not None}


@pytest.mark.parametrize("suffix", READABLE)
@given(circuits())
def test_what_is_written_is_read_as_the_same_function(suffix, circuit):
    one = files.formats()[suffix]
    if suffix == ".json" and not all((*circuit.input_labels, *circuit.output_labels)):
        return  # an empty label is written but not read
    data = one.write(circuit)
    again = one.read(data)
    assert equivalent(circuit, again)
    assert isinstance(data, bytes) == one.is_binary
    assert one.write(circuit) == data


@pytest.mark.parametrize("suffix", READABLE)
def test_plain_labels_are_kept_where_the_format_has_labels(suffix, make_circuit):
    one = files.formats()[suffix]
    for seed in range(100):
        circuit = make_circuit(seed)
        again = one.read(one.write(circuit))
        assert (again.input_labels, again.output_labels) == (circuit.input_labels, circuit.output_labels)
        if suffix in (".json", ".blif"):
            assert again == circuit


@given(circuits())
def test_every_format_writes_every_circuit(circuit):
    for write in WRITERS.values():
        assert write(circuit)


def test_every_format_writes_hundreds_of_gates(make_circuit):
    circuit = make_circuit(1, inputs=9, gates=300)
    for write in WRITERS.values():
        assert len(write(circuit)) > 100


def test_both_folders_are_found_and_sorted():
    assert READABLE == [".aag", ".aig", ".blif", ".csv", ".json", ".parquet", ".pla", ".truth", ".tt", ".v"]
    drawn = {".dot", ".gv", ".svg", ".tex"}
    assert list(WRITERS) == sorted({*READABLE, *drawn, ".c", ".py", ".sympy.py", ".yosys.json"})
    assert set(files.formats()) == {*WRITERS, ".genlib"}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "circuit.xyz",
            r"suffix '.xyz' is not that of a circuit format; use one of \.aag \.aig .* \.v \.yosys\.json$",
        ),
        ("cells.genlib", "suffix '.genlib' is not that of a circuit format"),
        ("circuit", "no suffix"),
    ],
)
def test_unknown_suffix(name, message, figure_1):
    with pytest.raises(InputError, match=message):
        files.write_file(figure_1, name)
    with pytest.raises(InputError, match=message):
        files.read_file(name)


def test_a_format_that_is_only_written(tmp_path, figure_1):
    path = tmp_path / "circuit.dot"
    files.write_file(figure_1, path)
    with pytest.raises(InputError, match=r"only be written; Gatewalk reads .*\.blif"):
        files.read_file(path)


def test_a_format_that_is_only_read(tmp_path, figure_1, monkeypatch):
    wire = files.Format(suffixes=(".wire",), read=lambda text: Circuit((text,), (), (0,), ("y",)))
    monkeypatch.setitem(files.formats(), ".wire", wire)
    with pytest.raises(InputError, match=r"only read, Gatewalk writes .*\.blif"):
        files.write_file(figure_1, tmp_path / "circuit.wire")
    (tmp_path / "circuit.wire").write_text("a")
    assert files.read_file(tmp_path / "circuit.wire").input_labels == ("a",)


def test_files_that_cannot_be(tmp_path, figure_1):
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        files.write_file(figure_1, tmp_path / "no" / "circuit.json")
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        files.read_file(tmp_path / "circuit.json")
    path = tmp_path / "circuit.blif"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="a UTF-8 text file"):
        files.read_file(path)


def test_errors_name_the_file_and_the_line(tmp_path):
    path = tmp_path / "bad.blif"
    path.write_text(".model m\n.inputs a\n.outputs y\n.latch a y\n")
    with pytest.raises(InputError, match=r"bad\.blif: line 4: \.latch is a latch") as error:
        files.read_file(path)
    assert "\n" not in str(error.value)


def test_a_suffix_of_two_parts_comes_first(figure_1, tmp_path):
    for name, start in (("a.b.json", '{\n  "format": "gatewalk'), ("a.yosys.json", '{\n "creator"')):
        files.write_file(figure_1, tmp_path / name)
        assert (tmp_path / name).read_text().startswith(start)
    assert files.read_file(tmp_path / "a.b.json") == figure_1
    with pytest.raises(InputError, match="only be written"):
        files.read_file(tmp_path / "a.yosys.json")


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    path = tmp_path / "large.blif"
    with path.open("wb") as file:
        file.truncate(files.LARGEST_FILE + 1)
    with pytest.raises(InputError, match=r"large\.blif: is larger than 64 MiB"):
        files.read_file(path)


def test_only_regular_files_are_read(tmp_path):
    link = tmp_path / "endless.blif"
    link.symlink_to("/dev/zero")
    pipe = tmp_path / "pipe.blif"  # nobody writes to it: to open it would wait for ever
    os.mkfifo(pipe)
    for path in (link, pipe):
        with pytest.raises(InputError, match=rf"{path.name}: is a pipe or a device; copy what it holds"):
            files.read_file(path)
        with pytest.raises(InputError, match="is a pipe or a device"):
            files.read_library(path)
        with pytest.raises(InputError, match="is a pipe or a device"):
            target(path)
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        files.read_bytes(tmp_path)


def test_what_cannot_be_written_names_the_file(make_circuit, tmp_path):
    with pytest.raises(InputError, match=r"wide\.tt: a truth table lists all rows, so .* at most 20 inputs"):
        files.write_file(make_circuit(1, inputs=21), tmp_path / "wide.tt")
    assert not (tmp_path / "wide.tt").exists()


def test_half_a_character_in_a_label(tmp_path):
    circuit = Circuit(("\ud800",), (), (0,), ("y",))
    with pytest.raises(InputError, match=r"half\.blif: cannot be written: a label is not valid Unicode"):
        files.write_file(circuit, tmp_path / "half.blif")


def test_a_library_is_for_blif(tmp_path, figure_1):
    library = tmp_path / "cells.genlib"
    library.write_text("GATE and2 1 O=A*B;")
    path = tmp_path / "mapped.blif"
    path.write_text(".model m\n.inputs a b\n.outputs y\n.gate and2 A=a B=b O=y\n.end\n")
    assert [node.gate.name for node in files.read_file(path, library=library).nodes] == ["and"]
    with pytest.raises(InputError, match=r"mapped\.blif: line 4: \.gate 'and2' is a library gate; give"):
        files.read_file(path)
    files.write_file(figure_1, tmp_path / "a.json")
    with pytest.raises(InputError, match="only a BLIF file uses a library"):
        files.read_file(tmp_path / "a.json", library=library)
    unnamed = tmp_path / "cells.txt"
    unnamed.write_text("GATE and2 1 O=A*B;")
    assert files.read_file(path, library=unnamed) == files.read_file(path, library=library)
    library.write_text("GATE and2")
    with pytest.raises(InputError, match=r"cells\.genlib: line 1: a gate is written"):
        files.read_file(path, library=library)


def test_a_path_is_shown_on_one_line():
    for path in ("a\nb.blif", "x" * 5000 + ".blif"):
        with pytest.raises(InputError) as error:
            files.read_file(path)
        assert "\n" not in str(error.value)
        assert len(str(error.value)) < 500
