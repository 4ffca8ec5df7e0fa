"""The common style of figures: colours, fonts, sizes, ticks, legends, and how a figure is saved.

The colours are those of Okabe and Ito, which the colour-blind can tell apart. Line styles and markers differ
as well, so figures can also be read in grey. A figure comes out the same every time, whatever the user's own
settings of Matplotlib are.
"""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from math import floor, inf, isfinite, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatewalk.analysis.pgfplots import as_pgfplots
from gatewalk.errors import InputError
from gatewalk.extras import need

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

FORMATS = ("svg", "pdf", "png")
FILES = (*(f".{kind}" for kind in FORMATS), ".tex")
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, WINE, BLACK, GREY = "#E69F00", "#56B4E9", "#882255", "#000000", "#555555"
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, WINE)  # of curves; black is for exact values alone
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = (
    *("solid", (0, (7, 2)), (0, (6, 1.5, 1, 1.5)), (0, (1.2, 1.2))),
    *((0, (4, 1, 1, 1, 1, 1)), (0, (3, 1)), (0, (10, 3))),
)
AXIS_WORDS = {
    "n": "number of inputs $n$",
    "nodes": "number of nodes $D$",
    "lambda": "offspring a generation $\\lambda$",
    "budget": "budget in iterations",
}
COLUMN, PAGE = 3.5, 7.1  # inches: one and two columns of a journal's page
_DPI = 200
_DASHES = 3.2  # the length of a legend's lines in letters, long enough to tell dashes apart
_DECADE = 32  # points: on axes with less per power of ten, minor ticks would merge, so there are none
_DIGIT = 6  # points: the width of a digit of a label, with a third of the space after the label
_FAR = 4  # if the largest size is over so many times the smallest, an axis of sizes is logarithmic
_FEW = 9  # so many sizes, or fewer, are all labelled
_MARGIN = 0.04  # of a linear axis of sizes, at either end
_LONG = 5  # from this exponent on, numbers are written as powers of ten
_PLAIN = 200  # on a logarithmic axis of at most this ratio, ticks between powers of ten have labels
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SETTINGS: Any = {
    "font.size": 8,
    "axes.titlesize": 8.5,
    "axes.titley": 1.0,  # the default place; searching for it takes a fifth of the drawing time
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
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "errorbar.capsize": 2,
    "svg.hashsalt": "gatewalk",
    "svg.fonttype": "path",  # as text, a viewer's own font decides what primes and minus signs become
    "pdf.fonttype": 42,
    "savefig.facecolor": "white",
}


@dataclass(frozen=True)
class Look:
    """Colour, line style and marker of a curve."""

    colour: str
    dashes: Any
    marker: str


def look_of_curve(index: int) -> Look:
    """The look of a figure's curve number `index`, from 0; the first 42 differ in colour, line or marker.

    >>> look_of_curve(0).colour == look_of_curve(7).colour, look_of_curve(0).marker == look_of_curve(7).marker
    (True, False)
    """
    lap, colour = divmod(index, len(COLOURS))
    turned = (colour + 3 * lap) % len(MARKERS)
    return Look(COLOURS[colour], DASHES[turned], MARKERS[turned])


EXACT: Any = {  # expectations from the Markov chain: bars, in a colour of their own
    "linestyle": "none",
    "marker": "_",
    "markersize": 10,
    "markeredgewidth": 1.2,
    "color": BLACK,
    "zorder": 4,
}
EXACT_LINE: Any = {"color": BLACK, "linewidth": 0.8, "linestyle": (0, (2.5, 1)), "zorder": 4}  # exact laws
UNSOLVED: Any = {"linestyle": "none", "marker": "$\\uparrow$", "markersize": 7}  # no run succeeded
BOUND: Any = {"linestyle": (0, (1, 1.6)), "linewidth": 0.9}  # proven bounds
FAILED: Any = {"linestyle": "none", "marker": "x", "markersize": 3.5}  # some runs failed
_BEYOND = {"up": "^", "down": "v", "left": "<", "right": ">"}


