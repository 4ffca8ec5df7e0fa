"""Measured distributions of running times drawn over the exact ones from the Markov chain.

At n = 3 with D = n nodes (one more under `tinyverse`) the whole distribution is computed in seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gatewalk.analysis.distribution_figures import draw_law, draw_steps
from gatewalk.analysis.style import (
    EXACT_LINE,
    band_key,
    legend,
    legend_entry,
    letter_panels,
    log_ticks,
    panels,
)
from gatewalk.search.settings import settings
from gatewalk.studies.paper.experiments import Cells, line
from gatewalk.studies.paper.looks import LOOKS
from gatewalk.studies.paper.looks import words as model_words
from gatewalk.studies.paper.models import CGP, SELECTION_WORDS, SELECTIONS
from gatewalk.theory.chain.exact import solve_chain

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N = 3


def exact_distributions(cells: Cells, profile: str) -> Figure:
    """The fraction of runs of the smallest CGP solved within t iterations, exact and measured."""
    model, censored = CGP[0], False
    drawn, axes = panels(1, 2, height=3.1, sharey=True)
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        cell = line(cells, "complete", profile, selection, model.name).get(N)
        words = f"{SELECTION_WORDS[selection]} selection"
        nodes = model.nodes_under(profile)
        chain = solve_chain(settings(f"and:{N}", nodes=nodes, profile=profile, selection=selection))
        draw_law(place, chain.distribution())
        if cell is not None:
            look = {"color": LOOKS[model.name].colour, "linewidth": 1.1}
            censored = draw_steps(place, cell.all_runs, look) or censored
            words += f", {cell.all_runs.runs} runs"
        place.set_xscale("log")
        log_ticks(place.xaxis)
        place.set_ylim(-0.02, 1.02)
        place.set_xlabel("iterations + 1")
        place.set_title(words)
    axes[0][0].set_ylabel("fraction of runs solved")
    letter_panels(axes[0])
    entries = [
        legend_entry("exact", **EXACT_LINE),
        legend_entry(f"measured: {model_words(model, profile)}, $n = {N}$", color=LOOKS[model.name].colour),
        band_key("95 % band"),
        *([legend_entry("runs given up", linestyle="none", marker="|", markersize=7)] if censored else []),
    ]
    legend(drawn, entries, columns=4)
    return drawn
