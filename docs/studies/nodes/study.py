"""Nodes from n - 1 to n^2: mean iterations by D, figure.svg from runs.csv."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from gatewalk.analysis import style
from gatewalk.analysis.bootstrap import bootstrap
from gatewalk.analysis.growth import Cells, mean_time
from gatewalk.analysis.reading import read_runs, series

HERE = Path(__file__).parent


@style.styled()
def draw(found: dict[str, Cells]) -> Figure:
    """Mean iterations with 95 % bootstrap intervals by D/n."""
    figure, ((axes,),) = style.panels(width=4.6, height=3.2)
    for index, (name, cells) in enumerate(found.items()):
        n = int(name.split()[0].removeprefix("n="))
        x = np.array(list(cells)) / n
        means = np.array([mean_time(cell) for cell in cells.values()])
        spans = [bootstrap(cell, mean_time, resamples=400) for cell in cells.values()]
        low, high = np.array([span.low for span in spans]), np.array([span.high for span in spans])
        label = f"$n = {n}$, {name.split()[1]}"
        axes.errorbar(
            x,
            means,
            [means - low, high - means],
            color=style.COLOURS[index],
            marker=style.MARKERS[index],
            label=label,
        )
        best = int(np.argmin(means))
        print(
            name, "fastest at D =", list(cells)[best], dict(zip(cells, means.round(1).tolist(), strict=True))
        )
    axes.set(xscale="log", xlabel="nodes per input $D/n$")
    style.log_axis(axes, "mean iterations")
    axes.minorticks_off()
    axes.set_xticks([1, 2, 4, 8, 16, 32], ["1", "2", "4", "8", "16", "32"])
    axes.legend()
    return figure


def main() -> None:
    """Read, print, draw."""
    runs = read_runs(HERE / "runs.csv")
    found = series(runs, lambda run: f"n={run['n']} {run['selection']}", by=lambda run: int(run["nodes"]))
    style.save(draw(dict(found)), HERE / "figure.svg")


if __name__ == "__main__":
    main()
