"""Tree GP with minimal function sets: And_n, Xor_n, and And_n when inputs may be negated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Any

import gatewalk as gw
from gatewalk.analysis import CellRuns, Curves, curves, draw_errors, draw_times, fits, style
from gatewalk.numbers import number, probability
from gatewalk.report import Table
from gatewalk.stats import (
    Growth,
    MeanError,
    Sample,
    chi_square,
    excess,
    log_linear,
    mean_time,
    median,
    success_rate,
)
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import applied

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SOURCE = "Mambrini and Oliveto 2016"
STRICT = "single, strict"
LEVEL = 0.001


def findings(measured: Measured) -> Findings:
    """Two figures, the fits compared with the stated orders, the errors, and a claim for each statement."""
    complete, samples = _part(measured.cells, "and", "complete"), _part(measured.cells, "and", "sample")
    parity = _part(measured.cells, "xor", "complete")
    negated = _part(measured.cells, "and", "complete", terminals="inputs+negated")
    errors = {name: _errors(measured.cells, name) for name in ("and", "xor")}
    ties = {name: along for name, along in parity.items() if name.endswith("nonstrict")}
    grown = fits(ties, resamples=measured.resamples)
    return Findings(
        claims=(
            _n_log_n(complete),
            _constant(complete[STRICT]),
            _log_n(samples),
            _exponential(parity, grown),
            _strict_negation(negated),
            _negation(negated),
            _conjunctions_generalise(errors["and"]),
            _parities_do_not(errors["xor"]),
        ),
        figures=(
            Drawing(
                name="times",
                caption="Expected iterations with 95 % intervals and the stated orders, dashed, their "
                "constants fitted. Hollow: some runs failed, and what they spent is "
                "counted; an arrow stands at what was spent where all failed.",
                draw=partial(draw, complete, samples, parity, negated),
            ),
            Drawing(
                name="errors",
                caption="Mean error on fresh rows of what was evolved on so many rows, with 95 % intervals.",
                draw=partial(draw_generalisation, errors),
            ),
        ),
        tables=(
            ("orders", _orders(complete, samples, grown)),
            ("generalisation", _error_table(errors)),
        ),
    )


def _name(cell: CellRuns) -> str:
    return f"{cell.search.algorithm.removeprefix('tgp-')}, {cell.search.selection}"


def _part(cells: Sequence[CellRuns], family: str, training: str, *, terminals: str = "inputs") -> Curves:
    """The curves by n of one setting; one for each algorithm and selection."""
    own = [
        cell
        for cell in cells
        if cell.search.target.name.startswith(f"{family}:")
        and cell.values["training"] == training
        and cell.words["options"].get("terminals", "inputs") == terminals
    ]
    return curves(own, label=_name)


def _errors(cells: Sequence[CellRuns], family: str) -> dict[int, MeanError]:
    """Mean error on fresh rows by the number of rows trained on."""
    by_rows = {}
    for cell in cells:
        rows = cell.search.rows
        is_of_family = cell.search.target.name.startswith(f"{family}:")
        if rows is not None and is_of_family and cell.values["training"].startswith("sample:"):
            by_rows[rows] = MeanError.of(cell.errors)
    return dict(sorted(by_rows.items()))


def _n_log_n(times: Curves) -> Claim:
    seen = {name: excess(along, log_linear) for name, along in times.items()}
    said = "; ".join(f"{name}: {item.words}" for name, item in seen.items())
    return Claim(
        statement="With F = {AND} and the complete set, And_n is found in O(n log n) iterations, with ties "
        "or without",
        source=f"{SOURCE} for one step; several steps in Lissovoi and Oliveto 2018",
        measured=f"Fitted c n log n · nᵉ. {said}.",
        verdict=judged([item.is_within for item in seen.values()]),
        reason="No 95 % interval of e may reach beyond 0.05.",
    )


def strict_time(n: int) -> float:
    """E[T] = 3 n H(n-1): And_n, one step, strict selection."""
    search = gw.search_for(f"and:{n}", algorithm="tgp-single", profile="tinyverse")
    return float(applied("tgp_single_tinyverse", search).value)


def _constant(along: Mapping[int, Sample]) -> Claim:
    """The claim on strict selection: all leaves differ, so only inserting a missing input improves."""
    ratios = [float(data.times.mean()) / strict_time(n) for n, data in along.items()]
    p = chi_square(MeanError.of(data.times).score(strict_time(n)) for n, data in along.items()).p_value
    return Claim(
        statement="One step and strict selection take 3 n H(n−1) iterations in expectation",
        source="exact, `tgp_single_tinyverse` of gatewalk bounds",
        measured=f"Mean over expectation, n = {min(along)} to {max(along)}: {min(ratios):.3f} to "
        f"{max(ratios):.3f}; chi-square of all means, p = {probability(p)}.",
        verdict=judged([p > LEVEL]),
        reason=f"The means together must not deviate with p < {LEVEL}.",
    )


def _log_n(times: Curves) -> Claim:
    seen = {name: excess(along, log) for name, along in times.items()}
    said = "; ".join(f"{name}: {item.words}" for name, item in seen.items())
    return Claim(
        statement="On a sample of polynomially many rows, the rows are fitted in O(log n) iterations",
        source=SOURCE,
        measured=f"⌈n^1.3⌉ rows, fitted c log n · nᵉ. {said}.",
        verdict=judged([item.is_within for item in seen.values()]),
        reason="No 95 % interval of e may reach beyond 0.05.",
    )


def _exponential(times: Curves, grown: Mapping[str, Growth]) -> Claim:
    said, holds = [], []
    for name, fitted in grown.items():
        fit, last = fitted.of("exponential"), max(times[name])
        said.append(
            f"{name}: {number(fit.fit.scale, digits=2)} · {fit.fit.rate:.2f}ⁿ, base in [{fit.rate.low:.2f}, "
            f"{fit.rate.high:.2f}], Akaike weight {number(fit.weight, digits=2)}; at n = {last} "
            f"{number(mean_time(times[name][last]) / 2**last)} · 2ⁿ"
        )
        holds += [fit.weight > 0.99, fit.rate.low > 1]
    for name, along in times.items():
        if name.endswith(", strict"):
            solved = ", ".join(f"{data.successes} of {data.runs} (n = {n})" for n, data in along.items())
            said.append(f"{name}, which accepts nothing but the solution: solved {solved}")
            holds.append(along[max(along)].successes == 0)
    return Claim(
        statement="With F = {XOR}, Xor_n takes exponential time",
        source=SOURCE,
        measured="; ".join(said) + ".",
        verdict=judged(holds),
        reason="The exponential model must have a weight above 0.99 against c nᵃ and c nᵃ log n; strict runs "
        "must all fail at the largest n tried.",
    )


def _strict_negation(times: Curves) -> Claim:
    rates = {n: success_rate(data) for n, data in times[STRICT].items()}
    said = ", ".join(
        f"{_percent(item.rate)} % [{_percent(item.interval.low)}, {_percent(item.interval.high)}] (n = {n})"
        for n, item in rates.items()
    )
    return Claim(
        statement="With negation, And_n takes at least exponential time: strict selection",
        source=f"{SOURCE}, who add NOT to F; here as negated inputs, since every function has two arguments",
        measured=f"Runs of one step that ever succeed: {said}. The others end in a contradiction such as "
        "x ∧ ¬x, which is wrong on one row only, and nothing but And_n is better.",
        verdict=judged([b.rate < 0.6 * a.rate for a, b in pairwise(rates.values())]),
        reason="Each further input must leave less than 0.6 of the successes.",
    )


def _percent(rate: float) -> str:
    return number(100 * rate, digits=2)


def _negation(times: Curves) -> Claim:
    said, holds = [], []
    for name, along in times.items():
        if name == STRICT:
            continue
        middles = {n: median(data) for n, data in along.items()}
        shares = ", ".join(f"{number(item.value)} (n = {n})" for n, item in middles.items())
        said.append(f"{name}: {shares}")
        holds += [b.value > 2 * a.value for a, b in pairwise(middles.values())]
    return Claim(
        statement="With negation, And_n takes at least exponential time: ties accepted",
        source=f"{SOURCE}; negated inputs as above",
        measured=f"Median iterations. {'; '.join(said)}. Trees that hold a contradiction wander among "
        "trees like them and grow.",
        verdict=judged(holds),
        reason="Each further input must more than double the median; ∞: fewer than half of the runs succeed.",
    )


def _conjunctions_generalise(errors: Mapping[int, MeanError]) -> Claim:
    said = ", ".join(f"{item.words} (s = {s})" for s, item in errors.items())
    means = [item.mean for item in errors.values()]
    return Claim(
        statement="How well evolved conjunctions generalise depends on the number s of rows",
        source=SOURCE,
        measured=f"And_30, mean error on fresh rows: {said}.",
        verdict=judged([b < a / 2 for a, b in pairwise(means)]),
        reason="Ten times as many rows must more than halve the error.",
    )


def _parities_do_not(errors: Mapping[int, MeanError]) -> Claim:
    said = ", ".join(f"{item.words} (s = {s})" for s, item in errors.items())
    return Claim(
        statement="Evolved exclusive disjunctions generalise equally badly for every s",
        source=SOURCE,
        measured=f"Xor_30, mean error on fresh rows: {said}; guessing has 0.5.",
        verdict=judged([abs(item.mean - 0.5) < 3.3 * item.standard_error for item in errors.values()]),
        reason="Every mean must be within 3.3 standard errors of 0.5.",
    )


def _orders(complete: Curves, samples: Curves, grown: Mapping[str, Growth]) -> Table:
    rows = []
    for setting, times, order, words in (
        ("And_n, complete", complete, log_linear, "n log n"),
        ("And_n, n^1.3 rows", samples, log, "log n"),
    ):
        for name, along in times.items():
            seen = excess(along, order)
            ends = (number(seen.interval.low), number(seen.interval.high))
            rows.append((setting, name, words, number(seen.scale), number(seen.exponent), *ends))
    for name, fitted in grown.items():
        item = fitted.of("exponential")
        ends = (number(item.rate.low), number(item.rate.high))
        rows.append(("Xor_n, complete", name, "b^n", number(item.fit.scale), number(item.fit.rate), *ends))
    return Table(
        title="Stated orders and fits",
        columns=("setting", "algorithm", "order f", "c", "e or b", "from", "to"),
        rows=tuple(rows),
        texts=3,
        note="Fits of c f(n) nᵉ, for Xor_n of c bⁿ, with 95 % bootstrap intervals of e or b.",
    )


def _error_table(errors: Mapping[str, Mapping[int, MeanError]]) -> Table:
    return Table(
        title="Errors on fresh rows",
        columns=("target", "rows", "mean error", "standard error"),
        rows=tuple(
            (f"{family}:30", str(rows), number(item.mean), number(item.standard_error))
            for family, by_rows in errors.items()
            for rows, item in by_rows.items()
        ),
    )


@style.styled()
def draw(complete: Curves, samples: Curves, parity: Curves, negated: Curves) -> Figure:
    """Four panels: And_n on complete sets and on samples, Xor_n, and And_n with negated inputs."""
    figure, axes = style.panels(2, 2, height=5.7)
    names = list(dict.fromkeys(name for part in (complete, samples, parity, negated) for name in part))
    draw_panel = partial(draw_times, names=names)
    draw_panel(axes[0][0], complete, order=log_linear, formula="$c\\,n\\,\\log\\,n$")
    axes[0][0].set_title("And$_n$, {AND}, complete set")
    draw_panel(axes[0][1], samples, order=log, formula="$c\\,\\log\\,n$")
    axes[0][1].set_title("And$_n$, {AND}, $n^{1.3}$ rows")
    draw_panel(axes[1][0], parity)
    sizes = sorted({n for along in parity.values() for n in along})
    axes[1][0].plot(sizes, [2.0**n for n in sizes], "--", color=style.GREY, linewidth=0.8, label="$2^n$")
    axes[1][0].set_title("Xor$_n$, {XOR}, complete set")
    draw_panel(axes[1][1], negated)
    axes[1][1].set_title("And$_n$, {AND}, inputs also negated")
    style.letter_panels(axes.flat)
    _legends(figure, axes.flat)
    return figure


def _legends(figure: Figure, places: Iterable[Axes]) -> None:
    """One legend of the curves and marks for all panels, below them; each formula in its own panel."""
    shared: dict[str, Any] = {}
    for panel in places:
        labelled = dict(zip(*reversed(panel.get_legend_handles_labels()), strict=True))
        formulas = {label: handle for label, handle in labelled.items() if label.startswith("$")}
        if formulas:
            panel.legend([*formulas.values()], [*formulas], loc="lower right")
        shared |= {label: handle for label, handle in labelled.items() if label not in formulas}
    style.legend(figure, [*shared.values()], columns=3)


@style.styled()
def draw_generalisation(errors: Mapping[str, Mapping[int, MeanError]]) -> Figure:
    """Error on fresh rows by the number of rows trained on."""
    figure, ((axes,),) = style.panels(width=4.6, height=2.9)
    draw_errors(axes, {f"{family.capitalize()}$_{{30}}$": by_rows for family, by_rows in errors.items()})
    axes.set_xscale("log")
    style.log_ticks(axes.xaxis)
    axes.set_xlabel("rows trained on")
    style.log_axis(axes, "mean error on fresh rows")
    axes.legend()
    return figure
