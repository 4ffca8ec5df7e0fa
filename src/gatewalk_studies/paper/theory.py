"""Our runs and the theory: exact expectations, growth with n, bounds, the Xor experiment; and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

import gatewalk as gw
from gatewalk.analysis import style
from gatewalk.stats import Estimate, Sample, growth, success_rate
from gatewalk.theory import applied, exact, exact_result

from .cells import (
    CGP,
    MODELS,
    PROFILES,
    SELECTION_WORDS,
    SELECTIONS,
    XOR_MODELS,
    Cell,
    Cells,
    Place,
    line,
    sizes_of,
)
from .figures import (
    ERT_LABEL,
    LOOKS,
    ceiling,
    draw_band,
    draw_points,
    exact_handle,
    handle,
    model_words,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Markov chains are solved where that takes at most about a second.
MOST_NODES = 4
MOST_MEMORY = 5_000_000  # bytes
MOST_INPUTS = 4  # of trees, unless they change by single steps of which only insertions improve

FEWEST_SIZES = 3  # of a growth curve

_LARGEST = 9  # where the axis of exponents ends; a triangle marks intervals that continue
_ASIDE = 0.11  # how far apart points are moved that would hide each other
_BOUND: Any = {"color": style.GREY, "linewidth": 0.8, "linestyle": (0, (4, 2))}


@dataclass(frozen=True)
class Moments:
    """The expectation and the standard deviation of the iterations."""

    mean: float
    std: float


def exact_times(cells: Cells) -> dict[Place, Moments]:
    """The exact moments of the cells on complete sets where the Markov chain is solved quickly.

    An infinite expectation (some program can never improve) is left out.
    """
    moments = {}
    for place, cell in cells.items():
        value = None if place.part == "incomplete" else _exact(place, cell)
        if value is not None and isfinite(value.mean):
            moments[place] = value
    return moments


def _exact(place: Place, cell: Cell) -> Moments | None:
    try:
        if cell.nodes is not None:
            if cell.nodes > MOST_NODES:
                return None
            words: Any = {"nodes": cell.nodes, "profile": place.profile, "selection": place.selection}
            chain = exact(cell.search.target, memory=MOST_MEMORY, **words)
            return Moments(chain.expected_iterations, chain.std_iterations)
        quick = place.model == "tgp-single" and (place.profile == "tinyverse" or place.selection == "strict")
        if place.part == "complete" and (quick or place.n <= MOST_INPUTS):
            result = exact_result(cell.search)
            return Moments(result.expected_iterations, result.std_iterations)
    except gw.InputError:  # the chain is too large, or the search has none
        return None
    return None


@dataclass(frozen=True)
class Scaling:
    """A curve fitted to one model: its rate (exponent or base) with a 95 % interval.

    best: the curve with the least AIC of c n^a, c n^a log n and c b^n. sizes: the n with a success.
    """

    part: str
    profile: str
    selection: str
    model: str
    estimate: Estimate
    best: str
    sizes: tuple[int, ...]
    runs: int


def scalings(cells: Cells, part: str, profile: str, *, least: int = 0) -> list[Scaling]:
    """One per selection and model, from n >= least on: powers of n for And_n, exponentials for Xor_n."""
    xor = part == "xor"
    fitted = []
    for selection in SELECTIONS[:1] if xor else SELECTIONS:
        for model in XOR_MODELS if xor else MODELS:
            curve = line(cells, part, profile, selection, model.name)
            data = {n: cell.all_runs for n, cell in curve.items() if n >= least}
            grown = scaling(data, exponential=xor)
            if grown is not None:
                sizes = tuple(n for n, runs in data.items() if runs.successes)
                runs = next(iter(data.values())).runs
                fitted.append(Scaling(part, profile, selection, model.name, *grown, sizes, runs))
    return fitted


def scaling(data: dict[int, Sample], *, exponential: bool = False) -> tuple[Estimate, str] | None:
    """The fit, and the formula of the best curve; None if there are too few successes.

    Intervals are by the jackknife, because a bootstrap of so many curves takes long.
    """
    if sum(runs.successes > 0 for runs in data.values()) < FEWEST_SIZES:
        return None
    grown = growth(data, jackknife=True)
    return grown.of("exponential" if exponential else "power"), grown.best.fit.model.formula


def exponents_figure(fitted: Sequence[Scaling]) -> Figure:
    """Exponents a of c n^a with 95 % intervals, a panel for each selection."""
    figure, ((*panels,),) = style.panels(1, 2, height=2.7, sharey=True, sharex=True)
    figure.get_layout_engine().set(rect=(0.02, 0, 0.98, 1))  # type: ignore[union-attr,call-arg]
    profiles = [profile for profile in PROFILES if any(row.profile == profile for row in fitted)]
    leaves: set[str] = set()
    for axes, selection in zip(panels, SELECTIONS, strict=True):
        for row in fitted:
            if row.selection == selection:
                leaves |= _draw_exponent(axes, row, profiles)
        axes.set_yticks(range(len(MODELS)), [model_words(model) for model in reversed(MODELS)])
        axes.set_ylim(-0.6, len(MODELS) - 0.4)
        axes.set_xlim(0, _LARGEST)
        axes.set_xticks(range(_LARGEST + 1))
        axes.set_xlabel("exponent $a$ of $c\\,n^a$")
        axes.set_title(f"{SELECTION_WORDS[selection]} selection")
        bound, name = (5, "Theorem 6") if selection == "nonstrict" else (6, "Theorem 3")
        axes.axvline(bound, **_BOUND)
        axes.text(bound + 0.12, -0.45, name, fontsize=7, color=style.GREY)
    style.letter_panels(panels)
    entries = [
        style.legend_entry(
            f"profile {profile}" + (" (one node more)" if profile == "tinyverse" else ""),
            marker="o",
            markersize=4.5,
            markerfacecolor=style.GREY if profile == "tinyverse" else "white",
        )
        for profile in profiles
    ]
    entries.append(style.legend_entry("exponent of the upper bound for CGP", **_BOUND))
    goes_on = {"left": "interval continues below 0", "right": f"interval continues above {_LARGEST}"}
    entries += [
        style.legend_entry(words, **style.edge_mark(side, style.GREY))
        for side, words in goes_on.items()
        if side in leaves
    ]
    style.legend(figure, entries, columns=3)
    return figure


def _draw_exponent(axes: Axes, row: Scaling, profiles: Sequence[str]) -> set[str]:
    """A model's exponent with its interval; returns the sides at which the interval leaves the panel."""
    level = len(MODELS) - 1 - [model.name for model in MODELS].index(row.model)
    at = level + (0.16 * (1 - 2 * profiles.index(row.profile)) if len(profiles) > 1 else 0.0)
    look = LOOKS[row.model]
    interval = row.estimate.rate
    low, high = max(interval.low, 0.0), min(interval.high, float(_LARGEST))
    axes.plot([low, high], [at, at], color=look.colour, linewidth=1)
    filled = look.colour if row.profile == "tinyverse" else "white"
    rate = row.estimate.fit.rate
    axes.plot(rate, at, look.marker, color=look.colour, markersize=4.5, markerfacecolor=filled)
    leaves = {"left": interval.low < 0, "right": interval.high > _LARGEST}
    for (side, does), end in zip(leaves.items(), (low, high), strict=True):
        tick = {"marker": "|", "markersize": 4, "color": look.colour}
        axes.plot(end, at, **(style.edge_mark(side, look.colour) if does else tick))
    return {side for side, does in leaves.items() if does}


