"""`gatewalk exact`: the exact running time of a small search, from its Markov chain."""

from __future__ import annotations

import json
from math import inf, isnan
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.options import program_options, settings_given, target_argument, warn_of_ignored
from gatewalk.errors import InputError, whole_number

if TYPE_CHECKING:
    from gatewalk.search.settings import Settings
    from gatewalk.theory.chain.markov_chain import TellProgress
    from gatewalk.theory.chain.result import ExactResult
    from gatewalk.theory.chain.sam_search import Exact

EXAMPLES = """\b
Examples:
  gatewalk exact and:4 --nodes 4
  gatewalk exact and:4 --nodes 3 --selection strict --quantiles 0.5,0.9,0.99
  gatewalk exact and:3 --nodes 3 --levels
  gatewalk exact and:2 --nodes 2 --rational
  gatewalk exact xor:3 --nodes 4 --json
  gatewalk exact and:4 --algorithm tgp-multi
"""


@click.command(epilog=EXAMPLES, short_help="Exact expected running time from the Markov chain.")
@target_argument
@program_options
@click.option("--algorithm", default="cgp", show_default=True, metavar="cgp|tgp-single|tgp-multi")
@click.option("--mutation", default="sam", show_default=True, metavar="sam|point:K|rate:P", help="For cgp.")
@click.option(
    "--lambda",
    "offspring",
    default=1,
    show_default=True,
    type=int,
    metavar="L",
    help="Offspring a generation.",
)
@click.option("--levels", "show_levels", is_flag=True, help="Also the time at each level and sub-level.")
@click.option("--quantiles", metavar="P,P,...", help="Also the iterations reached with these probabilities.")
@click.option("--rational", "as_fraction", is_flag=True, help="Also the expectation as an exact fraction.")
@click.option("--full", is_flag=True, help="Do not lump: every genotype is a state.")
@click.option(
    "--memory",
    default=16.0,
    show_default=True,
    type=click.FloatRange(0.001, 1e6),
    metavar="GB",
    help="Refuse what would take more.",
)
def command(
    target: str,
    as_json: bool,
    show_levels: bool,
    quantiles: str | None,
    as_fraction: bool,
    full: bool,
    memory: float,
    **given: Any,
) -> None:
    """The expected iterations, their deviation and the worst start of a search for TARGET, exactly.

    The search is a Markov chain on programs; programs that a symmetry exchanges are one state. Iterations
    are counted as the profile counts them. Infinite is what may never end.
    """
    from gatewalk.cli.background import ending_at_once, in_background
    from gatewalk.cli.progress import announce_compilation, progress

    given["nodes"] = given["nodes"] or "2n"  # whatever a search for it would take
    made = settings_given(target, given)
    warn_of_ignored(made.algorithm)
    wanted = _probabilities(quantiles)
    whole_number("--lambda", made.offspring, least=1, most=1_000_000)
    if isnan(memory):
        raise InputError("--memory is not a number")
    announce_compilation()
    last = (0.0, "begins")
    with ending_at_once(), progress(f"solving {made.label}", 1.0) as show:

        def watch(what: str, done: float) -> None:
            nonlocal last
            last = (done, what)
            show(*last)

        def work() -> tuple[ExactResult, dict[str, Any]]:
            found, extra = _found(
                made, wanted, show_levels, lump=not full, memory=int(memory * 1e9), watch=watch
            )
            if as_fraction:
                from gatewalk.theory.chain.rational_times import rational

                watch("fraction", 1.0)
                extra["fraction"] = str(rational(made))
            return found, extra

        found, extra = in_background(work, beat=lambda: show(*last))
    if as_json:
        click.echo(json.dumps({**found.record(), **extra}))
        return
    _print(found, extra)


def _probabilities(text: str | None) -> list[float]:
    if text is None:
        return []
    try:
        found = [float(one) for one in text.split(",")]
    except ValueError:
        found = [-1.0]
    if not all(0.0 <= one < 1.0 for one in found):
        raise InputError(f"--quantiles {text}: give probabilities in [0, 1) with commas, as 0.5,0.9,0.99")
    return found


