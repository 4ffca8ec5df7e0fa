"""Pictures as PDF and PNG, drawn by Matplotlib from the same marks as the SVG: the extra `plot`.

Matplotlib is an extra of Gatewalk already, draws lines, curves and texts to any format with fonts
within the file, and takes the marks as they are; a converter of SVG would be one more dependency.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any, Literal

from gatewalk.circuit.picture import Disc, Picture, Shape, Words, with_whole_wires
from gatewalk.circuit.themes import LOOKS
from gatewalk.extras import need

POINTS = 0.75  # of a pixel: 72 of one and 96 of the other are an inch
PNG_DPI = 192  # two dots for a pixel
_LETTERS = 0.9  # Matplotlib's own letters are wider than those that browsers take


def image(picture: Picture, kind: Literal["pdf", "png"], *, theme: Literal["light", "dark"]) -> bytes:
    """The contents of a PDF or PNG file with the picture."""
    need("matplotlib", f"drawing a circuit as {kind.upper()}")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"pdf.fonttype": 42, "font.family": "DejaVu Sans"}):
        figure = Figure(figsize=(picture.width / 96, picture.height / 96))
        figure.set_facecolor(LOOKS[theme, False]["page"].fill or "none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, picture.width)
        axes.set_ylim(picture.height, 0)
        for order, mark in enumerate(with_whole_wires(picture).marks()):
            _draw(axes, mark, theme, order)
        buffer = BytesIO()
        # Without a date the same picture is the same file.
        metadata = {"CreationDate": None} if kind == "pdf" else None
        figure.savefig(buffer, format=kind, dpi=PNG_DPI, metadata=metadata)
    return buffer.getvalue()


def _draw(axes: Any, mark: Shape | Disc | Words, theme: Literal["light", "dark"], order: int) -> None:
    from matplotlib.patches import Circle, PathPatch

    look = LOOKS[theme, mark.faded][mark.role]
    if isinstance(mark, Words):
        axes.text(
            mark.x,
            mark.y,
            mark.text.replace("$", r"\$"),
            color=look.fill,
            fontsize=look.size * POINTS * _LETTERS,
            ha={"middle": "center", "start": "left", "end": "right"}[mark.anchor],
            va="baseline",
            zorder=order,
        )
        return
    style = {
        "facecolor": look.fill or "none",
        "edgecolor": look.stroke or "none",
        "linewidth": look.width * POINTS,
        "zorder": order,
    }
    if isinstance(mark, Disc):
        axes.add_patch(Circle((mark.x, mark.y), mark.radius, **style))
    else:
        axes.add_patch(PathPatch(_path(mark), joinstyle="miter", capstyle="round", **style))


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
