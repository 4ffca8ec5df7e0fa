"""Drawings in a browser: several in one page, which they leave as it is and which leaves them as they are."""

import json
import re

from browser import document_after

from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.named import circuit_named
from gatewalk.circuit.picture_svg import svg_text

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
