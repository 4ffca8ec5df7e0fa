"""Comparing the values of one option: every pair of cells that differ in nothing else, and their figure.

Each pair has Vargha and Delaney's A12 with Newcombe's interval, the rank-sum and the log-rank test, and the
p-values of all tests are corrected by Holm together. If the budgets of two cells differ, both are cut at the
smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from math import isfinite
from typing import TYPE_CHECKING, Any

from gatewalk.analysis.cells import CellRuns, word_of
from gatewalk.analysis.curves import SETTINGS, column_of
from gatewalk.analysis.style import BLUE, GREY, PAGE, legend, legend_entry, open_marks, panels, styled
from gatewalk.campaign.labels import label, varying
from gatewalk.errors import InputError, brief, shown
from gatewalk.numbers import fixed, number, probability, running_time, share
from gatewalk.stats.comparison import a12_interval, holm, magnitude, mann_whitney
from gatewalk.stats.sample import Interval, cut_alike, ert
from gatewalk.stats.survival import log_rank
from gatewalk.typeset import to_mathtext

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVEL = 0.05  # a corrected p-value below this shows a difference
COMPARABLE = tuple(toml for toml in SETTINGS if toml not in ("target", "budget", "evaluation"))
_FOLLOWS = {  # by option: what may differ between two cells, because it follows from that option
    "algorithm": ("law_options", "nodes", "mutation"),
    "profile": ("law_options",),
}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two cells that differ in one option.

    label: what they have in common.
    first, second: the option's values.
    a12: the probability that a run of the first is faster, ties counting half.
    ert: expected times of both, cut at the same budget.
    rank_sum, log_rank: p-values.
    rank_sum_holm, log_rank_holm: the same, corrected for the number of tests.
    """

    label: str
    first: str
    second: str
    a12: float
    interval: Interval
    ert: tuple[float, float]
    rank_sum: float
    log_rank: float
    rank_sum_holm: float
    log_rank_holm: float

    @property
    def differs(self) -> bool:
        """Whether either test shows a difference after the correction."""
        return min(self.rank_sum_holm, self.log_rank_holm) < LEVEL


@dataclass(frozen=True, kw_only=True)
class Comparisons:
    """All pairs of the values of an option (`by`), compared; `print` shows a sentence for each.

    unit: what time was counted in.

    >>> from gatewalk.campaign import campaign, run
    >>> both = campaign(target="and:6", nodes="n", selection=["nonstrict", "strict"], replications=30, seed=7)
    >>> comparisons = run(both, jobs=1).compare()
    >>> comparisons.by, len(comparisons.pairs)
    ('selection', 1)
    """

    by: str
    unit: str
    pairs: tuple[Pair, ...]

    def __repr__(self) -> str:
        differing = sum(pair.differs for pair in self.pairs)
        return f"<Comparisons by {self.by}: {len(self.pairs)} pairs, {differing} differ>"

    def __str__(self) -> str:
        tests = f"all {2 * len(self.pairs)} tests"
        last = f"p-values are corrected by Holm for {tests}; below {LEVEL:g} a difference is shown."
        return "\n".join([*(sentence(pair, self.unit) for pair in self.pairs), last])

    def _repr_html_(self) -> str:
        head = ("cells", "first", "second", "A12", "95 %", "ERT", "rank sum", "log-rank", "after Holm")
        rows = [
            (
                *(pair.label, pair.first, pair.second, fixed(pair.a12, 2)),
                f"{fixed(pair.interval.low, 2)} – {fixed(pair.interval.high, 2)}",
                f"{running_time(pair.ert[0])} / {running_time(pair.ert[1])}",
                *(probability(pair.rank_sum_holm), probability(pair.log_rank_holm)),
                "differ" if pair.differs else "no difference shown",
            )
            for pair in self.pairs
        ]
        cells = ["".join(f"<td>{escape(text)}</td>" for text in row) for row in rows]
        names = "".join(f"<th>{name}</th>" for name in head)
        return f"<table><tr>{names}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def compare_cells(
    cells: Sequence[CellRuns], by: str | None = None, *, unit: str = "iterations"
) -> Comparisons:
    """Compare the values of an option in all cells that differ in nothing else.

    by: the option as campaigns write it, such as "selection"; it may be left out if only one differs.
    unit: what times are counted in, named in the sentences.
    """
    by = by or _only_option(cells)
    if by not in COMPARABLE:
        raise InputError(f"unknown option {shown(by)} to compare by; use {', '.join(COMPARABLE)}")
    pairs = [pair for pair in combinations(cells, 2) if _differ_in_it_alone(*pair, by)]
    if not pairs:
        options = ", ".join(differing(cells)) or "none"
        raise InputError(f"no two cells differ in {by} alone; options that differ: {options}")
    cut = [cut_alike(first.runs, second.runs)[:2] for first, second in pairs]
    ranks = [mann_whitney(*both) for both in cut]
    logs = [log_rank(*both).p_value for both in cut]
    corrected = holm([*(rank.p_value for rank in ranks), *logs])  # all tests are one family
    names = _common_names([first for first, _ in pairs], by)
    compared = [
        Pair(
            label=name,
            first=_value(first, by),
            second=_value(second, by),
            a12=rank.a12,
            interval=a12_interval(rank.a12, both[0].runs, both[1].runs),
            ert=(ert(both[0]), ert(both[1])),
            rank_sum=rank.p_value,
            log_rank=log,
            rank_sum_holm=rank_holm,
            log_rank_holm=log_holm,
        )
        for name, (first, second), both, rank, log, rank_holm, log_holm in zip(
            *(names, pairs, cut, ranks, logs, corrected[: len(pairs)], corrected[len(pairs) :]), strict=True
        )
    ]
    return Comparisons(by=by, unit=unit, pairs=tuple(compared))


