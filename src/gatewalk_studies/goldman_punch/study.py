"""Goldman and Punch (2013): their runs compared with ours, and their claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import hypot, inf, isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

import gatewalk as gw
from gatewalk.analysis import CellRuns
from gatewalk.campaign import Cell
from gatewalk.numbers import number, probability
from gatewalk.report import Table
from gatewalk.stats import (
    CellComparison,
    Growth,
    Sample,
    chi_square,
    compare,
    growth,
    holm,
    mann_whitney,
    median,
)
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged
from gatewalk.theory import identical_runs

from . import figures
from .offspring import (
    WATCHED_OFFSPRING,
    WATCHED_RUNS,
    Active,
    active_table,
    identical_claim,
    identical_table,
    parsimony,
    read_active,
)

LENGTH, WASTE = "Goldman and Punch, GECCO 2013", "Goldman and Punch, EuroGP 2013"
BREADTH = "breadth"
PROBLEMS = {"mul:3": "multiply", "onehot_enc:16": "decode", "encode": "encode", "epar:3": "parity"}
PRINTED = {"parity": 1_358, "encode": 26_031, "decode": 69_564, "multiply": 340_165}  # medians, sam, D = 3000
PRINTED_EXPONENT = 3.24  # of Breadth
CELL_LEVEL, LEVEL = 0.05, 0.01  # levels of a test: of each cell after Holm's correction, and of all together
MOST_APART = 2.58  # standard errors between two exponents


class Key(NamedTuple):
    """The problem, the nodes and the mutation of a cell."""

    problem: str
    nodes: int
    mutation: str


def problem_named(target: str) -> str:
    """The name of a target in the papers; or:N is Breadth.

    >>> problem_named("onehot_enc:16"), problem_named("or:6")
    ('decode', 'breadth')
    """
    return PROBLEMS.get(target, BREADTH)


def problem_of(cell: CellRuns) -> str:
    """The problem of a cell."""
    return problem_named(cell.search.target.label)


def key_of(cell: CellRuns) -> Key:
    """The key of a cell of ours."""
    return Key(problem_of(cell), int(cell.values["nodes"]), str(cell.words["mutation"]))


def published_runs(measured: Measured) -> dict[Key, Sample]:
    """The published runs, none of them cut."""
    published = measured.study.published
    cells = published.cells if published else ()
    return {
        Key(
            problem_named(cell.settings["target"]), int(cell.settings["nodes"]), cell.settings["mutation"]
        ): cell.runs
        for cell in cells
    }


def observe(cell: Cell, *, jobs: int) -> dict[str, Any] | None:
    """Count identical offspring by the active genes of their parents, with one offspring per generation."""
    search = cell.search
    if not isinstance(search, gw.CgpSearch) or not isinstance(search.mutation, gw.Rate):
        return None
    watched = replace(search, offspring=1, budget=WATCHED_OFFSPRING)
    counted = identical_runs(watched, seed=cell.seed, runs=range(WATCHED_RUNS), jobs=jobs)
    return {
        "rate": search.mutation.strength,
        "genes": counted.genes.tolist(),
        "offspring": counted.offspring.tolist(),
        "identical": counted.identical.tolist(),
        "nodes": counted.nodes,
    }


def findings(measured: Measured) -> Findings:
    """Claims on agreement, medians, lengths, rates, Breadth and identical offspring."""
    ours = {key_of(cell): cell for cell in measured.cells}
    theirs = published_runs(measured)
    by_size = breadth(ours, theirs)
    fits = {name: growth_of(along, resamples=measured.resamples) for name, along in by_size.items()}
    active = active_of(ours)
    watched = [cell for cell in measured.cells if cell.observed]
    seen = [cell.observed for cell in watched]
    return Findings(
        claims=(
            agreement(measured.compared),
            medians(ours, theirs),
            lengths(ours, theirs),
            parsimony(active),
            rates(ours),
            breadth_claim(fits),
            identical_claim(seen),
        ),
        figures=(
            Drawing(
                name="evaluations",
                caption="Median evaluations, (1+4) CGP: filled ours with 95 % intervals, open marks "
                "published; an arrow: fewer than half of the runs succeeded within 10⁷. "
                "Left: the 3-bit multiplier by nodes. Middle: four problems by mutation rate at 3,000 nodes; "
                "at the left edge single active-gene mutation. Right: Breadth, with the fitted power of our "
                "mean.",
                draw=partial(figures.draw_evaluations, ours, theirs, fits.get("ours")),
            ),
            *_active_drawing(active),
            *_identical_drawing(seen),
        ),
        tables=(
            ("holm", holm_table(measured.compared)),
            ("direction", direction_table(ours, theirs)),
            ("active-nodes", active_table(active)),
            ("identical", identical_table([(problem_of(cell), cell.observed) for cell in watched])),
        ),
    )


def _active_drawing(active: Sequence[Active]) -> list[Drawing]:
    """The figure of active nodes; None if no multiplier was found, as in a quick run."""
    along = [row for row in active if (row.problem, row.mutation) == ("multiply", "sam")]
    drawing = Drawing(
        name="active",
        caption="Active nodes of solutions of the 3-bit multiplier by nodes, with single active-gene "
        "mutation: means and, of ours, the interval that 95 % of solutions are in; dashed: all nodes.",
        draw=partial(figures.draw_active, along),
    )
    return [drawing] if along else []


def _identical_drawing(seen: Sequence[Mapping[str, Any]]) -> list[Drawing]:
    drawing = Drawing(
        name="identical-offspring",
        caption="Share of offspring that are actively identical to their parents, by the active genes of the "
        "parent that can change: points are watched runs of all problems, lines the formula. At rates of 0.1 "
        "and 0.4 there are hardly any.",
        draw=partial(figures.draw_identical, seen),
    )
    return [drawing] if seen else []


def telling(compared: Iterable[CellComparison]) -> list[CellComparison]:
    """Cells with a success before the cut, published or ours: in other cells nothing can be compared."""
    return [cell for cell in compared if cell.ours.successes + cell.published.successes > 0]


def agreement(compared: Sequence[CellComparison]) -> Claim:
    """The claim that all cells together agree, and each one after Holm's correction."""
    told = telling(compared)
    total = chi_square(cell.score for cell in told)
    agreeing = sum(cell.verdict == "agrees" for cell in told)
    ranks = holm([cell.ranks.p_value for cell in told])
    logs = holm([cell.p_log_rank for cell in told])
    differing = [cell.label for cell, *both in zip(told, ranks, logs, strict=True) if min(both) < CELL_LEVEL]
    silent = len(compared) - len(told)
    return Claim(
        statement="The published runs and ours have the same running times",
        source="this study",
        measured=f"In {len(told)} cells some run succeeded: rank sums agree (p ≥ 0.05) in "
        f"{agreeing} of them; all together a chi-square of {total.statistic:.1f} at {total.degrees} "
        f"degrees of freedom, p = {probability(total.p_value)}. After Holm's correction at 0.05 "
        + (f"differ: {', '.join(differing)}." if differing else "no cell differs, by rank sums or log-rank.")
        + (f" {silent} more cells have no success on either side and cannot be compared." if silent else ""),
        verdict=judged([not differing, total.p_value >= LEVEL]),
        reason=f"No cell may differ after Holm's correction, and the chi-square must have p ≥ {LEVEL}.",
    )