@contextmanager
def styled() -> Iterator[None]:
    """Draw with Matplotlib in the style of the package's figures.

    A context manager, and, as `@styled()`, a decorator of functions that draw.

    >>> import matplotlib.pyplot as plt
    >>> with styled():
    ...     figure, axes = plt.subplots()
    >>> plt.close(figure)
    """
    need("matplotlib", "drawing figures")
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield


def panels(
    rows: int = 1, columns: int = 1, *, height: float, width: float = PAGE, **options: Any
) -> tuple[Figure, Any]:
    """A figure and its axes, as an array of rows and columns; sizes in inches."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def open_marks(colour: str, marker: str, size: float) -> dict[str, Any]:
    """Options of marks that are white inside, without a line."""
    return {
        "linestyle": "none",
        "marker": marker,
        "markersize": size,
        "markerfacecolor": "white",
        "markeredgecolor": colour,
        "markeredgewidth": 0.8,
    }


def edge_mark(where: str, colour: str) -> dict[str, Any]:
    """Options of the mark at the edge of a panel that an interval crosses. where: "up", "down", ..."""
    return {
        "linestyle": "none",
        "marker": _BEYOND[where],
        "markersize": 4.5,
        "color": colour,
        "clip_on": False,
        "zorder": 5,
    }


MARKS: dict[str, tuple[str, Any]] = {  # special points of a curve: what they mean, and their look in a legend
    "failed": ("some runs failed", open_marks(GREY, "o", 4)),
    "endless": ("interval has no upper end", edge_mark("up", GREY)),
    "unsolved": ("no run succeeded", {**UNSOLVED, "color": GREY}),
}


def label_marks(axes: Axes, seen: Collection[str]) -> None:
    """Add an entry to the legend for each kind of special point that `draw_curve` said it drew."""
    for name, (label, mark) in MARKS.items():
        if name in seen:
            axes.plot([], [], **mark, label=label)


def mark_entries(seen: Collection[str]) -> list[Line2D]:
    """The same entries for a legend of a whole figure."""
    return [legend_entry(label, **mark) for name, (label, mark) in MARKS.items() if name in seen]


def draw_intervals(
    axes: Axes,
    at: Sequence[float],
    values: Sequence[float],
    intervals: Sequence[tuple[float, float]],
    *,
    colour: str,
    marker: str = "none",
    label: str | None = None,
) -> set[str]:
    """Error bars at values, with or without marks at them.

    An interval that has no end on a side has an open triangle at its value instead; returns which sides these
    are, "up" or "down".
    """
    pairs = list(zip(values, intervals, strict=True))
    below = [max(0.0, value - low) if isfinite(low) else 0.0 for value, (low, _) in pairs]
    above = [max(0.0, high - value) if isfinite(high) else 0.0 for value, (_, high) in pairs]
    axes.errorbar(
        at, values, [below, above], fmt=marker, color=colour, markersize=3.5, elinewidth=0.8, label=label
    )
    endless = set()
    for x, (value, (low, high)) in zip(at, pairs, strict=True):
        for side in [*(["up"] if high == inf else []), *(["down"] if low == -inf else [])]:
            axes.plot(x, value, **endless_mark(side, colour))
            endless.add(side)
    return endless


def endless_mark(side: str, colour: str = GREY) -> dict[str, Any]:
    """Options of the open triangle at a value whose interval has no end on this side."""
    return {
        "linestyle": "none",
        "marker": _BEYOND[side],
        "markersize": 8,
        "markerfacecolor": "none",
        "color": colour,
    }


def size_axis(axes: Axes, sizes: Sequence[int], *, x: str = "n", log: bool | None = None) -> None:
    """A setting that is a whole number on the horizontal axis; as many labels as can be told apart.

    sizes: in rising order. Few of them are labelled themselves, many on a linear axis in round steps.
    log: a logarithmic axis; by default, if the largest size is over four times the smallest.
    """
    from matplotlib.ticker import NullLocator

    first, last = max(1, sizes[0]), max(1, sizes[-1])
    axes.set_xlabel(AXIS_WORDS.get(x, x))
    if log if log is not None else sizes[0] > 0 and last / first > _FAR:
        axes.set_xscale("log")
        ticks = _apart(sizes, (last / first) ** (_DIGIT * max(3, len(str(last))) / length(axes.xaxis)))
    else:
        ticks = list(sizes) if len(sizes) <= _FEW else _round_steps(sizes)
        gap = min((b - a for a, b in pairwise(sizes)), default=1)
        margin = max(0.5, min(gap / 2, _MARGIN * (sizes[-1] - sizes[0])))
        axes.set_xlim(sizes[0] - margin, sizes[-1] + margin)
    axes.set_xticks(ticks, [str(value) for value in ticks])
    axes.xaxis.set_minor_locator(NullLocator())


def _apart(sizes: Sequence[int], least: float) -> list[int]:
    """Sizes with at least this ratio between them, the last and the first before others."""
    shown = [sizes[-1]]
    for value in reversed(sizes[:-1]):
        if shown[-1] / value >= least and (value == sizes[0] or value / sizes[0] >= least):
            shown.append(value)
    return shown


def _round_steps(sizes: Sequence[int]) -> list[int]:
    """Whole numbers from the first size to the last, at most about ten of them."""
    step = max(1, -(-(sizes[-1] - sizes[0]) // 8))
    if step <= 2:
        return list(range(sizes[0], sizes[-1] + 1, step))
    step = 5 * -(-step // 5)
    return [sizes[0], *(n for n in range(step, sizes[-1] + 1, step) if n > sizes[0] + 1)]


def whole_ticks(axis: Axis, *, most: int = 8) -> None:
    """Ticks at whole numbers only, and at most so many."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True, nbins=most, min_n_ticks=1))


