"""`gatewalk observe`: levels, sub-levels and drift, measured beside the proofs' estimates."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from gatewalk.cli.console import console
from gatewalk.cli.options import (
    check_place,
    check_runs,
    program_options,
    run_options,
    settings_given,
    target_argument,
)
from gatewalk.errors import InputError
from gatewalk.extras import need

if TYPE_CHECKING:
    from gatewalk.search.settings import Settings
    from gatewalk.theory.drift import Drift
    from gatewalk.theory.level_report import Frequency, Level
    from gatewalk.theory.observation import Observation
    from gatewalk.theory.watching import TraceMoments

EXAMPLES = """\b
Examples:
  gatewalk observe and:8 --runs 200
  gatewalk observe and:10 --nodes n^2 --runs 50 --out levels.svg --out trace.csv
  gatewalk observe xor:8 --nodes n --budget 100000 --out drift.pdf
  gatewalk observe and:6 --nodes n-1 --selection strict --start penultimate --runs 20
  gatewalk observe and:20 --training sample --runs 100 --record every:10 --out trace.parquet
"""
FIGURES = (".svg", ".pdf", ".png")
TRACES = (".csv", ".parquet")


@click.command(
    epilog=EXAMPLES, short_help="Levels, sub-levels, drift: measured beside the proofs' estimates."
)
@target_argument
@program_options
@run_options
@click.option(
    "--record",
    default="improvements,powers",
    show_default=True,
    metavar="WHEN",
    help="Rows of a trace: improvements, powers (of two), every:K, or several with commas.",
)
@click.option(
    "--out",
    multiple=True,
    metavar="FILE",
    help="A figure (.svg, .pdf, .png) or the trace of every run (.csv, .parquet). May be repeated.",
)
def command(
    target: str,
    as_json: bool,
    out: tuple[str, ...],
    record: str,
    runs: int,
    seed: int,
    jobs: int | None,
    **given: Any,
) -> None:
    """Watch the quantities that the proofs estimate while the (1+1) CGP searches for TARGET.

    For and:N the levels and sub-levels with the transition probabilities of Lemma 5's chain; for
    xor:N the drift of Lemma 8's potential; for any other target the runs and their traces.
    """
    from gatewalk.search.evolve import default_jobs
    from gatewalk.theory.watching import parse_moments

    check_runs(runs, seed, jobs)
    paths = [Path(name) for name in out]
    for path in paths:
        _check_suffix(path)
    given["nodes"] = given["nodes"] or "2n"  # whatever a search for it would take
    seen = _observe(
        settings_given(target, given),
        seed=seed,
        runs=runs,
        jobs=min(runs, jobs or default_jobs()),
        record=parse_moments(record),
        traced=any(path.suffix in TRACES for path in paths),
    )
    summary = _summary(seen)
    if as_json:
        for line in (summary, *map(_level_record, seen.levels), *map(_drift_record, seen.drifts)):
            click.echo(json.dumps(_finite(line)))
    else:
        _show(seen, summary)
    for path in paths:
        _write(path, seen)


def _check_suffix(path: Path) -> None:
    """Refuse a file of unknown kind, or one that a missing extra writes, before any run."""
    if path.suffix not in (*FIGURES, *TRACES):
        raise InputError(f"cannot write {path.name}: use one of {', '.join((*FIGURES, *TRACES))}")
    if path.suffix in FIGURES:
        need("matplotlib", "drawing figures")
    if path.suffix == ".parquet":
        need("pyarrow", "writing Parquet")
    check_place(path)


def _observe(
    made: Settings, *, seed: int, runs: int, jobs: int, record: TraceMoments, traced: bool
) -> Observation:
    """Make the runs with progress on standard error."""
    from gatewalk.cli.background import ending_at_once, in_background
    from gatewalk.cli.progress import announce_compilation, progress
    from gatewalk.theory.observation import observe_runs

    announce_compilation()
    done, words = 0, "begins"
    with ending_at_once(), progress("observe", runs) as show:

        def on_done(run: int, iterations: int) -> None:
            nonlocal done, words
            done += 1
            words = f"{done} of {runs} runs, run {run} took {iterations:,} iterations"
            show(done, words)

        def tell(run: int, iterations: int) -> None:
            nonlocal words
            words = f"{done} of {runs} runs, run {run} is at iteration {iterations:,}"

        return in_background(
            lambda: observe_runs(
                made,
                seed=seed,
                runs=runs,
                jobs=jobs,
                record=record,
                traced=traced,
                on_done=on_done,
                tell=tell,
            ),
            beat=lambda: show(done, words),
        )


def _summary(seen: Observation) -> dict[str, Any]:
    from gatewalk.analysis.statistics import ert, sample, success_rate

    made = seen.settings
    times = sample([item.iterations for item in seen.ends], [item.solved for item in seen.ends])
    rate = success_rate(times)
    summary: dict[str, Any] = {
        "kind": "runs",
        "target": made.target,
        "n": made.n,
        "nodes": made.nodes,
        "selection": made.selection,
        "profile": made.profile,
        "training": made.training,
        "seed": seen.seed,
        "runs": rate.runs,
        "solved": rate.successes,
        "ert": ert(times),
    }
    if seen.flat_walk is not None:
        summary |= {
            "lemma7_measured": seen.flat_walk.lemma7_measured,
            "lemma7_probability": seen.flat_walk.lemma7_probability,
            "lemma8_drift": seen.flat_walk.lemma8_drift,
            "lemma8_interval": list(seen.flat_walk.lemma8_interval),
            "least_potential": seen.flat_walk.least_potential,
        }
    if seen.theorem4_expected is not None:
        summary["theorem4_expected"] = seen.theorem4_expected
    return summary


def _rate(rate: Frequency) -> dict[str, Any]:
    return {
        "count": rate.count,
        "trials": rate.trials,
        "value": rate.value,
        "low": rate.low,
        "high": rate.high,
    }


def _level_record(item: Level) -> dict[str, Any]:
    estimates = item.estimates
    return {
        "kind": "level",
        "level": item.level,
        "runs": item.runs,
        "iterations_minus": item.minus,
        "iterations_plus": item.plus,
        "waiting": item.waiting,
        **{name: _rate(getattr(item, name)) for name in ("p", "q", "r", "s", "leave")},
        "lemma5_from_minus": item.chain[0],
        "lemma5_from_plus": item.chain[1],
        "dropped": item.dropped,
        "surplus_gates": item.surplus,
        "neutral_per_iteration": item.neutral,
        "estimates": estimates
        and {
            "s_i": estimates.leave,
            "q_prime": estimates.free,
            "r_prime": estimates.raise_,
            "s_prime": estimates.lose,
        },
        "factors": estimates and _named(item.factors),
        "contradicted": [_NAMES[name] for name in item.exceeded],
    }


_NAMES = {"leave": "s_i", "free": "q_prime", "raise_": "r_prime", "lose": "s_prime"}


def _named(factors: dict[str, float]) -> dict[str, float]:
    return {_NAMES[name]: value for name, value in factors.items()}


def _drift_record(item: Drift) -> dict[str, Any]:
    return {
        "kind": "drift",
        "potential": item.potential,
        "steps": item.steps,
        "U": item.used,
        "V": item.odd,
        "drift": item.mean,
        "low": item.low,
        "high": item.high,
        "drift_of_changes": item.changing,
        "sizes": {str(size): share for size, share in item.sizes.items()},
    }


def _finite(value: Any) -> Any:
    """JSON has no NaN: null; infinite is the string "inf"."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return "inf" if value > 0 else None
    return value


