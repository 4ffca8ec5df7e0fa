"""Measured distributions of running times over the exact ones from the Markov chain.

At n = 3 with D = n nodes (one more under `tinyverse`) the chain's whole distribution takes seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.style import EXACT_LINE, log_ticks, panels
from gatewalk.analysis.survival import running_time_ecdf
from gatewalk.search.settings import settings
from gatewalk.studies.paper.experiments import Cells, line
from gatewalk.studies.paper.looks import LOOKS
from gatewalk.studies.paper.models import CGP, SELECTION_WORDS, SELECTIONS
from gatewalk.theory.chain.sam_search import solved

if TYPE_CHECKING:
    from matplotlib.figure import Figure

N = 3
SHOWN = 0.999  # the curve is drawn up to this share of all runs that ever end


def exact_distributions(cells: Cells, profile: str) -> Figure:
    """The fraction of runs of the smallest CGP solved within t iterations, exact and measured."""
    model = CGP[0]
    drawn, axes = panels(1, 2, height=2.9, sharey=True)
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        nodes = model.nodes_under(profile)
        chain = solved(settings(f"and:{N}", nodes=nodes, profile=profile, selection=selection))
        law = chain.distribution()
        end = law.quantile(SHOWN * (1.0 - law.never))
        # Times are whole numbers; 1 is added so that a start that is optimal has a place on a log axis.
        times = np.unique(np.geomspace(1, end + 1, 300).astype(np.int64)) - 1
        shares = [law.cumulative(int(t)) for t in times]
        place.step(times + 1, shares, where="post", **EXACT_LINE, label="exact")
        cell = line(cells, "complete", profile, selection, model.name).get(N)
        if cell is not None:
            curve, colour = running_time_ecdf(cell.all_runs), LOOKS[model.name].colour
            steps = curve.times + 1
            words = f"measured, {cell.all_runs.runs} runs, 95 % band"
            band: Any = {"step": "post", "color": colour, "alpha": 0.15, "linewidth": 0}
            place.fill_between(steps, curve.low, curve.high, **band)
            place.step(steps, curve.values, where="post", color=colour, linewidth=1.1, label=words)
        place.set_xscale("log")
        log_ticks(place.xaxis)
        place.set_ylim(-0.02, 1.02)
        place.set_xlabel("iterations + 1")
        place.set_title(f"{SELECTION_WORDS[selection]} selection, {model.label(profile)}, $n = {N}$")
        place.legend(loc="upper left")
    axes[0][0].set_ylabel("fraction of runs solved")
    return drawn
