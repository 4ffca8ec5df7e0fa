"""From a campaign to a figure in one call: `plot(results, "time")`, and the other kinds of figures."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from gatewalk.analysis.cells import CellRuns, cells_of
from gatewalk.analysis.comparisons import Comparisons, compare_cells, comparison_figure
from gatewalk.analysis.curves import Curves, curves, labelling, on_curves, position, searches_along
from gatewalk.analysis.distribution_figures import distributions_figure, ecdf_figure, fixed_target_figure
from gatewalk.analysis.exact_distributions import MEMORY, SECONDS, ExactFits, exact_fits_of, sentence
from gatewalk.analysis.growth_figures import growth_and_exponents_figure
from gatewalk.analysis.known_times import exact_time, upper_bound
from gatewalk.analysis.time_figures import MOST_CURVES, success_figure, times_figure
from gatewalk.campaign.results import check_traces
from gatewalk.campaign.store import trace_of
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.search.options import Search
from gatewalk.search.runs import Runs
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.growth import Growth, growth
from gatewalk.stats.growth_fit import check_cells
from gatewalk.stats.sample import Sample
from gatewalk.stats.survival import TracedRun

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gatewalk.campaign.results import Results
    from gatewalk.theory.chain.distribution import Distribution

KINDS = {  # kinds of figures, and what they show
    "time": "expected running time along an axis, with bounds and exact values",
    "ecdf": "fraction of runs solved within a time, all sizes together",
    "distribution": "Kaplan-Meier steps with bands for each size, and exact curves",
    "fixed-target": "expected evaluations until so few mismatches are left (needs traces)",
    "success": "success rates with Wilson's intervals",
    "growth": "fitted curves and local exponents",
    "compare": "pairs of one option's values: effect sizes and tests",
}
T = TypeVar("T")


def plot(
    results: Results | Runs,
    kind: str = "time",
    *,
    x: str = "n",
    by: str | None = None,
    unit: str = "iterations",
    seconds: float = SECONDS,
    memory: int = MEMORY,
    fits: ExactFits | None = None,
    on_progress: OnProgress = lambda share, words: None,
) -> Figure:
    """A figure of a campaign's runs, ready for publication; in a notebook it shows itself.

    results: of a campaign, or a selection of them: `results.where(target="and:4")`; or those of `run_many`.
    kind: "time", "ecdf", "distribution", "fixed-target", "success", "growth" or "compare".
    x: the horizontal axis of "time" and "success", and what differs between the panels of "distribution":
        "n" or another numeric setting, such as "nodes".
    by: the option that "compare" compares; it may be left out if only one differs.
    unit: what time is counted in: "iterations", "evaluations" or "elementary_steps".
    seconds, memory: what the Markov chain of a cell may take, which gives "distribution" an exact curve; a
        warning says which cells have none, and why.
    fits: the exact curves, if they are known: from `exact_fits`.
    on_progress: told what is being done, where it may take seconds.

    Raises `InputError` if there is no such kind, nothing to draw, or the store is damaged; and `MissingExtra`
    without Matplotlib.

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
        return comparison_figure(compare_cells(cells, by, unit=unit))
    samples = curves(cells, x)
    if len(samples) > MOST_CURVES:
        raise InputError(
            f"{len(samples)} curves are more than can be told apart ({MOST_CURVES}); choose some cells with "
            "--where, in Python with results.where(...)"
        )
    if not samples:
        raise InputError(f"no cell has a value of {x}, so there is nothing to draw")
    if kind == "ecdf":
        return ecdf_figure(samples, unit=unit)
    if kind == "success":
        return success_figure(samples, x=x)
    if kind == "growth":
        return _growth(samples, x, on_progress)
    if kind == "distribution":
        if fits is None:
            fits = _fits(cells, unit, seconds=seconds, memory=memory, on_progress=on_progress)
        return distributions_figure(samples, laws=_laws(cells, fits, x), x=x, unit=unit)
    searches = searches_along(cells, x) if unit == "iterations" else {}  # what is known counts iterations
    if searches:
        on_progress(0.0, "solving small Markov chains")
    return _times(samples, searches, x, unit)


def check_kind(kind: str) -> None:
    """Refuse an unknown kind of figure."""
    if kind not in KINDS:
        raise InputError(f"unknown kind of figure {shown(kind)}; use {', '.join(KINDS)}")


def growth_of(
    results: Results,
    *,
    unit: str = "iterations",
    resamples: int = 200,
    on_progress: OnProgress = lambda share, words: None,
) -> dict[str, Growth]:
    """How running times grow with n, by curve; curves that have too few sizes are left out.

    unit: what time is counted in: "iterations", "evaluations" or "elementary_steps".
    resamples: of the bootstrap of every fit.

    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and", n=[2, 3, 4, 5], replications=20, seed=7), jobs=1)
    >>> list(growth_of(results, resamples=5))
    ['and']
    """
    return _fitted(curves(cells_of(results, unit=unit)), resamples, on_progress)


