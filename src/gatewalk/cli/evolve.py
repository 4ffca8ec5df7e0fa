"""`gatewalk evolve`: search for a circuit, one run or many."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import get_ident
from typing import TYPE_CHECKING, Any

import click

from gatewalk.bigint import short, to_json
from gatewalk.cli.interrupts import keep
from gatewalk.cli.options import (
    as_is_option,
    check_place,
    check_runs,
    program_options,
    run_options,
    settings_given,
    target_argument,
    warn_of_ignored,
)
from gatewalk.cli.watch import check_watch, watch_run
from gatewalk.errors import InputError, printable

if TYPE_CHECKING:
    from gatewalk.search.run import Run
    from gatewalk.search.runs import Runs
    from gatewalk.search.session import Session
    from gatewalk.search.settings import Settings

EXAMPLES = """\b
Examples:
  gatewalk evolve and:8 --nodes 16 --seed 1
  gatewalk evolve and:5 --runs 100 --selection strict --profile tinyverse
  gatewalk evolve mul:3 --out multiplier.v
  gatewalk evolve and:6 --seed 1 --watch run.html
  gatewalk evolve table:3:0x96 --gates nand
  gatewalk evolve function.pla --out function.blif
  gatewalk evolve and:50 --training sample --algorithm tgp-single --json
"""


@click.command(epilog=EXAMPLES, short_help="Search for a circuit, one run or many.")
@target_argument
@program_options
@run_options
@click.option(
    "--out",
    metavar="FILE",
    help="Write the smallest circuit found; the suffix gives the format: .blif .v .aig .pla .json .svg "
    ".c .py ...",
)
@click.option(
    "--watch",
    metavar="FILE",
    help="Write the run, with every pick of its mutations, as a page that plays it (.html) or as a short "
    "animation, .svg or .gif.",
)
@click.option("--anyway", is_flag=True, help="Search even if no circuit can be found with these options.")
@as_is_option
def command(
    target: str,
    as_json: bool,
    out: str | None,
    watch: str | None,
    anyway: bool,
    as_is: bool,
    runs: int,
    seed: int,
    jobs: int | None,
    **given: Any,
) -> None:
    """Search for a circuit that computes TARGET, such as and:8, xor:5, maj:3 or add:2.

    The same seed gives the same runs, for any --jobs and --evaluation.
    """
    from gatewalk.circuit.formats import format_of, write_file
    from gatewalk.cli.console import console
    from gatewalk.search.doubts import doubts
    from gatewalk.search.evolve import default_jobs

    check_runs(runs, seed, jobs)
    if out is not None:
        format_of(out)
        check_place(Path(out))
    settings = settings_given(target, given)
    if watch is not None:
        check_watch(watch, settings, runs)
    warn_of_ignored(settings.algorithm)
    for doubt in doubts(settings):
        if not anyway:
            raise InputError(f"{doubt} (--anyway searches all the same)")
        click.echo(f"gatewalk: warning: {doubt}", err=True)
    if watch is None:
        done, cut_short = _run_all(settings, runs, seed, min(runs, jobs or default_jobs()), as_json)
    else:
        done, cut_short = watch_run(settings, seed, watch, as_json)
    from gatewalk.cli.summary import show
    from gatewalk.search.runs import best_of

    if done is not None and not as_json:
        show(done, console(), asked=runs, as_is=as_is)
    if out and (done is not None or cut_short):
        best = best_of([*([] if done is None else [best_of(done)]), *cut_short])
        write_file(best.circuit if as_is else best.circuit.simplify(), out)
        click.echo(f"the circuit is in {printable(out)}", err=as_json or not sys.stdout.isatty())
        if not best.solved:
            click.echo(
                f"gatewalk: warning: {out} holds a circuit with {short(best.fitness)} mismatches", err=True
            )
    if done is None or len(done) < runs:
        raise KeyboardInterrupt


def _run_all(
    settings: Settings, runs: int, seed: int, jobs: int, as_json: bool
) -> tuple[Runs | None, list[Run]]:
    """Make all runs and show progress; returns the finished runs, and after Ctrl-C also the unfinished ones.

    In JSON mode each run is printed as soon as those before it are.
    """
    from gatewalk.cli.progress import announce_compilation, progress
    from gatewalk.search.evolve import run_many
    from gatewalk.search.runs import in_order
    from gatewalk.search.session import result

    announce_compilation()
    parts: list[Runs] = []
    ready: dict[int, Runs] = {}  # by the number of their first run
    under_way: dict[int, Session] = {}  # by thread
    finished = iterated = printed = 0

    def print_part(part: Runs) -> None:
        click.echo("\n".join(map(to_json, part.records())))

    with progress("evolve", runs * settings.budget) as show:

        def watch(session: Session) -> None:
            keep()
            under_way[get_ident()] = session
            words = f"{session.iterations:,} iterations, fitness {short(session.walk.fitness)}"
            at_work = sum(one.iterations for one in list(under_way.values()))
            show(iterated + at_work, f"{finished} of {runs} runs, {words}")

        def on_done(part: Runs) -> None:
            nonlocal finished, iterated, printed
            keep()
            parts.append(part)
            finished += len(part)
            iterated += len(part) * settings.budget
            show(
                iterated, f"{finished} of {runs} runs, the last took {int(part.iterations[-1]):,} iterations"
            )
            if as_json:
                ready[int(part.run[0])] = part
                while printed in ready:
                    part = ready.pop(printed)
                    printed += len(part)
                    print_part(part)

        try:
            run_many(settings, seed=seed, runs=range(runs), jobs=jobs, on_done=on_done, watch=watch)
        except KeyboardInterrupt:
            for number in sorted(ready):
                print_part(ready[number])
    if finished == runs:
        return in_order(parts, range(runs)), []
    numbers = sorted(number for part in parts for number in part.run.tolist())
    done = set(numbers)
    cut_short = [one for one in under_way.values() if not one.finished and one.run not in done]
    return in_order(parts, numbers) if numbers else None, [result(session) for session in cut_short]