def _show(seen: Observation, summary: dict[str, Any]) -> None:
    screen = console()
    made, levels, walk = seen.settings, seen.levels, seen.flat_walk
    screen.print(
        f"[bold]{made.label}[/bold], D = {made.nodes}, {made.selection}, {made.profile}, {made.training}: "
        f"{summary['solved']} of {summary['runs']} runs solved, ERT {_number(summary['ert'])} iterations",
        highlight=False,
    )
    if seen.theorem4_expected is not None:
        screen.print(f"Theorem 4's start: exactly {_number(seen.theorem4_expected)} expected")
    if levels:
        screen.print(_level_table(levels))
        screen.print()
        screen.print(_rate_table(levels))
        if any(item.exceeded for item in levels):
            screen.print("! marks an estimate that the 95 % interval of the measured rate contradicts")
    if walk is not None:
        screen.print(
            f"Lemma 7: V <= 3n/4 at {walk.lemma7_measured:.4f} of the starts, "
            f"exactly {walk.lemma7_probability:.4f}; least potential seen {walk.least_potential}",
            highlight=False,
        )
        if walk.lemma8_drift is not None:
            low, high = walk.lemma8_interval
            where = f"[{low:.1f}, {high:.1f}]" if high > 0 else "[n/256-2, n/128-2], above 0 from n = 257 on"
            screen.print(
                f"Lemma 8: drift at least {walk.lemma8_drift:.3f} for Y in {where}",
                highlight=False,
                markup=False,
            )
        screen.print(_drift_table(seen.drifts))


