"""`gatewalk observe`: measured levels, sub-levels and drift beside the proofs' estimates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.observe_json import records
from gatewalk.cli.observe_text import show
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
    from gatewalk.theory.observation import Observation
    from gatewalk.theory.watching import TraceMoments

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
    help="When a trace has a row: improvements, powers (of two), every:K, or a list with commas.",
)
@click.option(
    "--out",
    multiple=True,
    metavar="FILE",
    help="Write a figure (.svg, .pdf, .png) or the traces of all runs (.csv, .parquet). May be repeated.",
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
    """Measure the quantities that the proofs estimate while the (1+1) CGP searches for TARGET.

    For and:N these are the levels and sub-levels with the transition probabilities of Lemma 5's chain; for
    xor:N, the drift of Lemma 8's potential. For any other target the runs and their traces are recorded.
    """
    from gatewalk.search.evolve import default_jobs
    from gatewalk.theory.watching import parse_moments

    check_runs(runs, seed, jobs)
    paths = [Path(name) for name in out]
    for path in paths:
        _check_suffix(path)
    given["nodes"] = given["nodes"] or "2n"  # not the default of `evolve`, which depends on the target
    seen = _observe(
        settings_given(target, given),
        seed=seed,
        runs=runs,
        jobs=min(runs, jobs or default_jobs()),
        record=parse_moments(record),
        traced=any(path.suffix in TRACES for path in paths),
    )
    if as_json:
        for line in records(seen):
            click.echo(json.dumps(line))
    else:
        show(seen)
    for path in paths:
        _write(path, seen)


def _check_suffix(path: Path) -> None:
    """Refuse a file with an unknown suffix, or one that needs a missing extra, before any run."""
    if path.suffix not in (*FIGURES, *TRACES):
        raise InputError(f"cannot write {path.name}: use one of {', '.join((*FIGURES, *TRACES))}")
    if path.suffix in FIGURES:
        need("matplotlib", "drawing figures")
    if path.suffix == ".parquet":
        need("pyarrow", "writing Parquet")
    check_place(path)


def _observe(
    settings: Settings, *, seed: int, runs: int, jobs: int, record: TraceMoments, traced: bool
) -> Observation:
    """Make the runs and show progress on standard error."""
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
                settings,
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


def _write(path: Path, seen: Observation) -> None:
    from gatewalk.analysis import figures, style
    from gatewalk.theory import trace
    from gatewalk.theory.watching import has_levels

    settings = seen.settings
    if path.suffix in TRACES:
        trace.write_trace(path, trace.rows(seen.watched, levels=has_levels(settings)))
        return
    title = f"{settings.label}, $D = {settings.nodes}$, {settings.selection}"
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
