"""The text that `gatewalk evolve` prints about its runs."""

from __future__ import annotations

from math import isinf

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from gatewalk.bigint import short
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.text import expression, listing
from gatewalk.search.run import Run, what_was_run
from gatewalk.search.runs import Runs, best_of

LISTED_GATES = 24


def circuit_text(circuit: Circuit) -> RenderableType:
    """The circuit as an expression and, unless it is large, a list of gates."""
    lines = [*expression(circuit)]
    if 0 < len(circuit) <= LISTED_GATES:
        lines += ["", *listing(circuit)]
    return Text("\n".join(lines))


def outcome(run: Run) -> Text:
    """Whether the run succeeded, how long it took, and its settings."""
    generalisation = "" if run.generalisation is None else f", generalisation {run.generalisation:.4g}"
    speed = f", {run.iterations / run.seconds:,.0f} iterations/s" if run.seconds > 1 else ""
    if run.solved:
        head = ("solved", "bold green")
    else:
        head = (
            f"not solved: {short(run.fitness)} {'mismatch' if run.fitness == 1 else 'mismatches'} left",
            "bold yellow",
        )
    return Text.assemble(
        head,
        f" after {_many(run.iterations, 'iteration', 'iterations')} with "
        f"{_many(run.gates, 'gate', 'gates')}{generalisation}\n",
        (f"{what_was_run(run)}, {run.seconds:.2f} s{speed}", "dim"),
    )


def advice(run: Run) -> str:
    """Options that may help after a run without success."""
    settings = run.settings
    tips = [f"--budget {10 * max(1, settings.budget)}"]
    if settings.nodes is not None:
        tips.append(f"--nodes {2 * settings.nodes}")
    if settings.strict:
        tips.append("--selection nonstrict")
    tips.append("another --seed, or --runs 10")
    return "try " + ", ".join(tips)


def statistics(runs: Runs) -> Table:
    """Success rate, ERT, median and quartiles over runs, and a list of the censored runs."""
    from gatewalk.analysis.statistics import ert, sample, success_rate
    from gatewalk.analysis.survival import quantile

    data = sample(runs.iterations, runs.solved)
    rate = success_rate(data)
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="dim")
    table.add_column()
    table.add_row(
        "success",
        f"{rate.successes} of {rate.runs} (95 %: {rate.interval.low:.3f} to {rate.interval.high:.3f})",
    )
    expected = ert(data)
    words = (
        "unknown: no run succeeded"
        if isinf(expected)
        else f"{_iterations(expected)} (all iterations / successes)"
    )
    table.add_row("ERT", words)
    q1, median, q3 = (quantile(data, fraction).value for fraction in (0.25, 0.5, 0.75))
    table.add_row("median", f"{_iterations(median)} (Kaplan-Meier)")
    table.add_row("quartiles", f"{_iterations(q1)} and {_iterations(q3)}")
    censored = runs.run[~runs.solved].tolist()
    if censored:
        named = ", ".join(map(str, censored[:10])) + (" ..." if len(censored) > 10 else "")
        table.add_row("censored", f"{len(censored)} used their budget up: run {named}")
    if runs.generalisation is not None:
        table.add_row("generalisation", f"{runs.generalisation.mean():.4f} on average")
    return table


def show(runs: Runs, console: Console, *, asked: int, as_is: bool) -> None:
    """Print a summary of the finished runs. asked: how many runs were asked for."""
    best = best_of(runs)
    parts: list[RenderableType] = []
    if len(runs) < asked:
        # Long runs are more likely to be cut short, so the reader must know that some are missing.
        parts.append(Text(f"{len(runs)} of {asked} runs finished; the others are left out", style="bold"))
    elif asked > 1:
        parts.append(Text(f"{asked} runs", style="bold"))
    if len(runs) > 1:
        parts += [statistics(runs), "", Text("smallest circuit found", style="bold")]
    parts += [outcome(best), ""]
    circuit = best.circuit if as_is else best.circuit.simplify()
    if len(circuit) < len(best.circuit):
        parts.append(
            Text(f"simplified to {_many(len(circuit), 'gate', 'gates')} (--as-is shows all)", style="dim")
        )
    if not best.solved:
        parts.insert(-1, Text(advice(best)))
    # In a pipe lines are not wrapped, because programs read them.
    console.print(Group(*parts, circuit_text(circuit)), soft_wrap=not console.is_terminal)


def _iterations(value: float) -> str:
    return "more than the budget" if isinf(value) else f"{value:,.0f} iterations"


def _many(count: int, one: str, several: str) -> str:
    return f"{count:,} {one if count == 1 else several}"
