"""How running times grow: fitted curves beside the exponent from each size to the next."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

from gatewalk.analysis.figures import ENDLESS, draw_growth
from gatewalk.analysis.growth import Cells, Growth
from gatewalk.analysis.local_exponents import local_exponents
from gatewalk.analysis.style import (
    PAGE,
    key,
    legend,
    letters,
    log_size_axis,
    look,
    panels,
    styled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIDES = {"up": "^", "down": "v"}
_ASIDE = 0.008  # of the length of the axis: how far apart intervals are moved that would hide each other


@styled()
def growth_and_exponents_figure(
    series: Mapping[str, tuple[Cells, Growth | None]], *, model: Literal["power", "exponential"] = "power"
) -> Figure:
    """Left: mean running times with a model's fitted curve. Right: local exponents with 95 % intervals.

    Parameters
    ----------
    series
        Running times by n, and their fit, by curve.
    model
        Which fitted curve: "power" (both axes logarithmic) or "exponential".
    """
    figure, ((left, right),) = panels(1, 2, width=PAGE, height=3.3 + 0.16 * -(-len(series) // 2))
    draw_growth(left, series, model=model)
    keys = [*left.get_legend_handles_labels()[0], *_draw_exponents(right, series)]
    keys = list({str(one.get_label()): one for one in keys}.values())  # one entry per label
    left.set_title("running time and fit")
    right.set_title("exponent from each size to the next")
    letters((left, right))
    legend(figure, keys, columns=2)
    return figure


def _draw_exponents(axes: Axes, series: Mapping[str, tuple[Cells, Growth | None]]) -> list[Any]:
    """Draw the local exponents; returns their entries for the legend."""
    sizes = sorted({n for cells, _ in series.values() for n in cells})
    endless: set[str] = set()
    for index, (cells, fitted) in enumerate(series.values()):
        found = local_exponents(cells)
        own, colour = look(index), look(index).colour
        shift = (sizes[-1] / sizes[0]) ** (_ASIDE * (index - (len(series) - 1) / 2))
        at = [one.at * shift for one in found]
        values = [one.exponent for one in found]
        ends = [one.interval.high if isfinite(one.interval.high) else one.exponent for one in found]
        lows = [one.interval.low if isfinite(one.interval.low) else one.exponent for one in found]
        spans = [
            [max(0.0, value - low) for value, low in zip(values, lows, strict=True)],
            [max(0.0, end - value) for end, value in zip(ends, values, strict=True)],
        ]
        axes.errorbar(at, values, spans, fmt=own.marker, color=colour, markersize=3.5, elinewidth=0.8)
        for place, one in zip(at, found, strict=True):
            sides = {"up": one.interval.high, "down": one.interval.low}
            for side in (side for side, end in sides.items() if not isfinite(end)):
                axes.plot(place, one.exponent, **{**ENDLESS, "marker": _SIDES[side]}, color=colour)
                endless.add(side)
        if fitted is not None:
            rate = next(item for item in fitted.estimates if item.fit.model.name == "power").fit.rate
            axes.axhline(rate, color=colour, linewidth=0.9, linestyle=own.dashes)
    keys = [key("95 % bootstrap interval", linestyle="none", marker="|", markersize=8)]
    if any(fitted is not None for _, fitted in series.values()):
        keys.append(key("(b) fitted to all sizes", linewidth=0.9))
    words = {"up": "interval has no upper end", "down": "interval has no lower end"}
    keys += [
        key(told, **{**ENDLESS, "marker": _SIDES[side]}) for side, told in words.items() if side in endless
    ]
    log_size_axis(axes, sizes)
    axes.set_ylabel("exponent $a$ of $n^a$")
    return keys
