"""Small multiples, a column of panels for each model: Figure 3 of the paper, and success rates.

With 48 sizes, five models could not be told apart in one panel. In panels side by side with shared axes, each
model has its own band and its own published points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.style import (
    FAILED,
    GREY,
    Look,
    band_key,
    legend,
    legend_entry,
    log_axis,
    open_marks,
    panels,
    whole_ticks,
)
from gatewalk.stats.sample import success_rate
from gatewalk.studies.paper.experiments import Cells, line
from gatewalk.studies.paper.figures import sizes_of
from gatewalk.studies.paper.looks import LOOKS, words
from gatewalk.studies.paper.means import abilities, draw_means, draw_published, times
from gatewalk.studies.paper.models import MODELS, SELECTION_WORDS, SELECTIONS, Model
from gatewalk.studies.paper.published import REPLICATIONS, figure, table2

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PUBLISHED: Any = open_marks(GREY, "o", 2.4)  # in every panel, as each has one model only
_ALWAYS_0: Any = {"color": GREY, "linewidth": 0.9, "linestyle": (0, (4, 1.5))}


def incomplete_times(cells: Cells, profile: str) -> Figure:
    """Figure 3: mean iterations and generalisation ability on sampled training sets."""
    drawn, axes = _columns(cells, "incomplete", profile, rows=4, height=6.6)
    sizes = sizes_of(cells, "incomplete")
    ability = np.array(sizes, dtype=np.float64)
    failed = False
    for row, (selection, values) in enumerate((s, v) for v in (times, abilities) for s in SELECTIONS):
        published = figure("fig3", "runtime" if values is times else "generalisation")
        for place, model in zip(axes[row], MODELS, strict=True):
            if values is abilities:
                place.plot(sizes, 1 - 2.0**-ability, **_ALWAYS_0)
            found = line(cells, "incomplete", profile, selection, model.name)
            failed = draw_means(place, found, _solid(model), values) or failed
            draw_published(place, published, selection, model.name, sizes, _PUBLISHED)
            if values is times:
                log_axis(place, "")
            else:
                place.set_ylim(0.78, 1.01)
        what = "mean iterations" if values is times else "mean ability\non new rows"
        axes[row][0].set_ylabel(f"({'abcd'[row]}) {SELECTION_WORDS[selection]}\n{what}")
    for row in (0, 1):  # the same axis for both selections
        for place in axes[row]:
            place.set_ylim(0.4, max(axes[0][0].get_ylim()[1], axes[1][0].get_ylim()[1]))
    keys: list[Any] = [legend_entry("ours, over the runs that succeeded"), band_key()]
    keys += [legend_entry("some runs failed", **FAILED)] * failed
    keys += [
        legend_entry("published", **_PUBLISHED),
        legend_entry("the circuit that is always 0", **_ALWAYS_0),
    ]
    legend(drawn, keys, columns=3)
    return drawn


def success_rates(cells: Cells, profile: str) -> Figure:
    """The fraction of runs that fitted the complete set within the budget, with Wilson's intervals."""
    drawn, axes = _columns(cells, "complete", profile, rows=2, height=3.4)
    for row, selection in zip(axes, SELECTIONS, strict=True):
        for place, model in zip(row, MODELS, strict=True):
            found = line(cells, "complete", profile, selection, model.name)
            look, sizes = _solid(model), list(found)
            rates = [success_rate(cell.runs) for cell in found.values()]
            low, high = [rate.interval.low for rate in rates], [rate.interval.high for rate in rates]
            place.fill_between(sizes, low, high, color=look.colour, alpha=0.2, linewidth=0)
            place.plot(sizes, [rate.rate for rate in rates], color=look.colour, linestyle=look.dashes)
            rows = {n: table2().get((selection, model.name, n)) for n in found}
            shares = {n: told.successes / REPLICATIONS for n, told in rows.items() if told}
            place.plot(list(shares), list(shares.values()), **_PUBLISHED)
            place.set_ylim(-0.04, 1.06)
        letter = "a" if selection == SELECTIONS[0] else "b"
        row[0].set_ylabel(f"({letter}) {SELECTION_WORDS[selection]}\nfraction of runs solved")
    keys = [legend_entry("ours"), band_key("95 % interval (Wilson)"), legend_entry("published", **_PUBLISHED)]
    legend(drawn, keys, columns=3)
    return drawn


def _solid(model: Model) -> Look:
    """The look of a model that is alone in its panel: its colour, without dashes and markers."""
    return Look(LOOKS[model.name].colour, "solid", "")


def _columns(cells: Cells, part: str, profile: str, *, rows: int, height: float) -> tuple[Figure, Any]:
    """Panels with a column for each model, its name on top and n below."""
    drawn, axes = panels(rows, len(MODELS), height=height, sharex=True, sharey="row")
    sizes = sizes_of(cells, part)
    for place, model in zip(axes[0], MODELS, strict=True):
        place.set_title(words(model, profile))
    for place in axes.flat:
        place.set_xlim(sizes[0] - 1, sizes[-1] + 1)
        whole_ticks(place.xaxis, most=4)
    for place in axes[-1]:
        place.set_xlabel("inputs $n$")
    return drawn, axes
