"""Pictures as SVG, PDF, PNG, TikZ and DOT: what is drawn, where, in which colours, and by other programs."""

import io
import json
import re
import xml.etree.ElementTree as ElementTree
import zlib

import numpy as np
import pytest
from browser import document_after

from gatewalk.boolean.gates import GATES, gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.construction import circuit_named
from gatewalk.circuit.drawing import dot, tikz
from gatewalk.circuit.drawing.pdf_png import image
from gatewalk.circuit.drawing.pdf_png import pixels as scene_pixels
from gatewalk.circuit.drawing.picture import (
    Disc,
    Part,
    Picture,
    Shape,
    Words,
    polyline,
    rounded_box,
    with_whole_wires,
    write_picture,
)
from gatewalk.circuit.drawing.schematic import schematic
from gatewalk.circuit.drawing.svg import svg, svg_text
from gatewalk.circuit.drawing.themes import LOOKS
from gatewalk.circuit.files import write_file
from gatewalk.errors import InputError


def test_wires_are_painted_once():
    picture = schematic(circuit_named("add:3"))
    whole = with_whole_wires(picture)
    before, after = ([one for one in p.marks() if one.role == "wire"] for p in (picture, whole))
    assert len(before) > 20
    assert len(after) == 1
    assert sorted(step for one in before for step in one.steps) == sorted(after[0].steps)
    assert [one for one in picture.marks() if one.role != "wire"] == [
        one for one in whole.marks() if one.role != "wire"
    ]


def test_faded_wires_are_below_the_others():
    lines = [Shape("wire", polyline([(0, y), (9, y)]), faded) for y, faded in ((1, False), (2, True))]
    dot = Disc("junction", 3, 2, 2, True)
    gate = Part("g", (Disc("gate", 5, 5, 2),))
    picture = Picture(9, 9, (Part(None, (lines[0],)), Part(None, (lines[1], dot)), gate))
    assert with_whole_wires(picture).parts == (Part(None, (lines[1], dot, lines[0])), gate)


@pytest.mark.parametrize(
    ("name", "beginning"), [("c.svg", b"<svg"), ("c.PDF", b"%PDF"), ("c.png", b"\x89PNG")]
)
def test_the_suffix_says_what_is_written(tmp_path, figure_1, name, beginning):
    write_picture(schematic(figure_1), tmp_path / name, theme="dark")
    assert (tmp_path / name).read_bytes().startswith(beginning)


@pytest.mark.parametrize(
    ("name", "words"),
    [("c.gif", "'.gif' is not that of a picture; use one of .svg .pdf .png"), ("c", "has no suffix")],
)
def test_other_suffixes_are_refused(tmp_path, figure_1, name, words):
    with pytest.raises(InputError, match=words):
        write_picture(schematic(figure_1), tmp_path / name)


def test_a_place_that_is_not_there(tmp_path, figure_1):
    with pytest.raises(InputError, match="cannot be written: No such file"):
        write_picture(schematic(figure_1), tmp_path / "no" / "c.svg")


def pixels(data):
    from matplotlib.image import imread

    return imread(io.BytesIO(data), format="png")


def test_marks_are_where_the_picture_has_them():
    box = Shape("junction", (("M", (10, 5)), ("L", (20, 5)), ("L", (20, 9)), ("L", (10, 9)), ("Z", ())))
    picture = Picture(40, 20, (Part(None, (box, Disc("junction", 32, 14, 3))),))
    found = pixels(image(picture, "png", theme="light"))
    assert found.shape[:2] == (40, 80)
    dark = found[:, :, :3].mean(axis=2) < 0.6
    assert dark[11:17, 21:39].all()
    assert dark[26:30, 62:66].all()
    assert dark.sum() == pytest.approx(20 * 8 + np.pi * 36, rel=0.15)


def test_themes_colour_the_page():
    picture = Picture(10, 10, ())
    assert pixels(image(picture, "png", theme="light"))[0, 0, 0] == 1
    assert pixels(image(picture, "png", theme="dark"))[0, 0, 0] < 0.2


def test_a_pdf_is_the_same_every_time_and_has_its_size(figure_1):
    picture = schematic(figure_1)
    data = image(picture, "pdf", theme="light")
    assert data.startswith(b"%PDF")
    assert data == image(picture, "pdf", theme="light")
    box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", data)
    assert float(box[1]) == pytest.approx(picture.width * 0.75)
    assert float(box[2]) == pytest.approx(picture.height * 0.75)
    streams = [
        zlib.decompress(s) for s in re.findall(rb"stream\r?\n(x.*?)\r?\nendstream", data, re.DOTALL)[:1]
    ]
    assert b" c\n" in streams[0]  # curves are curves


