"""Tree GP on And_n with AND and a negating function: NOT with an ignored argument, or NAND."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import gatewalk as gw
from gatewalk.analysis import CellRuns, Curves, curves, draw_times, style
from gatewalk.numbers import number, probability, share
from gatewalk.report import Table
from gatewalk.stats import MeanError, Sample, chi_square, median, success_rate
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import applied

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Mambrini and Oliveto 2016, who add NOT to F"
LEVEL = 0.001
SINGLE, MULTI = "one step", "several steps"
GATES = {
    "NOT": "notfirst=0x5",
    "NAND": "nand",
}  # this NOT ignores its second argument
FROM = 8  # from this n on NAND's times must grow fast; below, they are near n log n


def findings(measured: Measured) -> Findings:
    """A figure of two panels, a table, and a claim for each selection and form of negation."""
    ties = {form: _part(measured.cells, form, "nonstrict") for form in GATES}
    strict = {form: _part(measured.cells, form, "strict")[SINGLE] for form in GATES}
    return Findings(
        claims=(
            _growth("NOT", ties["NOT"], source=SOURCE, least=0),
            _growth("NAND", ties["NAND"], source="this study", least=FROM),
            _caught(strict["NOT"]),
            _nand_strict(strict["NAND"]),
        ),
        figures=(
            Drawing(
                name="times",
                caption="Expected iterations with 95 % intervals on complete sets. Hollow: some runs failed, "
                "and what they spent is counted. Dashed: the exact expectation 6 n H(n−1).",
                draw=partial(draw, ties, strict),
            ),
        ),
        tables=(("medians", _medians(ties, strict)),),
    )


def _part(cells: Sequence[CellRuns], form: str, selection: str) -> Curves:
    """The curves by n of one form of negation: one step, and several steps if there are such runs."""
    own = [
        cell
        for cell in cells
        if cell.words["gates"] == f"and,{GATES[form]}" and cell.search.selection == selection
    ]
    return curves(own, label=lambda cell: SINGLE if cell.search.algorithm == "tgp-single" else MULTI)


def strict_nand_time(n: int) -> float:
    """E[T] = 6 n H(n-1): strict selection, one step, F = {AND, NAND}; see the notes for the proof."""
    search = gw.search_for(f"and:{n}", algorithm="tgp-single", profile="tinyverse")
    return 2 * float(applied("tgp_single_tinyverse", search).value)


def _growth(name: str, times: Curves, *, source: str, least: int) -> Claim:
    said, holds = [], []
    for steps, along in times.items():
        middles = {n: median(data).value for n, data in along.items()}
        said.append(f"{steps}: " + ", ".join(f"{number(value)} (n = {n})" for n, value in middles.items()))
        holds += [
            middles[n + 2] > 2 * value for n, value in middles.items() if n >= least and n + 2 in middles
        ]
    begun = f" from n = {least} on" if least else ""
    return Claim(
        statement=f"With {name} as well as AND and ties accepted, And_n takes exponential time",
        source=source,
        measured=f"Median iterations. {'; '.join(said)}.",
        verdict=judged(holds),
        reason=f"Two further inputs must more than double the median{begun}.",
    )


def _caught(along: Mapping[int, Sample]) -> Claim:
    rates = {n: success_rate(data) for n, data in along.items()}
    said = ", ".join(
        f"{share(item.rate)} [{share(item.interval.low)}, {share(item.interval.high)}] (n = {n})"
        for n, item in rates.items()
    )
    return Claim(
        statement="With NOT as well as AND and strict selection, And_n takes at least exponential time",
        source=SOURCE,
        measured=f"Runs of one step that succeed within their budget: {said}.",
        verdict=judged([b.rate < 0.9 * a.rate for a, b in pairwise(rates.values())]),
        reason="Each further input must leave less than 0.9 of the successes.",
    )


def _nand_strict(along: Mapping[int, Sample]) -> Claim:
    ratios = [float(data.times.mean()) / strict_nand_time(n) for n, data in along.items()]
    p = chi_square(MeanError.of(data.times).score(strict_nand_time(n)) for n, data in along.items()).p_value
    failed = sum(data.runs - data.successes for data in along.values())
    return Claim(
        statement="With NAND as well as AND, one step and strict selection take 6 n H(n−1) iterations in "
        "expectation: no run gets stuck",
        source="this study, proven in its notes",
        measured=f"Mean over expectation, n = {min(along)} to {max(along)}: {min(ratios):.3f} to "
        f"{max(ratios):.3f}; chi-square of all means, p = {probability(p)}; {failed} runs failed.",
        verdict=judged([p > LEVEL and failed == 0]),
        reason=f"The means together must not deviate with p < {LEVEL}, and every run must succeed.",
    )


def _medians(ties: Mapping[str, Curves], strict: Mapping[str, Mapping[int, Sample]]) -> Table:
    rows = [
        (f"AND, {form}", f"ties, {steps}", *_row(n, data))
        for form, times in ties.items()
        for steps, along in times.items()
        for n, data in along.items()
    ]
    rows += [
        (f"AND, {form}", "strict, one step", *_row(n, data))
        for form, along in strict.items()
        for n, data in along.items()
    ]
    return Table(
        title="Successes and medians",
        columns=("functions", "search", "n", "runs", "solved", "median iterations"),
        rows=tuple(rows),
        texts=2,
    )


def _row(n: int, data: Sample) -> tuple[str, str, str, str]:
    return str(n), str(data.runs), str(data.successes), number(median(data).value)


@style.styled()
def draw(ties: Mapping[str, Curves], strict: Mapping[str, Mapping[int, Sample]]) -> Figure:
    """Times by n: where ties are accepted, and under strict selection."""
    figure, ((left, right),) = style.panels(1, 2, height=3.0)
    shown = {
        f"{{AND, {form}}}, {steps}": along for form, times in ties.items() for steps, along in times.items()
    }
    alone = {f"{{AND, {form}}}, one step": along for form, along in strict.items()}
    names = list(dict.fromkeys([*shown, *alone]))
    draw_times(left, shown, names=names)
    left.set_title("And$_n$, ties accepted")
    draw_times(right, alone, names=names)
    sizes = sorted(strict["NAND"])
    right.plot(sizes, [strict_nand_time(n) for n in sizes], "--", color=style.GREY, linewidth=0.8)
    right.plot([], [], "--", color=style.GREY, linewidth=0.8, label="$6\\,n\\,H(n-1)$")
    right.set_title("And$_n$, strict selection")
    right.set_ylim(bottom=5)  # room for the legend
    style.letter_panels((left, right))
    for panel in (left, right):
        panel.legend(loc="lower right")
    return figure
