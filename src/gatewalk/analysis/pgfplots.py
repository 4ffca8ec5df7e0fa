r"""A Matplotlib figure as LaTeX for pgfplots: the same data, set in the fonts of the paper it goes into.

Lines, markers, steps, bands and error bars become `\addplot` with their coordinates; a panel becomes an
`axis`. What else Matplotlib can draw is not in the figures of this house, and texts inside panels are left
out. The file needs `\usepackage{pgfplots}` and is read by `\input`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = {"o": "*", "s": "square*", "^": "triangle*", "v": "triangle*", "D": "diamond*", "P": "+", "X": "x"}
_MARKS |= {"x": "x", "+": "+", "_": "-", "|": "|", ">": "triangle*", "<": "triangle*"}
_TURNED = {"v": 180, ">": 270, "<": 90}
_SIGNS = {"−": "$-$", "≤": "$\\le$", "≥": "$\\ge$", "×": "$\\times$", "⌈": "$\\lceil$", "⌉": "$\\rceil$"}
_SIGNS |= {"%": "\\%", "#": "\\#", "&": "\\&", "_": "\\_", "∞": "$\\infty$"}
_LARGEST = 1e300  # what TeX is given


def as_pgfplots(figure: Figure) -> str:
    r"""The LaTeX of a figure: a `tikzpicture` with an axis for each panel.

    Examples
    --------
    >>> from gatewalk.analysis import sample, success_figure
    >>> drawn = success_figure({"and": {4: sample([3], [True]), 5: sample([8], [True])}})
    >>> "\\addplot" in as_pgfplots(drawn)
    True
    """
    width, height = figure.get_size_inches()
    lines = ["% needs \\usepackage{pgfplots}\\pgfplotsset{compat=1.16}", "\\begin{tikzpicture}"]
    entries = _legend_texts(figure)
    for axes in figure.axes:
        if axes.get_visible():
            lines += _axis(axes, width, height, entries)
    return "\n".join([*lines, "\\end{tikzpicture}", ""])


def _legend_texts(figure: Figure) -> list[tuple[Any, str]]:
    """What the legends below all panels say, with the handle of each entry."""
    found: list[tuple[Any, str]] = []
    for box in figure.legends:
        texts = [text.get_text() for text in box.get_texts()]
        found += zip(box.legend_handles, texts, strict=True)
    return found


def _axis(axes: Axes, width: float, height: float, entries: list[tuple[Any, str]]) -> Iterator[str]:
    box = axes.get_position()
    options = [
        f"at={{({box.x0 * width:.3f}in,{box.y0 * height:.3f}in)}}",
        "anchor=south west",
        "scale only axis",
        f"width={box.width * width:.3f}in",
        f"height={box.height * height:.3f}in",
        "axis lines=left",
        "grid=major",
        *(f"{name}={{{_text(text)}}}" for name, text in _words(axes) if text),
        *_scale("x", axes.get_xscale(), axes.get_xlim()),
        *_scale("y", axes.get_yscale(), axes.get_ylim()),
        *_ticks(axes),
    ]
    yield "\\begin{axis}[" + ",\n  ".join(options) + "]"
    for collection in axes.collections:
        yield from _region(collection)
    for line in axes.lines:
        yield from _line(line, axes)
    legend = axes.get_legend()
    if legend is not None:
        texts = [text.get_text() for text in legend.get_texts()]
        yield from _entries(zip(legend.legend_handles, texts, strict=True))
    elif entries and axes is axes.figure.axes[-1]:
        yield from _entries(entries)
    yield "\\end{axis}"


def _words(axes: Axes) -> tuple[tuple[str, str], ...]:
    return (("title", axes.get_title()), ("xlabel", axes.get_xlabel()), ("ylabel", axes.get_ylabel()))


def _scale(name: str, scale: str, limits: tuple[float, float]) -> Iterator[str]:
    low, high = sorted(limits)
    yield f"{name}mode={'log' if scale == 'log' else 'linear'}"
    yield f"{name}min={low:.6g},{name}max={high:.6g}"
    if limits[0] > limits[1]:
        yield f"{name} dir=reverse"


def _ticks(axes: Axes) -> Iterator[str]:
    """Ticks with texts that were chosen, such as the sizes; others pgfplots chooses itself."""
    from matplotlib.ticker import FixedFormatter, FixedLocator

    for name, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
        locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
        if isinstance(locator, FixedLocator) and isinstance(formatter, FixedFormatter):
            yield f"{name}tick={{{','.join(f'{value:g}' for value in axis.get_ticklocs())}}}"
            yield f"{name}ticklabels={{{','.join('{' + _text(text) + '}' for text in formatter.seq)}}}"


def _line(line: Any, axes: Axes) -> Iterator[str]:
    x = np.asarray(line.get_xdata(), dtype=np.float64)
    y = np.asarray(line.get_ydata(), dtype=np.float64)
    if line.get_transform() != axes.transData:  # a line across the panel: its ends are those of the axis
        x = np.array(axes.get_xlim()) if np.array_equal(x, [0, 1]) else x
        y = np.array(axes.get_ylim()) if np.array_equal(y, [0, 1]) else y
    kept = np.isfinite(x) & np.isfinite(y) & (np.abs(y) < _LARGEST)
    if kept.any():
        steps = "const plot," if line.get_drawstyle() == "steps-post" else ""
        yield f"\\addplot[forget plot,{steps}{_look(line)}] coordinates {{{_points(x[kept], y[kept])}}};"


def _look(line: Any) -> str:
    """Colour, dashes and mark of a line."""
    from matplotlib.colors import to_hex

    colour = _colour(to_hex(line.get_color()))
    found = [f"color={colour}", f"line width={line.get_linewidth():.2g}pt"]
    dashes = line.get_linestyle()
    if dashes in ("None", "none", "", " "):
        found.append("only marks")
    elif dashes != "-":
        found.append({"--": "dashed", ":": "dotted", "-.": "dash dot"}.get(dashes, "dashed"))
    mark = line.get_marker()
    if mark in (None, "", "None", "none"):
        return ",".join([*found, "no markers"])
    inside = to_hex(line.get_markerfacecolor()) if str(line.get_markerfacecolor()) != "none" else "#ffffff"
    found += [f"mark={_MARKS.get(mark, 'text')}", f"mark size={line.get_markersize() / 2:.2g}pt"]
    turned = f",rotate={_TURNED[mark]}" if mark in _TURNED else ""
    found.append(f"mark options={{solid,fill={_colour(inside)}{turned}}}")
    if mark not in _MARKS:
        found.append("text mark=$\\uparrow$")
    return ",".join(found)


def _region(collection: Any) -> Iterator[str]:
    """Bands are filled outlines; the bars of errors are segments."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_hex

    if isinstance(collection, LineCollection):
        colours: Any = collection.get_color()
        colour = _colour(to_hex(colours[0])) if len(colours) else "black"
        for segment in collection.get_segments():
            if len(segment) > 1:
                look = f"color={colour},no markers"
                yield f"\\addplot[forget plot,{look}] coordinates {{{_points(*segment.T)}}};"
        return
    for path in collection.get_paths():
        if len(path.vertices) and len(collection.get_facecolor()):
            *_, opacity = shade = collection.get_facecolor()[0]
            look = f"draw=none,fill={_colour(to_hex(shade))},fill opacity={opacity:.2g},no markers"
            yield f"\\addplot[forget plot,{look}] coordinates {{{_points(*path.vertices.T)}}};"


def _entries(entries: Iterable[tuple[Any, str]]) -> Iterator[str]:
    from matplotlib.lines import Line2D

    for handle, text in entries:
        if text:
            look = _look(handle) if isinstance(handle, Line2D) else "fill=gray,fill opacity=0.25,draw=none"
            yield f"\\addlegendimage{{{look}}}\\addlegendentry{{{_text(text)}}}"


def _points(x: Any, y: Any) -> str:
    return " ".join(f"({a:.8g},{b:.8g})" for a, b in zip(x, y, strict=True))


def _colour(name: str) -> str:
    """As xcolor takes it without a definition: a colour mixed from red, green and blue."""
    red, green, blue = (int(name[i : i + 2], 16) for i in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _text(text: str) -> str:
    """A label as LaTeX: formulas stay, signs become commands."""
    parts = text.replace("\\$", "\0").split("$")
    for place in range(0, len(parts), 2):
        parts[place] = "".join(_SIGNS.get(sign, sign) for sign in parts[place])
    return "$".join(parts).replace("\0", "\\$")
