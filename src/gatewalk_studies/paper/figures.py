"""The figures of measured running times: Figures 2 and 3 of the paper, success rates, ERT, distributions.

Every function draws the cells of one profile. Ours are lines with bands, published values are open markers,
exact expectations are bars. Means are those of the successful runs, as published, and cells with failed runs
have a cross; `ert_figure` also counts the iterations of failed runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.analysis import draw_curve, draw_distribution, style
from gatewalk.stats import bootstrap, ert, sample, success_rate
from gatewalk.theory import exact

from .cells import (
    CGP,
    MINUS,
    MODELS,
    REPLICATIONS,
    SELECTION_WORDS,
    SELECTIONS,
    Cell,
    Cells,
    Model,
    Place,
    line,
    plotted_means,
    sizes_of,
    table2,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    from .theory import Moments

LOOKS = {
    "cgp-n-1": style.Look(style.ORANGE, (0, (1, 1)), "P"),
    "cgp-1n": style.Look(style.BLUE, "solid", "o"),
    "cgp-2n": style.Look(style.SKY, (0, (7, 2)), "s"),
    "cgp-3n": style.Look(style.GREEN, (0, (6, 1.5, 1, 1.5)), "^"),
    "tgp-single": style.Look(style.VERMILION, (0, (1.2, 1.2)), "v"),
    "tgp-multi": style.Look(style.PURPLE, (0, (4, 1, 1, 1, 1, 1)), "D"),
}
MEAN_LABEL = "mean iterations\nof the runs that succeeded"
ERT_LABEL = "ERT: iterations of all runs\nper success"
SHARE_LABEL = "fraction of runs solved"
EXACT_SIZE = 3  # with D = n nodes (one more under `tinyverse`) its whole distribution is computed in seconds
_RESAMPLES = 1000
_OURS: Any = {"alpha": 0.2, "linewidth": 0}  # bands
_PUBLISHED: Any = style.open_marks(style.GREY, "o", 2.4)  # where every panel has one model only
_ALWAYS_0: Any = {"color": style.GREY, "linewidth": 0.9, "linestyle": (0, (4, 1.5))}
_GIVEN_UP: Any = {"linestyle": "none", "marker": "|", "markersize": 7}

Values = Callable[[Cell], NDArray[np.float64]]


def model_words(model: Model, profile: str = "paper") -> str:
    """The name of a model in a figure, with its number of nodes as a formula.

    >>> model_words(MODELS[0], "tinyverse"), model_words(MODELS[3])
    ('CGP, $D = n+1$', 'TGP single')
    """
    before, sign, nodes = model.label(profile).partition("D = ")
    return f"{before}$D = {nodes.replace(MINUS, '-')}$" if sign else before


def handle(model: Model, profile: str = "paper", *, marker: bool = True, filled: bool = False) -> Line2D:
    """A model's entry in a legend: its line with its marker, which is open for published values."""
    look = LOOKS[model.name]
    return style.legend_entry(
        model_words(model, profile),
        color=look.colour,
        linestyle=look.dashes,
        marker=look.marker if marker else "",
        markersize=4,
        markerfacecolor=look.colour if filled else "white",
    )


def exact_handle() -> Line2D:
    """The entry of exact expectations in a legend."""
    return style.legend_entry("exact expectation", **style.EXACT)


def times(cell: Cell) -> NDArray[np.float64]:
    """The iterations of the runs that succeeded."""
    return cell.runs.times


def abilities(cell: Cell) -> NDArray[np.float64]:
    """The generalisation ability of the programs of the runs that succeeded."""
    return cell.generalisation[cell.runs.solved]


