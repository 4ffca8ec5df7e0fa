"""Comparing the values of one option: every pair of cells that differ in nothing else, with both tests.

Each pair has Vargha and Delaney's A12 with Newcombe's interval, the rank-sum and the log-rank test, and the
p-values of all tests are corrected by Holm together. If the budgets of two cells differ, both are cut at the
smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations
from math import inf, isfinite, sqrt

import numpy as np
from scipy import optimize, stats

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.statistics import Interval, Sample, ert, magnitude, mann_whitney
from gatewalk.analysis.survival import log_rank
from gatewalk.boolean.targets import label_of
from gatewalk.campaign.spec import AXES, TOML_NAMES
from gatewalk.errors import InputError, brief, shown

LEVEL = 0.05  # a corrected p-value below this shows a difference
_FIELDS = {toml: name for name, toml in TOML_NAMES.items() if name not in ("target", "budget", "evaluation")}
_FOLLOWS = {  # by option: what may differ between two cells, because it follows from that option
    "algorithm": ("law_options", "nodes", "mutation"),
    "profile": ("law_options",),
}


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two cells that differ in one option.

    label: what they have in common. first, second: the option's values. a12: the probability that a run of
    the first is faster, ties counting half. rank_sum, log_rank: p-values; rank_sum_holm, log_rank_holm: the
    same, corrected for the number of tests. ert: expected times of both, cut at the same budget.
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
    """All pairs of an option's values, compared; `print` shows a sentence for each.

    Attributes
    ----------
    by, unit
        The option, and what time was counted in.
    pairs
        The comparisons.

    Examples
    --------
    >>> from gatewalk.analysis import compare
    >>> from gatewalk.campaign import campaign, run
    >>> both = campaign(target="and:6", nodes="n", selection=["nonstrict", "strict"], replications=30, seed=7)
    >>> found = compare(run(both, jobs=1))
    >>> found.by, len(found.pairs)
    ('selection', 1)
    """

    by: str
    unit: str
    pairs: tuple[Pair, ...]

    def __repr__(self) -> str:
        found = sum(pair.differs for pair in self.pairs)
        return f"<Comparisons by {self.by}: {len(self.pairs)} pairs, {found} differ>"

    def __str__(self) -> str:
        tests = f"all {2 * len(self.pairs)} tests"
        last = f"p-values are corrected by Holm for {tests}; below {LEVEL:g} a difference is shown."
        return "\n".join([*(sentence(pair, self.unit) for pair in self.pairs), last])

    def _repr_html_(self) -> str:
        head = ("cells", "first", "second", "A12", "95 %", "ERT", "rank sum", "log-rank", "after Holm")
        rows = [
            (
                *(pair.label, pair.first, pair.second, f"{pair.a12:.2f}"),
                f"{pair.interval.low:.2f} – {pair.interval.high:.2f}",
                f"{_number(pair.ert[0])} / {_number(pair.ert[1])}",
                *(f"{pair.rank_sum_holm:.2g}", f"{pair.log_rank_holm:.2g}"),
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

    Parameters
    ----------
    cells
        From `cells_of`.
    by
        The option as campaigns write it, such as "selection"; it may be left out if only one differs.
    unit
        What times are counted in; it is named in the sentences.

    Raises
    ------
    InputError
        If there is no such option, or no two cells differ in it alone.
    """
    by = by or _only_option(cells)
    if by not in _FIELDS:
        raise InputError(f"there is no option {shown(by)} to compare by; use {', '.join(_FIELDS)}")
    pairs = [pair for pair in combinations(cells, 2) if _differ_in_it_alone(*pair, by)]
    if not pairs:
        options = ", ".join(differing(cells)) or "none"
        raise InputError(f"no two cells differ in {by} alone; options that differ: {options}")
    cut = [_cut_alike(first.runs, second.runs) for first, second in pairs]
    ranks = [mann_whitney(*both) for both in cut]
    logs = [log_rank(*both).p_value for both in cut]
    corrected = holm([*(rank.p_value for rank in ranks), *logs])  # all tests are one family
    names = _names([first for first, _ in pairs], by)
    found = [
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
    return Comparisons(by=by, unit=unit, pairs=tuple(found))


def sentence(pair: Pair, unit: str = "iterations") -> str:
    """The comparison of a pair as a sentence."""
    faster, slower = (pair.first, pair.second) if pair.a12 >= 0.5 else (pair.second, pair.first)
    share, low, high = pair.a12, pair.interval.low, pair.interval.high
    if pair.a12 < 0.5:
        share, low, high = 1 - share, 1 - high, 1 - low
    times = dict(zip((pair.first, pair.second), pair.ert, strict=True))
    verdict = f"no difference shown between {pair.first} and {pair.second}"
    if pair.differs:
        verdict = f"{faster} is faster than {slower}"
    return (
        f"{pair.label}: {verdict}: of two runs that of {faster} ends first in {share:.0%} of cases "
        f"(95 %: {low:.0%} to {high:.0%}; {magnitude(pair.a12)} effect); {_number(times[faster])} against "
        f"{_number(times[slower])} {unit} per success; p = {pair.rank_sum_holm:.2g} (rank sum), "
        f"{pair.log_rank_holm:.2g} (log-rank)"
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for the number of tests (Holm 1979).

    Below 0.05 after the correction, the chance of any false difference among all tests is at most 5 %.

    Parameters
    ----------
    p_values
        One for each test.

    Returns
    -------
    list of float
        The corrected ones, in the same order.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, least = [0.0] * len(p_values), 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = least
    return corrected


def a12_interval(a12: float, first: int, second: int, *, confidence: float = 0.95) -> Interval:
    """The interval of A12 by the fifth method of Newcombe (2006), which also holds at 0 and 1.

    Parameters
    ----------
    a12
        The estimate.
    first, second
        The numbers of runs.

    Examples
    --------
    >>> found = a12_interval(1.0, 20, 20)
    >>> round(found.low, 3), found.high
    (0.899, 1.0)
    """
    z = float(stats.norm.ppf((1 + confidence) / 2))
    weight = (first + second) / 2 - 1

    def beyond(theta: float) -> float:
        spread = 1 + weight * (1 - theta) / (2 - theta) + weight * theta / (1 + theta)
        return abs(a12 - theta) - z * sqrt(theta * (1 - theta) * spread / (first * second))

    # At 0 and 1 the spread is 0, so the estimate itself is a root; the end of the interval is the other one.
    low = 0.0 if a12 <= 0 else float(optimize.brentq(beyond, 0.0, min(a12, 1 - 1e-12)))
    high = 1.0 if a12 >= 1 else float(optimize.brentq(beyond, max(a12, 1e-12), 1.0))
    return Interval(low, high)


def _cut_alike(first: Sample, second: Sample) -> tuple[Sample, Sample]:
    """Both samples, as if every run had been given up at the smallest time at which one of them was."""
    given_up = [data.iterations[~data.solved] for data in (first, second)]
    cut = min((float(times.min()) for times in given_up if times.size), default=inf)
    a, b = (
        Sample(np.minimum(data.iterations, cut), data.solved & (data.iterations <= cut))
        for data in (first, second)
    )
    return a, b


def _column(by: str) -> str:
    return AXES[_FIELDS[by]].columns[0].name


def _differ_in_it_alone(first: CellRuns, second: CellRuns, by: str) -> bool:
    column = _column(by)
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
    found = []
    for toml in _FIELDS:
        column = _column(toml)
        pairs = {
            (cell.values["target"], cell.values[column]) for cell in cells if cell.values[column] is not None
        }
        if len(pairs) > len({target for target, _ in pairs}):
            found.append(toml)
    return found


def _only_option(cells: Sequence[CellRuns]) -> str:
    found = differing(cells)
    if "algorithm" in found:  # between CGP and trees, "nodes" differs too, but cannot be compared
        found = [name for name in found if any(_differ_in_it_alone(*p, name) for p in combinations(cells, 2))]
    if len(found) != 1:
        words = (
            f"the options {', '.join(found)} differ" if found else "no option differs among cells of a target"
        )
        raise InputError(f"{words}: say which one to compare by, as in --by selection")
    return found[0]


def _value(cell: CellRuns, by: str) -> str:
    written = cell.options.get(_FIELDS[by])
    return brief(str(cell.values[_column(by)] if written is None else written))


def _names(cells: Sequence[CellRuns], by: str) -> list[str]:
    """What the cells of a pair have in common: the target, and what differs between pairs of a target."""
    names = []
    shown_options = [name for name in differing(cells) if name != by]
    for cell in cells:
        own = [name for name in shown_options if cell.values[_column(name)] is not None]  # not of trees
        words = [AXES[_FIELDS[name]].label.format(_value(cell, name)) for name in own]
        names.append(" ".join([label_of(cell.values["target"]), *(word for word in words if word)]))
    return names


def _number(value: float) -> str:
    return f"{value:.4g}" if isfinite(value) else "∞"
