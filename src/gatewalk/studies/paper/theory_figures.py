"""Growth exponents, measured times under the bounds of Theorems 3 and 6, and the Xor experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.statistics import ert
from gatewalk.analysis.style import EXACT, GREY, legend, log_axis, panels, size_axis
from gatewalk.search.settings import settings
from gatewalk.studies.paper.bands import ert_band
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.experiments import Cells, Place, line
from gatewalk.studies.paper.looks import LOOKS, exact_handle, handle
from gatewalk.studies.paper.models import CGP, MODELS, PROFILES, SELECTION_WORDS, SELECTIONS, XOR_MODELS
from gatewalk.studies.paper.scaling import Scaling
from gatewalk.theory.statements import applied

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LARGEST = 9  # the exponents' axis ends here; a triangle marks intervals that go on
_LONGEST = 1e8  # iterations: the same for the times of exclusive disjunctions


def exponents(found: Sequence[Scaling]) -> Figure:
    """Exponents a of c n^a with 95 % intervals, a panel for each selection."""
    drawn, axes = panels(1, 2, height=2.6, sharey=True, sharex=True)
    drawn.get_layout_engine().set(rect=(0.02, 0, 0.98, 1))  # type: ignore[union-attr,call-arg]
    profiles = [profile for profile in PROFILES if any(row.profile == profile for row in found)]
    beyond = False
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        for row in found:
            if row.selection != selection:
                continue
            level = [model.name for model in MODELS].index(row.model)
            shift = 0.16 * (1 - 2 * profiles.index(row.profile)) if len(profiles) > 1 else 0.0
            look, level_at = LOOKS[row.model], len(MODELS) - 1 - level + shift
            low, high = row.fit.rate - row.interval.low, row.interval.high - row.fit.rate
            place.errorbar(
                row.fit.rate,
                level_at,
                xerr=[[low], [high]] if np.isfinite(high) else None,
                color=look.colour,
                marker=look.marker,
                markersize=4.5,
                markerfacecolor=look.colour if row.profile == "tinyverse" else "white",
                capsize=2,
                elinewidth=1,
            )
            if row.interval.high > _LARGEST:
                place.plot(_LARGEST, level_at, ">", color=look.colour, markersize=4, clip_on=False)
                beyond = True
            if row.interval.low < 0:
                place.plot(0, level_at, "<", color=look.colour, markersize=4, clip_on=False)
                beyond = True
        place.set_yticks(range(len(MODELS)), [model.label() for model in reversed(MODELS)])
        place.set_ylim(-0.6, len(MODELS) - 0.4)
        place.set_xlim(0, _LARGEST)
        place.set_xticks(range(_LARGEST + 1))
        place.set_xlabel("exponent $a$ in $c\\,n^a$")
        letter = "a" if selection == SELECTIONS[0] else "b"
        place.set_title(f"({letter}) {SELECTION_WORDS[selection]} selection")
        bound, name = (5, "Theorem 6") if selection == "nonstrict" else (6, "Theorem 3")
        place.axvline(bound, color=GREY, linewidth=0.8, linestyle=(0, (4, 2)))
        place.text(bound + 0.12, -0.4, name, fontsize=7, color=GREY)
    from matplotlib.lines import Line2D

    legend(
        drawn,
        [
            Line2D(
                [],
                [],
                color=GREY,
                marker="o",
                markersize=4.5,
                markerfacecolor=GREY if profile == "tinyverse" else "white",
                label=f"profile {profile}" + (" (one node more)" if profile == "tinyverse" else ""),
            )
            for profile in profiles
        ]
        + [Line2D([], [], color=GREY, marker=">", markersize=4, linestyle="none", label="interval goes on")]
        * beyond,
        columns=3,
    )
    return drawn


def bounds(cells: Cells) -> Figure:
    """Measured ERT of the profile `paper` and the upper bounds on its expectation."""
    drawn, axes = panels(1, 2, height=3.2, sharey=True)
    sizes = sorted({place.n for place in cells if place.part == "complete"})
    from matplotlib.lines import Line2D

    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        key = "theorem6" if selection == "nonstrict" else "theorem3"
        for model in CGP:
            found = line(cells, "complete", "paper", selection, model.name)
            solved = {n: cell for n, cell in found.items() if cell.runs.successes}
            look = LOOKS[model.name]
            times = [ert(cell.runs) for cell in solved.values()]
            bands = [ert_band(cell.runs) for cell in solved.values()]
            top = [min(band.high, 1e9) for band in bands]
            place.fill_between(
                list(solved), [band.low for band in bands], top, color=look.colour, alpha=0.18, linewidth=0
            )
            place.plot(
                list(solved),
                times,
                color=look.colour,
                linestyle=look.dashes,
                marker=look.marker,
                markersize=3.2,
            )
            limits = {
                n: applied(key, settings(f"and:{n}", nodes=cell.nodes, selection=selection)).value
                for n, cell in found.items()
            }
            known = {n: limit for n, limit in limits.items() if limit is not None}
            place.plot(
                list(known), list(known.values()), color=look.colour, linestyle=look.dashes, linewidth=0.7
            )
        size_axis(place, sizes)
        log_axis(place, "iterations per success (ERT)" if place is axes[0][0] else "")
        name = "Theorem 6" if selection == "nonstrict" else "Theorem 3"
        letter = "a" if selection == SELECTIONS[0] else "b"
        place.set_title(f"({letter}) {SELECTION_WORDS[selection]} selection; thin: {name}")
    entries: list[Any] = [handle(model, filled=True) for model in CGP]
    entries.append(Line2D([], [], color=GREY, marker="o", markersize=3.2, label="measured ERT, 95 % band"))
    entries.append(Line2D([], [], color=GREY, linewidth=0.7, label="upper bound"))
    legend(drawn, entries, columns=5)
    return drawn


def exclusives(cells: Cells, found: Sequence[Scaling], exact: Mapping[Place, Moments]) -> Figure:
    """Xor_n: ERT, exponential fits, exact expectations where they exist, and success rates."""
    from matplotlib.lines import Line2D

    drawn, axes = panels(1, 2, height=3.1)
    times, rates = axes[0]
    going_on = False
    sizes = sorted({place.n for place in cells if place.part == "xor"})
    fits = {row.model: row for row in found}
    for model in XOR_MODELS:
        curve = line(cells, "xor", "paper", "nonstrict", model.name)
        look = LOOKS[model.name]
        solved = {n: cell for n, cell in curve.items() if cell.runs.successes}
        values = np.array([ert(cell.runs) for cell in solved.values()])
        bands = [ert_band(cell.runs) for cell in solved.values()]
        low = np.array([band.low for band in bands])
        high = np.array([min(band.high, 1e9) for band in bands])
        times.errorbar(
            list(solved),
            values,
            [values - low, np.maximum(high - values, 0)] if solved else None,
            color=look.colour,
            marker=look.marker,
            markersize=3.5,
            linestyle="none",
            elinewidth=0.8,
        )
        beyond = [n for n, top in zip(solved, high, strict=True) if top > _LONGEST]
        going_on = going_on or bool(beyond)
        if beyond:
            times.plot(beyond, [_LONGEST] * len(beyond), "^", color=look.colour, markersize=4, clip_on=False)
        if model.name in fits:
            smooth = np.linspace(min(curve), max(curve), 50)
            times.plot(
                smooth,
                [fits[model.name].fit.mean(n) for n in smooth],
                color=look.colour,
                linestyle=look.dashes,
                linewidth=1,
            )
        known = {p.n: value.mean for p, value in exact.items() if (p.part, p.model) == ("xor", model.name)}
        times.plot(list(known), list(known.values()), **EXACT)
        share = [cell.runs.successes / cell.runs.runs for cell in curve.values()]
        rates.plot(
            list(curve), share, color=look.colour, linestyle=look.dashes, marker=look.marker, markersize=3.5
        )
    for place in (times, rates):
        size_axis(place, sizes)
    log_axis(times, "iterations per success (ERT)")
    times.set_ylim(top=_LONGEST)
    times.set_title("(a) running time and fits $c\\,b^n$")
    rates.set_ylabel("fraction of runs solved")
    rates.set_ylim(-0.03, 1.05)
    rates.set_title("(b) runs that succeeded within the budget")
    entries: list[Any] = [handle(model, filled=True) for model in XOR_MODELS]
    for model, entry in zip(XOR_MODELS, entries, strict=True):
        if model.name in fits:
            entry.set_label(f"{model.label()}; $b = {fits[model.name].fit.rate:.2f}$")
    if exact:
        entries.append(exact_handle())
    if going_on:
        entries.append(
            Line2D([], [], color=GREY, marker="^", markersize=4, linestyle="none", label="interval goes on")
        )
    legend(drawn, entries, columns=3)
    return drawn