def band_of_mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean: of runs that all succeed, it is that of the ERT."""
    if values.size == 1:
        return float(values[0]), float(values[0])
    return bootstrap(sample(values, np.ones(values.size)), ert, resamples=_RESAMPLES)


def draw_means(axes: Axes, cells: Mapping[int, Cell], look: style.Look, values_of: Values) -> bool:
    """A line with its 95 % band, and a cross where a run failed; returns whether there is a cross."""
    values = {n: values_of(cell) for n, cell in cells.items() if values_of(cell).size}
    sizes, means = np.array(list(values)), np.array([own.mean() for own in values.values()])
    bands = np.array([band_of_mean(own) for own in values.values()]).reshape(-1, 2)
    axes.fill_between(sizes, bands[:, 0], bands[:, 1], color=look.colour, **_OURS)
    axes.plot(sizes, means, color=look.colour, linestyle=look.dashes)
    failed = np.array([cells[n].runs.successes < cells[n].runs.runs for n in values], dtype=bool)
    if failed.any():
        axes.plot(sizes[failed], means[failed], color=look.colour, **style.FAILED)
    return bool(failed.any())


def draw_published(
    axes: Axes,
    published: Mapping[tuple[str, str, int], float],
    selection: str,
    model: str,
    sizes: Sequence[int],
    marks: Any,
) -> None:
    """The published values of a curve at the sizes that we have too. marks: options from `open_marks`."""
    points = {n: published[selection, model, n] for n in sizes if (selection, model, n) in published}
    axes.plot(list(points), list(points.values()), **marks)


def ceiling(cells: Cells) -> float:
    """Where intervals without an upper end are cut: at ten times the most that the runs of a cell spent."""
    return 10.0 * max(float(cell.runs.iterations.sum()) for cell in cells.values())


def draw_band(axes: Axes, cells: Mapping[int, Cell], look: style.Look, top: float) -> set[str]:
    """A line through the ERT of each n with its 95 % band; returns which kinds of special points it has."""
    runs = {n: cell.runs for n, cell in cells.items()}
    return draw_curve(axes, runs, look, hollow=False, ceiling=top, resamples=_RESAMPLES, size=3.2)


def draw_points(
    axes: Axes, cells: Mapping[int, Cell], look: style.Look, top: float, *, aside: float
) -> set[str]:
    """Points with 95 % error bars, moved sideways; returns which kinds of special points it has."""
    return draw_curve(
        axes,
        {n: cell.runs for n, cell in cells.items()},
        look,
        bars=True,
        line=False,
        hollow=False,
        place=lambda n: n + aside,
        arrow_place=float,
        ceiling=top,
        resamples=_RESAMPLES,
        size=3.5,
    )


def figure2(cells: Cells, profile: str) -> Figure:
    """Figure 2: mean iterations on complete training sets."""
    figure, ((*panels,),) = style.panels(1, 2, height=3.3, sharey=True)
    sizes, failed = sizes_of(cells, "complete"), False
    for axes, selection in zip(panels, SELECTIONS, strict=True):
        for model in MODELS:
            look = LOOKS[model.name]
            curve = line(cells, "complete", profile, selection, model.name)
            failed = draw_means(axes, curve, look, times) or failed
            marks = style.open_marks(look.colour, look.marker, 4)
            draw_published(axes, plotted_means("fig2", "runtime"), selection, model.name, sizes, marks)
        style.size_axis(axes, sizes, log=False)
        style.log_axis(axes, MEAN_LABEL if axes is panels[0] else "")
        axes.set_title(SELECTION_WORDS[selection] + " selection")
    style.letter_panels(panels)
    keys = [
        style.legend_entry("ours"),
        style.band_key(),
        *([style.legend_entry("some runs failed", **style.FAILED)] if failed else []),
        style.legend_entry("published", **style.open_marks(style.GREY, "o", 4)),
    ]
    models = [handle(model, profile) for model in MODELS]
    keys += [style.legend_entry("", linestyle="none")] * (len(models) - len(keys))
    # Legends are filled column by column: models above, keys below.
    entries = [entry for pair in zip(models, keys, strict=True) for entry in pair]
    style.legend(figure, entries, columns=len(models))
    return figure


def figure3(cells: Cells, profile: str) -> Figure:
    """Figure 3: mean iterations and generalisation ability on sampled training sets.

    With 48 sizes, five models could not be told apart in one panel, so each has a column of its own.
    """
    figure, rows = _columns(cells, "incomplete", profile, rows=4, height=6.6)
    sizes, failed = sizes_of(cells, "incomplete"), False
    always_0 = 1 - 2.0 ** -np.array(sizes, dtype=np.float64)
    kinds = [(selection, values) for values in (times, abilities) for selection in SELECTIONS]
    for row, letter, (selection, values) in zip(rows, "abcd", kinds, strict=True):
        published = plotted_means("fig3", "runtime" if values is times else "generalisation")
        for axes, model in zip(row, MODELS, strict=True):
            if values is abilities:
                axes.plot(sizes, always_0, **_ALWAYS_0)
            curve = line(cells, "incomplete", profile, selection, model.name)
            failed = draw_means(axes, curve, _solid(model), values) or failed
            draw_published(axes, published, selection, model.name, sizes, _PUBLISHED)
            if values is times:
                style.log_axis(axes, "")
            else:
                axes.set_ylim(0.78, 1.01)
        words = "mean iterations" if values is times else "mean ability\non new rows"
        row[0].set_ylabel(f"({letter}) {SELECTION_WORDS[selection]}\n{words}")
    highest = max(row[0].get_ylim()[1] for row in rows[:2])
    for axes in rows[:2].flat:  # the same axis for both selections
        axes.set_ylim(0.4, highest)
    keys: list[Any] = [style.legend_entry("ours, over the runs that succeeded"), style.band_key()]
    keys += [style.legend_entry("some runs failed", **style.FAILED)] * failed
    keys += [
        style.legend_entry("published", **_PUBLISHED),
        style.legend_entry("the circuit that is always 0", **_ALWAYS_0),
    ]
    style.legend(figure, keys, columns=3)
    return figure


def success_figure(cells: Cells, profile: str) -> Figure:
    """The fraction of runs that fitted the complete set within the budget, with Wilson's intervals."""
    figure, rows = _columns(cells, "complete", profile, rows=2, height=3.4)
    for row, letter, selection in zip(rows, "ab", SELECTIONS, strict=True):
        for axes, model in zip(row, MODELS, strict=True):
            curve = line(cells, "complete", profile, selection, model.name)
            look, sizes = _solid(model), list(curve)
            rates = [success_rate(cell.runs) for cell in curve.values()]
            low, high = [rate.interval.low for rate in rates], [rate.interval.high for rate in rates]
            axes.fill_between(sizes, low, high, color=look.colour, **_OURS)
            axes.plot(sizes, [rate.rate for rate in rates], color=look.colour, linestyle=look.dashes)
            shares = {key: row.successes / REPLICATIONS for key, row in table2().items()}
            draw_published(axes, shares, selection, model.name, sizes, _PUBLISHED)
            axes.set_ylim(-0.04, 1.06)
        row[0].set_ylabel(f"({letter}) {SELECTION_WORDS[selection]}\n{SHARE_LABEL}")
    keys = [
        style.legend_entry("ours"),
        style.band_key("95 % interval (Wilson)"),
        style.legend_entry("published", **_PUBLISHED),
    ]
    style.legend(figure, keys, columns=3)
    return figure


