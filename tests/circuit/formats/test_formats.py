"""Formats are found by suffix, files are written and read, errors name the file."""

import pytest

from gatewalk.circuit import formats
from gatewalk.circuit.equivalence import equivalent
from gatewalk.errors import InputError


@pytest.mark.parametrize("suffix", [".json", ".blif", ".BLIF"])
def test_a_file_is_read_as_it_was_written(suffix, figure_1, tmp_path):
    path = tmp_path / f"circuit{suffix}"
    formats.write_file(figure_1, path)
    assert formats.read_file(str(path)) == figure_1


def test_every_readable_format_keeps_function_and_structure(make_circuit):
    for one in {id(one): one for one in formats.formats().values() if one.read is not None}.values():
        for seed in range(200):
            circuit = make_circuit(seed)
            again = one.read(one.write(circuit))
            assert equivalent(circuit, again)
            assert again == circuit


def test_every_format_writes_hundreds_of_gates(make_circuit):
    circuit = make_circuit(1, inputs=20, gates=400)
    for one in formats.formats().values():
        assert len(one.write(circuit)) > 400


@pytest.mark.parametrize("suffix", [".json", ".blif", ".dot", ".gv", ".svg"])
def test_suffixes(suffix):
    assert suffix in formats.formats()


@pytest.mark.parametrize(
    ("name", "message"),
    [("circuit.xyz", "suffix '.xyz' stands for no circuit format, use one of"), ("circuit", "no suffix")],
)
def test_unknown_suffix(name, message, figure_1):
    with pytest.raises(InputError, match=message):
        formats.write_file(figure_1, name)
    with pytest.raises(InputError, match=message):
        formats.read_file(name)


def test_a_format_that_is_only_written(tmp_path, figure_1):
    path = tmp_path / "circuit.dot"
    formats.write_file(figure_1, path)
    with pytest.raises(InputError, match=r"only written, Gatewalk reads .*\.blif"):
        formats.read_file(path)


def test_files_that_cannot_be(tmp_path, figure_1):
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        formats.write_file(figure_1, tmp_path / "no" / "circuit.json")
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        formats.read_file(tmp_path / "circuit.json")
    path = tmp_path / "circuit.blif"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not a text file in UTF-8"):
        formats.read_file(path)


def test_errors_name_the_file_and_the_line(tmp_path):
    path = tmp_path / "bad.blif"
    path.write_text(".model m\n.inputs a\n.outputs y\n.latch a y\n")
    with pytest.raises(InputError, match=r"bad\.blif: line 4: \.latch is a latch") as error:
        formats.read_file(path)
    assert "\n" not in str(error.value)
