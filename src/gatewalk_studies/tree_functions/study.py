"""Tree GP on And_n with AND and OR and at most l leaves: times against O(l n log² n), errors, a trap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import log
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis import CellRuns, Curves, curves, draw_errors, draw_times, style
from gatewalk.numbers import number
from gatewalk.report import Table
from gatewalk.stats import MeanError, Sample, excess, log_linear, mean_time, sample, success_rate
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Doerr, Lissovoi and Oliveto 2019, 2023"
TIMES_N = (1, 2, 4)  # limits on the leaves, as multiples of n
LEAST_SHARE = 0.9
_NODES = {"leaves": "leaves only", "both": "any node"}  # the nodes that substitution changes


def findings(measured: Measured) -> Findings:
    """A figure of three panels, tables of failures and errors, and a claim for each statement."""
    complete = [cell for cell in measured.cells if cell.values["training"] == "complete"]
    times = _by_limit(complete)
    limits = _at_one_size(complete)
    errors = {
        "inputs only": _errors(measured.cells, "inputs"),
        "negated too": _errors(measured.cells, "inputs+negated"),
    }
    return Findings(
        claims=(
            _bound(times),
            _trap(times),
            _own_order(times),
            _limit(limits),
            _small_errors(errors["inputs only"], "AND, OR and the inputs"),
            _small_errors(errors["negated too"], "AND, OR and the inputs, also negated"),
        ),
        figures=(
            Drawing(
                name="limits",
                caption="Left: expected iterations of one step, substitution at any node, by n for three "
                "limits, and the stated order with a fitted constant. Middle: by the limit "
                "at one n. Right: mean error on fresh rows after fitting n² rows. Intervals of 95 %.",
                draw=partial(draw, times, limits, errors),
            ),
        ),
        tables=(("failures", _failures(times)), ("errors", _error_table(errors))),
    )


def _substitution(cell: CellRuns) -> str:
    return str(cell.words["options"].get("substitution", "leaves"))


def _limit_of(cell: CellRuns) -> int:
    return int(cell.words["options"]["size_limit"])


def _by_limit(cells: Sequence[CellRuns]) -> Curves:
    """Times by n, for each algorithm, substitution and limit in n."""

    def name(cell: CellRuns) -> str:
        algorithm = cell.search.algorithm.removeprefix("tgp-")
        return _curve(algorithm, _substitution(cell), _limit_of(cell) // cell.search.n)

    own = [cell for cell in cells if _limit_of(cell) in [k * cell.search.n for k in TIMES_N]]
    return curves(own, label=name)


def _curve(algorithm: str, substitution: str, k: int) -> str:
    return f"{algorithm}, {_NODES[substitution]}, ℓ = {'' if k == 1 else k}n"


def _at_one_size(cells: Sequence[CellRuns]) -> tuple[int, dict[int, Sample]]:
    """The n whose limits are not all multiples of n, and its times by limit: one step, any node."""
    own = [cell for cell in cells if cell.search.algorithm == "tgp-single" and _substitution(cell) == "both"]
    n = max({cell.search.n for cell in own}, key=lambda n: sum(cell.search.n == n for cell in own))
    by_limit = {_limit_of(cell): cell.runs for cell in own if cell.search.n == n}
    return n, dict(sorted(by_limit.items()))


def _errors(cells: Sequence[CellRuns], terminals: str) -> dict[int, np.ndarray]:
    """Errors on fresh rows of all runs on samples, by n."""
    return {
        cell.search.n: cell.errors
        for cell in cells
        if cell.values["training"] != "complete"
        and cell.words["options"].get("terminals", "inputs") == terminals
    }


def _stated(n: float, k: int) -> float:
    return k * n * n * log(n) ** 2


def _bound(times: Curves) -> Claim:
    said, holds = [], []
    for algorithm in ("single", "multi"):
        for k in TIMES_N:
            along = times[_curve(algorithm, "both", k)]
            seen = excess(along, partial(_stated, k=k))
            holds += [seen.is_within, all(item.successes == item.runs for item in along.values())]
            said.append(f"{_curve(algorithm, 'both', k)}: {seen.words}")
    runs = sum(
        data.runs for name, along in times.items() if _NODES["both"] in name for data in along.values()
    )
    return Claim(
        statement="With F = {AND, OR} and at most ℓ ≥ n leaves, And_n is found in O(ℓ n log² n) iterations",
        source=f"{SOURCE}: RLS-GP, which makes one step",
        measured=f"Substitution at any node; fitted c ℓ n log² n · nᵉ. {'; '.join(said)}. {runs} runs.",
        verdict=judged(holds),
        reason="No 95 % interval of e may reach beyond 0.05, and every run must succeed.",
    )


def _trap(times: Curves) -> Claim:
    lost: dict[str, tuple[int, int]] = {}
    for substitution in ("leaves", "both"):
        data = times[_curve("single", substitution, 1)].values()
        lost[substitution] = (
            sum(item.runs - item.successes for item in data),
            sum(item.runs for item in data),
        )
    return Claim(
        statement="The bound needs substitution at inner nodes: if only leaves change, a run can get stuck "
        "for ever at the limit",
        source="this study; the abstracts do not say which nodes substitution changes",
        measured=f"One step, ℓ = n, runs that fail: leaves only {lost['leaves'][0]} of {lost['leaves'][1]}, "
        f"any node {lost['both'][0]} of {lost['both'][1]}. A tree that is stuck has the form A ∨ A, or "
        "contains such a part, where A has no leaf to spare: no change of its leaves without loss ever "
        "improves it, and the limit allows no other leaf.",
        verdict=judged([lost["leaves"][0] > 0, lost["both"][0] == 0]),
        reason="Failures must be seen with leaves only, and none with any node.",
    )


def _own_order(by_name: Curves) -> Claim:
    said, holds = [], []
    for k in TIMES_N:
        name = _curve("single", "both", k)
        seen = excess(by_name[name], log_linear)
        said.append(f"{name}: {seen.words}")
        holds += [seen.interval.high < 0.5] if k > 1 else []
    return Claim(
        statement="With a limit above n, times are nearer to n log n, as with AND alone, than to the bound",
        source="this study",
        measured=f"Fitted c n log n · nᵉ; the bound would allow e = 1 and a logarithm. {'; '.join(said)}.",
        verdict=judged(holds),
        reason="e must lie below 0.5 for ℓ = 2n and 4n.",
    )


def _limit(limits: tuple[int, Mapping[int, Sample]]) -> Claim:
    n, by_limit = limits
    means = {limit: mean_time(data) for limit, data in by_limit.items()}
    least = min(means)
    said = ", ".join(f"{number(mean)} (ℓ = {limit})" for limit, mean in means.items())
    return Claim(
        statement="The time grows at most linearly with the limit ℓ",
        source=SOURCE,
        measured=f"n = {n}, mean iterations: {said}.",
        verdict=judged([mean <= means[least] * limit / least for limit, mean in means.items()]),
        reason="No mean may exceed that of the least limit times the ratio of the limits; they fall instead.",
    )


def _small_errors(errors: Mapping[int, np.ndarray], words: str) -> Claim:
    said, holds = [], []
    for n, wrong in errors.items():
        share = success_rate(sample(np.zeros(wrong.size), wrong <= 1 / n))
        holds += [share.interval.low > LEAST_SHARE, float(wrong.mean()) < 1 / n]
        said.append(f"{share.successes} of {share.runs}, mean error {number(float(wrong.mean()))} (n = {n})")
    return Claim(
        statement=f"Fitting polynomially many rows gives a polynomially small error: {words}",
        source=f"{SOURCE}: with probability 1 − O(log² n / n)",
        measured=f"n² rows, ℓ = 2n, one step; runs with an error of at most 1/n: {'; '.join(said)}.",
        verdict=judged(holds),
        reason=f"At every n the 95 % interval of the share must lie above {LEAST_SHARE}, and the mean error "
        "below 1/n. The constant in the probability is not known.",
    )


def _failures(by_name: Curves) -> Table:
    return Table(
        title="Runs that fail on complete sets",
        columns=("algorithm, substitution, limit", "n", "runs", "failed", "mean iterations of the others"),
        rows=tuple(
            (name, str(n), str(data.runs), str(data.runs - data.successes), number(float(data.times.mean())))
            for name, along in by_name.items()
            for n, data in along.items()
            if data.successes
        ),
    )


def _error_table(errors: Mapping[str, Mapping[int, np.ndarray]]) -> Table:
    return Table(
        title="Errors on fresh rows after fitting n² rows",
        columns=("terminals", "n", "runs", "mean error", "largest error"),
        rows=tuple(
            (name, str(n), str(wrong.size), number(float(wrong.mean())), number(float(wrong.max())))
            for name, along in errors.items()
            for n, wrong in along.items()
        ),
    )


@style.styled()
def draw(
    by_name: Curves,
    limits: tuple[int, Mapping[int, Sample]],
    errors: Mapping[str, Mapping[int, np.ndarray]],
) -> Figure:
    """Times by n, times by the limit, and errors."""
    figure, ((left, middle, right),) = style.panels(1, 3, height=3.0)
    shown = {f"ℓ = {'' if k == 1 else k}n": by_name[_curve("single", "both", k)] for k in TIMES_N}
    draw_times(left, shown, order=partial(_stated, k=1), formula="$c\\,\\ell\\,n\\,\\log^2 n$")
    left.set_title("And$_n$, {AND, OR}")
    n, along = limits
    draw_times(middle, {f"$n = {n}$": along})
    middle.set(xlabel="limit $\\ell$ of leaves", title="the limit's effect")
    draw_errors(
        right, {name: {n: MeanError.of(wrong) for n, wrong in own.items()} for name, own in errors.items()}
    )
    sizes = sorted({n for own in errors.values() for n in own})
    right.plot(sizes, [1 / n for n in sizes], "--", color=style.GREY, linewidth=0.8, label="$1/n$")
    style.size_axis(right, sizes, log=True)
    style.log_axis(right, "mean error on fresh rows")
    right.set_title("$n^2$ rows")
    style.letter_panels((left, middle, right))
    for panel in (left, middle, right):
        panel.legend(loc="lower left" if panel is right else "best")
    return figure
