"""A picture as shapes and texts with roles, whatever file it will become: SVG, PDF or PNG, by the suffix.

`svg.py` and `pdf_png.py` draw it, in the colours of `themes.py`. Lengths are pixels of which 96 make an inch,
y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeGuard

from gatewalk.circuit.drawing.themes import Theme
from gatewalk.errors import InputError, shown
from gatewalk.extras import need

# A step of an outline, as in SVG: M (move) and L (line) with a point, C (curve) with three, Z (close) with
# none.
Step = tuple[Literal["M", "L", "C", "Z"], tuple[float, ...]]


@dataclass(frozen=True)
class Shape:
    """An outline; `faded` if it belongs to something without effect."""

    role: str
    steps: tuple[Step, ...]
    faded: bool = False


@dataclass(frozen=True)
class Disc:
    """A circle about a point."""

    role: str
    x: float
    y: float
    radius: float
    faded: bool = False


@dataclass(frozen=True)
class Words:
    """A text; `y` is its base line and `x` its middle, its start or its end."""

    role: str
    x: float
    y: float
    text: str
    faded: bool = False
    anchor: Literal["middle", "start", "end"] = "middle"


Mark = Shape | Disc | Words


@dataclass(frozen=True)
class Part:
    """Marks that belong together, with a title that a reader of SVG sees when pointing at them."""

    title: str | None
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Picture:
    """Parts in the order in which they are drawn."""

    width: float
    height: float
    parts: tuple[Part, ...]

    def marks(self) -> Iterator[Mark]:
        """All marks in the order in which they are drawn."""
        for part in self.parts:
            yield from part.marks


def with_whole_wires(picture: Picture) -> Picture:
    """The picture with successive wires of the same look joined to one outline.

    Where separate outlines meet or overlap, pixels at their edges are painted twice and look like specks.
    """
    parts: list[Part] = []
    for is_wire, run in groupby(picture.parts, key=_is_wire):
        here = list(run)
        parts += [_joined(here)] if is_wire else here
    return replace(picture, parts=tuple(parts))


def _is_wire(part: Part) -> bool:
    return part.title is None and all(mark.role in ("wire", "junction") for mark in part.marks)


def _joined(wires: list[Part]) -> Part:
    """The lines of these parts and the dots on them, faded ones below the others."""
    marks: list[Mark] = []
    for faded in (True, False):
        chosen = [mark for part in wires for mark in part.marks if mark.faded == faded]
        steps = tuple(step for mark in chosen if _is_line(mark) for step in mark.steps)
        marks += [Shape("wire", steps, faded)] if steps else []
        marks += [mark for mark in chosen if not _is_line(mark)]
    return Part(None, tuple(marks))


def _is_line(mark: Mark) -> TypeGuard[Shape]:
    return isinstance(mark, Shape) and mark.role == "wire"


def polyline(points: Iterable[tuple[float, float]]) -> tuple[Step, ...]:
    """Straight lines from point to point."""
    first, *others = points
    return (("M", first), *(("L", point) for point in others))


def rounded_box(left: float, top: float, width: float, height: float, radius: float) -> tuple[Step, ...]:
    """A rectangle with round corners; each is a cubic curve that approximates a quarter of a circle."""
    r, k = radius, radius * 0.4477
    right, bottom = left + width, top + height
    return (
        ("M", (left + r, top)),
        ("L", (right - r, top)),
        ("C", (right - k, top, right, top + k, right, top + r)),
        ("L", (right, bottom - r)),
        ("C", (right, bottom - k, right - k, bottom, right - r, bottom)),
        ("L", (left + r, bottom)),
        ("C", (left + k, bottom, left, bottom - k, left, bottom - r)),
        ("L", (left, top + r)),
        ("C", (left, top + k, left + k, top, left + r, top)),
        ("Z", ()),
    )


SUFFIXES = (".svg", ".pdf", ".png")


def check_suffix(path: str | Path) -> None:
    """Raise `InputError` if the suffix is not that of a picture, or if it needs an extra that is missing."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        wrong = f"the suffix {shown(suffix)} is not that of a picture" if suffix else "the name has no suffix"
        raise InputError(f"{path}: {wrong}; use one of {' '.join(SUFFIXES)}")
    if suffix != ".svg":
        need("matplotlib", f"drawing a circuit as {suffix[1:].upper()}")


def write_picture(picture: Picture, path: str | Path, *, theme: Theme = "auto") -> None:
    """Write a picture in the format of the file's suffix: .svg, or with the extra `plot` .pdf or .png.

    theme: "light", "dark", or "auto": an SVG then follows the reader's screen, other files are light.

    >>> from gatewalk.circuit import circuit_named
    >>> from gatewalk.circuit.drawing.schematic import schematic
    >>> write_picture(schematic(circuit_named("maj:3")), "majority.svg")
    """
    check_suffix(path)
    try:
        Path(path).write_bytes(_contents(picture, Path(path).suffix.lower(), theme))
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def _contents(picture: Picture, suffix: str, theme: Theme) -> bytes:
    if suffix == ".svg":
        from gatewalk.circuit.drawing.svg import svg_text

        return svg_text(picture, theme=theme).encode()
    from gatewalk.circuit.drawing.pdf_png import image

    return image(picture, "pdf" if suffix == ".pdf" else "png", theme="light" if theme == "auto" else theme)
