"""Pictures as files, by suffix."""

import sys

import pytest

from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture_files import write_picture
from gatewalk.errors import InputError, MissingExtra


@pytest.mark.parametrize(
    ("name", "beginning"), [("c.svg", b"<svg"), ("c.PDF", b"%PDF"), ("c.png", b"\x89PNG")]
)
def test_the_suffix_says_what_is_written(tmp_path, figure_1, name, beginning):
    write_picture(schematic(figure_1), tmp_path / name, theme="dark")
    assert (tmp_path / name).read_bytes().startswith(beginning)


@pytest.mark.parametrize(
    ("name", "words"),
    [("c.gif", "'.gif' stands for no picture, use one of .svg .pdf .png"), ("c", "has no suffix")],
)
def test_other_suffixes_are_refused(tmp_path, figure_1, name, words):
    with pytest.raises(InputError, match=words):
        write_picture(schematic(figure_1), tmp_path / name)


def test_a_place_that_is_not_there(tmp_path, figure_1):
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_picture(schematic(figure_1), tmp_path / "no" / "c.svg")


def test_the_extra_is_named_for_pdf_and_not_needed_for_svg(tmp_path, figure_1, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"drawing a circuit as PDF .*gatewalk\[plot\]"):
        write_picture(schematic(figure_1), tmp_path / "c.pdf")
    write_picture(schematic(figure_1), tmp_path / "c.svg")
