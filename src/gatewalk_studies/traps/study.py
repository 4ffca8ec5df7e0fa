"""Theorem 4's programs, the traps: the time from them, and how often runs from uniform starts reach them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gatewalk.analysis import Curves, curves, fits, growth_figure
from gatewalk.campaign import Cell
from gatewalk.numbers import fixed, number, probability
from gatewalk.report import Table
from gatewalk.stats import Growth, chi_square, mean_time
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged

from .arrivals import exact_trap_arrivals, trap_arrivals, trap_time
from .filling import MOST_NODES, filling
from .sizes import PARTS, Size, draw_sizes, exponent, record_of_chain, record_of_runs, size_of, unit_exponent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FOLLOWED = 100  # runs followed to the last level but one, for each run of the campaign
MOST_EXACT = 6  # the largest n whose chain is solved, in a minute or two and 3 GB
CONFIDENCE, LEVEL = 0.99, 0.01
LARGE = 6  # the smallest n of the claims on shares and bounds
SETTLED = 20  # from this n on, E[T] and Theorem 4's time grow almost alike
FITTED_FROM = (12, 20)
Values = NDArray[np.float64]


def observe(cell: Cell, *, jobs: int) -> dict[str, Any] | None:
    """Follow runs from uniform starts to the last level but one; for small n also solve the chain."""
    if cell.words["start"] != "random":
        return None
    n = cell.search.n
    reached = trap_arrivals(n, runs=FOLLOWED * cell.replications, seed=cell.seed, jobs=jobs)
    exact = record_of_chain(exact_trap_arrivals(n)) if n <= MOST_EXACT else None
    return {"runs": record_of_runs(reached), "exact": exact}


def findings(measured: Measured) -> Findings:
    """Figures, tables and claims on runs from uniform starts, and on those from Theorem 4's start."""
    uniform = [cell for cell in measured.cells if cell.words["start"] == "random"]
    seen = [(cell.search.n, cell.observed) for cell in uniform]
    run = [size_of(n, observed["runs"]) for n, observed in seen]
    exact = [size_of(n, observed["exact"]) for n, observed in seen if observed["exact"]]
    from_start = [cell for cell in measured.cells if cell.words["start"] != "random"]
    times = curves(from_start, label=lambda cell: str(cell.search.selection))
    expected = {n: trap_time(n) for n in times["strict"]}
    grown = fits(times, resamples=measured.resamples)
    return Findings(
        claims=(
            _quarter(run),
            _certified(run),
            _agree(exact, run),
            _no_fast_decay(run),
            _exponents(run),
            _from_start(times, expected),
            _order(),
            _ties(times, expected),
        ),
        figures=(
            Drawing(
                name="traps",
                caption="Strict selection on And_n, D = n − 1, uniform starts. Left: the share of runs that "
                "reach a trap, with 95 % intervals (Clopper and Pearson). Middle: the parts of E[T], in "
                "units of Theorem 4's time. Right: local exponents of E[T] with 95 % intervals.",
                draw=partial(draw_sizes, exact, run),
            ),
            Drawing(
                name="start",
                caption="Mean iterations from Theorem 4's start, D = n − 1, with 95 % intervals and fitted "
                "powers of n; black bars: the exact expectation under strict selection.",
                draw=partial(draw_start, times, grown, expected),
            ),
        ),
        tables=(
            ("certified", _certified_table(run)),
            ("parts", _parts_table(exact, run)),
            ("exponents", _exponents_table(exact, run)),
            *((("fits", _fits_table(run)),) if _fitted(run) else ()),
            ("left", _left_table(run)),
            ("from-start", _start_table(times, expected)),
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


def _quarter(run: Sequence[Size]) -> Claim:
    large = _large(run)

    def low(size: Size) -> float:
        return size.lower_share(CONFIDENCE)

    return Claim(
        statement=f"More than a quarter of the runs reach a trap, for every n ≥ {LARGE} measured",
        source="this study",
        measured=f"The lower limits at 99 % are {_extremes(large, low, '.3f')}.",
        verdict=judged([low(size) > 0.25 for size in large]),
        reason="The lower end of Clopper and Pearson at 99 % must exceed 1/4 at each n.",
    )


def _certified(run: Sequence[Size]) -> Claim:
    large, confidence = _large(run), _together(run)

    def factor(size: Size) -> float:
        return size.lower_share(confidence) * trap_time(size.n) / size.n**6

    return Claim(
        statement=f"From a uniform start the expected time is at least n⁶ for every n ≥ {LARGE} measured",
        source="this study; for all n it is not proven (docs/theory/traps.md)",
        measured=f"At 99 % for all n at once, E[T] ≥ c n⁶ with c = {_extremes(large, factor, '.2f')}.",
        verdict=judged([factor(size) >= 1 for size in large]),
        reason="The lower end of Clopper and Pearson, at a level shared among all n (Bonferroni), times "
        "Theorem 4's expected time must be at least n⁶.",
    )


def _agree(exact: Sequence[Size], run: Sequence[Size]) -> Claim:
    """The claim that runs and chain agree: binomial tests of shares, and means in standard errors."""
    by_n = {size.n: size for size in run}
    tests = [
        float(stats.binomtest(by_n[size.n].traps, by_n[size.n].runs, size.share).pvalue) for size in exact
    ]
    off = [(by_n[size.n].mean - size.mean) / by_n[size.n].error for size in exact]
    shares = ", ".join(f"{size.share:.4f} at n = {size.n}" for size in exact)
    return Claim(
        statement="Runs reach traps as often as the solved chain says, and take as long",
        source="computed exactly, as `gatewalk exact` does",
        measured=f"The exact shares are {shares}; binomial tests of the runs have p ≥ "
        f"{probability(min(tests))}, and means are off by at most {max(map(abs, off)):.1f} standard errors.",
        verdict=judged([p >= LEVEL / len(tests) and abs(z) < 3 for p, z in zip(tests, off, strict=True)]),
        reason=f"Each p must be at least {LEVEL} over the number of tests, each mean within three standard "
        "errors.",
    )


def _no_fast_decay(run: Sequence[Size]) -> Claim:
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
        verdict=judged([fit[0] - 1.96 * fit[1] > -0.5 for fit in fits]),
        reason="The 95 % intervals of the exponents must lie above −1/2. They do not tell a slow decay from "
        "a limit.",
    )


def _exponents(run: Sequence[Size]) -> Claim:
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
        verdict=judged([abs(z) < 3 for z in off.values()]),
        reason="Between neighbouring n the exponents of both must be within three standard errors.",
    )


