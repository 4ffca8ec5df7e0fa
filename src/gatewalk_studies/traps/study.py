"""Traps from uniform starts: how often runs reach them, and the lower bounds on E[T] that follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import isclose, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gatewalk.campaign.plan import Cell
from gatewalk.numbers import fixed, number, probability
from gatewalk.report.tables import Table
from gatewalk.search.scheduler import threads
from gatewalk.studies import CellRuns, Claim, Drawing, Findings, Measured, judged
from gatewalk.studies.traps.figure import draw
from gatewalk.studies.traps.sizes import (
    PARTS,
    Record,
    Size,
    exponent,
    kept,
    record_of_chain,
    record_of_runs,
    size_of,
    unit_exponent,
)
from gatewalk.theory.conjunctions import expected_iterations
from gatewalk.theory.filling import MOST_NODES, filling
from gatewalk.theory.traps import exact_trap_arrivals, trap_arrivals

FOLLOWED = 100  # runs followed to the last level but one, for each run of the campaign
MOST_EXACT = 6  # the largest n whose chain is solved, in a minute or two and 3 GB
CONFIDENCE, LEVEL = 0.99, 0.01
LARGE = 6  # the smallest n of the claims on shares and bounds
SETTLED = 20  # from this n on, E[T] and Theorem 4's time grow almost alike
FITTED_FROM = (12, 20)
Values = NDArray[np.float64]


def observe(cell: Cell, *, jobs: int | None) -> dict[str, Any]:
    """Follow runs to the last level but one; for small n also solve the chain."""
    n, runs = cell.settings.n, FOLLOWED * cell.replications
    found = trap_arrivals(n, runs=runs, seed=cell.seed, jobs=threads(jobs))
    exact = record_of_chain(exact_trap_arrivals(n)) if n <= MOST_EXACT else None
    return {"runs": record_of_runs(found), "exact": exact}


def findings(measured: Measured) -> Findings:
    """The figure, the certified bounds, the parts of E[T], and claims on all of them."""
    seen = [(int(cell.values["n"]), cell.observed) for cell in measured.cells]
    run = [size_of(n, observed["runs"]) for n, observed in seen]
    exact = [size_of(n, observed["exact"]) for n, observed in seen if observed["exact"]]
    quick = measured.quick
    return Findings(
        summary=() if quick else (_repeated(measured.cells),),
        claims=(
            _quarter(run, quick=quick),
            _certified(run, quick=quick),
            _agree(exact, run, quick=quick),
            _no_fast_decay(run, quick=quick),
            _exponents(run, quick=quick),
        ),
        figures=(
            Drawing(
                name="traps",
                caption="Strict selection on And_n, D = n − 1, uniform starts. Left: the share of runs that "
                "reach a trap, with 95 % intervals (Clopper and Pearson). Middle: the parts of E[T], in "
                "units of Theorem 4's time. Right: local exponents of E[T] with 95 % intervals.",
                draw=partial(draw, exact, run),
            ),
        ),
        tables=(
            ("certified", _certified_table(run)),
            ("parts", _parts_table(exact, run)),
            ("exponents", _exponents_table(exact, run)),
            *((("fits", _fits_table(run)),) if _fitted(run) else ()),
            ("left", _left_table(run)),
        ),
    )


def _together(run: Sequence[Size]) -> float:
    """The confidence for each n that gives the wanted confidence for all n at once (Bonferroni)."""
    return 1 - (1 - CONFIDENCE) / len(run)


def _large(run: Sequence[Size], least: int = LARGE) -> list[Size]:
    return [size for size in run if size.n >= least]


def _extremes(run: Sequence[Size], value: Callable[[Size], float], form: str) -> str:
    """The least and the greatest value, each with its n."""
    low, high = min(run, key=value), max(run, key=value)
    if low is high:
        return f"{value(low):{form}} (n = {low.n})"
    return f"{value(low):{form}} (n = {low.n}) to {value(high):{form}} (n = {high.n})"


def _quarter(run: Sequence[Size], *, quick: bool) -> Claim:
    large = _large(run)

    def low(size: Size) -> float:
        return size.lower_share(CONFIDENCE)

    return Claim(
        statement=f"More than a quarter of the runs reach a trap, for every n ≥ {LARGE} measured",
        source="this study",
        measured=f"The lower limits at 99 % are {_extremes(large, low, '.3f')}.",
        verdict=judged([low(size) > 0.25 for size in large], quick=quick),
        reason="The lower end of Clopper and Pearson at 99 % must exceed 1/4 at each n.",
    )


def _certified(run: Sequence[Size], *, quick: bool) -> Claim:
    large, confidence = _large(run), _together(run)

    def factor(size: Size) -> float:
        return size.lower_share(confidence) * float(expected_iterations(size.n)) / size.n**6

    return Claim(
        statement=f"From a uniform start the expected time is at least n⁶ for every n ≥ {LARGE} measured",
        source="this study; for all n it is not proven (docs/theory/traps.md)",
        measured=f"At 99 % for all n at once, E[T] ≥ c n⁶ with c = {_extremes(large, factor, '.2f')}.",
        verdict=judged([factor(size) >= 1 for size in large], quick=quick),
        reason="The lower end of Clopper and Pearson, at a level shared among all n (Bonferroni), times "
        "Theorem 4's expected time must be at least n⁶.",
    )


def _agree(exact: Sequence[Size], run: Sequence[Size], *, quick: bool) -> Claim:
    """The claim that runs and chain agree: binomial tests of shares, and means in standard errors."""
    by_n = {size.n: size for size in run}
    tests = [float(stats.binomtest(by_n[one.n].traps, by_n[one.n].runs, one.share).pvalue) for one in exact]
    off = [(by_n[one.n].mean - one.mean) / by_n[one.n].error for one in exact]
    shares = ", ".join(f"{one.share:.4f} at n = {one.n}" for one in exact)
    return Claim(
        statement="Runs reach traps as often as the solved chain says, and take as long",
        source="computed exactly, gatewalk.theory.traps",
        measured=f"The exact shares are {shares}; binomial tests of the runs have p ≥ "
        f"{probability(min(tests))}, and means are off by at most {max(map(abs, off)):.1f} standard errors.",
        verdict=judged(
            [p >= LEVEL / len(tests) and abs(z) < 3 for p, z in zip(tests, off, strict=True)], quick=quick
        ),
        reason=f"Each p must be at least {LEVEL} over the number of tests, each mean within three standard "
        "errors.",
    )


def _no_fast_decay(run: Sequence[Size], *, quick: bool) -> Claim:
    """The claim on a power of n fitted to the shares; a quick run has too few n for it."""
    fits = [_fit(*_shares(large), power=True) for large in _fitted(run).values()]
    said = "; ".join(
        f"{fit[0]:.2f} [{fit[0] - 1.96 * fit[1]:.2f}, {fit[0] + 1.96 * fit[1]:.2f}] from n = {n} on"
        for n, fit in zip(_fitted(run), fits, strict=True)
    )
    return Claim(
        statement="The share of traps does not fall as fast as 1/√n",
        source="this study",
        measured=f"Fitted powers of n: {said}." if fits else "Too few n to fit a power of n.",
        verdict=judged([fit[0] - 1.96 * fit[1] > -0.5 for fit in fits], quick=quick),
        reason="The 95 % intervals of the exponents must lie above −1/2. They do not tell a slow decay from "
        "a limit.",
    )


def _exponents(run: Sequence[Size], *, quick: bool) -> Claim:
    steps = list(pairwise(run))
    off = {
        (a.n, b.n): (exponent(a, b)[0] - unit_exponent(a.n, b.n)) / exponent(a, b)[1]
        for a, b in steps
        if a.n >= SETTLED
    }
    ends = [steps[0], *([steps[-1]] if len(steps) > 1 else [])]
    said = ", ".join(f"{exponent(a, b)[0]:.2f} (n = {a.n} to {b.n})" for a, b in ends)
    apart = f"; at most {max(map(abs, off.values())):.1f} standard errors apart" if off else ""
    return Claim(
        statement=f"From n = {SETTLED} on, E[T] grows locally as Theorem 4's time, whose exponent tends to 6",
        source="this study",
        measured=f"Local exponents: {said}{apart}.",
        verdict=judged([abs(z) < 3 for z in off.values()], quick=quick),
        reason="Between neighbouring n the exponents of both must be within three standard errors.",
    )


def _repeated(cells: Sequence[CellRuns]) -> str:
    """A line on how many counts are the same as those stored with the study."""
    stored = kept("runs")
    same = sum(_same(cell.observed["runs"], stored.get(int(cell.values["n"]))) for cell in cells)
    return f"{same} of {len(cells)} sizes have exactly the counts and times that are stored with the study."


def _same(now: Record, then: Record | None) -> bool:
    return (
        then is not None
        and all(now[name] == then[name] for name in ("runs", "traps"))
        and all(isclose(now[name], then[name], rel_tol=1e-8) for name in ("before", "mean", "error"))
    )


def _fitted(run: Sequence[Size]) -> dict[int, list[Size]]:
    """The sizes for each fit, by the smallest n; two more than the parameters, to see how well it fits."""
    found = {least: _large(run, least) for least in FITTED_FROM}
    return {least: large for least, large in found.items() if len(large) >= 4}


def _shares(run: Sequence[Size]) -> tuple[Values, Values, Values]:
    n, share, runs = np.array([(size.n, size.share, size.runs) for size in run], dtype=float).T
    return n, share, np.sqrt(share * (1 - share) / runs)


def _means(run: Sequence[Size]) -> tuple[Values, Values, Values]:
    n, mean, error = np.array([(size.n, size.mean, size.error) for size in run], dtype=float).T
    return n, mean, error


def _fit(n: Values, y: Values, errors: Values, *, power: bool) -> tuple[float, float, float]:
    """The exponent of a power of n, or the limit of a + b/n, with its standard error and the chi-square.

    Weighted least squares of a line: in log n and log y, or in 1/n and y.
    """
    x = np.log(n) if power else 1 / n
    y, errors = (np.log(y), errors / y) if power else (y, errors)
    weight = errors**-2.0
    middle = float(np.average(x, weights=weight))
    precision = float((weight * (x - middle) ** 2).sum())
    slope = float((weight * (x - middle) * y).sum()) / precision
    start = float(np.average(y, weights=weight)) - slope * middle
    left = float((((y - start - slope * x) / errors) ** 2).sum())
    if power:
        return slope, 1 / sqrt(precision), left
    return start, sqrt(1 / float(weight.sum()) + middle**2 / precision), left


def _certified_table(run: Sequence[Size]) -> Table:
    rows = []
    for size in run:
        unit = float(expected_iterations(size.n))
        low, least = size.lower_share(CONFIDENCE), size.lower_share(_together(run))
        told = (size.share, low, low * unit, least * unit, least * unit / size.n**6)
        rows.append((str(size.n), str(size.runs), str(size.traps), *(number(value) for value in told)))
    return Table(
        title="What is certified",
        columns=("n", "runs", "traps", "share", "share ≥", "E[T] ≥", "all at once", "over n⁶"),
        rows=tuple(rows),
        texts=0,
        note="Lower bounds at 99 % for each n, and in the last two columns for all n at once (Bonferroni).",
    )


def _parts_table(exact: Sequence[Size], run: Sequence[Size]) -> Table:
    return Table(
        title="The parts of E[T]",
        columns=("how", "n", "E[T]", "± SE", *PARTS),
        rows=tuple(
            (
                "runs" if size.runs else "exact",
                str(size.n),
                *(f"{value:.3f}" for value in (size.mean, size.error, *size.parts.values())),
            )
            for size in (*exact, *run)
        ),
        note="In units of Theorem 4's time, by the program that is one input short: a trap; its inactive "
        "node is next to last, or an earlier one, with both of its connections to be changed; others. "
        "Before: the time until there.",
    )


def _exponents_table(exact: Sequence[Size], run: Sequence[Size]) -> Table:
    return Table(
        title="Local exponents of E[T]",
        columns=("how", "from n", "to n", "exponent", "± SE", "Theorem 4's"),
        rows=tuple(
            (
                "runs" if a.runs else "exact",
                str(a.n),
                str(b.n),
                *(f"{value:.3f}" for value in (*exponent(a, b), unit_exponent(a.n, b.n))),
            )
            for how in (exact, run)
            for a, b in pairwise(how)
        ),
    )


def _fits_table(run: Sequence[Size]) -> Table:
    rows = []
    for least, large in _fitted(run).items():
        for what, data in (("share of traps", _shares(large)), ("E[T]", _means(large))):
            for law, power in (("exponent of a power of n", True), ("limit, with a term in 1/n", False)):
                value, error, left = _fit(*data, power=power)
                ends = (value, value - 1.96 * error, value + 1.96 * error)
                told = (fixed(end, 3) for end in ends)
                rows.append((what, law, str(least), *told, f"{left:.1f}", str(len(large) - 2)))
    return Table(
        title="Fits",
        columns=("of", "fitted", "n from", "value", "from", "to", "chi-square", "degrees"),
        rows=tuple(rows),
        texts=2,
        note="Weighted least squares, 95 % intervals; E[T] in units of Theorem 4's time.",
    )


def _left_table(run: Sequence[Size]) -> Table:
    """The model of the last levels compared with the largest n."""
    model = filling(MOST_NODES)
    rows = [(str(size.n), *(f"{size.left.get(after, 0.0):.3f}" for after in range(4))) for size in run]
    rows.append((f"model, {MOST_NODES} nodes", *(f"{share:.3f}" for share in model.left[:4])))
    return Table(
        title="Which node is left for last",
        columns=("n", "the last", "next to last", "second to last", "third to last"),
        rows=tuple(rows),
        note="The share of runs one input short whose inactive node it is, with both of its connections to "
        f"be changed; the model is gatewalk.theory.filling. It says {model.last_wait:.3f} for the last wait "
        f"and {model.before:.3f} before, in units of Theorem 4's time.",
    )
