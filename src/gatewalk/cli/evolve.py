"""`gatewalk evolve`: search for a circuit, in one run or many, and print a summary."""

from __future__ import annotations

from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cli.interrupts import has_results
from gatewalk.cli.options import (
    OUT_FILE,
    as_is_option,
    out_option,
    program_options,
    run_options,
    say_default_budget,
    search_from_options,
    target_argument,
    warn_of_ignored,
)
from gatewalk.cli.terminal import (
    announce_compilation,
    console,
    log,
    progress,
    table_without_lines,
    warn,
    wrote,
)
from gatewalk.errors import InputError
from gatewalk.numbers import INFINITE, counted, fitness_text, fixed, number, to_json

if TYPE_CHECKING:
    from gatewalk.circuit.circuit import Circuit
    from gatewalk.search.batch import Outcome
    from gatewalk.search.options import Search
    from gatewalk.search.recording import Recording
    from gatewalk.search.runs import Run, Runs

NOTHING_SOLVED = 4  # exit code: there is no circuit to be written
LISTED_GATES = 24
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


@click.command(epilog=EXAMPLES)
@target_argument
@program_options()
@run_options
@out_option(
    "Write the smallest circuit that solves it; the suffix gives the format: .blif .v .aig .pla .json .c ..."
)
@click.option(
    "--watch",
    type=OUT_FILE,
    metavar="FILE",
    help="Record the run, mutation by mutation, as an interactive page (.html) or a short animation "
    "(.svg, .gif).",
)
@click.option(
    "--unsolved",
    is_flag=True,
    help="If nothing is solved, let --out write the fittest circuit; without this it writes none.",
)
@click.option("--anyway", is_flag=True, help="Search even if no circuit can be found with these options.")
@as_is_option
def evolve(
    target: str,
    as_json: bool,
    out: Path | None,
    watch: Path | None,
    unsolved: bool,
    anyway: bool,
    as_is: bool,
    runs: int,
    seed: int,
    jobs: int | None,
    **given: Any,
) -> None:
    """Search for a circuit that computes TARGET, such as and:8, xor:5, maj:3 or add:2.

    The same seed gives the same runs, for any --jobs and --evaluation. If --out has no circuit to write,
    because no run solved it, the exit code is 4.
    """
    from gatewalk.circuit.files import format_of
    from gatewalk.search.reading import why_unsolvable
    from gatewalk.search.runs import best_of
    from gatewalk.search.scheduler import threads

    if out is not None:
        format_of(out)
    elif unsolved:
        raise InputError("--unsolved is about the circuit that --out writes; add --out FILE")
    search = search_from_options(target, given)
    if watch is not None:
        _check_watch(watch, search, runs)
    warn_of_ignored(search)
    if (reason := why_unsolvable(search)) is not None:
        if not anyway:
            raise InputError(f"{reason} (use --anyway to search regardless)")
        warn(reason)
    say_default_budget(search)
    announce_compilation()
    if watch is None:
        done, cut_short = _run_all(search, runs, seed, threads(jobs), as_json)
    else:
        done, cut_short = _watch_run(search, seed, watch, as_json)
    if done is not None and not as_json:
        show_runs(done, planned=runs, as_is=as_is)
    is_missing = False
    if out is not None and (done is not None or cut_short):
        best = best_of([*([] if done is None else [best_of(done)]), *cut_short])
        is_missing = not (best.solved or unsolved)
        _write_circuit(best, out, is_missing=is_missing, as_is=as_is, as_json=as_json)
    if done is None or len(done) < runs:
        raise KeyboardInterrupt
    if is_missing:
        raise click.exceptions.Exit(NOTHING_SOLVED)


def _write_circuit(best: Run, out: Path, *, is_missing: bool, as_is: bool, as_json: bool) -> None:
    """Write the circuit of the best run, or say that none is written because it is not solved."""
    from gatewalk.circuit.files import write_file

    if is_missing:
        log(
            f"nothing was solved: {out} is not written; the fittest circuit has {_mismatches(best.fitness)} "
            "(--unsolved writes it)"
        )
        return
    write_file(best.circuit if as_is else best.circuit.simplify(), out)
    wrote(out, as_json=as_json)
    if not best.solved:
        warn(f"the circuit in {out} still has {_mismatches(best.fitness)}")


