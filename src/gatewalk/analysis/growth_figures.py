"""How running times grow: fitted curves beside the exponent from each size to the next."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import TYPE_CHECKING, Literal

from gatewalk.analysis.figures import draw_growth
from gatewalk.analysis.growth import Cells, Growth
from gatewalk.analysis.local_exponents import local_exponents
from gatewalk.analysis.style import COLOURS, GREY, MARKERS, PAGE, log_size_axis, panels, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ASIDE = 0.008  # of the logarithmic axis, between intervals that would hide each other


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
    figure, ((left, right),) = panels(1, 2, width=PAGE, height=3.3)
    draw_growth(left, series, model=model)
    _draw_exponents(right, series)
    left.legend(fontsize=6.5)
    left.set_title("(a) running time and fit")
    right.set_title("(b) exponent from each size to the next")
    return figure


def _draw_exponents(axes: Axes, series: Mapping[str, tuple[Cells, Growth | None]]) -> None:
    sizes = sorted({n for cells, _ in series.values() for n in cells})
    endless = False
    for index, (cells, fitted) in enumerate(series.values()):
        found = local_exponents(cells)
        colour = COLOURS[index % len(COLOURS)]
        shift = (sizes[-1] / sizes[0]) ** (_ASIDE * (index - (len(series) - 1) / 2))
        at = [one.at * shift for one in found]
        values = [one.exponent for one in found]
        ends = [one.interval.high if isfinite(one.interval.high) else one.exponent for one in found]
        lows = [one.interval.low if isfinite(one.interval.low) else one.exponent for one in found]
        spans = [
            [max(0.0, value - low) for value, low in zip(values, lows, strict=True)],
            [max(0.0, end - value) for end, value in zip(ends, values, strict=True)],
        ]
        axes.errorbar(
            at, values, spans, fmt=MARKERS[index % len(MARKERS)], color=colour, markersize=3.5, elinewidth=0.8
        )
        for place, one in zip(at, found, strict=True):
            if not (isfinite(one.interval.high) and isfinite(one.interval.low)):
                axes.plot(place, one.exponent, "_", color=colour, markersize=9)
                endless = True
        if fitted is not None:
            rate = next(item for item in fitted.estimates if item.fit.model.name == "power").fit.rate
            axes.axhline(rate, color=colour, linewidth=0.7, linestyle=(0, (4, 2)))
    axes.plot([], [], "o", color=GREY, markersize=3.5, label="local, with 95 % bootstrap")
    if any(fitted is not None for _, fitted in series.values()):
        axes.plot([], [], color=GREY, linewidth=0.7, linestyle=(0, (4, 2)), label="fitted to all sizes")
    if endless:
        axes.plot([], [], "_", color=GREY, markersize=9, label="interval not known")
    log_size_axis(axes, sizes)
    axes.set_ylabel("exponent $a$ of $n^a$")
    axes.legend(fontsize=6.5)
