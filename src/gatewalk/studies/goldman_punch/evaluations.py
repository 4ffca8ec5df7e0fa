"""Claims on evaluations: printed medians, lengths of programs, mutation rates, and how Breadth grows."""

from __future__ import annotations

from collections.abc import Mapping
from math import hypot, inf, isfinite

import numpy as np
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.numbers import number, probability
from gatewalk.stats.comparison import mann_whitney
from gatewalk.stats.growth import Estimate, growth
from gatewalk.stats.sample import Sample
from gatewalk.stats.survival import median
from gatewalk.studies import CellRuns, Claim, judged
from gatewalk.studies.goldman_punch.cells import BREADTH, LENGTH, WASTE, Key

PRINTED = {"parity": 1_358, "encode": 26_031, "decode": 69_564, "multiply": 340_165}  # medians, sam, D = 3000
PRINTED_EXPONENT = 3.24  # of Breadth
LEVEL, MOST_APART = 0.01, 2.58  # the level of tests, as a p-value and in standard errors


def medians(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample], *, quick: bool) -> Claim:
    """The claim that our medians are as printed."""
    lines, holds = [], []
    for problem in PRINTED:
        key = Key(problem, 3000, "sam")
        if key in ours and key in theirs:
            mine, data = ours[key].runs, theirs[key]
            found = median(mine)
            p_value = float(stats.median_test(mine.iterations, data.iterations).pvalue)
            holds.append(p_value >= LEVEL)
            lines.append(
                f"{problem}: {number(float(np.median(data.iterations)))} in their runs, "
                f"ours {number(found.value)} "
                f"[{number(found.interval.low)}, {number(found.interval.high)}] (p = {probability(p_value)})"
            )
    words = ", ".join(f"{problem} {printed:,}" for problem, printed in PRINTED.items())
    return Claim(
        statement=f"Median evaluations with single active-gene mutation and 3,000 nodes: {words}",
        source=f"{LENGTH} and {WASTE}",
        measured="; ".join(lines) + "." if lines else "No such cell was run.",
        verdict=judged(holds, quick=quick),
        reason="Printed medians are estimates from 50 runs, as ours: Mood's median test of both samples must "
        f"have p ≥ {LEVEL}, for each problem. Intervals are 95 % intervals.",
    )


def _multiply(ours: Mapping[Key, CellRuns]) -> dict[int, Sample]:
    found = {k.nodes: c.runs for k, c in ours.items() if k.problem == "multiply" and k.mutation == "sam"}
    return dict(sorted(found.items()))


def lengths(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample], *, quick: bool) -> Claim:
    """The claim on the 3-bit multiplier by the number of nodes."""
    along = _multiply(ours)
    none = [d for d, data in along.items() if not data.successes]
    every = [d for d, data in along.items() if data.successes == data.runs]
    pairs = [(data, theirs[Key("multiply", d, "sam")]) for d, data in along.items()]
    same = [mine.solved.mean() == data.solved.mean() for mine, data in pairs]
    flat = [median(data).value for d, data in along.items() if d >= 300]
    ratio = max(flat) / min(flat) if flat else np.inf
    return Claim(
        statement="Within 10⁷ evaluations the 3-bit multiplier is never found with 30 nodes or fewer and "
        "always with 60 or more; from 300 on, more nodes change little",
        source=f"{LENGTH}, seen in the published runs",
        measured=f"No run succeeds at D = {', '.join(map(str, none)) or '–'}, all do at "
        f"D = {', '.join(map(str, every)) or '–'}; the share of successes is as published "
        f"at {sum(same)} of {len(same)} lengths. From 300 nodes on, medians differ by a factor of "
        f"{number(ratio)} at most.",
        verdict=judged([*same, ratio < 2], quick=quick),
        reason="Runs must fail and succeed as often as published at every length, and medians from 300 nodes "
        "on must lie within a factor of two.",
    )