def _run_all(search: Search, runs: int, seed: int, jobs: int, as_json: bool) -> tuple[Runs | None, list[Run]]:
    """Make all runs and show progress; returns the finished runs, and after Ctrl-C also the unfinished ones.

    In JSON mode each run is printed as soon as those before it are.
    """
    from gatewalk.search.evolve import make_runs
    from gatewalk.search.runs import in_order
    from gatewalk.search.saving import restore
    from gatewalk.search.session import result

    parts: list[Runs] = []
    unfinished: dict[int, bytes] = {}  # saved sessions, by the number of the run
    ready: dict[int, Runs] = {}  # to be printed, by the number of their first run
    printed = 0

    def print_part(part: Runs) -> None:
        click.echo("\n".join(map(to_json, part.records())))

    def deliver(outcome: Outcome) -> None:
        nonlocal printed
        has_results()
        for part in outcome.parts:
            parts.append(part)
            for run in unfinished.keys() & set(part.run.tolist()):
                del unfinished[run]
            if as_json:
                ready[int(part.run[0])] = part
        if outcome.checkpoint is not None:
            unfinished[outcome.checkpoint.run] = outcome.checkpoint.state
        while printed in ready:
            part = ready.pop(printed)
            printed += len(part)
            print_part(part)

    with progress("evolve") as show:

        def on_progress(share: float, words: str) -> None:
            has_results()
            show(share, words)

        try:
            make_runs(search, deliver, seed=seed, runs=range(runs), jobs=jobs, on_progress=on_progress)
        except KeyboardInterrupt:
            for number in sorted(ready):
                print_part(ready[number])
    numbers = sorted(run for part in parts for run in part.run.tolist())
    cut_short = [result(restore(search, state)) for state in unfinished.values()]
    return in_order(parts, numbers) if numbers else None, cut_short


def _check_watch(path: Path, search: Search, runs: int) -> None:
    """Refuse, before any run, a search or a file that --watch cannot record."""
    from gatewalk.report.replay import check_watch_file
    from gatewalk.search.recording import check_recordable

    if runs != 1:
        raise InputError(f"--watch records a single run; remove --runs {runs}")
    check_watch_file(path)
    check_recordable(search)


def _watch_run(search: Search, seed: int, path: Path, as_json: bool) -> tuple[Runs | None, list[Run]]:
    """Make the run and write the recording to the file.

    Returns the finished run or, after Ctrl-C, None and the run as far as it went.
    """
    from gatewalk.report.replay import write_replay
    from gatewalk.search.runs import runs_of

    recording = _recorded(search, seed)
    if recording.finished and as_json:
        click.echo(to_json(recording.run.record()))
    with progress("drawing") as on_progress:
        write_replay(recording, path, on_progress=on_progress)
    wrote(path, as_json=as_json)
    return (runs_of([recording.run]), []) if recording.finished else (None, [recording.run])


def _recorded(search: Search, seed: int) -> Recording:
    """Make and record the run, as far as it goes until Ctrl-C."""
    from gatewalk.search.recording import advance_recording, begin_recording, recording_of
    from gatewalk.search.scheduler import interruptible

    recorder = begin_recording(search, seed=seed)
    has_results()
    with interruptible() as interrupted, progress("evolve") as on_progress:
        while not recorder.finished and not interrupted.is_set():
            advance_recording(recorder)
            session = recorder.session
            state = f"{session.iterations:,} iterations, fitness {fitness_text(session.fitness)}"
            share = session.iterations / max(search.budget, 1)
            on_progress(share, f"{state}, {len(recorder.frames):,} recorded")
    return recording_of(recorder)


