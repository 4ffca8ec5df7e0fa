"""How a figure looks: the same colour, line and marker for a model in every panel, and how it is saved.

Colours are those of Okabe and Ito, told apart by the colour-blind; line styles and markers differ as
well, so that nothing is lost in grey. Ours are lines with bands, published values are open markers.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatewalk.errors import MissingExtra
from gatewalk.paper.models import Model

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "pdf", "png")
GREY = "#555555"
WIDTH = 7.1  # inches: two columns of a journal's page


@dataclass(frozen=True)
class Look:
    """Colour, line style and marker of a model."""

    colour: str
    dashes: Any
    marker: str


LOOKS = {
    "cgp-n-1": Look("#000000", (0, (1, 1)), "P"),
    "cgp-1n": Look("#0072B2", "solid", "o"),
    "cgp-2n": Look("#56B4E9", (0, (7, 2)), "s"),
    "cgp-3n": Look("#009E73", (0, (6, 1.5, 1, 1.5)), "^"),
    "tgp-single": Look("#D55E00", (0, (1.2, 1.2)), "v"),
    "tgp-multi": Look("#CC79A7", (0, (4, 1, 1, 1, 1, 1)), "D"),
}
BAR: Any = {
    "linestyle": "none",
    "marker": "_",
    "markersize": 10,
    "markeredgewidth": 1.2,
    "color": "black",
    "zorder": 4,
}
_SETTINGS: Any = {
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.labelsize": 8,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "svg.hashsalt": "gatewalk",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "savefig.facecolor": "white",
}


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib with this style, whatever the user's own is."""
    try:
        import matplotlib
    except ImportError:
        raise MissingExtra("plot", "drawing figures") from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def panels(rows: int, columns: int, height: float, **options: Any) -> tuple[Figure, Any]:
    """A figure of a page's width and its axes as an array of rows and columns."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def size_axis(axes: Axes, sizes: Sequence[int]) -> None:
    """n on the horizontal axis: whole numbers, at most about ten of them labelled."""
    step = max(1, -(-(sizes[-1] - sizes[0]) // 8))
    if step > 2:
        step = 5 * -(-step // 5)
        ticks = [sizes[0], *(n for n in range(step, sizes[-1] + 1, step) if n > sizes[0] + 1)]
    else:
        ticks = list(range(sizes[0], sizes[-1] + 1, step))
    axes.set_xticks(ticks)
    axes.set_xlim(sizes[0] - 0.5, sizes[-1] + 0.5)
    axes.set_xlabel("number of inputs $n$")


def log_axis(axes: Axes, label: str) -> None:
    """A logarithmic vertical axis with a label on every power of ten."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axes.set_yscale("log", nonpositive="mask")
    axes.yaxis.set_major_locator(LogLocator(10, numticks=30))
    axes.yaxis.set_minor_locator(LogLocator(10, subs=tuple(range(2, 10)), numticks=30))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel(label)


def handle(model: Model, profile: str = "paper", *, marker: bool = True, filled: bool = False) -> Any:
    """A model's entry in a legend: its line with its marker, open as for published values or filled."""
    from matplotlib.lines import Line2D

    look = LOOKS[model.name]
    return Line2D(
        [],
        [],
        color=look.colour,
        linestyle=look.dashes,
        marker=look.marker if marker else "",
        markersize=4,
        markerfacecolor=look.colour if filled else "white",
        label=model.label(profile),
    )


def exact_handle() -> Any:
    """The entry of exact expectations in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **BAR, label="exact")


def legend(figure: Figure, handles: Sequence[Any], *, columns: int = 5) -> None:
    """One legend below all panels."""
    figure.legend(handles=list(handles), loc="outside lower center", ncols=columns, handlelength=3.2)


def picture(figure: Figure, kind: str) -> bytes:
    """The figure as a file of this kind; the same bytes every time."""
    buffer = io.BytesIO()
    nameless: dict[str, dict[str, Any]] = {
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
        "png": {"Software": None},
    }
    figure.savefig(buffer, format=kind, metadata=nameless[kind], dpi=200)
    return buffer.getvalue()


def save(figure: Figure, folder: Path, name: str) -> bytes:
    """Write the figure in every format; returns its SVG, for the page."""
    folder.mkdir(parents=True, exist_ok=True)
    figure.draw_without_rendering()
    arranger = figure.get_layout_engine()
    if arranger is not None:  # once more, with the labels that only drawing makes
        arranger.execute(figure)
    figure.set_layout_engine("none")  # arranged once for all formats
    drawn = {kind: picture(figure, kind) for kind in FORMATS}
    for kind, data in drawn.items():
        (folder / f"{name}.{kind}").write_bytes(data)
    return drawn["svg"]