def test_labels_are_text_and_no_formulas():
    words = Words("label", 30, 12, "$a_1$ \\frac{")
    assert image(Picture(60, 20, (Part(None, (words,)),)), "png", theme="light")


def test_scenes_are_the_pictures_of_their_marks():
    marks = [Shape("lit", rounded_box(0, 0, 20, 20, 2)), Shape("changed_wire", rounded_box(30, 0, 20, 20, 2))]
    scenes = [{0}, {1}, {0, 1}, set()]
    first, second, both, none = scene_pixels(60, 20, marks, scenes, theme="light", dpi=96)
    assert first.shape == (20, 60, 3)
    assert (none == 255).all()
    assert first[10, 10].tolist() == both[10, 10].tolist() == [0xD3, 0xF0, 0xE6]
    assert (second[:, :25] == 255).all()
    assert (second[:, 25:] == both[:, 25:]).all()
    assert not (both[:, 25:] == none[:, 25:]).all()


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


# A page that uses the names of our roles for itself, and styles all drawings.
STYLE = """
p { font-size: 17px; color: rgb(1, 2, 3) }
.label, .gate, .wire, .input, .output, .page, .name, .faded, .number { display: none; opacity: 0.1 }
text { font-size: 40px; fill: rgb(255, 0, 0) }
path { fill: rgb(0, 255, 0); stroke-width: 9 }
"""
SCRIPT = """
const style = (element, key) => getComputedStyle(element)[key];
const drawings = [...document.querySelectorAll("svg")].map(svg => ({
  page: style(svg.querySelector("rect"), "fill"),
  texts: [...svg.querySelectorAll("text")].map(text => [style(text, "fontSize"), style(text, "display")]),
  wires: [...svg.querySelectorAll(".gw-wire")].map(one => [style(one, "fill"), style(one, "strokeWidth")]),
  outside: [...svg.querySelectorAll("text, path, circle")].filter(one => {
    const box = one.getBBox(), view = svg.viewBox.baseVal;
    return box.x < 0 || box.y < 0 || box.x + box.width > view.width || box.y + box.height > view.height;
  }).length,
  crowded: [...svg.querySelectorAll("g")].filter(group => {
    const box = group.querySelector("path").getBBox(), text = group.querySelector("text");
    return text && text.getBBox().width > box.width - 2;
  }).length,
}));
const p = document.querySelector("p");
document.body.textContent = JSON.stringify({
  drawings, ids: document.querySelectorAll("[id]").length,
  paragraph: [style(p, "fontSize"), style(p, "color"), style(p, "display"), style(p, "fontFamily")],
});
"""


def seen(tmp_path, *texts):
    """What a browser makes of a page with these drawings."""
    html = f"<!doctype html><html><style>{STYLE}</style><p>Text</p>{''.join(texts)}<script>{SCRIPT}</script>"
    found = re.search(r"<body>(.*)</body>", document_after(html, tmp_path), re.DOTALL)
    return json.loads(found[1])


def test_two_drawings_in_one_page_with_a_style_of_its_own(tmp_path):
    multiplier, adder = (schematic(circuit_named(name)) for name in ("mul:2", "add:3"))
    found = seen(
        tmp_path,
        svg_text(multiplier, theme="light"),
        svg_text(adder, theme="dark"),
        svg_text(multiplier, theme="light"),
        svg_text(adder),
    )
    light, dark, again, auto = found["drawings"]
    assert again == light
    assert light["page"] == auto["page"] == "rgb(255, 255, 255)"
    assert dark["page"] == "rgb(20, 24, 29)"
    for one in found["drawings"]:
        assert {size for size, _ in one["texts"]} == {"12px", "8.5px"}
        assert "none" not in {display for _, display in one["texts"]}
        assert one["wires"] == [["none", "1.3px"]]
        assert one["outside"] == 0
        assert one["crowded"] == 0
    assert found["ids"] == 0
    assert found["paragraph"][:3] == ["17px", "rgb(1, 2, 3)", "block"]
    assert "Helvetica" not in found["paragraph"][3]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_same_roles_everywhere():
    assert len({tuple(looks) for looks in LOOKS.values()}) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_texts_and_lines_can_be_seen(theme):
    looks = LOOKS[theme, False]
    for role, behind in [
        ("label", "input"),
        ("label", "output"),
        ("kind", "gate"),
        ("name", "gate"),
        ("pin", "gate"),
        ("gene", "gate"),
        ("number", "page"),
    ]:
        assert contrast(looks[role].fill, looks[behind].fill) >= 4.5  # level AA of the WCAG
    for role in ("wire", "gate", "line", "input", "output"):
        assert contrast(looks[role].stroke, looks["page"].fill) >= 3
    for role in ("wire", "gate"):
        faded = contrast(LOOKS[theme, True][role].stroke, looks["page"].fill)
        assert 1.5 <= faded < contrast(looks[role].stroke, looks["page"].fill) / 2


