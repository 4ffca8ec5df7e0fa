"""SVG that is well-formed, the same every time, and styles nothing but itself."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture import Part, Picture, Shape, Words
from gatewalk.circuit.picture_svg import svg_text

SVG = "{http://www.w3.org/2000/svg}"


def style(text):
    return ElementTree.fromstring(text).find(f"{SVG}style").text


def selectors(sheet):
    return re.findall(r"([^{}]+)\{[^{}]*\}", sheet.replace("@media (prefers-color-scheme:dark){", ""))


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_every_rule_is_of_this_picture_alone(figure_1, theme):
    text = svg_text(schematic(figure_1), theme=theme)
    root = ElementTree.fromstring(text).get("class")
    found = selectors(style(text))
    assert len(found) > 5
    assert all(selector.strip("}").startswith(f".{root} ") for selector in found)


def test_different_pictures_have_different_names_and_the_same_one_has_one(figure_1, make_circuit):
    texts = [svg_text(schematic(figure_1)), svg_text(schematic(make_circuit(1)))]
    names = [ElementTree.fromstring(text).get("class") for text in texts]
    assert names[0] != names[1]
    assert svg_text(schematic(figure_1)) == texts[0]
    themes = {
        ElementTree.fromstring(svg_text(schematic(figure_1), theme=theme)).get("class")
        for theme in ("light", "dark")
    }
    assert len(themes) == 2


def test_every_role_has_a_rule(make_circuit):
    text = svg_text(schematic(make_circuit(4, gates=40)), theme="light")
    used = {element.get("class") for element in ElementTree.fromstring(text).iter() if element.get("class")}
    sheet = style(text)
    for classes in used - {ElementTree.fromstring(text).get("class")}:
        assert "." + ".".join(classes.split()) + "{" in sheet


def test_themes(figure_1):
    picture = schematic(figure_1)
    sheets = {theme: style(svg_text(picture, theme=theme)) for theme in ("auto", "light", "dark")}
    assert "prefers-color-scheme:dark" in sheets["auto"]
    assert "prefers-color-scheme" not in sheets["light"] + sheets["dark"]
    assert "fill:#ffffff" in sheets["light"]
    assert "fill:#ffffff" not in sheets["dark"]


def test_marks_become_elements():
    shape = Shape("wire", (("M", (0, 0)), ("L", (10.04, 0.5)), ("Z", ())), faded=True)
    words = Words("label", 5, 6, "<&>", anchor="end")
    root = ElementTree.fromstring(svg_text(Picture(20, 10, (Part("a < b", (shape, words)),))))
    group = root.find(f"{SVG}g")
    assert group.find(f"{SVG}title").text == "a < b"
    assert group.find(f"{SVG}path").attrib == {"class": "gw-wire gw-faded", "d": "M0 0L10 0.5Z"}
    assert group.find(f"{SVG}text").attrib == {"class": "gw-label", "x": "5", "y": "6", "text-anchor": "end"}
    assert group.find(f"{SVG}text").text == "<&>"