def sentence(pair: Pair, unit: str = "iterations") -> str:
    """The comparison of a pair as a sentence."""
    faster, slower = (pair.first, pair.second) if pair.a12 >= 0.5 else (pair.second, pair.first)
    first, (low, high) = pair.a12, pair.interval
    if pair.a12 < 0.5:
        first, low, high = 1 - first, 1 - high, 1 - low
    times = dict(zip((pair.first, pair.second), pair.ert, strict=True))
    verdict = f"no difference shown between {pair.first} and {pair.second}"
    if pair.differs:
        verdict = f"{faster} is faster than {slower}"
    against = _per_success(times[faster], times[slower], unit)
    return (
        f"{pair.label}: {verdict}: of two runs that of {faster} ends first in {share(first)} of cases "
        f"(95 %: {share(low)} to {share(high)}; {magnitude(pair.a12)} effect); {against}; "
        f"p = {probability(pair.rank_sum_holm)} (rank sum), {probability(pair.log_rank_holm)} (log-rank)"
    )


def _per_success(faster: float, slower: float, unit: str) -> str:
    if isfinite(slower):
        return f"{number(faster)} against {number(slower)} {unit} per success"
    if isfinite(faster):
        return f"{number(faster)} {unit} per success against no success"
    return "neither was solved"


def _differ_in_it_alone(first: CellRuns, second: CellRuns, by: str) -> bool:
    column = column_of(by)
    if first.values[column] == second.values[column]:
        return False
    free = {column, "budget", *_FOLLOWS.get(by, ())}
    if by == "algorithm":  # trees have no nodes and no mutation; two kinds of CGP must agree in them
        both = [
            name for name in ("nodes", "mutation") if None not in (first.values[name], second.values[name])
        ]
        free -= set(both)
    return all(value == second.values[name] for name, value in first.values.items() if name not in free)


def differing(cells: Sequence[CellRuns]) -> list[str]:
    """The options in which cells of the same target differ, apart from those that have no such option."""
    columns = {column_of(option): option for option in COMPARABLE}
    return [columns[column] for column in varying([cell.values for cell in cells], columns)]


def _only_option(cells: Sequence[CellRuns]) -> str:
    options = differing(cells)
    if "algorithm" in options:  # between CGP and trees, "nodes" differs too, but cannot be compared
        pairs = list(combinations(cells, 2))
        options = [name for name in options if any(_differ_in_it_alone(*pair, name) for pair in pairs)]
    if len(options) != 1:
        words = "no option differs among cells of a target"
        if options:
            words = f"the options {', '.join(options)} differ"
        raise InputError(f"{words}; say which one to compare by, as in --by selection")
    return options[0]


def _value(cell: CellRuns, by: str) -> str:
    return word_of(cell, SETTINGS[by]) or brief(str(cell.values[column_of(by)]))


def _common_names(cells: Sequence[CellRuns], by: str) -> list[str]:
    """What the cells of a pair have in common: the target, and what differs between pairs of a target."""
    columns = {column_of(name): name for name in differing(cells) if name != by}
    shared = [
        {column: _value(cell, name) for column, name in columns.items() if cell.values[column] is not None}
        for cell in cells  # trees have no nodes
    ]
    return [label(cell.values["target"], values) for cell, values in zip(cells, shared, strict=True)]


MOST_PAIRS = 60
_EVEN: Any = {"color": GREY, "linewidth": 0.8}


@styled()
def comparison_figure(comparisons: Comparisons) -> Figure:
    """A row for each pair: the probability that a run of the first is faster, with its 95 % interval."""
    count = len(comparisons.pairs)
    if count > MOST_PAIRS:
        raise InputError(f"{count} pairs do not fit on a page ({MOST_PAIRS} do); choose cells with --where")
    figure, ((axes,),) = panels(width=PAGE, height=1.1 + 0.22 * count)
    axes.axvline(0.5, **_EVEN)
    for row, pair in enumerate(comparisons.pairs):
        axes.plot([pair.interval.low, pair.interval.high], [row, row], color=BLUE, linewidth=1)
        look = {"color": BLUE, "linestyle": "none", "marker": "o", "markersize": 5}
        axes.plot([pair.a12], [row], **(look if pair.differs else open_marks(BLUE, "o", 5)))
    words = [
        f"{to_mathtext(pair.label)}: {to_mathtext(pair.first)} before {to_mathtext(pair.second)}"
        for pair in comparisons.pairs
    ]
    axes.set_yticks(range(count), words)
    axes.set_ylim(count - 0.5, -0.5)
    axes.set_xlim(-0.02, 1.02)
    axes.set_xlabel("probability that a run of the first value ends first ($A_{12}$)")
    axes.grid(axis="y", visible=False)
    legend(
        figure,
        [
            legend_entry("95 % interval (Newcombe)", color=BLUE),
            legend_entry("differ (Holm, 5 %)", color=BLUE, linestyle="none", marker="o", markersize=5),
            legend_entry("no difference shown", **open_marks(BLUE, "o", 5)),
            legend_entry("as often first as second", **_EVEN),
        ],
        columns=4,
    )
    return figure