def _number(value: float) -> str:
    if not isfinite(value):
        return "-" if value != value else "infinite"
    if abs(value) >= 1e7:
        return f"{value:.2e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def _level_table(levels: Sequence[Level]) -> Table:
    drops = any(item.dropped for item in levels)
    table = _table(
        "level", "runs", "at i-", "at i+", "waiting", "surplus", "neutral", *(["drops"] if drops else [])
    )
    for item in levels:
        table.add_row(
            str(item.level),
            str(item.runs),
            f"{item.minus:,}",
            f"{item.plus:,}",
            _number(item.waiting),
            _number(item.surplus),
            _number(item.neutral),
            *([str(item.dropped)] if drops else []),
        )
    return table


def _rate_table(levels: Sequence[Level]) -> Table:
    heads = {"leave": "leave/s_i", "free": "(p+q)/q'", "raise_": "r/r'", "lose": "s/s'"}
    named = [name for name in heads if name in levels[0].factors]
    table = _table("level", "p", "q", "r", "s", *(heads[name] for name in named))
    for item in levels:
        factors = item.factors
        marks = [f"{_number(factors[name])}{'!' if name in item.exceeded else ''}" for name in named]
        rates = [f"{rate.value:.2g}" if rate.trials else "-" for rate in (item.p, item.q, item.r, item.s)]
        table.add_row(str(item.level), *rates, *marks)
    return table


def _drift_table(drifts: Sequence[Drift]) -> Table:
    table = _table("Y", "U", "V", "steps", "drift", "95 %", "-2", "-1", "0", "+1", "+2")
    for item in drifts:
        table.add_row(
            str(item.potential),
            _number(item.used),
            _number(item.odd),
            f"{item.steps:,}",
            f"{item.mean:+.3f}",
            f"{item.low:+.3f} to {item.high:+.3f}",
            *(f"{item.sizes.get(size, 0.0):.3f}" for size in (-2, -1, 0, 1, 2)),
        )
    return table


def _write(path: Path, seen: Observation) -> None:
    from gatewalk.analysis import figures, style
    from gatewalk.theory import trace
    from gatewalk.theory.watching import has_levels

    made = seen.settings
    if path.suffix in TRACES:
        trace.write_trace(path, trace.rows(seen.watched, levels=has_levels(made)))
        return
    title = f"{made.label}, $D = {made.nodes}$, {made.selection}"
    if seen.levels:
        figure = figures.level_figure(seen.levels, title=title)
    elif seen.flat_walk is not None:
        figure = figures.drift_figure(
            seen.drifts,
            estimate=seen.flat_walk.lemma8_drift,
            interval=seen.flat_walk.lemma8_interval,
            title=title,
        )
    else:
        traces = [(item.run, trace.with_fitness(item)) for item in seen.watched]
        figure = figures.trace_figure(traces, title=title)
    style.save(figure, path)