def log_axis(axes: Axes, label: str) -> None:
    """A logarithmic vertical axis."""
    axes.set_yscale("log", nonpositive="mask")
    axes.set_ylabel(label)
    log_ticks(axes.yaxis)


def log_ticks(axis: Axis) -> None:
    """Powers of ten on a logarithmic axis; on a short one also digits between them, as far as they fit.

    Labels are plain characters: formulas take ten times as long to set.
    """
    from matplotlib.ticker import FuncFormatter, LogLocator

    class Minor(LogLocator):
        """No minor ticks where a power of ten is so short that they would merge into bars."""

        def tick_values(self, vmin: float, vmax: float) -> Any:
            low, high = sorted((vmin, vmax))
            if low <= 0 or length(axis) < _DECADE * log10(high / low):
                return []
            return super().tick_values(vmin, vmax)

    def labelled(value: float, _: object) -> str:
        low, high = sorted(axis.get_view_interval())
        return log_label(value, low, high)

    most: Any = "auto"  # as many powers of ten as fit
    axis.set_major_locator(LogLocator(10, numticks=most))
    axis.set_minor_locator(Minor(10, subs=tuple(range(2, 10)), numticks=30))
    axis.set_major_formatter(FuncFormatter(labelled))
    axis.set_minor_formatter(FuncFormatter(labelled))


def length(axis: Any) -> float:
    """The current length of an axis in points."""
    box = axis.axes.get_window_extent()
    return float((box.height if axis.axis_name == "y" else box.width) * 72 / axis.axes.figure.dpi)


def log_label(value: float, low: float, high: float) -> str:
    """The label of a tick on a logarithmic axis from low to high.

    Powers of ten as 1, 10, 10², 10³; where these are too few, plain numbers between them.

    >>> log_label(100, 1, 10**6), log_label(200, 1, 10**6), log_label(20, 1, 99), log_label(30, 1, 99)
    ('10²', '', '20', '')
    """
    span, exponent = high / low, floor(log10(value) + 1e-9)
    digit = round(value / 10**exponent)
    power = f"10{str(exponent).translate(_SUPERSCRIPTS)}"
    if span > _PLAIN:
        return {0: "1", 1: "10"}.get(exponent, power) if digit == 1 else ""
    shown = (1, 2, 5) if span > 10 else (1, 2, 3, 5) if span > 4 else range(1, 10)
    if digit not in shown:
        return ""
    if -4 < exponent < _LONG:
        return f"{value:g}"
    return power if digit == 1 else f"{digit}·{power}"


