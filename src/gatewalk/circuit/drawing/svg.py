"""SVG: pictures with a style sheet that affects this picture only, also in a page with other pictures."""

from __future__ import annotations

from hashlib import sha256
from html import escape
from typing import Literal

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.drawing.picture import Disc, Mark, Part, Picture, Shape, Words, with_whole_wires
from gatewalk.circuit.drawing.schematic import schematic
from gatewalk.circuit.drawing.themes import LOOKS, Look, Theme
from gatewalk.circuit.files import Format

FONT = "Helvetica,Arial,'Liberation Sans',sans-serif"


def svg(circuit: Circuit, *, theme: Theme = "auto") -> str:
    """The schematic of a circuit as SVG, in colours that follow the reader's screen or are fixed.

    >>> from gatewalk.circuit.construction import circuit_named
    >>> svg(circuit_named("maj:3")).startswith("<svg")
    True
    """
    return svg_text(schematic(circuit), theme=theme)


def svg_text(picture: Picture, *, theme: Theme = "auto") -> str:
    """The picture as an SVG document; theme "auto" follows the setting of the reader's screen."""
    body = "\n".join(_part(part) for part in with_whole_wires(picture).parts)
    # The class is a hash of the contents: pictures in one page stay apart, and the text is reproducible.
    scope = "gw-" + sha256(f"{theme}\n{body}".encode()).hexdigest()[:12]
    width, height = _number(picture.width), _number(picture.height)
    used = {(mark.role, mark.faded) for mark in picture.marks()} | {("page", False)}
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{scope}" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}">\n<style>{style_text(scope, theme, used)}</style>\n'
        f'<rect class="gw-page" width="{width}" height="{height}"/>\n{body}\n</svg>\n'
    )


def style_text(scope: str, theme: Theme, used: set[tuple[str, bool]]) -> str:
    """The style sheet of a picture of class `scope`. used: roles of its marks, and whether they are faded."""
    common = f".{scope} text{{font-family:{FONT}}}"
    if theme != "auto":
        return common + _rules(scope, theme, used)
    dark = f"@media (prefers-color-scheme:dark){{{_rules(scope, 'dark', used)}}}"
    return common + _rules(scope, "light", used) + dark


def _rules(scope: str, theme: Literal["light", "dark"], used: set[tuple[str, bool]]) -> str:
    rules = []
    for role, faded in sorted(used):
        selector = "".join(f".{name}" for name in _classes(role, faded))
        selector = f".{scope} {selector}"
        rules.append(f"{selector}{{{_declarations(LOOKS[theme, faded][role])}}}")
    return "".join(rules)


def _classes(role: str, faded: bool) -> list[str]:
    """The CSS classes of a role, with names that pages do not use otherwise, as they might use "label"."""
    return [f"gw-{role}", *(["gw-faded"] if faded else [])]


def _declarations(look: Look) -> str:
    words = [f"fill:{look.fill or 'none'}"]
    if look.stroke is not None:
        words.append(f"stroke:{look.stroke};stroke-width:{look.width:g};stroke-linecap:round")
    if look.size:
        words.append(f"font-size:{look.size:g}px")
    return ";".join(words)


def _part(part: Part) -> str:
    marks = "".join(mark_text(mark) for mark in part.marks)
    return marks if part.title is None else f"<g><title>{escape(part.title)}</title>{marks}</g>"


def mark_text(mark: Mark) -> str:
    """A mark as an element."""
    classes = f'class="{" ".join(_classes(mark.role, mark.faded))}"'
    if isinstance(mark, Shape):
        return f'<path {classes} d="{path_text(mark)}"/>'
    x, y = _number(mark.x), _number(mark.y)
    if isinstance(mark, Disc):
        return f'<circle {classes} cx="{x}" cy="{y}" r="{_number(mark.radius)}"/>'
    if isinstance(mark, Words):
        return f'<text {classes} x="{x}" y="{y}" text-anchor="{mark.anchor}">{escape(mark.text)}</text>'
    raise TypeError(f"a picture cannot hold {mark!r}")


def path_text(shape: Shape) -> str:
    """The outline as the `d` of a path."""
    return "".join(letter + " ".join(map(_number, numbers)) for letter, numbers in shape.steps)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


FORMATS = (Format(suffixes=(".svg",), write=svg),)
