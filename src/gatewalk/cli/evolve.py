"""`gatewalk evolve`: search for a circuit, one run or many."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Any

import click

from gatewalk.cli.options import (
    check_place,
    check_runs,
    parse_law_options,
    program_options,
    run_options,
    target_argument,
    warn_of_ignored,
)

EXAMPLES = """\b
Examples:
  gatewalk evolve and:8 --nodes 16 --seed 1
  gatewalk evolve and:5 --runs 100 --selection strict --profile tinyverse
  gatewalk evolve add:2 --nodes 40 --gates and,or,xor,not --out adder.blif
  gatewalk evolve and:50 --training sample --algorithm tgp-single --json
"""


@click.command(epilog=EXAMPLES, short_help="Search for a circuit, one run or many.")
@target_argument
@program_options
@run_options
@click.option("--out", metavar="FILE", help="Write the smallest circuit found: .json, .blif, .dot or .svg.")
def command(
    target: str, as_json: bool, out: str | None, runs: int, seed: int, jobs: int | None, **given: Any
) -> None:
    """Search for a circuit that computes TARGET, such as and:8, xor:5, maj:3 or add:2.

    The same seed gives the same runs, whatever the number of jobs and the evaluation.
    """
    from rich.console import Console

    from gatewalk.circuit.formats import format_of, write_file
    from gatewalk.search.evolve import default_jobs
    from gatewalk.search.settings import doubts, settings

    check_runs(runs, seed, jobs)
    if out is not None:
        format_of(out)
        check_place(Path(out))
    given["options"] = parse_law_options(given.pop("law_options"))
    made = settings(target, **given)
    warn_of_ignored(made.algorithm)
    for doubt in doubts(made):
        click.echo(f"gatewalk: warning: {doubt}", err=True)
    done, cut_short = _run_all(made, runs, seed, min(runs, jobs or default_jobs()), as_json)
    from gatewalk.cli.summary import best_of, show

    if done and not as_json:
        show(done, Console(), asked=runs)
    if out and (done or cut_short):
        best = best_of(done + cut_short)
        write_file(best.circuit, out)
        if not best.solved:
            click.echo(f"gatewalk: warning: {out} holds a circuit with {best.fitness} mismatches", err=True)
    if len(done) < runs:
        raise KeyboardInterrupt


def _run_all(made: Any, runs: int, seed: int, jobs: int, as_json: bool) -> tuple[list[Any], list[Any]]:
    """All runs with progress; after Ctrl-C those that were finished, and the others as far as they went.

    In JSON mode each is printed as soon as those before it are.
    """
    from gatewalk.cli.progress import announce_compilation, progress
    from gatewalk.search.evolve import run_many
    from gatewalk.search.session import result

    announce_compilation()
    lock = Lock()
    counted: dict[int, float] = {}
    under_way: dict[int, Any] = {}
    iterated = 0.0
    ready: dict[int, Any] = {}
    done: list[Any] = []

    def take(number: int) -> None:
        done.append(ready.pop(number))
        if as_json:
            click.echo(json.dumps(done[-1].record()))

    with progress("evolve", runs * made.budget) as show:

        def tell(number: int, iterations: float, words: str) -> None:
            nonlocal iterated
            with lock:
                iterated += iterations - counted.get(number, 0)
                counted[number] = iterations
                show(iterated, f"{len(done) + len(ready)} of {runs} runs, {words}")

        def watch(session: Any) -> None:
            under_way[session.run] = session
            words = f"{session.iterations:,} iterations, fitness {_short(session.walk.fitness)}"
            tell(session.run, session.iterations, words)

        def on_done(run: Any) -> None:
            with lock:
                ready[run.run] = run
                under_way.pop(run.run, None)
                while len(done) in ready:
                    take(len(done))
            tell(run.run, made.budget, f"run {run.run} took {run.iterations:,} iterations")

        try:
            run_many(made, seed=seed, runs=range(runs), jobs=jobs, on_done=on_done, watch=watch)
        except KeyboardInterrupt:
            for number in sorted(ready):
                take(number)
    return done, [result(session) for session in under_way.values()]


def _short(fitness: int) -> str:
    return f"{fitness:,}" if fitness < 10**9 else f"2^{fitness.bit_length() - 1}"
