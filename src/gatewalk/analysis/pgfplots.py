r"""A Matplotlib figure as LaTeX for pgfplots: the same data, set in the fonts of the paper it goes into.

Lines, markers, steps, bands, bars, error bars and texts become `\addplot`, `\path` and `\node` with their
coordinates; a panel becomes an `axis` with the ticks of the picture, and legends are where they are in it.
Images, such as a heat map's, are left out. The file needs `\usepackage{pgfplots}` and is read by `\input`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.typeset import to_latex

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

_MARKS = {"o": "*", "s": "square*", "^": "triangle*", "v": "triangle*", "D": "diamond*", "P": "+", "X": "x"}
_MARKS |= {"x": "x", "+": "+", "_": "-", "|": "|", ">": "triangle*", "<": "triangle*"}
_TURNED = {"v": 180, ">": 270, "<": 90}
_BOLD = {"P", "X"}  # filled crosses; pgfplots has only thin ones
_LARGEST = 1e300  # points with larger coordinates are left out


def as_pgfplots(figure: Figure) -> str:
    r"""The LaTeX of a figure, arranged by `style.arrange`: a `tikzpicture` with an axis for each panel.

    >>> from gatewalk.analysis.time_figures import success_figure
    >>> from gatewalk.stats import sample
    >>> figure = success_figure({"and": {4: sample([3], [True]), 5: sample([8], [True])}})
    >>> "\\addplot" in as_pgfplots(figure)
    True
    """
    size = figure.get_size_inches()
    lines = [
        "% needs \\usepackage{pgfplots}\\pgfplotsset{compat=1.16}",
        "\\begin{tikzpicture}[font=\\footnotesize]",
    ]
    seen = [axes for axes in figure.axes if axes.get_visible()]
    for axes in seen:
        legends = [] if axes is not seen[-1] else list(figure.legends)
        own = axes.get_legend()
        lines += _axis(axes, size, [*legends, own] if own is not None else legends)
    for text in figure.texts:
        x, y = text.get_position()
        lines.append(
            f"\\node[{_anchor(text)}] at ({x * size[0]:.3f}in,{y * size[1]:.3f}in) {{{_text(text)}}};"
        )
    return "\n".join([*lines, "\\end{tikzpicture}", ""])


def _axis(axes: Axes, size: Any, legends: Sequence[Legend]) -> Iterator[str]:
    box = axes.get_position()
    options = [
        *_box_options(box, size),
        *(["axis x line*=bottom", "axis y line*=left"] if axes.axison else ["hide axis"]),
        "grid=major",
        "grid style={gray!30}",
        "tick align=outside",
        "clip mode=individual",
        "title style={anchor=base,yshift=3pt}",
        "label style={align=center}",
        *(f"{name}={{{_latex(text)}}}" for name, text in _words(axes) if text),
        *_scale("x", axes.get_xscale(), axes.get_xlim()),
        *_scale("y", axes.get_yscale(), axes.get_ylim()),
        *_ticks("x", axes.xaxis, axes.get_xlim()),
        *_ticks("y", axes.yaxis, axes.get_ylim()),
    ]
    *others, last = legends if legends else (None,)  # pgfplots has one legend per axis
    if last is not None:
        options += _legend_options(last, box)
    yield "\\begin{axis}[" + ",\n  ".join(options) + "]"
    for collection in axes.collections:
        yield from _region(collection)
    for patch in axes.patches:
        yield from _bar(patch)
    for line in axes.lines:
        yield from _line(line, axes)
    for text in axes.texts:
        yield from _node(text, axes)
    if last is not None:
        yield from _entries(last)
    yield "\\end{axis}"
    for legend in others:
        if legend is not None:
            yield from _apart(legend, box, size)


def _apart(legend: Legend, box: Any, size: Any) -> Iterator[str]:
    """A legend on an empty axis of its own, over the panel."""
    options = [*_box_options(box, size), "hide axis", "xmin=0", "xmax=1", "ymin=0", "ymax=1"]
    yield f"\\begin{{axis}}[{','.join([*options, *_legend_options(legend, box)])}]"
    yield from _entries(legend)
    yield "\\end{axis}"


def _box_options(box: Any, size: Any) -> list[str]:
    """Options that put an axis over a box, which is in fractions of a figure of this size in inches."""
    return [
        f"at={{({box.x0 * size[0]:.3f}in,{box.y0 * size[1]:.3f}in)}}",
        "anchor=south west",
        "scale only axis",
        f"width={box.width * size[0]:.3f}in",
        f"height={box.height * size[1]:.3f}in",
    ]


def _words(axes: Axes) -> tuple[tuple[str, str], ...]:
    return (("title", axes.get_title()), ("xlabel", axes.get_xlabel()), ("ylabel", axes.get_ylabel()))


def _scale(name: str, scale: str, limits: tuple[float, float]) -> Iterator[str]:
    low, high = sorted(limits)
    yield f"{name}mode={'log' if scale == 'log' else 'linear'}"
    yield f"{name}min={low:.6g},{name}max={high:.6g}"
    if limits[0] > limits[1]:
        yield f"{name} dir=reverse"


def _ticks(name: str, axis: Axis, limits: tuple[float, float]) -> Iterator[str]:
    """The ticks of the picture with their labels. Panels that share an axis show the labels only once."""
    low, high = sorted(limits)
    labelled: list[tuple[float, str]] = []
    for minor in (False, True):
        axis.get_ticklabels(minor=minor)  # called because it sets the texts of the ticks
        for tick in axis.get_minor_ticks() if minor else axis.get_major_ticks():
            at, text = float(tick.get_loc()), tick.label1.get_text()
            if low <= at <= high and (text or not minor):
                labelled.append((at, text if tick.label1.get_visible() else ""))
    bare = [at for at in axis.get_ticklocs(minor=True) if low <= at <= high]
    numbers = ",".join(f"{at:.8g}" for at, _ in labelled)
    yield f"{name}tick={{{numbers}}}" if labelled else f"{name}tick=\\empty"
    yield f"{name}ticklabels={{{','.join('{' + _latex(text) + '}' for _, text in labelled)}}}"
    if bare:
        yield f"minor {name}tick={{{','.join(f'{at:.8g}' for at in bare)}}}"
    else:
        yield f"minor {name} tick num=0,{name}minorticks=false"


def _line(line: Any, axes: Axes) -> Iterator[str]:
    x = np.asarray(line.get_xdata(), dtype=np.float64)
    y = np.asarray(line.get_ydata(), dtype=np.float64)
    if line.get_transform() != axes.transData:  # a line across the panel: its ends are those of the axis
        x = np.array(axes.get_xlim()) if np.array_equal(x, [0, 1]) else x
        y = np.array(axes.get_ylim()) if np.array_equal(y, [0, 1]) else y
    finite = np.isfinite(x) & np.isfinite(y) & (np.abs(y) < _LARGEST)
    if finite.any():
        steps = "const plot," if line.get_drawstyle() == "steps-post" else ""
        yield f"\\addplot[forget plot,{steps}{_look(line)}] coordinates {{{_points(x[finite], y[finite])}}};"


def _look(line: Any) -> str:
    """Colour, dashes and mark of a line."""
    from matplotlib.colors import to_hex

    colour = _colour(to_hex(line.get_color()))
    options = [f"color={colour}", f"line width={line.get_linewidth():.2g}pt"]
    if line.get_linestyle() in ("None", "none", "", " "):
        options.append("only marks")
    else:
        options += _dashes(line)
    mark = line.get_marker()
    if mark in (None, "", "None", "none"):
        return ",".join([*options, "no markers"])
    inside = to_hex(line.get_markerfacecolor()) if str(line.get_markerfacecolor()) != "none" else "#ffffff"
    edge = _colour(to_hex(line.get_markeredgecolor()))
    width = max(line.get_markeredgewidth(), 1.6 if mark in _BOLD else 0.0)
    options += [f"mark={_MARKS.get(mark, 'text')}", f"mark size={line.get_markersize() / 2:.2g}pt"]
    turned = f",rotate={_TURNED[mark]}" if mark in _TURNED else ""
    options.append(
        f"mark options={{solid,draw={edge},fill={_colour(inside)},line width={width:.2g}pt{turned}}}"
    )
    if mark not in _MARKS:
        options.append("text mark=$\\uparrow$")
    return ",".join(options)


def _dashes(line: Any) -> list[str]:
    """The dashes of a line in points, from a private attribute: Matplotlib has no public one."""
    _, pattern = getattr(line, "_dash_pattern", (0, None))
    if not pattern:
        return []
    pairs = zip(pattern[::2], pattern[1::2], strict=True)
    return ["dash pattern=" + " ".join(f"on {on:.2g}pt off {off:.2g}pt" for on, off in pairs)]


def _region(collection: Any) -> Iterator[str]:
    """A collection: bands as filled outlines, error bars as segments."""
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_hex

    if isinstance(collection, LineCollection):
        colours: Any = collection.get_color()
        widths: Any = collection.get_linewidth()
        colour = _colour(to_hex(colours[0])) if len(colours) else "black"
        look = f"color={colour},opacity={collection.get_alpha() or 1:.2g},line width={widths[0]:.2g}pt"
        for segment in collection.get_segments():
            if len(segment) > 1 and np.isfinite(segment).all():
                yield f"\\addplot[forget plot,no markers,{look}] coordinates {{{_points(*segment.T)}}};"
        return
    for path in collection.get_paths():
        if len(path.vertices) and len(collection.get_facecolor()):
            look = f"draw=none,{_shade(collection.get_facecolor()[0])},no markers"
            yield f"\\addplot[forget plot,{look}] coordinates {{{_points(*path.vertices.T)}}};"


def _bar(patch: Any) -> Iterator[str]:
    """A rectangle of a bar chart. The figures of this package have no other patches."""
    from matplotlib.patches import Rectangle

    if isinstance(patch, Rectangle) and patch.get_visible() and patch.get_width() and patch.get_height():
        x, y = patch.get_xy()
        ends = f"(axis cs:{x:.8g},{y:.8g}) rectangle (axis cs:{x + patch.get_width():.8g},"
        yield f"\\path[{_shade(patch.get_facecolor())}] {ends}{y + patch.get_height():.8g});"


def _shade(colour: Any) -> str:
    from matplotlib.colors import to_hex

    return f"fill={_colour(to_hex(colour))},fill opacity={colour[3]:.2g}"


def _node(text: Any, axes: Axes) -> Iterator[str]:
    """A text inside a panel, placed by data coordinates or by fractions of the panel."""
    if not text.get_text() or not text.get_visible():
        return
    frame = "rel axis cs" if text.get_transform() == axes.transAxes else "axis cs"
    x, y = text.get_position()
    yield f"\\node[{_anchor(text)}] at ({frame}:{x:.6g},{y:.6g}) {{{_text(text)}}};"


def _anchor(text: Any) -> str:
    from matplotlib.colors import to_hex

    across = {"left": "west", "right": "east"}.get(text.get_horizontalalignment(), "")
    along = {"top": "north", "bottom": "south", "baseline": "base"}.get(text.get_verticalalignment(), "")
    if along == "base" and across:
        anchor = f"base {across}"
    else:
        anchor = " ".join(word for word in (along, across) if word) or "center"
    turned = f",rotate={text.get_rotation():g}" if text.get_rotation() else ""
    return f"anchor={anchor},inner sep=0pt,text={_colour(to_hex(text.get_color()))}{turned}"


def _legend_options(legend: Legend, panel: Any) -> list[str]:
    """Options that put the legend where it is in the picture, in fractions of the box of its panel."""
    figure = legend.get_figure(root=True)
    assert figure is not None
    box = legend.get_window_extent().transformed(figure.transFigure.inverted())
    x = ((box.x0 + box.x1) / 2 - panel.x0) / panel.width
    y = ((box.y0 + box.y1) / 2 - panel.y0) / panel.height
    return [
        f"legend columns={_columns(legend)}",
        "legend cell align=left",
        f"legend style={{at={{({x:.4f},{y:.4f})}},anchor=center,draw=none,fill=none,"
        "/tikz/every odd column/.append style={column sep=3pt},"
        "/tikz/every even column/.append style={column sep=8pt}}",
    ]


def _columns(legend: Legend) -> int:
    return max(1, min(int(getattr(legend, "_ncols", 1)), len(legend.get_texts())))


def _entries(legend: Legend) -> Iterator[str]:
    """The entries of a legend row by row; Matplotlib orders them column by column."""
    from matplotlib.lines import Line2D

    texts = [text.get_text() for text in legend.get_texts()]
    both = list(zip(legend.legend_handles, texts, strict=True))
    parts = [[both[i] for i in part] for part in np.array_split(np.arange(len(both)), _columns(legend))]
    measured = _with_bars(legend.get_figure(root=True))
    title = legend.get_title().get_text()
    if title and title != "None":
        yield f"\\addlegendimage{{empty legend}}\\addlegendentry{{{_latex(title)}}}"
    for row in range(max(map(len, parts), default=0)):
        for part in parts:
            handle, text = part[row] if row < len(part) else (None, "")
            if not text:
                yield "\\addlegendimage{empty legend}\\addlegendentry{}"
                continue
            handle = measured.get(text, handle)
            look = _look(handle) if isinstance(handle, Line2D) else _area(handle)
            yield f"\\addlegendimage{{{look}}}\\addlegendentry{{{_latex(text)}}}"


def _area(handle: Any) -> str:
    """The entry of a band: a box of its shade."""
    colour = np.atleast_2d(handle.get_facecolor())
    shade = _shade(colour[0]) if colour.size else "fill=gray,fill opacity=0.25"
    return f"legend image code/.code={{\\path[draw=none,{shade}] (0cm,-0.09cm) rectangle (0.6cm,0.09cm);}}"


def _with_bars(figure: Any) -> dict[str, Any]:
    """The marks of curves with error bars, by label: Matplotlib's legend knows only the bars."""
    from matplotlib.container import ErrorbarContainer

    containers = (container for axes in figure.axes for container in axes.containers)
    return {
        str(bars.get_label()): bars.lines[0]
        for bars in containers
        if isinstance(bars, ErrorbarContainer) and bars.lines[0] is not None
    }


def _points(x: Iterable[float], y: Iterable[float]) -> str:
    return " ".join(f"({a:.8g},{b:.8g})" for a, b in zip(x, y, strict=True))


def _colour(name: str) -> str:
    """A colour mixed from red, green and blue, as xcolor takes it without a definition."""
    red, green, blue = (int(name[i : i + 2], 16) for i in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _text(text: Any) -> str:
    return _latex(text.get_text())


def _latex(label: str) -> str:
    return to_latex(label, formulas=True)