def _solid(model: Model) -> style.Look:
    """The look of a model that is alone in its panel: its colour, without dashes and markers."""
    return style.Look(LOOKS[model.name].colour, "solid", "")


def _columns(cells: Cells, part: str, profile: str, *, rows: int, height: float) -> tuple[Figure, Any]:
    """Panels with a column for each model, its name on top and n below."""
    figure, panels = style.panels(rows, len(MODELS), height=height, sharex=True, sharey="row")
    sizes = sizes_of(cells, part)
    for axes, model in zip(panels[0], MODELS, strict=True):
        axes.set_title(model_words(model, profile))
    for axes in panels.flat:
        axes.set_xlim(sizes[0] - 1, sizes[-1] + 1)
        style.whole_ticks(axes.xaxis, most=4)
    for axes in panels[-1]:
        axes.set_xlabel("inputs $n$")
    return figure, panels


def ert_figure(cells: Cells, profile: str, exact: Mapping[Place, Moments]) -> Figure:
    """ERT: iterations of all runs, including failed ones, per success; exact expectations as bars."""
    figure, ((*panels,),) = style.panels(1, 2, height=3.1, sharey=True)
    own = {place: cell for place, cell in cells.items() if place.profile == profile}
    top, marks, is_known = ceiling(own), set[str](), False
    for axes, selection in zip(panels, SELECTIONS, strict=True):
        for model in MODELS:
            curve = line(cells, "complete", profile, selection, model.name)
            if curve:
                marks |= draw_band(axes, curve, LOOKS[model.name], top)
        known = [
            (place.n, value.mean)
            for place, value in exact.items()
            if (place.part, place.profile, place.selection) == ("complete", profile, selection)
        ]
        is_known = is_known or bool(known)
        axes.plot([n for n, _ in known], [mean for _, mean in known], **style.EXACT)
        style.size_axis(axes, sizes_of(cells, "complete"), log=False)
        style.log_axis(axes, ERT_LABEL if axes is panels[0] else "")
        axes.set_title(SELECTION_WORDS[selection] + " selection")
    if "endless" in marks:
        panels[0].set_ylim(top=top)
    style.letter_panels(panels)
    entries: list[Any] = [handle(model, profile, filled=True) for model in MODELS]
    entries += [style.band_key(), *([exact_handle()] if is_known else []), *style.mark_entries(marks)]
    style.legend(figure, entries, columns=4 if len(entries) > 6 else 3)
    return figure


