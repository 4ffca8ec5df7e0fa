"""Pictures as PDF and PNG, drawn by Matplotlib from the same marks as the SVG: the extra `plot`.

Matplotlib is an extra of Gatewalk already. It draws lines, curves and texts to any format, with fonts
embedded in the file; a converter from SVG would be another dependency.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from io import BytesIO
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.circuit.drawing.picture import Disc, Mark, Picture, Shape, Words, with_whole_wires
from gatewalk.circuit.drawing.themes import LOOKS
from gatewalk.extras import need

POINTS = 0.75  # points in a pixel: an inch has 72 points and 96 pixels
PNG_DPI = 192  # two dots for a pixel
_LETTERS = 0.9  # scale of letters: Matplotlib's font is wider than those that browsers use
_SETTINGS: Any = {"pdf.fonttype": 42, "font.family": "DejaVu Sans"}


def image(picture: Picture, kind: Literal["pdf", "png"], *, theme: Literal["light", "dark"]) -> bytes:
    """The contents of a PDF or PNG file with the picture."""
    need("matplotlib", f"drawing a circuit as {kind.upper()}")
    from matplotlib import rc_context

    with rc_context(_SETTINGS):
        figure, axes = _sheet(picture.width, picture.height, theme)
        for order, mark in enumerate(with_whole_wires(picture).marks()):
            _draw(axes, mark, theme, order)
        buffer = BytesIO()
        # Without a date, the same picture always gives the same file.
        metadata = {"CreationDate": None} if kind == "pdf" else None
        figure.savefig(buffer, format=kind, dpi=PNG_DPI, metadata=metadata)
    return buffer.getvalue()


def pixels(
    width: float,
    height: float,
    marks: Sequence[Mark],
    scenes: Iterable[Container[int]],
    *,
    theme: Literal["light", "dark"],
    dpi: int,
) -> Iterator[NDArray[np.uint8]]:
    """For each scene, a set of indices of marks, a picture as an array [row, column, red green blue].

    A mark is converted for Matplotlib once, since that takes longer than drawing it.
    """
    need("matplotlib", "drawing an animation")
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with rc_context(_SETTINGS):
        figure, axes = _sheet(width, height, theme)
        figure.set_dpi(dpi)
        canvas: Any = FigureCanvasAgg(figure)
        artists = [_draw(axes, mark, theme, order) for order, mark in enumerate(marks)]
        for seen in scenes:
            for place, artist in enumerate(artists):
                artist.set_visible(place in seen)
            canvas.draw()
            yield np.asarray(canvas.buffer_rgba())[:, :, :3].copy()


def _sheet(width: float, height: float, theme: Literal["light", "dark"]) -> tuple[Any, Any]:
    """A figure and axes that fill it, in pixels."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 96, height / 96))
    figure.set_facecolor(LOOKS[theme, False]["page"].fill or "none")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, width)
    axes.set_ylim(height, 0)
    return figure, axes


def _draw(axes: Any, mark: Mark, theme: Literal["light", "dark"], order: int) -> Any:
    """Add a mark to the axes; returns Matplotlib's artist for it."""
    from matplotlib.patches import Circle, PathPatch

    look = LOOKS[theme, mark.faded][mark.role]
    if isinstance(mark, Words):
        return axes.text(
            mark.x,
            mark.y,
            mark.text.replace("$", r"\$"),
            color=look.fill,
            fontsize=look.size * POINTS * _LETTERS,
            ha={"middle": "center", "start": "left", "end": "right"}[mark.anchor],
            va="baseline",
            zorder=order,
        )
    style = {
        "facecolor": look.fill or "none",
        "edgecolor": look.stroke or "none",
        "linewidth": look.width * POINTS,
        "zorder": order,
    }
    if isinstance(mark, Disc):
        return axes.add_artist(Circle((mark.x, mark.y), mark.radius, **style))
    return axes.add_artist(PathPatch(_path(mark), joinstyle="miter", capstyle="round", **style))


def _path(shape: Shape) -> Any:
    from matplotlib.path import Path

    codes: list[Any] = []
    points: list[tuple[float, float]] = []
    for letter, numbers in shape.steps:
        pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        code = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}[letter]
        points += pairs or [(0.0, 0.0)]
        codes += [code] * max(1, len(pairs))
    return Path(points, codes)
