"""Figures 2 and 3 of the paper with the published points over ours; success rates, ERT, distributions.

Every function draws the cells of one profile. Means are those of the successful runs, as published,
and cells in which a run failed carry a cross; `expected_times` counts the failed runs' iterations too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.analysis.statistics import ert, success_rate
from gatewalk.analysis.style import (
    BLACK,
    EXACT,
    GREY,
    legend,
    log_axis,
    log_ticks,
    open_marks,
    panels,
    size_axis,
)
from gatewalk.studies.paper.bands import ert_band, mean_band
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.experiments import Cell, Cells, Place, line
from gatewalk.studies.paper.looks import LOOKS, band_handle, exact_handle, handle
from gatewalk.studies.paper.models import MODELS, SELECTION_WORDS, SELECTIONS
from gatewalk.studies.paper.published import REPLICATIONS, figure, table2

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Key = tuple[str, str, int]
Values = Callable[[Cell], NDArray[np.float64]]
ITERATIONS = "iterations"
_MEAN = "mean iterations, solved runs"
_ARROW: Any = {"linestyle": "none", "marker": "$\\uparrow$", "markersize": 6}  # larger than this


def complete_times(cells: Cells, profile: str) -> Figure:
    """Figure 2: mean iterations on complete training sets."""
    drawn, axes = panels(1, 2, height=3.2, sharey=True)
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        _curves(place, cells, "complete", profile, selection, _times, figure("fig2", "runtime"))
        log_axis(place, _MEAN if place is axes[0][0] else "")
        place.set_title(_panel(axes[0], place, SELECTION_WORDS[selection] + " selection"))
    _legend(drawn, profile)
    return drawn


def incomplete_times(cells: Cells, profile: str) -> Figure:
    """Figure 3: mean iterations and generalisation ability on sampled training sets."""
    drawn, axes = panels(2, 2, height=5.4, sharex=True, sharey="row")
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        _curves(place, cells, "incomplete", profile, selection, _times, figure("fig3", "runtime"), size=2.6)
        log_axis(place, _MEAN if place is axes[0][0] else "")
        place.set_title(_panel(axes.flat, place, SELECTION_WORDS[selection] + " selection"))
        place.set_xlabel("")
    axes[0][0].set_ylim(bottom=0.4)
    for place, selection in zip(axes[1], SELECTIONS, strict=True):
        plotted = figure("fig3", "generalisation")
        _curves(place, cells, "incomplete", profile, selection, _abilities, plotted, size=2.6)
        sizes = np.array(_sizes(cells, "incomplete"))
        place.plot(sizes, 1 - 2.0**-sizes, color=BLACK, linewidth=0.8)
        place.set_title(_panel(axes.flat, place, SELECTION_WORDS[selection] + " selection"))
        place.set_ylim(0.78, 1.022)
        place.text(sizes[-1], 1.004, "always 0", fontsize=7, ha="right")
    axes[1][0].set_yticks(np.arange(0.8, 1.001, 0.05))
    axes[1][0].set_ylabel("mean ability on new rows")
    _legend(drawn, profile)
    return drawn


def success_rates(cells: Cells, profile: str) -> Figure:
    """The fraction of runs that fitted the complete set within the budget, with Wilson's intervals."""
    drawn, axes = panels(1, 2, height=2.7, sharey=True)
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        for index, model in enumerate(MODELS):
            found = line(cells, "complete", profile, selection, model.name)
            if not found:
                continue
            look, sizes = LOOKS[model.name], np.array(list(found)) + 0.07 * (index - 2)
            rates = [success_rate(cell.runs) for cell in found.values()]
            values = np.array([rate.rate for rate in rates])
            # At a rate of 1 the interval is the same everywhere; the caption gives it.
            errors = np.array(
                [
                    [rate.rate - rate.interval.low, rate.interval.high - rate.rate]
                    if rate.rate < 1
                    else [0.0, 0.0]
                    for rate in rates
                ]
            )
            place.errorbar(
                sizes,
                values,
                np.maximum(errors.T, 0.0),
                color=look.colour,
                linestyle=look.dashes,
                linewidth=1.0,
                elinewidth=0.7,
            )
            published = [table2().get((selection, model.name, n)) for n in found]
            shares = [row.successes / REPLICATIONS if row else np.nan for row in published]
            place.plot(sizes, shares, **open_marks(look.colour, look.marker, 3.2))
        size_axis(place, _sizes(cells, "complete"))
        place.set_ylim(-0.03, 1.05)
        place.set_title(_panel(axes[0], place, SELECTION_WORDS[selection] + " selection"))
    axes[0][0].set_ylabel("fraction of runs solved")
    _legend(drawn, profile, crosses=False)
    return drawn