def distributions_figure(cells: Cells, profile: str) -> Figure:
    """The fraction of runs solved within t iterations, at a small, a middle and the largest n."""
    sizes = sizes_of(cells, "complete")
    shown = sorted({sizes[len(sizes) // 6], sizes[len(sizes) // 2], sizes[-1]})
    figure, rows = style.panels(2, len(shown), height=4.4, sharey=True, sharex="col")
    censored = False
    for row, selection in zip(rows, SELECTIONS, strict=True):
        for axes, n in zip(row, shown, strict=True):
            for model in MODELS:
                cell = line(cells, "complete", profile, selection, model.name).get(n)
                if cell is not None:
                    look = LOOKS[model.name]
                    options = {"color": look.colour, "linestyle": look.dashes, "linewidth": 1.1}
                    censored = draw_distribution(axes, cell.runs, options, shade=0.1) or censored
            _share_axes(axes, f"{SELECTION_WORDS[selection]}, $n = {n}$")
        row[0].set_ylabel(SHARE_LABEL)
    for axes in rows[-1]:
        axes.set_xlabel("iterations + 1")
    style.letter_panels(rows.flat)
    entries: list[Any] = [handle(model, profile, marker=False) for model in MODELS]
    entries.append(style.band_key("95 % band"))
    entries += [style.legend_entry("runs given up", **_GIVEN_UP)] * censored
    style.legend(figure, entries, columns=4)
    return figure


def exact_figure(cells: Cells, profile: str) -> Figure:
    """The fraction of runs of the smallest CGP solved within t iterations, exact and measured."""
    model, censored = CGP[0], False
    look = LOOKS[model.name]
    figure, ((*panels,),) = style.panels(1, 2, height=3.1, sharey=True)
    for axes, selection in zip(panels, SELECTIONS, strict=True):
        title = f"{SELECTION_WORDS[selection]} selection"
        words: Any = {"nodes": model.nodes_under(profile), "profile": profile, "selection": selection}
        draw_distribution(axes, exact(f"and:{EXACT_SIZE}", **words).distribution())
        cell = line(cells, "complete", profile, selection, model.name).get(EXACT_SIZE)
        if cell is not None:
            options = {"color": look.colour, "linewidth": 1.1}
            censored = draw_distribution(axes, cell.all_runs, options) or censored
            title += f", {cell.all_runs.runs} runs"
        _share_axes(axes, title)
        axes.set_xlabel("iterations + 1")
    panels[0].set_ylabel(SHARE_LABEL)
    style.letter_panels(panels)
    measured = f"measured: {model_words(model, profile)}, $n = {EXACT_SIZE}$"
    entries = [
        style.legend_entry("exact", **style.EXACT_LINE),
        style.legend_entry(measured, color=look.colour),
        style.band_key("95 % band"),
        *([style.legend_entry("runs given up", **_GIVEN_UP)] if censored else []),
    ]
    style.legend(figure, entries, columns=4)
    return figure


def _share_axes(axes: Axes, title: str) -> None:
    axes.set_xscale("log")
    style.log_ticks(axes.xaxis)
    axes.set_ylim(-0.02, 1.02)
    axes.set_title(title)
