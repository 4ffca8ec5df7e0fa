"""From a campaign to a figure in one call: `plot(results, "time")`, and the other kinds of figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from gatewalk.analysis.cells import CellRuns, cells_of
from gatewalk.analysis.comparisons import Comparisons, compare_cells
from gatewalk.analysis.curves import Curves, curves, labelling, position, settings_along
from gatewalk.analysis.known_times import Bound, exact_law, exact_time, upper_bound
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.search.settings import Settings
from gatewalk.stats.growth import Growth, check_cells, growth
from gatewalk.stats.survival import TracedRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gatewalk.campaign.results import Results

KINDS = {  # kinds of figures, and what they show
    "time": "expected running time along an axis, with bounds and exact values",
    "ecdf": "fraction of runs solved within a time, all sizes together",
    "distribution": "Kaplan-Meier steps with bands for each size, and exact curves",
    "fixed-target": "expected evaluations until so few mismatches are left (needs traces)",
    "success": "success rates with Wilson's intervals",
    "growth": "fitted curves and local exponents",
    "compare": "pairs of one option's values: effect sizes and tests",
}
MOST_CURVES = 14
Tell = Callable[[str], None]


def _silent(words: str) -> None:
    pass


def plot(
    results: Results,
    kind: str = "time",
    *,
    x: str = "n",
    by: str | None = None,
    unit: str = "iterations",
    tell: Tell = _silent,
) -> Figure:
    """A figure of a campaign's runs, ready for publication; in a notebook it shows itself.

    Parameters
    ----------
    results
        The results of a campaign, or a selection of them: `results.where(target="and:4")`.
    kind
        "time", "ecdf", "distribution", "fixed-target", "success", "growth" or "compare".
    x
        The horizontal axis of "time" and "success", and what differs between the panels of "distribution":
        "n" or another numeric setting, such as "nodes".
    by
        The option that "compare" compares; it may be left out if only one differs.
    unit
        What time is counted in: "iterations", "evaluations" or "elementary_steps".
    tell
        Told what is being done, where it may take seconds.

    Returns
    -------
    Figure
        Of Matplotlib.

    Raises
    ------
    InputError
        If there is no such kind, nothing to draw, or the store is damaged; `MissingExtra` without
        Matplotlib.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> plot(results, "success").axes[0].get_ylabel()
    'fraction of runs solved'
    """
    check_kind(kind)
    need("matplotlib", "drawing figures")
    if kind == "fixed-target":
        return _fixed_target(results)
    cells = cells_of(results, unit=unit)
    if kind == "compare":
        from gatewalk.analysis.comparisons import comparison_figure

        return comparison_figure(compare_cells(cells, by, unit=unit))
    found = curves(cells, x)
    if len(found) > MOST_CURVES:
        raise InputError(
            f"{len(found)} curves are more than can be told apart ({MOST_CURVES}); choose some cells with "
            "--where, in Python with results.where(...)"
        )
    if not found:
        raise InputError(f"no cell has a value of {x}, so there is nothing to draw")
    return _DRAW[kind](cells, found, x, unit, tell)


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of figure."""
    if kind not in KINDS:
        raise InputError(f"unknown kind of figure {shown(kind)}; use {', '.join(KINDS)}")


def growth_of(
    results: Results, *, unit: str = "iterations", resamples: int = 200, tell: Tell = _silent
) -> dict[str, Growth]:
    """How the running time of each curve of a campaign grows with n.

    Parameters
    ----------
    results
        Of a campaign.
    unit
        What time is counted in: "iterations", "evaluations" or "elementary_steps".
    resamples
        How many bootstrap resamples the intervals are made from.
    tell
        Told what is being done, where it may take seconds.

    Returns
    -------
    dict
        The fits by curve; curves without enough sizes are left out.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and", n=[2, 3, 4, 5], replications=20, seed=7), jobs=1)
    >>> list(growth_of(results, resamples=5))
    ['and']
    """
    return _grown(curves(cells_of(results, unit=unit)), resamples, tell)


def compare(results: Results, by: str | None = None, *, unit: str = "iterations") -> Comparisons:
    """Compare the values of one option in all cells that differ in nothing else.

    Parameters
    ----------
    results
        Of a campaign.
    by
        The option; it may be left out if only one differs.
    unit
        What time is counted in: "iterations", "evaluations" or "elementary_steps".

    Returns
    -------
    Comparisons
        Every pair; `print` reads them out.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> both = campaign(target="and:6", nodes="n", selection=["nonstrict", "strict"], replications=30, seed=7)
    >>> compare(run(both, jobs=1), "selection")
    <Comparisons by selection: 1 pairs, 1 differ>
    """
    return compare_cells(cells_of(results, unit=unit), by, unit=unit)