def legend(figure: Figure, handles: Sequence[Any], *, columns: int = 5) -> None:
    """One legend below all panels, in at most so many columns: as many as the figure's width has room for."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    usual = figure.dpi
    figure.set_dpi(_DPI)  # that of files: the width of texts depends on it
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    heights = []
    for count in range(columns, 0, -1):
        box = figure.legend(
            handles=list(handles), loc="outside lower center", ncols=count, handlelength=_DASHES
        )
        size = box.get_window_extent(renderer)
        heights.append(size.height / _DPI)
        if count == 1 or size.width <= figure.bbox.width:
            break
        box.remove()
    figure.set_figheight(figure.get_figheight() + heights[-1] - heights[0])  # panels keep their height
    figure.set_dpi(usual)


def letter_panels(panels: Iterable[Axes]) -> None:
    """(a), (b), (c) ... before the titles of a figure's panels, so that a text can refer to them."""
    for letter, axes in zip("abcdefghijklmnopqrstuvwxyz", panels, strict=False):
        axes.set_title(f"({letter}) {axes.get_title()}".rstrip())


def legend_entry(label: str, **options: Any) -> Line2D:
    """An entry of a legend, grey unless a colour is given: what a mark or a line means in every colour."""
    from matplotlib.lines import Line2D

    return Line2D([], [], **{"color": GREY, **options}, label=label)


def band_key(label: str = "95 % bootstrap interval") -> Patch:
    """The entry of bands in a legend."""
    from matplotlib.patches import Patch

    return Patch(facecolor=GREY, alpha=0.25, label=label)


def legend_beside(axes: Axes, **options: Any) -> None:
    """A legend to the right of a panel."""
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), **options)


def picture(figure: Figure, kind: str) -> bytes:
    """The figure as the bytes of a file of this format; the same bytes every time."""
    nameless: dict[str, dict[str, Any]] = {
        "svg": {"Date": None},
        "pdf": {"CreationDate": None},
        "png": {"Software": None},
    }
    buffer = io.BytesIO()
    arrange(figure)
    with styled(), _quiet_fonts():
        figure.savefig(buffer, format=kind, metadata=nameless[kind], dpi=_DPI)
    return buffer.getvalue()


def arrange(figure: Figure) -> None:
    """Give panels and legends their places, once for all formats."""
    with styled():
        figure.set_dpi(_DPI)  # before the layout, because the width of texts depends on it
        engine = figure.get_layout_engine()
        if engine is not None:
            engine.execute(figure)
            figure.set_layout_engine(None)


def latex(figure: Figure) -> str:
    """The figure as the LaTeX of a pgfplots figure, arranged as in the other formats."""
    arrange(figure)
    with styled():
        return as_pgfplots(figure)


@contextmanager
def _quiet_fonts() -> Iterator[None]:
    """Silence the warnings about dates in fonts that embedding them in a PDF gives."""
    log = logging.getLogger("fontTools")
    usual = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(usual)


def save(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure as SVG, PDF or PNG, or as LaTeX for pgfplots (.tex): the suffix says the format.

    >>> from gatewalk.analysis import times_figure
    >>> from gatewalk.stats import sample
    >>> save(times_figure({"and": {4: sample([3, 9], [True, True])}}), "times.svg")
    """
    path = Path(path)
    if path.suffix not in FILES:
        raise InputError(f"cannot draw {path.name}; use one of {', '.join(FILES)}")
    if path.suffix == ".tex":
        path.write_text(latex(figure), encoding="utf-8")
    else:
        path.write_bytes(picture(figure, path.suffix[1:]))


def save_all(figure: Figure, folder: str | os.PathLike[str], name: str) -> bytes:
    """Write a figure in every format; returns its SVG, for a page.

    name: of the files, without a suffix.

    >>> from pathlib import Path
    >>> from gatewalk.analysis import times_figure
    >>> from gatewalk.stats import sample
    >>> Path("figures").mkdir()
    >>> figure = times_figure({"and": {4: sample([3, 9], [True, True])}})
    >>> b"<svg" in save_all(figure, "figures", "times")
    True
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {kind: picture(figure, kind) for kind in FORMATS}
    for kind, data in drawn.items():
        (folder / f"{name}.{kind}").write_bytes(data)
    (folder / f"{name}.tex").write_text(latex(figure), encoding="utf-8")
    return drawn["svg"]
