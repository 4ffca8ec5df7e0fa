"""The colours, lines and letters of pictures: what each role looks like, in light and in dark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Theme = Literal["auto", "light", "dark"]


@dataclass(frozen=True)
class Look:
    """The colours within and of the line, None for none, and the line's width; of texts the size."""

    fill: str | None
    stroke: str | None = None
    width: float = 0.0
    size: float = 0.0


@dataclass(frozen=True)
class _Colours:
    page: str
    ink: str
    wire: str
    quiet: str
    gate: str
    faded: str
    faded_line: str
    input: tuple[str, str]
    output: tuple[str, str]
    gene: str


_LIGHT = _Colours(
    page="#ffffff",
    ink="#1f2933",
    wire="#52606d",
    quiet="#52606d",
    gate="#ffffff",
    faded="#f4f5f7",
    faded_line="#b4bcc6",
    input=("#dcebfa", "#2b6cb0"),
    output=("#fdebd3", "#b7791f"),
    gene="#2b6cb0",
)
_DARK = _Colours(
    page="#14181d",
    ink="#e6eaee",
    wire="#a3afbc",
    quiet="#a3afbc",
    gate="#232a32",
    faded="#191e24",
    faded_line="#4c5763",
    input=("#173450", "#6cb2f0"),
    output=("#43310f", "#e3ad4d"),
    gene="#6cb2f0",
)


def _looks(colours: _Colours) -> dict[str, Look]:
    return {
        "page": Look(colours.page),
        "wire": Look(None, colours.wire, 1.3),
        "junction": Look(colours.wire),
        "gate": Look(colours.gate, colours.ink, 1.5),
        "line": Look(None, colours.ink, 1.5),
        "input": Look(colours.input[0], colours.input[1], 1.2),
        "output": Look(colours.output[0], colours.output[1], 1.2),
        "label": Look(colours.ink, size=12.0),
        "kind": Look(colours.ink, size=10.0),
        "long_kind": Look(colours.ink, size=8.0),
        "name": Look(colours.quiet, size=8.5),
        "pin": Look(colours.quiet, size=7.5),
        "gene": Look(colours.gene, size=12.0),
        "number": Look(colours.gene, size=10.0),
    }


def _faded_looks(colours: _Colours) -> dict[str, Look]:
    return {role: _faded(role, look, colours) for role, look in _looks(colours).items()}


def _faded(role: str, look: Look, colours: _Colours) -> Look:
    if role == "page":
        return look
    line = colours.faded_line
    return Look(
        None if look.fill is None else line if look.size or role == "junction" else colours.faded,
        None if look.stroke is None else line,
        look.width,
        look.size,
    )


# By the name of the theme and whether a mark is faded: the look of each role.
LOOKS: dict[tuple[Literal["light", "dark"], bool], dict[str, Look]] = {
    ("light", False): _looks(_LIGHT),
    ("light", True): _faded_looks(_LIGHT),
    ("dark", False): _looks(_DARK),
    ("dark", True): _faded_looks(_DARK),
}