def compare(results: Results, by: str | None = None, *, unit: str = "iterations") -> Comparisons:
    """Compare the values of one option in all cells that differ in nothing else; `print` reads them out.

    by: the option; it may be left out if only one differs.
    unit: what time is counted in: "iterations", "evaluations" or "elementary_steps".

    >>> from gatewalk.campaign import campaign, run
    >>> both = campaign(target="and:6", nodes="n", selection=["nonstrict", "strict"], replications=30, seed=7)
    >>> compare(run(both, jobs=1), "selection")
    <Comparisons by selection: 1 pairs, 1 differ>
    """
    return compare_cells(cells_of(results, unit=unit), by, unit=unit)


def exact_fits(
    results: Results,
    *,
    seconds: float = SECONDS,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> ExactFits:
    """Compare the runs of every cell with the exact distribution of their Markov chain; `print` reads it out.

    seconds, memory: what a chain may take; a cell whose chain takes more says so.

    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target="and:3", nodes="n", replications=50, seed=7), jobs=1)
    >>> exact_fits(results)
    <ExactFits of 1 cells, 1 tested, 0 differ>
    """
    return exact_fits_of(cells_of(results), seconds=seconds, memory=memory, on_progress=on_progress)


def _fits(
    cells: Sequence[CellRuns], unit: str, *, seconds: float, memory: int, on_progress: OnProgress
) -> ExactFits:
    """The exact distributions, with a warning that says which cells have none."""
    if unit != "iterations":
        warnings.warn(f"exact distributions count iterations: none is drawn for {unit}", stacklevel=3)
        return ExactFits(cells=())
    fits = exact_fits_of(cells, seconds=seconds, memory=memory, on_progress=on_progress)
    if lacking := [sentence(fit) for fit in fits.cells if fit.law is None]:
        warnings.warn("\n".join(lacking), stacklevel=3)
    return fits


def _laws(cells: Sequence[CellRuns], fits: ExactFits, x: str) -> dict[str, dict[int, Distribution]]:
    """The exact distribution at each point of each curve that has one."""
    known = {fit.label: fit.law for fit in fits.cells if fit.law is not None}
    laws: dict[str, dict[int, Distribution]] = {}
    for name, at, cell in on_curves(cells, x):
        if cell.label in known:
            laws.setdefault(name, {})[at] = known[cell.label]
    return laws


def _fitted(samples: Curves, resamples: int, on_progress: OnProgress) -> dict[str, Growth]:
    fits, reason = {}, None
    for index, (name, along) in enumerate(samples.items()):
        usable = _above_one(along)
        try:
            check_cells(usable)
        except InputError as error:
            reason = reason or error
            continue
        on_progress(index / len(samples), f"fitting curve {index + 1} of {len(samples)}: {name}")
        fits[name] = growth(usable, resamples=resamples)
    if not fits:
        raise reason or InputError("there is no curve to fit")
    return fits


def _above_one(along: Mapping[int, Sample]) -> dict[int, Sample]:
    """The sizes that growth is fitted to."""
    return {n: data for n, data in along.items() if n > 1}


def _times(samples: Curves, searches: Mapping[str, Mapping[int, Search]], x: str, unit: str) -> Figure:
    bounds = _known(searches, upper_bound)
    names = sorted({bound.name for along in bounds.values() for bound in along.values()})
    return times_figure(
        samples,
        x=x,
        unit=unit,
        bounds={name: {at: bound.value for at, bound in along.items()} for name, along in bounds.items()},
        bound_name=f"bound: {', '.join(names)}",
        exact=_known(searches, exact_time),
    )


def _known(
    searches: Mapping[str, Mapping[int, Search]], known: Callable[[Search], T | None]
) -> dict[str, dict[int, T]]:
    """What is known of the search at each point of each curve; unknown points and curves are left out."""
    answers = {
        name: {at: answer for at, search in along.items() if (answer := known(search)) is not None}
        for name, along in searches.items()
    }
    return {name: along for name, along in answers.items() if along}


def _growth(samples: Curves, x: str, on_progress: OnProgress) -> Figure:
    if x != "n":
        raise InputError(f"growth is fitted against n, not {x}")
    fits = _fitted(samples, 200, on_progress)
    exponential = sum(fit.best.fit.model.name == "exponential" for fit in fits.values())
    model: Literal["power", "exponential"] = "exponential" if 2 * exponential > len(fits) else "power"
    series = {name: (_above_one(samples[name]), fit) for name, fit in fits.items()}
    return growth_and_exponents_figure(series, model=model)


def _fixed_target(results: Results | Runs) -> Figure:
    cells = cells_of(results)
    name_of = labelling(cells, "n")
    if isinstance(results, Runs):
        traces = [trace_of(results.search, improvements) for improvements in results.improvements]
        traced_runs = list(map(TracedRun, traces, results.evaluations.tolist()))
        return fixed_target_figure({name_of(cells[0]): {results.search.n: traced_runs}})
    check_traces(results)
    traced: dict[str, dict[int, list[TracedRun]]] = {}
    for cell, stored in zip(cells, (cell for cell in results.cells() if cell.finished), strict=True):
        runs = traced.setdefault(name_of(cell), {}).setdefault(position(cell, "n"), [])
        evaluations = dict(zip(cell.columns["run"], cell.columns["evaluations"], strict=True))
        runs.extend(TracedRun(trace, evaluations[run]) for run, trace in results.traces(stored))
    return fixed_target_figure(traced)