def test_an_svg_file_is_the_schematic(figure_1, tmp_path):
    write_file(figure_1, tmp_path / "figure.svg")
    text = (tmp_path / "figure.svg").read_text()
    assert text == svg(figure_1)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert all(label in text for label in (*figure_1.input_labels, *figure_1.output_labels))


def test_parts_and_wires_in_tikz(figure_1):
    text = tikz.write(figure_1)
    assert re.findall(r"\\node\[(\w+) gate, inputs=\{(\w+)\}\]", text) == [
        ("and", "nn"), ("nor", "nn"), ("or", "nn"), ("and", "nn"),
    ]  # fmt: skip
    assert [text.count(f"(s{source}.input {j})") for source in range(3, 7) for j in (1, 2)] == [1] * 8
    assert text.count("{o1}") == 1


def test_shapes_in_tikz():
    def node(name):
        arity = GATES[name].arity
        circuit = Circuit(("a", "b", "c"), (Node(GATES[name], (0, 1, 2)[:arity]),), (3,), ("y",))
        return re.search(r"\\node\[(.*?)\] \(s3\)", tikz.write(circuit)).group(1)

    assert node("not") == "not gate"
    assert node("buf") == "buffer gate"
    assert node("xnor") == "xnor gate, inputs={nn}"
    assert node("nimply") == "and gate, inputs={ni}"
    assert node("imply") == "or gate, inputs={in}"
    assert node("nor3") == "nor gate, inputs={nnn}"
    assert node("nand3") == "nand gate, inputs={nnn}"
    assert node("mux") == node("xor3") == node("buf_a") == node("const1") == "box"


def test_labels_are_escaped_in_tikz():
    circuit = Circuit((r"\a_1 {x}", "50% é"), (), (0, 1), ("#1", "x^2~"))
    text = tikz.write(circuit)
    assert r"{\textbackslash{}a\_1\ \{x\}}" in text
    assert r"{50\%\ U+00E9}" in text
    assert r"{\#1}" in text
    assert r"{x\textasciicircum{}2\textasciitilde{}}" in text


def test_latex_compiles_it(every_gate, figure_1, odd_labels, tool, run, tmp_path):
    program = tool("pdflatex", "texlive-latex-base texlive-pictures")
    for number, circuit in enumerate((every_gate, figure_1, odd_labels)):
        write_file(circuit, tmp_path / f"c{number}.tex")
        said = run(program, "-interaction=nonstopmode", "-halt-on-error", f"c{number}.tex")
        assert "Output written on" in said
        assert "(1 page" in said


def test_nodes_and_wires_in_dot(figure_1):
    text = dot.write(figure_1)
    assert text.startswith("digraph circuit {")
    assert "rankdir=LR" in text
    assert re.findall(r"^  (s\d+ -> \w+);", text, re.MULTILINE) == [
        "s0 -> s3", "s1 -> s3", "s3 -> s4", "s2 -> s4", "s4 -> s5", "s3 -> s5",
        "s5 -> s6", "s1 -> s6", "s6 -> o0",
    ]  # fmt: skip
    assert re.findall(r'label="(\w+)"', text) == ["x1", "x2", "x3", "o1", "AND", "NOR", "OR", "AND"]
    assert text.count("{") == text.count("}")


def test_letters_in_dot_where_order_matters():
    text = dot.write(
        Circuit(("a", "b"), (Node(gate("nimply"), (1, 0)), Node(gate("or"), (0, 1))), (2, 3), ("y", "z"))
    )
    assert "s1 -> s2 [headlabel=a];" in text
    assert "s0 -> s2 [headlabel=b];" in text
    assert "s0 -> s3;" in text


def test_labels_are_quoted_in_dot():
    text = dot.write(Circuit(('say "x" \\',), (), (0,), ("y",)))
    assert r'label="say \"x\" \\"' in text
