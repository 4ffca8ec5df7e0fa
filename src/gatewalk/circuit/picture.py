"""A picture as shapes and texts with roles, whatever file it will become: `picture_svg.py` and
`picture_matplotlib.py` draw it, in the colours of `themes.py`.

Lengths are pixels of which 96 make an inch, y grows downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

# A step of an outline: M and L with a point, C with three, Z with none.
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


def polyline(points: Iterable[tuple[float, float]]) -> tuple[Step, ...]:
    """Straight lines from point to point."""
    first, *others = points
    return (("M", first), *(("L", point) for point in others))


def rounded_box(left: float, top: float, width: float, height: float, radius: float) -> tuple[Step, ...]:
    """A rectangle with round corners, each a quarter of a circle as nearly as a cubic curve can be."""
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
