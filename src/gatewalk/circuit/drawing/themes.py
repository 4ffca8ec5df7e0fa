"""The colours, lines and letters of pictures: the look of each role in a light and in a dark theme."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Theme = Literal["auto", "light", "dark"]


@dataclass(frozen=True)
class Look:
    """The colours of area and line (None for none), the width of the line, and the size of a text."""

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
    lit: tuple[str, str]
    picked: str
    changed: str
    improved: str
    neutral: str


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
    lit=("#d3f0e6", "#00745a"),
    picked="#c77700",
    changed="#b03a00",
    improved="#0067a3",
    neutral="#96407f",
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
    lit=("#0f3d31", "#3fd0a4"),
    picked="#ffb938",
    changed="#ff9a5c",
    improved="#6cb2f0",
    neutral="#e79cc6",
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
        # Roles in pictures of a run: active parts, what a mutation does, and the fate of the offspring.
        "lit": Look(colours.lit[0], colours.lit[1], 1.8),
        "lit_wire": Look(None, colours.lit[1], 1.8),
        "picked": Look(None, colours.picked, 3.0),
        "changed": Look(colours.changed, size=12.0),
        "changed_wire": Look(None, colours.changed, 2.2),
        "improved": Look(colours.improved),
        "neutral": Look(colours.neutral),
        "rejected": Look(colours.quiet),
        "improved_tick": Look(None, colours.improved, 2.0),
        "neutral_tick": Look(None, colours.neutral, 1.2),
        "rejected_tick": Look(None, colours.quiet, 1.2),
        "curve": Look(None, colours.ink, 1.8),
        "axis": Look(None, colours.faded_line, 1.0),
        "title": Look(colours.ink, size=16.0),
        "note": Look(colours.quiet, size=13.0),
        "idle": Look(colours.quiet, size=12.0),
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


# The look of each role, by the name of the theme and whether a mark is faded.
LOOKS: dict[tuple[Literal["light", "dark"], bool], dict[str, Look]] = {
    ("light", False): _looks(_LIGHT),
    ("light", True): _faded_looks(_LIGHT),
    ("dark", False): _looks(_DARK),
    ("dark", True): _faded_looks(_DARK),
}
