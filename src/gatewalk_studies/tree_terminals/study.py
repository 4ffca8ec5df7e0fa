"""Tree GP on And_n if the terminal set also has undesired inputs, or the negation of every input."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import log, sqrt
from typing import TYPE_CHECKING

import numpy as np

from gatewalk.analysis import CellRuns, Curves, curves, draw_errors, draw_times, fits, style
from gatewalk.numbers import number
from gatewalk.report import Table
from gatewalk.stats import (
    Growth,
    MeanError,
    Sample,
    excess,
    log_linear,
    sample,
    success_rate,
)
from gatewalk.studies import Claim, Drawing, Findings, Measured, judged

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SOURCE = "Lissovoi and Oliveto 2018, 2019"
ON, OFF = "substitution on", "substitution off"
PLAIN, BOTH = ", inputs only", ", negated too"
Errors = dict[str, dict[int, MeanError]]  # by curve and n


def findings(measured: Measured) -> Findings:
    """A figure of four panels, tables of shares and errors, and a claim for each statement."""
    plain = [cell for cell in measured.cells if _kind(cell) == "plain"]
    undesired = curves([cell for cell in measured.cells if _kind(cell) == "undesired"], label=_name)
    negated = [cell for cell in measured.cells if _kind(cell) == "negated"]
    samples = [cell for cell in measured.cells if _kind(cell) == "sample"]
    ties = {name: along for name, along in undesired.items() if "nonstrict" in name}
    strict = {name: along for name, along in undesired.items() if ", strict" in name}
    wrong, errors = _wrong(negated), _errors(samples)
    return Findings(
        claims=(
            _linear(plain),
            _efficient(ties, fits(ties, resamples=measured.resamples)),
            _strict_fails(strict[f"single, strict, {ON}"]),
            _off_helps(strict[f"single, strict, {OFF}"]),
            _several_steps(strict),
            _not_fitted(negated),
            _one_row(wrong),
            _samples_generalise(errors),
            _samples_fitted(samples),
        ),
        figures=(
            Drawing(
                name="terminals",
                caption="Top: as many undesired inputs as desired ones; expected iterations with ties, and "
                "c n log n with a fitted constant; the share of runs without ties that succeed within a "
                "million iterations. Bottom: negated inputs; the part of the complete set on which the final "
                "program is wrong; the mean error on fresh rows after fitting a sample. Intervals of 95 %.",
                draw=partial(draw, ties, strict, wrong, errors),
            ),
        ),
        tables=(("strict", _shares(strict)), ("negated", _error_table(errors))),
    )


def _kind(cell: CellRuns) -> str:
    if cell.values["training"] != "complete":
        return "sample"
    return {"inputs": "plain", "inputs+negated": "negated"}.get(_terminals(cell), "undesired")


def _terminals(cell: CellRuns) -> str:
    return str(cell.words["options"].get("terminals", "inputs"))


def _algorithm(cell: CellRuns) -> str:
    return f"{cell.search.algorithm.removeprefix('tgp-')}, {cell.search.selection}"


def _name(cell: CellRuns) -> str:
    return f"{_algorithm(cell)}, {OFF if cell.words['options'].get('substitution') == 'off' else ON}"


def _wrong(cells: Sequence[CellRuns]) -> Errors:
    """The share of the 2ⁿ rows on which final programs are wrong."""
    errors: Errors = {}
    for cell in cells:
        n = cell.search.n
        parts = np.array([int(value) / 2**n for value in cell.columns["fitness"]])
        errors.setdefault(_algorithm(cell), {})[n] = MeanError.of(parts)
    return errors


def _errors(cells: Sequence[CellRuns]) -> Errors:
    """Error on fresh rows, by algorithm and terminals."""
    by_name: Errors = {}
    for cell in cells:
        name = _algorithm(cell) + (PLAIN if _terminals(cell) == "inputs" else BOTH)
        by_name.setdefault(name, {})[cell.search.n] = MeanError.of(cell.errors)
    return by_name


def _linear(cells: Sequence[CellRuns]) -> Claim:
    sizes: dict[str, dict[int, Sample]] = {}
    for cell in cells:
        leaves = [gates + 1 for gates in cell.columns["gates"]]
        sizes.setdefault(str(cell.search.selection), {})[cell.search.n] = sample(
            leaves, cell.columns["solved"]
        )
    said, holds = [], []
    for name, along in sizes.items():
        seen = excess(along, float)
        holds.append(seen.is_within)
        ratios = ", ".join(f"{float(data.times.mean()) / n:.2f} (n = {n})" for n, data in along.items())
        said.append(f"{name}: {ratios}; fitted c n · nᵉ, {seen.words}")
    return Claim(
        statement="Programs that solve And_n, without further terminals, are of linear size",
        source=f"{SOURCE}, for several steps",
        measured=f"Several steps, mean leaves for each input. {'. '.join(said)}.",
        verdict=judged(holds),
        reason="No 95 % interval of e may reach beyond 0.05.",
    )


def _efficient(times: Curves, grown: Mapping[str, Growth]) -> Claim:
    said, holds = [], []
    for name, fitted in grown.items():
        power = fitted.of("power")
        seen = excess(times[name], log_linear)
        said.append(
            f"{name}: n^{power.fit.rate:.2f} [{power.rate.low:.2f}, {power.rate.high:.2f}], or "
            f"c n log n · nᵉ with {seen.words}"
        )
        solved = all(data.successes == data.runs for data in times[name].values())
        holds.append(solved and power.rate.high < 2)
    return Claim(
        statement="With undesired inputs and ties accepted, the complete set is fitted efficiently",
        source=SOURCE,
        measured=f"As many undesired inputs as desired ones; every run counted. {'; '.join(said)}.",
        verdict=judged(holds),
        reason="Every run must succeed, and the power of n stay below 2.",
    )


def _solved(along: Mapping[int, Sample]) -> str:
    return ", ".join(f"{data.successes} of {data.runs} (n = {n})" for n, data in along.items())


def _strict_fails(along: Mapping[int, Sample]) -> Claim:
    last = success_rate(along[max(along)])
    return Claim(
        statement="With undesired inputs, strict selection fails with high probability",
        source=SOURCE,
        measured=f"One step, substitution on; solved within a million iterations: {_solved(along)}. A run "
        "fails for ever when substitution has made two leaves of one undesired input: taking one of them "
        "away changes nothing.",
        verdict=judged([last.interval.high < 0.1]),
        reason="At the largest n the 95 % interval of the share of successes must lie below 0.1.",
    )


def _off_helps(along: Mapping[int, Sample]) -> Claim:
    seen = excess(along, log_linear)
    return Claim(
        statement="With substitution switched off, strict selection is efficient again",
        source=SOURCE,
        measured=f"One step, solved: {_solved(along)}; fitted c n log n · nᵉ, {seen.words}.",
        verdict=judged([all(data.successes == data.runs for data in along.values()), seen.interval.high < 1]),
        reason="Every run must succeed, and e stay below 1.",
    )


def _several_steps(times: Curves) -> Claim:
    on, off = (times[f"multi, strict, {word}"] for word in (ON, OFF))
    last = max(on)
    return Claim(
        statement="For several steps an offspring, switching substitution off does not save strict selection",
        source="this study; the abstracts do not say whether their statement is on one step or several",
        measured=f"Solved within a million iterations, on: {_solved(on)}; off: {_solved(off)}. Several "
        "insertions at once also make two leaves of one undesired input, and only a step that takes both "
        "away helps then.",
        verdict=judged([along[last].successes < along[last].runs / 10 for along in (on, off)]),
        reason="At the largest n fewer than a tenth of the runs may succeed, on or off.",
    )


def _not_fitted(cells: Sequence[CellRuns]) -> Claim:
    times = curves(cells, label=_algorithm)
    said = "; ".join(f"{name}: {_solved(along)}" for name, along in times.items())
    return Claim(
        statement="With negated inputs, the complete set is not fitted efficiently",
        source=SOURCE,
        measured=f"Solved within 20,000 iterations. {said}.",
        verdict=judged([along[max(along)].successes == 0 for along in times.values()]),
        reason="At the largest n no run may succeed; the study trees measures how the time grows.",
    )


def _one_row(wrong: Errors) -> Claim:
    said, holds = [], []
    for name, along in wrong.items():
        rows = {n: item.mean * 2**n for n, item in along.items()}
        said.append(f"{name}: {', '.join(f'{number(count)} (n = {n})' for n, count in rows.items())}")
        holds += [count <= 1.5 for count in rows.values()]
    return Claim(
        statement="With negated inputs, the programs found still generalise (complete sets)",
        source=SOURCE,
        measured=f"Mean number of the 2ⁿ rows that the final program gets wrong. {'; '.join(said)}.",
        verdict=judged(holds),
        reason="It must be wrong on 1.5 rows at most, on average; a contradiction is wrong on one.",
    )


def _samples_generalise(errors: Errors) -> Claim:
    said, holds = [], []
    for name in [name for name in errors if name.endswith(BOTH)]:
        both, plain = errors[name], errors[name.replace(BOTH, PLAIN)]
        last = max(both)
        for n in both:
            noise = 3.3 * sqrt(plain[n].standard_error ** 2 + both[n].standard_error ** 2)
            holds.append(both[n].mean <= plain[n].mean + noise)
        said.append(
            f"{name.removesuffix(BOTH)}: {both[last].words}, without negated inputs {plain[last].words}"
        )
    return Claim(
        statement="With negated inputs, the programs found still generalise (samples)",
        source=SOURCE,
        measured=f"⌈n^1.3⌉ rows, mean error on fresh rows at n = {last}. {'; '.join(said)}.",
        verdict=judged(holds),
        reason="No mean error at any n may exceed that without negated inputs by 3.3 standard errors.",
    )


def _samples_fitted(cells: Sequence[CellRuns]) -> Claim:
    own = curves([cell for cell in cells if _terminals(cell) != "inputs"], label=_algorithm)
    seen = {name: excess(along, log) for name, along in own.items()}
    said = "; ".join(f"{name}: {item.words}" for name, item in seen.items())
    return Claim(
        statement="With negated inputs, samples are fitted in about log n iterations, as without them",
        source="this study",
        measured=f"⌈n^1.3⌉ rows, fitted c log n · nᵉ. {said}.",
        verdict=judged([item.agrees for item in seen.values()]),
        reason="Every 95 % interval of e must come within 0.05 of 0. At small n a contradiction, "
        "which fits a sample too, comes early.",
    )


def _shares(times: Curves) -> Table:
    rows = []
    for name, along in times.items():
        for n, data in along.items():
            item = success_rate(data)
            ends = (number(item.rate), number(item.interval.low), number(item.interval.high))
            rows.append((name, str(n), str(item.runs), str(item.successes), *ends))
    return Table(
        title="Strict selection with undesired inputs",
        columns=("algorithm", "n", "runs", "solved", "share", "from", "to"),
        rows=tuple(rows),
    )


def _error_table(errors: Errors) -> Table:
    return Table(
        title="Errors on fresh rows after fitting a sample",
        columns=("algorithm and terminals", "n", "mean error", "standard error"),
        rows=tuple(
            (name, str(n), number(item.mean), number(item.standard_error))
            for name, along in errors.items()
            for n, item in along.items()
        ),
    )


@style.styled()
def draw(ties: Curves, strict: Curves, wrong: Errors, errors: Errors) -> Figure:
    """Undesired inputs above, negated inputs below."""
    figure, axes = style.panels(2, 2, height=5.6)
    shorter = {name.replace(", nonstrict", ""): along for name, along in ties.items()}
    draw_times(axes[0][0], shorter, order=log_linear, formula="$c\\,n\\,\\log\\,n$")
    axes[0][0].set_title("$n$ undesired inputs, nonstrict")
    for index, (name, along) in enumerate(strict.items()):
        rates = [success_rate(data) for data in along.values()]
        ends = [[r.rate - r.interval.low for r in rates], [r.interval.high - r.rate for r in rates]]
        axes[0][1].errorbar(
            list(along), [r.rate for r in rates], np.maximum(ends, 0), color=style.COLOURS[index],
            marker=style.MARKERS[index], label=name.replace(", strict", ""),
        )  # fmt: skip
    axes[0][1].set(title="$n$ undesired inputs, strict", ylabel="fraction of runs solved")
    style.size_axis(axes[0][1], sorted({n for along in strict.values() for n in along}), log=True)
    draw_errors(axes[1][0], wrong)
    sizes = sorted({n for along in wrong.values() for n in along})
    axes[1][0].plot(sizes, [2.0**-n for n in sizes], "--", color=style.GREY, zorder=5, label="$2^{-n}$")
    style.size_axis(axes[1][0], sizes, log=False)
    style.log_axis(axes[1][0], "mean part of all rows\nthat is wrong")
    axes[1][0].set_title("negated inputs, complete set")
    shown = {name: along for name, along in errors.items() if ", nonstrict" in name}
    draw_errors(axes[1][1], {name.replace(", nonstrict", ""): along for name, along in shown.items()})
    style.size_axis(axes[1][1], sorted({n for along in errors.values() for n in along}), log=True)
    style.log_axis(axes[1][1], "mean error on fresh rows")
    axes[1][1].set_title("$n^{1.3}$ rows, nonstrict")
    style.letter_panels(axes.flat)
    for panel in (axes[0][0], axes[1][0], axes[1][1]):
        panel.legend()
    axes[0][1].legend(loc="upper right", bbox_to_anchor=(1.0, 0.92))  # between the curves
    return figure