def holm_table(compared: Sequence[CellComparison]) -> Table:
    """A row per cell, with both tests."""
    told = telling(compared)
    ranks = [cell.ranks.p_value for cell in told]
    logs = [cell.p_log_rank for cell in told]
    rows = zip((cell.label for cell in told), ranks, holm(ranks), logs, holm(logs), strict=True)
    return Table(
        title="Cell by cell, corrected for their number",
        columns=("cell", "p ranks", "Holm", "p log-rank", "Holm of log-rank"),
        rows=tuple((label, *map(probability, values)) for label, *values in rows),
        note="Cells in which no run of either succeeded are left out.",
    )


def direction_table(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> Table:
    """Whether one side is faster throughout: signed rank sums, added up by how similar the two laws are."""
    rows = []
    for name, belongs in _LAWS.items():
        pairs = [(cell.runs, theirs[key]) for key, cell in ours.items() if key in theirs and belongs(key)]
        told = _telling_of(pairs)
        if told:
            total = sum(_score(cell) for cell in told) / sqrt(len(told))
            faster = float(np.mean([cell.ranks.a12 for cell in told]))
            p_value = float(2 * stats.norm.sf(abs(total)))
            rows.append((name, str(len(told)), number(faster), number(total), probability(p_value)))
    return Table(
        title="Is one side faster throughout?",
        columns=("cells", "how many", "A12", "z", "p"),
        rows=tuple(rows),
        note="A12: the probability that a run of ours is faster, on average. z: normal scores of the rank "
        "sums, added up and divided by the root of their number; above 0 ours are faster.",
    )


_LAWS: dict[str, Callable[[Key], bool]] = {
    "rate mutation, the same law": lambda key: key.mutation != "sam",
    "sam on Breadth, almost the same law": lambda key: key.problem == BREADTH,
    "sam with four gates, whose genes their program changes less often": lambda key: (
        key.mutation == "sam" and key.problem != BREADTH
    ),
}


def _telling_of(pairs: Iterable[tuple[Sample, Sample]]) -> list[CellComparison]:
    return telling(compare("", mine, published) for mine, published in pairs)


def _score(cell: CellComparison) -> float:
    """The rank sum as a normal score, positive if our runs are faster."""
    return cell.score if cell.ranks.a12 >= 0.5 else -cell.score


def medians(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> Claim:
    """The claim that our medians are as printed."""
    lines, holds = [], []
    for problem in PRINTED:
        key = Key(problem, 3000, "sam")
        if key in ours and key in theirs:
            mine, data = ours[key].runs, theirs[key]
            middle = median(mine)
            p_value = float(stats.median_test(mine.iterations, data.iterations).pvalue)
            holds.append(p_value >= LEVEL)
            lines.append(
                f"{problem}: {number(float(np.median(data.iterations)))} in their runs, "
                f"ours {number(middle.value)} "
                f"[{number(middle.interval.low)}, {number(middle.interval.high)}] "
                f"(p = {probability(p_value)})"
            )
    words = ", ".join(f"{problem} {printed:,}" for problem, printed in PRINTED.items())
    return Claim(
        statement=f"Median evaluations with single active-gene mutation and 3,000 nodes: {words}",
        source=f"{LENGTH} and {WASTE}",
        measured="; ".join(lines) + "." if lines else "No such cell was run.",
        verdict=judged(holds),
        reason="Printed medians are estimates from 50 runs, as ours: Mood's median test of both samples must "
        f"have p ≥ {LEVEL}, for each problem. Intervals are 95 % intervals.",
    )


def _multiply(ours: Mapping[Key, CellRuns]) -> dict[int, Sample]:
    by_nodes = {k.nodes: c.runs for k, c in ours.items() if k.problem == "multiply" and k.mutation == "sam"}
    return dict(sorted(by_nodes.items()))


def lengths(ours: Mapping[Key, CellRuns], theirs: Mapping[Key, Sample]) -> Claim:
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
        verdict=judged([*same, ratio < 2]),
        reason="Runs must fail and succeed as often as published at every length, and medians from 300 nodes "
        "on must lie within a factor of two.",
    )


def rates(ours: Mapping[Key, CellRuns]) -> Claim:
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
        verdict=judged(holds),
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


def growth_of(along: Mapping[int, Sample], *, resamples: int = 200) -> Growth | None:
    """How evaluations grow with N; None if there are too few sizes or successes."""
    try:
        return growth(along, resamples=resamples)
    except gw.InputError:
        return None


def breadth_claim(fits: Mapping[str, Growth | None]) -> Claim:
    """The claim on the published exponent compared with fitted ones."""
    known = {name: grown for name, grown in fits.items() if grown is not None}
    powers = {name: grown.of("power") for name, grown in known.items()}
    lines = [
        f"N^{power.fit.rate:.2f} [{power.rate.low:.2f}, {power.rate.high:.2f}] of {_WHOSE[name]} runs"
        for name, power in powers.items()
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
        verdict=judged(holds),
        reason="A power of N, fitted to the mean by maximum likelihood, failed runs being censored. The 95 % "
        "interval of their runs must contain the printed exponent, which is an estimate too; ours must be "
        f"less than {MOST_APART} standard errors from theirs.",
    )


_WHOSE = {"ours": "our", "published": "the published"}


def _contains(grown: Growth, exponent: float) -> bool:
    low, high = grown.of("power").rate
    return low <= exponent <= high


def _apart(first: Growth, second: Growth) -> float:
    """The distance of two exponents in standard errors; a 95 % interval is 3.92 standard errors long."""
    powers = first.of("power"), second.of("power")
    errors = [(power.rate.high - power.rate.low) / 3.92 for power in powers]
    return abs(powers[0].fit.rate - powers[1].fit.rate) / max(hypot(*errors), 1e-300)


def active_of(ours: Mapping[Key, CellRuns]) -> list[Active]:
    """Published and our active nodes of solutions, where all published runs succeeded."""
    rows = []
    for row in read_active():
        key = Key(row.problem, row.nodes, row.mutation)
        if key in ours:
            columns = ours[key].columns
            gates = [g for g, solved in zip(columns["gates"], columns["solved"], strict=True) if solved]
            if len(gates) > 1:
                rows.append(replace(row, ours=tuple(float(g) for g in gates)))
    return rows
