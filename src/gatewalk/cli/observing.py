"""What `gatewalk observe` runs, prints and writes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from gatewalk.analysis.statistics import ert, sample, success_rate
from gatewalk.boolean.targets import target
from gatewalk.cli.options import check_place
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.search.settings import Settings
from gatewalk.search.start import penultimate as penultimate_genes
from gatewalk.search.start import start_genes
from gatewalk.theory import penultimate, xor_bounds
from gatewalk.theory.drift import Drift, Wandered, drift_report, is_flat, wander_runs
from gatewalk.theory.level_report import Level, Rate, level_report
from gatewalk.theory.statements import theorem4_why_not
from gatewalk.theory.watching import Moments, Watched, has_levels, watch_runs

FIGURES = (".svg", ".pdf", ".png")
TRACES = (".csv", ".parquet")


@dataclass(frozen=True)
class Seen:
    """What was watched: whole runs, and for the walks of Lemma 8 also their elementary steps."""

    made: Settings
    seed: int
    watched: Sequence[Watched]
    wandered: Sequence[Wandered]

    @property
    def ends(self) -> Sequence[Watched] | Sequence[Wandered]:
        return self.wandered or self.watched


def check_suffix(path: Path) -> None:
    """Refuse a file of unknown kind, or one that a missing extra writes, before any run."""
    if path.suffix not in (*FIGURES, *TRACES):
        raise InputError(f"cannot write {path.name}: use one of {', '.join((*FIGURES, *TRACES))}")
    if path.suffix in FIGURES:
        need("matplotlib", "drawing figures")
    if path.suffix == ".parquet":
        need("pyarrow", "writing Parquet")
    check_place(path)


def watch(made: Settings, *, seed: int, runs: int, jobs: int, record: Moments, traced: bool) -> Seen:
    """Make the runs with progress on standard error; exclusive disjunctions twice if a trace is wanted."""
    from gatewalk.cli.progress import announce_compilation, progress

    announce_compilation()
    done = 0
    with progress("observe", runs) as show:

        def on_done(item: Any) -> None:
            nonlocal done
            done += 1
            show(done, f"{done} of {runs} runs, run {item.run} took {item.iterations:,} iterations")

        flat = is_flat(made)
        wandered = wander_runs(made, seed=seed, runs=range(runs), jobs=jobs, on_done=on_done) if flat else []
        watched = (
            watch_runs(made, seed=seed, runs=range(runs), jobs=jobs, record=record, on_done=on_done)
            if traced or not flat
            else []
        )
    return Seen(made, seed, watched, wandered)


def report(seen: Seen, *, as_json: bool, paths: Sequence[Path]) -> None:
    """Print and write what was seen."""
    levels = level_report(seen.made, seen.watched) if has_levels(seen.made) else ()
    drifts = drift_report(seen.wandered) if seen.wandered else ()
    summary = _summary(seen)
    if as_json:
        for record in (summary, *map(_level_record, levels), *map(_drift_record, drifts)):
            click.echo(json.dumps(_finite(record)))
    else:
        _show(seen, summary, levels, drifts)
    for path in paths:
        _write(path, seen, levels, drifts)


def _summary(seen: Seen) -> dict[str, Any]:
    made = seen.made
    times = sample([item.iterations for item in seen.ends], [item.solved for item in seen.ends])
    rate = success_rate(times)
    n = target(made.target).inputs
    summary: dict[str, Any] = {
        "kind": "runs",
        "target": made.target,
        "n": n,
        "nodes": made.nodes,
        "selection": made.selection,
        "profile": made.profile,
        "training": made.training,
        "seed": seen.seed,
        "runs": rate.runs,
        "solved": rate.successes,
        "ert": ert(times),
    }
    if seen.wandered:
        low = sum(item.start_odd <= 3 * n / 4 for item in seen.wandered)
        flat = xor_bounds.theorem9_applies(n, made.nodes or 0)
        summary |= {
            "lemma7_measured": low / rate.runs,
            "lemma7_probability": xor_bounds.lemma7_probability(n, made.nodes or 0),
            "lemma8_drift": float(_lemma8(made)) if flat else None,
            "lemma8_interval": list(xor_bounds.lemma8_interval(n)),
            "least_potential": min(item.least_potential for item in seen.wandered),
        }
    if _from_penultimate(made):
        summary["theorem4_expected"] = float(penultimate.expected_iterations(n))
    return summary


def _lemma8(made: Settings) -> Any:
    n, nodes = target(made.target).inputs, made.nodes or 0
    return xor_bounds.lemma8_drift(n, nodes, xor_bounds.excess(n, nodes))


def _from_penultimate(made: Settings) -> bool:
    n = target(made.target).inputs
    return not theorem4_why_not(made) and start_genes(made.start) == penultimate_genes(n, n - 1)


def _rate(rate: Rate) -> dict[str, Any]:
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


def _show(seen: Seen, summary: dict[str, Any], levels: Sequence[Level], drifts: Sequence[Drift]) -> None:
    console = Console()
    made = seen.made
    console.print(
        f"[bold]{made.target}[/bold], D = {made.nodes}, {made.selection}, {made.profile}, {made.training}: "
        f"{summary['solved']} of {summary['runs']} runs solved, ERT {_number(summary['ert'])} iterations",
        highlight=False,
    )
    if "theorem4_expected" in summary:
        console.print(f"Theorem 4's start: exactly {_number(summary['theorem4_expected'])} expected")
    if levels:
        console.print(_level_table(levels))
        console.print()
        console.print(_rate_table(levels))
        if any(item.exceeded for item in levels):
            console.print("! marks an estimate that the 95 % interval of the measured rate contradicts")
    if drifts:
        console.print(
            f"Lemma 7: V <= 3n/4 at {summary['lemma7_measured']:.4f} of the starts, "
            f"exactly {summary['lemma7_probability']:.4f}; least potential seen {summary['least_potential']}",
            highlight=False,
        )
        if summary["lemma8_drift"] is not None:
            low, high = summary["lemma8_interval"]
            where = f"[{low:.1f}, {high:.1f}]" if high > 0 else "[n/256-2, n/128-2], above 0 from n = 257 on"
            console.print(
                f"Lemma 8: drift at least {summary['lemma8_drift']:.3f} for Y in {where}",
                highlight=False,
                markup=False,
            )
        console.print(_drift_table(drifts))


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


def _write(path: Path, seen: Seen, levels: Sequence[Level], drifts: Sequence[Drift]) -> None:
    from gatewalk.analysis import figures, style
    from gatewalk.theory import trace

    if path.suffix in TRACES:
        trace.write(path, trace.rows(seen.watched, levels=has_levels(seen.made)))
        return
    title = f"{seen.made.target}, $D = {seen.made.nodes}$, {seen.made.selection}"
    if levels:
        figure = figures.level_figure(levels, title=title)
    elif drifts:
        n = target(seen.made.target).inputs
        applies = xor_bounds.theorem9_applies(n, seen.made.nodes or 0)
        figure = figures.drift_figure(
            drifts,
            estimate=float(_lemma8(seen.made)) if applies else None,
            interval=xor_bounds.lemma8_interval(n),
            title=title,
        )
    else:
        figure = figures.trace_figure(
            [(item.run, trace.with_fitness(item)) for item in seen.watched], title=title
        )
    style.save(figure, path)
