"""Growth exponents, measured times under the bounds of Theorems 3 and 6, and the Xor experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gatewalk.analysis.style import (
    EXACT,
    GREY,
    Look,
    band_key,
    edge_mark,
    legend,
    legend_entry,
    letter_panels,
    log_axis,
    panels,
    size_axis,
)
from gatewalk.search.settings import settings
from gatewalk.stats.sample import success_rate
from gatewalk.studies.paper.ert_curves import LABEL, ceiling, draw_band, draw_points, mark_keys
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.experiments import Cell, Cells, Place, line
from gatewalk.studies.paper.looks import LOOKS, exact_handle, handle, words
from gatewalk.studies.paper.models import CGP, MODELS, PROFILES, SELECTION_WORDS, SELECTIONS, XOR_MODELS
from gatewalk.studies.paper.scaling import Scaling
from gatewalk.theory.statements import applied

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LARGEST = 9  # where the axis of exponents ends; a triangle marks intervals that continue
_ASIDE = 0.11  # how far apart points are moved that would hide each other
_BOUND: Any = {"color": GREY, "linewidth": 0.8, "linestyle": (0, (4, 2))}


def exponents(found: Sequence[Scaling]) -> Figure:
    """Exponents a of c n^a with 95 % intervals, a panel for each selection."""
    drawn, axes = panels(1, 2, height=2.7, sharey=True, sharex=True)
    drawn.get_layout_engine().set(rect=(0.02, 0, 0.98, 1))  # type: ignore[union-attr,call-arg]
    profiles = [profile for profile in PROFILES if any(row.profile == profile for row in found)]
    leaves: set[str] = set()
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        for row in found:
            if row.selection == selection:
                leaves |= _exponent(place, row, profiles)
        place.set_yticks(range(len(MODELS)), [words(model) for model in reversed(MODELS)])
        place.set_ylim(-0.6, len(MODELS) - 0.4)
        place.set_xlim(0, _LARGEST)
        place.set_xticks(range(_LARGEST + 1))
        place.set_xlabel("exponent $a$ of $c\\,n^a$")
        place.set_title(f"{SELECTION_WORDS[selection]} selection")
        bound, name = (5, "Theorem 6") if selection == "nonstrict" else (6, "Theorem 3")
        place.axvline(bound, **_BOUND)
        place.text(bound + 0.12, -0.45, name, fontsize=7, color=GREY)
    letter_panels(axes[0])
    entries = [
        legend_entry(
            f"profile {profile}" + (" (one node more)" if profile == "tinyverse" else ""),
            marker="o",
            markersize=4.5,
            markerfacecolor=GREY if profile == "tinyverse" else "white",
        )
        for profile in profiles
    ]
    entries.append(legend_entry("exponent of the upper bound for CGP", **_BOUND))
    goes_on = {"left": "interval continues below 0", "right": f"interval continues above {_LARGEST}"}
    entries += [
        legend_entry(told, **edge_mark(side, GREY)) for side, told in goes_on.items() if side in leaves
    ]
    legend(drawn, entries, columns=3)
    return drawn


def _exponent(place: Axes, row: Scaling, profiles: Sequence[str]) -> set[str]:
    """A model's exponent with its interval; returns the sides at which the interval leaves the panel."""
    level = len(MODELS) - 1 - [model.name for model in MODELS].index(row.model)
    at = level + (0.16 * (1 - 2 * profiles.index(row.profile)) if len(profiles) > 1 else 0.0)
    look = LOOKS[row.model]
    low, high = max(row.interval.low, 0.0), min(row.interval.high, float(_LARGEST))
    place.plot([low, high], [at, at], color=look.colour, linewidth=1)
    filled = look.colour if row.profile == "tinyverse" else "white"
    place.plot(row.fit.rate, at, look.marker, color=look.colour, markersize=4.5, markerfacecolor=filled)
    leaves = {"left": row.interval.low < 0, "right": row.interval.high > _LARGEST}
    for (side, does), end in zip(leaves.items(), (low, high), strict=True):
        mark = (
            edge_mark(side, look.colour) if does else {"marker": "|", "markersize": 4, "color": look.colour}
        )
        place.plot(end, at, **mark)
    return {side for side, does in leaves.items() if does}


