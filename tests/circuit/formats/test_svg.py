"""The schematic as a file: an SVG document with every label, and nothing to read."""

from __future__ import annotations

from xml.etree import ElementTree

from gatewalk.circuit.drawing import svg as drawn
from gatewalk.circuit.formats import formats, svg, write_file


def test_the_file_is_the_schematic(figure_1, tmp_path) -> None:
    write_file(figure_1, tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text()
    assert text == drawn(figure_1)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert all(label in text for label in (*figure_1.input_labels, *figure_1.output_labels))


def test_it_is_only_written() -> None:
    assert formats()[".svg"] is svg
    assert svg.read is None
