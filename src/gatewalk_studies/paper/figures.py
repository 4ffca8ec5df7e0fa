"""Figure 2 of the paper with published points over our curves; ERT and distributions on complete sets.

Every function draws the cells of one profile. Means are those of the successful runs, as published, and cells
with failed runs have a cross; `expected_times` also counts the iterations of failed runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gatewalk.analysis.distribution_figures import draw_steps
from gatewalk.analysis.style import (
    EXACT,
    FAILED,
    GREY,
    band_key,
    legend,
    legend_entry,
    letter_panels,
    log_axis,
    log_ticks,
    open_marks,
    panels,
    size_axis,
)
from gatewalk.studies.paper.ert_curves import LABEL, ceiling, draw_band, mark_keys
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.experiments import Cells, Place, line
from gatewalk.studies.paper.looks import LOOKS, exact_handle, handle
from gatewalk.studies.paper.means import draw_means, draw_published, times
from gatewalk.studies.paper.models import MODELS, SELECTION_WORDS, SELECTIONS
from gatewalk.studies.paper.published import figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEAN = "mean iterations\nof the runs that succeeded"


def complete_times(cells: Cells, profile: str) -> Figure:
    """Figure 2: mean iterations on complete training sets."""
    drawn, axes = panels(1, 2, height=3.3, sharey=True)
    failed = False
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        for model in MODELS:
            found = line(cells, "complete", profile, selection, model.name)
            look, sizes = LOOKS[model.name], sizes_of(cells, "complete")
            failed = draw_means(place, found, look, times) or failed
            marks = open_marks(look.colour, look.marker, 4)
            draw_published(place, figure("fig2", "runtime"), selection, model.name, sizes, marks)
        size_axis(place, sizes_of(cells, "complete"), log=False)
        log_axis(place, MEAN if place is axes[0][0] else "")
        place.set_title(SELECTION_WORDS[selection] + " selection")
    letter_panels(axes[0])
    keys = [
        legend_entry("ours"),
        band_key(),
        *([legend_entry("some runs failed", **FAILED)] if failed else []),
    ]
    keys.append(legend_entry("published", **open_marks(GREY, "o", 4)))
    models = [handle(model, profile) for model in MODELS]
    keys += [legend_entry("", linestyle="none")] * (len(models) - len(keys))
    # Legends are filled column by column: models above, keys below.
    legend(drawn, [entry for pair in zip(models, keys, strict=True) for entry in pair], columns=len(models))
    return drawn


def expected_times(cells: Cells, profile: str, exact: Mapping[Place, Moments]) -> Figure:
    """ERT: iterations of all runs, including failed ones, per success; exact expectations as bars."""
    drawn, axes = panels(1, 2, height=3.1, sharey=True)
    own = {place: cell for place, cell in cells.items() if place.profile == profile}
    top, marks, known = ceiling(own), set[str](), False
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        for model in MODELS:
            found = line(cells, "complete", profile, selection, model.name)
            if found:
                marks |= draw_band(place, found, LOOKS[model.name], top)
        proven = [
            (where.n, value.mean)
            for where, value in exact.items()
            if (where.part, where.profile, where.selection) == ("complete", profile, selection)
        ]
        known = known or bool(proven)
        place.plot([n for n, _ in proven], [value for _, value in proven], **EXACT)
        size_axis(place, sizes_of(cells, "complete"), log=False)
        log_axis(place, LABEL if place is axes[0][0] else "")
        place.set_title(SELECTION_WORDS[selection] + " selection")
    if "endless" in marks:
        axes[0][0].set_ylim(top=top)
    letter_panels(axes[0])
    entries: list[Any] = [handle(model, profile, filled=True) for model in MODELS]
    entries += [band_key(), *([exact_handle()] if known else []), *mark_keys(marks)]
    legend(drawn, entries, columns=4 if len(entries) > 6 else 3)
    return drawn


def distributions(cells: Cells, profile: str) -> Figure:
    """The fraction of runs solved within t iterations, at a small, a middle and the largest n."""
    sizes = sizes_of(cells, "complete")
    chosen = sorted({sizes[len(sizes) // 6], sizes[len(sizes) // 2], sizes[-1]})
    drawn, axes = panels(2, len(chosen), height=4.4, sharey=True, sharex="col")
    censored = False
    for row, selection in zip(axes, SELECTIONS, strict=True):
        for place, n in zip(row, chosen, strict=True):
            for model in MODELS:
                cell = line(cells, "complete", profile, selection, model.name).get(n)
                if cell is not None:
                    look = LOOKS[model.name]
                    options = {"color": look.colour, "linestyle": look.dashes, "linewidth": 1.1}
                    censored = draw_steps(place, cell.runs, options, shade=0.1) or censored
            place.set_xscale("log")
            log_ticks(place.xaxis)
            place.set_ylim(-0.02, 1.02)
            place.set_title(f"{SELECTION_WORDS[selection]}, $n = {n}$")
        row[0].set_ylabel("fraction of runs solved")
    for place in axes[-1]:
        place.set_xlabel("iterations + 1")
    letter_panels(axes.flat)
    entries: list[Any] = [handle(model, profile, marker=False) for model in MODELS]
    entries.append(band_key("95 % band"))
    if censored:
        entries.append(legend_entry("runs given up", linestyle="none", marker="|", markersize=7))
    legend(drawn, entries, columns=4)
    return drawn


def sizes_of(cells: Cells, part: str) -> Sequence[int]:
    """Every n that this part has."""
    return sorted({place.n for place in cells if place.part == part})
