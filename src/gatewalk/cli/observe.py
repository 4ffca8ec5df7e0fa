"""`gatewalk observe`: levels, sub-levels and drift, measured beside the proofs' estimates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from gatewalk.cli.options import check_runs, parse_law_options, program_options, run_options, target_argument

EXAMPLES = """\b
Examples:
  gatewalk observe and:8 --runs 200
  gatewalk observe and:10 --nodes n^2 --runs 50 --out levels.svg --out trace.csv
  gatewalk observe xor:8 --nodes n --budget 100000 --out drift.pdf
  gatewalk observe and:6 --nodes n-1 --selection strict --start penultimate --runs 20
  gatewalk observe and:20 --training sample --runs 100 --record every:10 --out trace.parquet
"""
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
    from gatewalk.cli.observing import check_suffix, report, watch
    from gatewalk.search.evolve import default_jobs
    from gatewalk.search.settings import settings
    from gatewalk.theory.watching import moments

    check_runs(runs, seed, jobs)
    paths = [Path(name) for name in out]
    for path in paths:
        check_suffix(path)
    given["options"] = parse_law_options(given.pop("law_options"))
    seen = watch(
        settings(target, **given),
        seed=seed,
        runs=runs,
        jobs=min(runs, jobs or default_jobs()),
        record=moments(record),
        traced=any(path.suffix in TRACES for path in paths),
    )
    report(seen, as_json=as_json, paths=paths)