def _found(
    made: Settings, quantiles: list[float], show_levels: bool, *, lump: bool, memory: int, watch: TellProgress
) -> tuple[ExactResult, dict[str, Any]]:
    from gatewalk.theory.chain.solver import exact_details, exact_result

    if not quantiles and not show_levels:
        result = exact_result(made, lump=lump, memory=memory, watch=watch)
        return result, _rare(result)
    exact = exact_details(made, lump=lump, memory=memory, watch=watch)
    return exact.result, {**_rare(exact.result), **_details(exact, quantiles, show_levels, watch)}


def _rare(result: ExactResult) -> dict[str, Any]:
    """What is only worth saying where it is not nothing."""
    extra: dict[str, Any] = {}
    if result.p_never > 0:
        known = None if isnan(result.expected_if_solved) else result.expected_if_solved
        extra |= {"p_never": result.p_never, "expected_if_solved": known}
    if result.error > 0:
        extra |= {"error": result.error, "std_error": result.std_error}
    return extra


def _details(exact: Exact, quantiles: list[float], show_levels: bool, watch: TellProgress) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if quantiles:
        distribution = exact.distribution(watch=watch)
        reached = {p: distribution.quantile(p) for p in quantiles}
        extra["quantiles"] = {repr(p): "inf" if t == inf else int(t) for p, t in reached.items()}
    if show_levels:
        extra["levels"] = [
            {"fitness": one.fitness, "free": one.free, "bound": one.bound}
            for one in exact.levels(watch=watch)
        ]
    return extra


def _print(found: ExactResult, extra: dict[str, Any]) -> None:
    from rich.table import Table

    from gatewalk.cli.console import console
    from gatewalk.theory.statements import statements

    made = found.settings
    nodes = f", D = {made.nodes}" if made.nodes is not None else ""
    title = f"{made.label}, {made.algorithm}{nodes}, {made.selection}, {made.profile}"
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("", justify="right")
    record = found.record()
    names = {
        "expected_iterations": "expected iterations",
        "std_iterations": "standard deviation",
        "worst_start_expected": "expected from the worst start",
        "p_solved_at_start": "probability to be solved at the start",
        "p_never": "probability never to be solved",
        "expected_if_solved": "expected iterations if solved",
        "states": "genotypes",
        "classes": "states after lumping",
    }
    errors = {"std_iterations": found.std_error} | dict.fromkeys(
        ("expected_iterations", "worst_start_expected"), found.error
    )
    for key, name in names.items():
        value = {**record, **extra}.get(key)
        if value is not None:
            table.add_row(name, _enclosed(value, errors.get(key, 0.0)))
    for probability, iterations in extra.get("quantiles", {}).items():
        table.add_row(f"reached with probability {probability}", _text(iterations))
    for one in extra.get("levels", []):
        table.add_row(f"time at fitness {one['fitness']}, with a free connection", _text(one["free"]))
        table.add_row(f"time at fitness {one['fitness']}, without", _text(one["bound"]))
    if made.algorithm == "cgp":
        for item in statements(made):
            if item.key in ("theorem3", "theorem6") and item.value is not None:
                table.add_row(f"bound of {item.name}", _text(item.value))
    screen = console()
    screen.print(table)
    if "fraction" in extra:
        screen.print(f"expected iterations = {extra['fraction']}", highlight=False, soft_wrap=True)


def _enclosed(value: Any, error: float) -> str:
    """A number, or the interval of that length about it if the last digits shown would be wrong."""
    if error <= 1e-6:
        return _text(value)
    return f"{value - error / 2:,.6g} to {value + error / 2:,.6g}"


def _text(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6f}" if 1e-4 <= abs(value) < 1e9 or value == 0 else f"{value:.6e}"
    return str(value)