def _grown(found: Curves, resamples: int, tell: Tell) -> dict[str, Growth]:
    fitted, reason = {}, None
    for place, (name, along) in enumerate(found.items(), 1):
        usable = {n: data for n, data in along.items() if n > 1}
        try:
            check_cells(usable)
        except InputError as error:
            reason = reason or error
            continue
        tell(f"fitting curve {place} of {len(found)}: {name}")
        fitted[name] = growth(usable, resamples=resamples)
    if not fitted:
        raise reason or InputError("there is no curve to fit")
    return fitted


def _time(cells: tuple[CellRuns, ...], found: Curves, x: str, unit: str, tell: Tell) -> Figure:
    from gatewalk.analysis.time_figures import times_figure

    if unit != "iterations":  # bounds and exact values count iterations
        return times_figure(found, x=x, unit=unit)
    settings = settings_along(cells, x)
    limits = _each(settings, upper_bound)
    tell("solving small Markov chains")
    names = sorted({bound.name for along in limits.values() for bound in along.values()})
    return times_figure(
        found,
        x=x,
        bounds={name: {at: one.value for at, one in along.items()} for name, along in limits.items()},
        bound_name=f"bound: {', '.join(names)}",
        exact=_each(settings, exact_time),
    )


def _each(
    settings: Mapping[str, Mapping[int, Settings]], known: Callable[[Settings], Bound | Any | None]
) -> dict[str, dict[int, Any]]:
    """What `known` returns for the settings at each point of each curve; None is left out."""
    each = {name: {at: known(one) for at, one in along.items()} for name, along in settings.items()}
    return {
        name: {at: value for at, value in along.items() if value is not None}
        for name, along in each.items()
        if any(value is not None for value in along.values())
    }


def _ecdf(cells: tuple[CellRuns, ...], found: Curves, x: str, unit: str, tell: Tell) -> Figure:
    from gatewalk.analysis.distribution_figures import ecdf_figure

    return ecdf_figure(found, unit=unit)


def _distribution(cells: tuple[CellRuns, ...], found: Curves, x: str, unit: str, tell: Tell) -> Figure:
    from gatewalk.analysis.distribution_figures import distributions_figure

    tell("solving small Markov chains")
    laws = _each(settings_along(cells, x), exact_law) if unit == "iterations" else {}
    return distributions_figure(found, laws=laws, x=x, unit=unit)


def _success(cells: tuple[CellRuns, ...], found: Curves, x: str, unit: str, tell: Tell) -> Figure:
    from gatewalk.analysis.time_figures import success_figure

    return success_figure(found, x=x)


def _growth(cells: tuple[CellRuns, ...], found: Curves, x: str, unit: str, tell: Tell) -> Figure:
    from gatewalk.analysis.growth_figures import growth_and_exponents_figure

    if x != "n":
        raise InputError(f"growth is fitted against n, not {x}")
    fitted = _grown(found, 200, tell)
    exponential = sum(one.best.fit.model.name == "exponential" for one in fitted.values())
    model: Literal["power", "exponential"] = "exponential" if 2 * exponential > len(fitted) else "power"
    series = {name: ({n: s for n, s in found[name].items() if n > 1}, one) for name, one in fitted.items()}
    return growth_and_exponents_figure(series, model=model)


def _fixed_target(results: Results) -> Figure:
    from gatewalk.analysis.distribution_figures import fixed_target_figure

    cells = cells_of(results)
    untraced = results.runs_without_trace()
    if untraced:
        raise InputError(
            f"{results.name}: {untraced} runs have no trace, which fixed targets need; run the campaign with "
            "traces = true"
        )
    naming = labelling(cells, "n")
    found: dict[str, dict[int, list[TracedRun]]] = {}
    for cell, stored in zip(cells, (cell for cell in results.cells() if cell.finished), strict=True):
        traced = found.setdefault(naming(cell), {}).setdefault(position(cell, "n"), [])
        evaluations = dict(zip(cell.columns["run"], cell.columns["evaluations"], strict=True))
        traced.extend(TracedRun(trace, evaluations[run]) for run, trace in results.traces(stored))
    return fixed_target_figure(found)


_DRAW: dict[str, Callable[[tuple[CellRuns, ...], Curves, str, str, Tell], Figure]] = {
    "time": _time,
    "ecdf": _ecdf,
    "distribution": _distribution,
    "success": _success,
    "growth": _growth,
}