def show_runs(runs: Runs, *, planned: int, as_is: bool) -> None:
    """Print a summary of the finished runs, of which `planned` were asked for."""
    from gatewalk.search.runs import best_of

    best = best_of(runs)
    parts: list[RenderableType] = []
    if len(runs) < planned:
        # Long runs are more likely to be cut short, so the reader must know that some are missing.
        words = f"{len(runs)} of {planned} runs finished; the rest are not included"
        parts.append(Text(words, style="bold"))
    elif planned > 1:
        parts.append(Text(f"{planned} runs", style="bold"))
    if len(runs) > 1:
        parts += [statistics(runs), "", Text("smallest circuit found", style="bold")]
    parts += [outcome(best), ""]
    circuit = best.circuit if as_is else best.circuit.simplify()
    if len(circuit) < len(best.circuit):
        parts.append(Text(f"simplified to {counted(len(circuit), 'gate')} (--as-is shows all)", style="dim"))
    if not best.solved:
        parts.insert(-1, Text(advice(best)))
    screen = console()
    # In a pipe lines are not wrapped, because programs read them.
    screen.print(Group(*parts, circuit_text(circuit)), soft_wrap=not screen.is_terminal)


def statistics(runs: Runs) -> Table:
    """Success rate and ERT with intervals, median and quartiles, and a list of the censored runs."""
    from gatewalk.stats.resampling import quick_ert_interval
    from gatewalk.stats.sample import ert, sample, success_rate
    from gatewalk.stats.survival import quantile

    data = sample(runs.iterations, runs.solved)
    rate = success_rate(data)
    table = table_without_lines(header=False)
    table.add_column(style="dim")
    table.add_column()
    interval = f"{fixed(rate.interval.low, 3)} to {fixed(rate.interval.high, 3)}"
    table.add_row("success", f"{rate.successes} of {rate.runs} (95 %: {interval})")
    expected = ert(data)
    words = "unknown: no run succeeded"
    if not isinf(expected):
        band = quick_ert_interval(data)
        ends = f"{band.low:,.0f} to {INFINITE if isinf(band.high) else f'{band.high:,.0f}'}"
        words = f"{_iterations(expected)} (95 %: {ends}; all iterations / successes)"
    table.add_row("ERT", words)
    q1, median, q3 = (quantile(data, fraction).value for fraction in (0.25, 0.5, 0.75))
    table.add_row("median", f"{_iterations(median)} (Kaplan-Meier)")
    table.add_row("quartiles", f"{_iterations(q1)} and {_iterations(q3)}")
    censored = runs.run[~runs.solved].tolist()
    if censored:
        numbers = ", ".join(map(str, censored[:10])) + (", ..." if len(censored) > 10 else "")
        named = f"run{'' if len(censored) == 1 else 's'} {numbers}"
        table.add_row("censored", f"{len(censored):,} ran out of budget: {named}")
    if runs.generalisation is not None:
        table.add_row("generalisation", f"{fixed(runs.generalisation.mean(), 4)} on average")
    return table


def _iterations(value: float) -> str:
    return "more than the budget" if isinf(value) else f"{value:,.0f} iterations"


def _mismatches(fitness: int) -> str:
    return f"{fitness_text(fitness)} {'mismatch' if fitness == 1 else 'mismatches'}"


def outcome(run: Run) -> Text:
    """Whether the run succeeded, how long it took, and its settings."""
    from gatewalk.search.runs import what_was_run

    generalisation = "" if run.generalisation is None else f", generalisation {number(run.generalisation)}"
    speed = f", {run.iterations / run.seconds:,.0f} iterations/s" if run.seconds > 1 else ""
    head = (
        ("solved", "bold green")
        if run.solved
        else (f"not solved: {_mismatches(run.fitness)} left", "bold yellow")
    )
    return Text.assemble(
        head,
        f" after {counted(run.iterations, 'iteration')} with {counted(run.gates, 'gate')}{generalisation}\n",
        (f"{what_was_run(run)}, {run.seconds:.2f} s{speed}", "dim"),
    )


def advice(run: Run) -> str:
    """Options that may help after a run without success."""
    search = run.search
    tips = [f"--budget {10 * max(1, search.budget)}"]
    if isinstance(search, CgpSearch):
        tips.append(f"--nodes {2 * search.nodes}")
    if search.strict:
        tips.append("--selection nonstrict")
    tips.append("another --seed, or --runs 10")
    return "try " + ", ".join(tips)


def circuit_text(circuit: Circuit) -> Text:
    """The circuit as an expression and, unless it is large, a list of gates."""
    from gatewalk.circuit.text import expression_lines, listing

    lines = [*expression_lines(circuit)]
    if 0 < len(circuit) <= LISTED_GATES:
        lines += ["", *listing(circuit)]
    return Text("\n".join(lines))
