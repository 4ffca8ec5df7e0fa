"""Success rates along an axis with Wilson's intervals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gatewalk.analysis.statistics import Sample, success_rate
from gatewalk.analysis.style import beside, look, panels, plain, styled
from gatewalk.analysis.time_figure import size_ticks

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ASIDE = 0.012  # of the axis: how far apart curves are moved that would hide each other's intervals


@styled()
def success_figure(curves: Mapping[str, Mapping[int, Sample]], *, x: str = "n") -> Figure:
    """The fraction of runs that succeeded within their budgets, with Wilson's 95 % intervals.

    Parameters
    ----------
    curves
        Runs by curve and place on the axis.
    x
        The axis: "n" or a setting that is a number.

    Returns
    -------
    Figure
        Of Matplotlib.

    Examples
    --------
    >>> from gatewalk.analysis import sample
    >>> drawn = success_figure({"and": {4: sample([3, 9], [True, False]), 5: sample([8, 8], [True, True])}})
    >>> drawn.axes[0].get_ylabel()
    'fraction of runs solved'
    """
    figure, ((axes,),) = panels(width=5.6, height=3.0)
    sizes = sorted({at for along in curves.values() for at in along})
    size_ticks(axes, sizes, x)
    span = sizes[-1] - sizes[0]
    for index, (name, along) in enumerate(curves.items()):
        rates = [success_rate(data) for data in along.values()]
        middle = index - (len(curves) - 1) / 2
        if axes.get_xscale() == "log":
            at = [place * (sizes[-1] / sizes[0]) ** (_ASIDE * middle) for place in along]
        else:
            at = [place + _ASIDE * middle * span for place in along]
        axes.errorbar(
            at,
            [rate.rate for rate in rates],
            [
                [max(0.0, rate.rate - rate.interval.low) for rate in rates],
                [max(0.0, rate.interval.high - rate.rate) for rate in rates],
            ],
            color=look(index).colour,
            linestyle=look(index).dashes,
            marker=look(index).marker,
            elinewidth=0.8,
            label=plain(name),
        )
    axes.set_ylim(-0.03, 1.03)
    axes.set_ylabel("fraction of runs solved")
    beside(axes, title="95 % Wilson intervals")
    return figure