def expected_times(cells: Cells, profile: str, exact: Mapping[Place, Moments]) -> Figure:
    """ERT: all iterations, those of failed runs too, per success; exact expectations as bars."""
    from matplotlib.lines import Line2D

    drawn, axes = panels(1, 2, height=3.0, sharey=True)
    unsolved = False
    for place, selection in zip(axes[0], SELECTIONS, strict=True):
        for model in MODELS:
            found = line(cells, "complete", profile, selection, model.name)
            if not found:
                continue
            look, sizes = LOOKS[model.name], np.array(list(found))
            values = np.array([ert(cell.runs) for cell in found.values()])
            bands = [ert_band(cell.runs) for cell in found.values()]
            low = np.array([band.low for band in bands])
            top = 10.0 * max(cell.runs.iterations.sum() for cell in found.values())
            high = np.array([min(band.high, top) for band in bands])
            values[~np.isfinite(values)] = np.nan
            known = np.isfinite(values)
            place.fill_between(
                sizes[known], low[known], high[known], color=look.colour, alpha=0.15, linewidth=0
            )
            place.plot(
                sizes, values, color=look.colour, linestyle=look.dashes, marker=look.marker, markersize=3.2
            )
            spent = np.array([cell.runs.iterations.sum() for cell in found.values()])
            place.plot(sizes[~known], spent[~known], color=look.colour, **_ARROW)
            unsolved = unsolved or not known.all()
        proven = [
            (where.n, value.mean)
            for where, value in exact.items()
            if (where.part, where.profile, where.selection) == ("complete", profile, selection)
        ]
        place.plot([n for n, _ in proven], [value for _, value in proven], **EXACT)
        size_axis(place, _sizes(cells, "complete"))
        log_axis(place, "iterations per success (ERT)" if place is axes[0][0] else "")
        place.set_title(_panel(axes[0], place, SELECTION_WORDS[selection] + " selection"))
    entries: list[Any] = [handle(model, profile, filled=True) for model in MODELS]
    entries.append(band_handle())
    if exact:
        entries.append(exact_handle())
    if unsolved:
        entries.append(Line2D([], [], color=GREY, **_ARROW, label="no run succeeded"))
    legend(drawn, entries, columns=4 if len(entries) > 6 else 3)
    return drawn


def distributions(cells: Cells, profile: str) -> Figure:
    """The fraction of runs solved within t iterations, at a small, a middle and the largest n."""
    sizes = _sizes(cells, "complete")
    chosen = sorted({sizes[len(sizes) // 6], sizes[len(sizes) // 2], sizes[-1]})
    drawn, axes = panels(2, len(chosen), height=4.3, sharey=True, sharex="col")
    for row, selection in zip(axes, SELECTIONS, strict=True):
        for place, n in zip(row, chosen, strict=True):
            for model in MODELS:
                cell = line(cells, "complete", profile, selection, model.name).get(n)
                if cell is None:
                    continue
                times = np.sort(cell.runs.times)
                share = np.arange(1, times.size + 1) / cell.runs.runs
                end = float(cell.runs.iterations.max())
                look = LOOKS[model.name]
                place.step(
                    np.concatenate([[1.0], np.maximum(times, 1.0), [max(end, 1.0)]]),
                    np.concatenate([[0.0], share, [share[-1] if share.size else 0.0]]),
                    where="post",
                    color=look.colour,
                    linestyle=look.dashes,
                    label=model.label(profile),
                )
            place.set_xscale("log")
            log_ticks(place.xaxis)
            place.set_ylim(-0.02, 1.02)
            place.set_title(_panel(axes.flat, place, f"{SELECTION_WORDS[selection]}, $n = {n}$"))
        row[0].set_ylabel("fraction of runs solved")
    for place in axes[-1]:
        place.set_xlabel(ITERATIONS)
    legend(drawn, [handle(model, profile, marker=False) for model in MODELS])
    return drawn


def _times(cell: Cell) -> NDArray[np.float64]:
    return cell.runs.times


def _abilities(cell: Cell) -> NDArray[np.float64]:
    return cell.generalisation[cell.runs.solved]


def _sizes(cells: Cells, part: str) -> list[int]:
    return sorted({place.n for place in cells if place.part == part})


def _curves(
    place: Axes,
    cells: Cells,
    part: str,
    profile: str,
    selection: str,
    values_of: Values,
    published: Mapping[Key, float],
    *,
    size: float = 4,
) -> None:
    """Means with their bands as lines, published means as open markers, a cross where a run failed."""
    for model in MODELS:
        found = {
            n: cell
            for n, cell in line(cells, part, profile, selection, model.name).items()
            if values_of(cell).size
        }
        look, sizes = LOOKS[model.name], np.array(list(found))
        means = np.array([values_of(cell).mean() for cell in found.values()])
        bands = [mean_band(values_of(cell)) for cell in found.values()]
        low, high = np.array([band.low for band in bands]), np.array([band.high for band in bands])
        place.fill_between(sizes, low, high, color=look.colour, alpha=0.15, linewidth=0)
        place.plot(sizes, means, color=look.colour, linestyle=look.dashes)
        failed = np.array([cell.runs.successes < cell.runs.runs for cell in found.values()], dtype=bool)
        if failed.any():
            place.plot(sizes[failed], means[failed], "x", color=look.colour, markersize=3.5)
        points = {n: value for (s, m, n), value in published.items() if (s, m) == (selection, model.name)}
        wanted = [n for n in _sizes(cells, part) if n in points]
        place.plot(wanted, [points[n] for n in wanted], **open_marks(look.colour, look.marker, size))
    size_axis(place, _sizes(cells, part))


def _panel(axes: Sequence[Axes], place: Axes, words: str) -> str:
    return f"({'abcdefgh'[list(axes).index(place)]}) {words}"


def _legend(drawn: Figure, profile: str, *, crosses: bool = True) -> None:
    from matplotlib.lines import Line2D

    keys: list[Any] = [Line2D([], [], color=GREY, label="ours")]
    if crosses:
        keys.append(band_handle())
        keys.append(
            Line2D([], [], color=GREY, marker="x", markersize=3.5, linestyle="none", label="some runs failed")
        )
    keys.append(Line2D([], [], **open_marks(GREY, "o", 4), label="published"))
    models = [handle(model, profile) for model in MODELS]
    keys += [Line2D([], [], linestyle="none", label="")] * (len(models) - len(keys))
    # Legends are filled column by column: models above, keys below.
    legend(drawn, [entry for pair in zip(models, keys, strict=True) for entry in pair], columns=len(models))