def bounds_figure(cells: Cells) -> Figure:
    """Measured ERT of the profile `paper` and the upper bounds on its expectation."""
    figure, ((*panels,),) = style.panels(1, 2, height=3.3, sharey=True)
    own = {
        place: cell for place, cell in cells.items() if (place.part, place.profile) == ("complete", "paper")
    }
    top, marks = ceiling(own), set[str]()
    for axes, selection in zip(panels, SELECTIONS, strict=True):
        theorem = "Theorem 6" if selection == "nonstrict" else "Theorem 3"
        for model in CGP:
            curve = line(cells, "complete", "paper", selection, model.name)
            look = LOOKS[model.name]
            marks |= draw_band(axes, curve, look, top)
            limits = {
                n: applied(theorem.lower().replace(" ", ""), cell.search).value for n, cell in curve.items()
            }
            known = {n: limit for n, limit in limits.items() if limit is not None}
            thin: Any = {"color": look.colour, "linestyle": look.dashes, "linewidth": 0.7}
            axes.plot(list(known), list(known.values()), **thin)
        style.size_axis(axes, sizes_of(own, "complete"), log=False)
        style.log_axis(axes, ERT_LABEL if axes is panels[0] else "")
        axes.set_title(f"{SELECTION_WORDS[selection]} selection, {theorem}")
    style.letter_panels(panels)
    entries: list[Any] = [handle(model, filled=True) for model in CGP]
    entries.append(style.legend_entry("measured ERT", marker="o", markersize=3.2))
    entries += [
        style.band_key(),
        style.legend_entry("upper bound on E[$T$]", linewidth=0.7),
        *style.mark_entries(marks),
    ]
    style.legend(figure, entries, columns=4)
    return figure