def bounds(cells: Cells) -> Figure:
    """Measured ERT of the profile `paper` and the upper bounds on its expectation."""
    drawn, axes = panels(1, 2, height=3.3, sharey=True)
    own = {
        place: cell for place, cell in cells.items() if (place.part, place.profile) == ("complete", "paper")
    }
    top, marks = ceiling(own), set[str]()
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        name = "theorem6" if selection == "nonstrict" else "theorem3"
        for model in CGP:
            found = line(cells, "complete", "paper", selection, model.name)
            look = LOOKS[model.name]
            marks |= draw_band(place, found, look, top)
            limits = {
                n: applied(name, settings(f"and:{n}", nodes=cell.nodes, selection=selection)).value
                for n, cell in found.items()
            }
            known = {n: limit for n, limit in limits.items() if limit is not None}
            thin: Any = {"color": look.colour, "linestyle": look.dashes, "linewidth": 0.7}
            place.plot(list(known), list(known.values()), **thin)
        size_axis(place, sorted({where.n for where in own}), log=False)
        log_axis(place, LABEL if place is axes[0][0] else "")
        theorem = "Theorem 6" if selection == "nonstrict" else "Theorem 3"
        place.set_title(f"{SELECTION_WORDS[selection]} selection, {theorem}")
    letter_panels(axes[0])
    entries: list[Any] = [handle(model, filled=True) for model in CGP]
    entries.append(legend_entry("measured ERT", marker="o", markersize=3.2))
    entries += [band_key(), legend_entry("upper bound on E[$T$]", linewidth=0.7), *mark_keys(marks)]
    legend(drawn, entries, columns=4)
    return drawn


def exclusives(cells: Cells, found: Sequence[Scaling], exact: Mapping[Place, Moments]) -> Figure:
    """Xor_n: ERT, exponential fits, exact expectations where they exist, and success rates."""
    drawn, axes = panels(1, 2, height=3.3)
    times, rates = axes[0]
    own = {place: cell for place, cell in cells.items() if place.part == "xor"}
    top, marks, is_known = ceiling(own), set[str](), False
    fits = {row.model: row for row in found}
    for index, model in enumerate(XOR_MODELS):
        curve = line(cells, "xor", "paper", "nonstrict", model.name)
        if not curve:
            continue
        look, aside = LOOKS[model.name], _ASIDE * (index - (len(XOR_MODELS) - 1) / 2)
        marks |= draw_points(times, curve, look, top, aside=aside)
        if model.name in fits:
            smooth = np.linspace(min(curve), max(curve), 50)
            fitted = [fits[model.name].fit.mean(n) for n in smooth]
            times.plot(smooth, fitted, color=look.colour, linestyle=look.dashes, linewidth=1)
        known = {p.n: value.mean for p, value in exact.items() if (p.part, p.model) == ("xor", model.name)}
        is_known = is_known or bool(known)
        times.plot([n + aside for n in known], list(known.values()), **{**EXACT, "markersize": 7})
        _draw_rates(rates, curve, look, aside)
    for place in (times, rates):
        size_axis(place, sorted({where.n for where in own}), log=False)
    log_axis(times, LABEL)
    if "endless" in marks:
        times.set_ylim(top=top)
    times.set_title("running time and fits $c\\,b^n$")
    rates.set_ylabel("fraction of runs solved")
    rates.set_ylim(-0.03, 1.05)
    rates.set_title("runs that succeeded within the budget")
    letter_panels(axes[0])
    entries: list[Any] = [handle(model, filled=True) for model in XOR_MODELS]
    for model, entry in zip(XOR_MODELS, entries, strict=True):
        if model.name in fits:
            entry.set_label(f"{words(model)}; $b = {fits[model.name].fit.rate:.2f}$")
    entries.append(legend_entry("95 % interval", linestyle="none", marker="|", markersize=8))
    entries += [*([exact_handle()] if is_known else []), *mark_keys(marks)]
    legend(drawn, entries, columns=3)
    return drawn


def _draw_rates(axes: Axes, curve: Mapping[int, Cell], look: Look, aside: float) -> None:
    told = [success_rate(cell.runs) for cell in curve.values()]
    values = np.array([one.rate for one in told])
    ends = np.array([[one.rate - one.interval.low, one.interval.high - one.rate] for one in told])
    options: Any = {"color": look.colour, "linestyle": look.dashes, "marker": look.marker}
    at = [n + aside for n in curve]
    axes.errorbar(at, values, np.maximum(ends.T, 0.0), markersize=3.5, elinewidth=0.8, **options)