def _from_start(times: Curves, expected: Mapping[int, float]) -> Claim:
    """The claim on the exact expectation.

    The standard deviation of a geometric time is about its mean, so a ratio has a standard error of
    1/sqrt(runs).
    """
    strict = times["strict"]
    ratios = [mean_time(data) / expected[n] for n, data in strict.items()]
    error = 1 / sqrt(sum(data.runs for data in strict.values()))
    mean = sum(ratios) / len(ratios)
    scores = ((ratio - 1) * sqrt(data.runs) for ratio, data in zip(ratios, strict.values(), strict=True))
    p_value = chi_square(scores).p_value
    return Claim(
        statement="The strict (1+1) CGP* takes 1/p iterations on average, "
        "p = 2/((n−1)(2n−3)(4n²−8n+5)(4n²−10n+7))",
        source="computed exactly, `theorem4_expected` of gatewalk bounds",
        measured=f"Measured over exact: {mean:.3f} ± {error:.3f} over all n; chi-square of the single n, "
        f"p = {probability(p_value)}.",
        verdict=judged([p_value >= LEVEL and abs(mean - 1) < 3 * error]),
        reason="The ratio must lie within three standard errors of 1, and the chi-square must have "
        f"p ≥ {LEVEL}.",
    )


def _order() -> Claim:
    """The claim on the local exponent of the exact expectation, which needs no runs."""
    sizes = (12, 13, 30, 31, 100, 101, 1000, 1001)
    exact = {n: trap_time(n) for n in sizes}
    slopes = {a: log(exact[b] / exact[a]) / log(b / a) for a, b in pairwise(sizes) if b == a + 1}
    said = ", ".join(f"{slope:.2f} at n = {n}" for n, slope in slopes.items())
    return Claim(
        statement="From this start the expected time is Ω(n⁶)",
        source="the paper, Theorem 4",
        measured=f"The exact local exponent is {said}.",
        verdict=judged([all(slope >= 6 for slope in slopes.values())]),
        reason="The exponent must come down to 6 and never below.",
    )


def _ties(times: Curves, expected: Mapping[int, float]) -> Claim:
    ties = times["nonstrict"]
    ratios = {n: expected[n] / max(mean_time(data), 1e-9) for n, data in ties.items()}
    least, most = min(ratios), max(ratios)
    return Claim(
        statement="Ties undo the trap: non-strict selection leaves the same start far sooner, the more so "
        "the larger n",
        source="this study",
        measured=f"1/p over the mean of non-strict runs: {number(ratios[least])} at n = {least}, "
        f"{number(ratios[most])} at n = {most}.",
        verdict=judged([ratios[most] > 10 * ratios[least], ratios[least] > 1]),
        reason="The ratio must exceed 1 at the smallest n and grow at least tenfold.",
    )


def _fitted(run: Sequence[Size]) -> dict[int, list[Size]]:
    """The sizes for each fit, by the smallest n; two more than the parameters, to see how well it fits."""
    by_least = {least: _large(run, least) for least in FITTED_FROM}
    return {least: large for least, large in by_least.items() if len(large) >= 4}


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
        unit = trap_time(size.n)
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
        f"be changed; the model is that of the notes. It says {model.last_wait:.3f} for the last wait "
        f"and {model.before:.3f} before, in units of Theorem 4's time.",
    )


def _start_table(times: Curves, expected: Mapping[int, float]) -> Table:
    return Table(
        title="From Theorem 4's start, measured and exact",
        columns=("n", "exact, strict", "measured, strict", "ratio", "± SE", "measured, non-strict"),
        rows=tuple(
            (
                str(n),
                number(expected[n]),
                number(mean_time(data)),
                f"{mean_time(data) / expected[n]:.2f}",
                f"{1 / sqrt(data.runs):.2f}",
                number(mean_time(times["nonstrict"][n])),
            )
            for n, data in times["strict"].items()
        ),
        texts=0,
    )


def draw_start(times: Curves, grown: Mapping[str, Growth], expected: Mapping[int, float]) -> Figure:
    """Mean times from Theorem 4's start, fits and the exact expectation."""
    return growth_figure(
        {name: (along, grown.get(name)) for name, along in times.items()},
        title="And$_n$, $D = n-1$, penultimate start",
        exact={"strict": expected},
    )