def xor_figure(cells: Cells, fitted: Sequence[Scaling], exact: Mapping[Place, Moments]) -> Figure:
    """Xor_n: ERT, exponential fits, exact expectations where they exist, and success rates."""
    figure, ((times, rates),) = style.panels(1, 2, height=3.3)
    own = {place: cell for place, cell in cells.items() if place.part == "xor"}
    top, marks, is_known = ceiling(own), set[str](), False
    fits = {row.model: row.estimate.fit for row in fitted}
    for index, model in enumerate(XOR_MODELS):
        curve = line(cells, "xor", "paper", "nonstrict", model.name)
        if not curve:
            continue
        look, aside = LOOKS[model.name], _ASIDE * (index - (len(XOR_MODELS) - 1) / 2)
        marks |= draw_points(times, curve, look, top, aside=aside)
        if model.name in fits:
            smooth = np.linspace(min(curve), max(curve), 50)
            means = [fits[model.name].mean(n) for n in smooth]
            times.plot(smooth, means, color=look.colour, linestyle=look.dashes, linewidth=1)
        known = {p.n: value.mean for p, value in exact.items() if (p.part, p.model) == ("xor", model.name)}
        is_known = is_known or bool(known)
        times.plot([n + aside for n in known], list(known.values()), **{**style.EXACT, "markersize": 7})
        _draw_rates(rates, curve, look, aside)
    for axes in (times, rates):
        style.size_axis(axes, sizes_of(own, "xor"), log=False)
    style.log_axis(times, ERT_LABEL)
    if "endless" in marks:
        times.set_ylim(top=top)
    times.set_title("running time and fits $c\\,b^n$")
    rates.set_ylabel("fraction of runs solved")
    rates.set_ylim(-0.03, 1.05)
    rates.set_title("runs that succeeded within the budget")
    style.letter_panels((times, rates))
    entries: list[Any] = [handle(model, filled=True) for model in XOR_MODELS]
    for model, entry in zip(XOR_MODELS, entries, strict=True):
        if model.name in fits:
            entry.set_label(f"{model_words(model)}; $b = {fits[model.name].rate:.2f}$")
    entries.append(style.legend_entry("95 % interval", linestyle="none", marker="|", markersize=8))
    entries += [*([exact_handle()] if is_known else []), *style.mark_entries(marks)]
    style.legend(figure, entries, columns=3)
    return figure


def _draw_rates(axes: Axes, curve: Mapping[int, Cell], look: style.Look, aside: float) -> None:
    rates = [success_rate(cell.runs) for cell in curve.values()]
    values = np.array([rate.rate for rate in rates])
    ends = np.array([[rate.rate - rate.interval.low, rate.interval.high - rate.rate] for rate in rates])
    options: Any = {"color": look.colour, "linestyle": look.dashes, "marker": look.marker}
    at = [n + aside for n in curve]
    axes.errorbar(at, values, np.maximum(ends.T, 0.0), markersize=3.5, elinewidth=0.8, **options)
