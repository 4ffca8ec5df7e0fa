"""`gatewalk observe`: levels, sub-levels and drift of runs, compared with the proofs' estimates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cli.bounds import chance, show_notes
from gatewalk.cli.options import (
    out_option,
    program_options,
    run_options,
    say_default_budget,
    search_from_options,
    target_argument,
)
from gatewalk.cli.terminal import (
    announce_compilation,
    console,
    progress,
    table_without_lines,
    wrote,
)
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.numbers import MINUS, UNKNOWN, fixed, number

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from gatewalk.theory.observe.drift import Drift
    from gatewalk.theory.observe.levels import Frequency, Level
    from gatewalk.theory.observe.observation import Observation, XorComparison

EXAMPLES = """\b
Examples:
  gatewalk observe and:8 --runs 200
  gatewalk observe and:10 --nodes n^2 --runs 50 --out levels.svg --out trace.csv
  gatewalk observe xor:8 --nodes n --budget 10000 --runs 20 --out drift.pdf
  gatewalk observe xor:300 --nodes n --start near-optimum --budget 200 --runs 20
  gatewalk observe and:6 --nodes n-1 --selection strict --start penultimate --runs 20
  gatewalk observe and:20 --training sample --runs 100 --record every:10 --out trace.parquet
"""
FIGURES = (".svg", ".pdf", ".png")
TRACES = (".csv", ".parquet")
INTERVAL = "a 95 % interval over whole runs; omitted with fewer than two informative runs"
LEVELS_LEGEND = {
    "level i": "the output depends on i inputs",
    "i+": "some active connection can be redirected to an unused input so that the level rises",
    "i-": "none can",
    "p, q": "probability per iteration of moving from i- to a higher level, or from i- to i+",
    "r, s": "probability per iteration of moving from i+ to a higher level, or from i+ back to i-",
    "leave": "probability per iteration of moving to a higher level, from i- or i+",
    "waiting": "mean iterations from the first visit to a level until a higher one is reached",
    "surplus": "mean number of active gates that contribute nothing",
    "neutral": "equally fit offspring accepted, per iteration",
    "[a, b]": INTERVAL,
}
ESTIMATES_LEGEND = {
    "s_i": "Theorem 3's estimate: leave >= s_i",
    "q', r', s'": "Theorem 6's estimates: p + q >= q', r >= r', s <= s'",
    "x/y": "measured value divided by the estimate",
}
EXCEEDED_LEGEND = {"!": "the interval contradicts the estimate"}
DRIFT_LEGEND = {
    "Y": "Lemma 8's potential 2n - 2 - min(U, n-2) - V, which is 0 at an optimum",
    "U": "mean number of nodes that another node reads, at these steps",
    "V": "mean number of inputs read by an odd number of connections, at these steps",
    "steps": "changes of a connection of a node",
    "drift": "mean change of Y in one step",
    "[a, b]": INTERVAL,
    "-2 ... +2": "share of steps that change Y by this much",
}


@click.command(epilog=EXAMPLES)
@target_argument
@program_options(nodes="2n")
@run_options
@click.option(
    "--record",
    default="improvements,powers",
    show_default=True,
    metavar="WHEN",
    help="When a trace gets a row: improvements, powers (of two), every:K, or several of these with commas.",
)
@out_option(
    "Write a figure (.svg, .pdf, .png) or the traces of all runs (.csv, .parquet). Can be repeated.",
    multiple=True,
)
def observe(
    target: str,
    as_json: bool,
    out: tuple[Path, ...],
    record: str,
    runs: int,
    seed: int,
    jobs: int | None,
    **given: Any,
) -> None:
    """Measure the quantities that the proofs estimate while the (1+1) CGP searches for TARGET.

    For and:N these are the levels and sub-levels with the transition probabilities of Lemma 5's chain; for
    xor:N, the drift of Lemma 8's potential. For any other target the runs and their traces are recorded.
    """
    from gatewalk.search.scheduler import threads
    from gatewalk.theory.observe.observation import observe_runs
    from gatewalk.theory.observe.trace import parse_moments

    for path in out:
        _check_suffix(path)
    search = search_from_options(target, given)
    moments, traced = parse_moments(record), any(path.suffix in TRACES for path in out)
    say_default_budget(search)
    announce_compilation()
    with progress("observe") as on_progress:
        seen = observe_runs(
            search,
            seed=seed,
            runs=runs,
            jobs=min(runs, threads(jobs)),
            record=moments,
            traced=traced,
            on_progress=on_progress,
        )
    if as_json:
        for line in seen.records():
            click.echo(json.dumps(line))
    else:
        show(seen)
    for path in out:
        _write(path, seen)
        wrote(path, as_json=as_json)


def _check_suffix(path: Path) -> None:
    """Refuse a file with an unknown suffix, or one that needs a missing extra, before any run."""
    if path.suffix not in (*FIGURES, *TRACES):
        raise InputError(f"--out: cannot write {path.name}; use one of {' '.join((*FIGURES, *TRACES))}")
    if path.suffix in FIGURES:
        need("matplotlib", "drawing figures")
    if path.suffix == ".parquet":
        need("pyarrow", "writing Parquet")


def _write(path: Path, seen: Observation) -> None:
    from gatewalk.analysis import observation_figures, style
    from gatewalk.theory.conjunctions import has_levels
    from gatewalk.theory.observe import trace

    search = seen.search
    if path.suffix in TRACES:
        trace.write_trace(path, trace.rows(seen.level_runs, levels=has_levels(search)))
        return
    nodes = f", $D = {search.nodes}$" if isinstance(search, CgpSearch) else ""
    title = f"{search.target.label}{nodes}, {search.selection}"
    if seen.levels:
        figure = observation_figures.level_figure(seen.levels, title=title)
    elif seen.xor_comparison is not None:
        figure = observation_figures.drift_figure(
            seen.drifts,
            estimate=seen.xor_comparison.lemma8_drift,
            interval=seen.xor_comparison.lemma8_interval,
            title=title,
        )
    else:
        traces = [(item.run, trace.with_fitness(item)) for item in seen.level_runs]
        figure = observation_figures.trace_figure(traces, title=title)
    style.save(figure, path)


def show(seen: Observation) -> None:
    """Print everything that was observed, and the statements to compare it with."""
    from gatewalk.stats.sample import ert, sample, success_rate

    screen = console()
    search = seen.search
    times = sample([item.iterations for item in seen.ends], [item.solved for item in seen.ends])
    rate = success_rate(times)
    nodes = f", D = {search.nodes}" if isinstance(search, CgpSearch) else ""
    screen.print(
        f"[bold]{search.target.label}[/bold]{nodes}, {search.selection}, {search.profile}, "
        f"{search.training}: "
        f"{rate.successes} of {rate.runs} runs solved, ERT {_iterations(ert(times))}",
        highlight=False,
    )
    if seen.theorem4_expected is not None:
        screen.print(f"exact expectation from Theorem 4's start: {number(seen.theorem4_expected)}")
    if seen.levels:
        _show_levels(screen, seen.levels)
    if seen.xor_comparison is not None:
        _show_walk(screen, seen.xor_comparison)
        screen.print(_drift_table(seen.drifts))
        _legend(screen, DRIFT_LEGEND)
    show_notes(screen, seen.stated)


def _iterations(ert: float) -> str:
    return "unknown: no run succeeded" if isinf(ert) else f"{number(ert)} iterations"


def _show_levels(screen: Console, levels: Sequence[Level]) -> None:
    for table in (_level_table(levels), _minus_table(levels), _plus_table(levels)):
        screen.print(table)
        screen.print()
    has_estimates = levels[0].estimates is not None
    is_exceeded = any(item.exceeded for item in levels)
    _legend(
        screen,
        LEVELS_LEGEND
        | (ESTIMATES_LEGEND if has_estimates else {})
        | (EXCEEDED_LEGEND if is_exceeded else {}),
    )


def _legend(screen: Console, meanings: dict[str, str]) -> None:
    table = table_without_lines(header=False)
    table.style = "dim"
    table.add_column(no_wrap=True)
    table.add_column()
    for term, meaning in meanings.items():
        table.add_row(Text(term), Text(meaning))
    screen.print(table)


def _show_walk(screen: Console, walk: XorComparison) -> None:
    exactly = ""
    if walk.lemma7_probability is not None and walk.lemma7_rest is not None:
        exactly = f", {chance(walk.lemma7_probability, walk.lemma7_rest)} exactly"
    screen.print(
        f"Lemma 7: share of starts with V <= 3n/4: {fixed(walk.lemma7_measured, 4)} measured{exactly}; "
        f"least potential observed: {walk.least_potential}",
        highlight=False,
    )
    if walk.lemma8_drift is not None and walk.lemma8_interval is not None:
        low, high = walk.lemma8_interval
        screen.print(
            f"Lemma 8: drift at least {fixed(walk.lemma8_drift, 3)} for Y in [{low:.1f}, {high:.1f}]",
            highlight=False,
            markup=False,
        )


def _table(*columns: str) -> Table:
    table = table_without_lines()
    table.padding = (0, 1, 0, 0)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _rate(rate: Frequency) -> str:
    """A rate with its interval.

    >>> from gatewalk.theory.observe.levels import Frequency
    >>> _rate(Frequency(3, 40, 0.075, 0.021, 0.21)), _rate(Frequency(3, 40, 0.075, 0.0, 1.0))
    ('0.075 [.021, .21]', '0.075')
    """
    if not rate.trials:
        return UNKNOWN
    low, high = (f"{end:.2g}".removeprefix("0") or "0" for end in (rate.low, rate.high))
    return f"{rate.value:.2g}" + (f" [{low}, {high}]" if rate.is_told else "")


def _factor(item: Level, name: str) -> str:
    return f"{number(item.factors[name])}{'!' if name in item.exceeded else ''}"


def _level_table(levels: Sequence[Level]) -> Table:
    drops = ["drops"] if any(item.dropped for item in levels) else []
    factors = [name for name in ("leave",) if name in levels[0].factors]
    heads = ["leave/s_i" for _ in factors]
    table = _table("level", "runs", "waiting", "leave", *heads, "surplus", "neutral", *drops)
    for item in levels:
        table.add_row(
            str(item.level),
            str(item.runs),
            number(item.waiting),
            Text(_rate(item.leave)),
            *(_factor(item, name) for name in factors),
            number(item.surplus),
            number(item.neutral),
            *(str(item.dropped) for _ in drops),
        )
    return table


def _minus_table(levels: Sequence[Level]) -> Table:
    factors = [name for name in ("free",) if name in levels[0].factors]
    table = _table("level", "at i-", "p", "q", "p + q", *("(p+q)/q'" for _ in factors))
    for item in levels:
        rates = [Text(_rate(rate)) for rate in (item.p, item.q, item.free)]
        table.add_row(str(item.level), f"{item.minus:,}", *rates, *(_factor(item, name) for name in factors))
    return table


def _plus_table(levels: Sequence[Level]) -> Table:
    heads = {"rise": "r/r'", "lose": "s/s'"}
    factors = [name for name in heads if name in levels[0].factors]
    table = _table("level", "at i+", "r", "s", *(heads[name] for name in factors))
    for item in levels:
        rates = [Text(_rate(rate)) for rate in (item.r, item.s)]
        table.add_row(str(item.level), f"{item.plus:,}", *rates, *(_factor(item, name) for name in factors))
    return table


def _signed(value: float, decimals: int) -> str:
    text = fixed(value, decimals)
    return text if text.startswith(MINUS) else f"+{text}"


def _drift_table(drifts: Sequence[Drift]) -> Table:
    table = _table("Y", "U", "V", "steps", "drift", "95 %", "-2", "-1", "0", "+1", "+2")
    for item in drifts:
        table.add_row(
            str(item.potential),
            fixed(item.used, 2),
            fixed(item.odd, 2),
            f"{item.steps:,}",
            _signed(item.mean, 3),
            Text(f"[{_signed(item.low, 2)}, {_signed(item.high, 2)}]" if item.is_told else ""),
            *(fixed(item.sizes.get(size, 0.0), 2) for size in (-2, -1, 0, 1, 2)),
        )
    return table