def rates(ours: Mapping[Key, CellRuns], *, quick: bool) -> Claim:
    """The claim on single active-gene mutation compared with the best rate."""
    lines, holds = [], []
    for problem in PRINTED:
        sam = ours.get(Key(problem, 3000, "sam"))
        by_rate = {
            key.mutation: cell.runs
            for key, cell in ours.items()
            if key.problem == problem and key.mutation != "sam" and cell.runs.successes
        }
        if sam is None or not by_rate:
            continue
        best = min(by_rate, key=lambda name: median(by_rate[name]).value)
        test = mann_whitney(sam.runs, by_rate[best])
        holds.append(test.a12 >= 0.5 or test.p_value >= LEVEL)
        lines.append(
            f"{problem}: {number(median(sam.runs).value)} with sam, {number(median(by_rate[best]).value)} "
            f"with the best, {best} (p = {probability(test.p_value)}), {number(_worst(by_rate))} with the "
            f"worst that solves it"
        )
    return Claim(
        statement="Avoiding wasted evaluations reduces the median number of evaluations and the sensitivity "
        "to the mutation rate: single active-gene mutation, which has no rate, is as good as the best rate",
        source=f"{WASTE}, abstract; here of the variant Single",
        measured="; ".join(lines) + "." if lines else "No such cells were run.",
        verdict=judged(holds, quick=quick),
        reason=f"On no problem may the best of the rates be faster (rank sums, p < {LEVEL}).",
    )


def _worst(rates: Mapping[str, Sample]) -> float:
    return max((m for m in (median(data).value for data in rates.values()) if isfinite(m)), default=inf)


def breadth(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> dict[str, dict[int, Sample]]:
    """Running times of Breadth by N, ours and published."""
    mine = {key.nodes: cell.runs for key, cell in ours.items() if key.problem == BREADTH}
    published = {
        key.nodes: data for key, data in theirs.items() if key.problem == BREADTH and key.nodes in mine
    }
    return {"ours": dict(sorted(mine.items())), "published": dict(sorted(published.items()))}


def exponent(along: Mapping[int, Sample], *, resamples: int = 200) -> Estimate | None:
    """The fitted exponent of N; None if there are too few sizes or successes."""
    try:
        found = growth(along, resamples=resamples)
    except InputError:  # too few sizes or successes
        return None
    return next(item for item in found.estimates if item.fit.model.name == "power")


def breadth_claim(fits: Mapping[str, Estimate | None], *, quick: bool) -> Claim:
    """The claim on the published exponent compared with fitted ones."""
    known = {name: found for name, found in fits.items() if found is not None}
    lines = [
        f"N^{found.fit.rate:.2f} [{found.rate.low:.2f}, {found.rate.high:.2f}] of {_WHOSE[name]} runs"
        for name, found in known.items()
    ]
    holds = []
    if len(known) == 2:
        apart = _apart(known["ours"], known["published"])
        lines.append(f"the two are {apart:.1f} standard errors apart")
        holds = [apart < MOST_APART, _contains(known["published"], PRINTED_EXPONENT)]
    return Claim(
        statement=f"The evaluations of Breadth grow with N^{PRINTED_EXPONENT}",
        source=f"{LENGTH}",
        measured="; ".join(lines) + "." if lines else "Too few sizes for a fit.",
        verdict=judged(holds, quick=quick),
        reason="A power of N, fitted to the mean by maximum likelihood, failed runs being censored. The 95 % "
        "interval of their runs must contain the printed exponent, which is an estimate too; ours must be "
        f"less than {MOST_APART} standard errors from theirs.",
    )


_WHOSE = {"ours": "our", "published": "the published"}


def _contains(found: Estimate, value: float) -> bool:
    return found.rate.low <= value <= found.rate.high


def _apart(first: Estimate, second: Estimate) -> float:
    """The distance of two exponents in standard errors; a 95 % interval is 3.92 standard errors long."""
    errors = [(found.rate.high - found.rate.low) / 3.92 for found in (first, second)]
    return abs(first.fit.rate - second.fit.rate) / max(hypot(*errors), 1e-300)
