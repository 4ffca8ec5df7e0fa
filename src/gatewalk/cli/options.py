"""Options that several commands share, in the words of the contract."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from gatewalk.errors import InputError, whole_number

MOST_RUNS = 1_000_000_000
F = TypeVar("F", bound=Callable[..., Any])


def _all(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


target_argument = click.argument("target", metavar="TARGET")

nodes_option = click.option(
    "--nodes", default="2n", show_default=True, metavar="D", help="Nodes: a number or 2n, 3n+1, n^2."
)
selection_option = click.option(
    "--selection",
    default="nonstrict",
    show_default=True,
    metavar="nonstrict|strict",
    help="Are ties accepted?",
)
profile_option = click.option(
    "--profile",
    default="paper",
    show_default=True,
    metavar="paper|tinyverse",
    help="Algorithms 1-3 to the letter, or as the published experiments ran.",
)
option_option = click.option(
    "--option",
    "law_options",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change one option of the profile, as in --option ties=coin. May be repeated.",
)
gates_option = click.option(
    "--gates", metavar="and,or,...", help="Gates in this order; default: the target's own minimal set."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="JSON lines on standard output, nothing else."
)

program_options = _all(
    nodes_option, selection_option, profile_option, option_option, gates_option, json_option
)

run_options = _all(
    click.option("--algorithm", default="cgp", show_default=True, metavar="cgp|tgp-single|tgp-multi"),
    click.option(
        "--mutation", default="sam", show_default=True, metavar="sam|point:K|rate:P", help="For cgp."
    ),
    click.option(
        "--training",
        default="complete",
        show_default=True,
        metavar="complete|sample[:ROWS]",
        help="All 2^n rows, or rows drawn for each run; sample is n^1.3 of them, rounded up.",
    ),
    click.option("--budget", default=1_000_000, show_default=True, type=int, metavar="ITERATIONS"),
    click.option("--runs", default=1, show_default=True, type=int, metavar="R", help="How many seeded runs."),
    click.option("--seed", default=0, show_default=True, type=int, metavar="S"),
    click.option("--jobs", type=int, metavar="J", help="Threads; default: one per processor."),
    click.option(
        "--evaluation",
        default="auto",
        show_default=True,
        metavar="auto|table|symbolic|reference",
        help="How fitness is computed; the runs are the same.",
    ),
    click.option(
        "--lambda",
        "offspring",
        default=1,
        show_default=True,
        type=int,
        metavar="L",
        help="Offspring a generation.",
    ),
    click.option(
        "--start",
        default="random",
        show_default=True,
        metavar="random|penultimate|FILE",
        help="Where to begin: a JSON file of genes, or Theorem 4's program (D = n-1).",
    ),
)


def warn_of_ignored(algorithm: str) -> None:
    """Say which options of programs were given for trees, which have none of them."""
    context = click.get_current_context()
    for name in ("nodes", "mutation"):
        if algorithm != "cgp" and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            click.echo(f"gatewalk: warning: --{name} is for --algorithm cgp and left out", err=True)


def check_runs(runs: int, seed: int, jobs: int | None) -> None:
    """Refuse numbers of runs, seeds and threads that cannot be."""
    whole_number("--runs", runs, least=1, most=MOST_RUNS)
    whole_number("--seed", seed, least=0)
    if jobs is not None:
        from gatewalk.search.evolve import check_jobs

        check_jobs(jobs, "--jobs")


def check_place(path: Path) -> None:
    """Refuse a file that cannot be written before any run."""
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")


def parse_law_options(texts: tuple[str, ...]) -> dict[str, object]:
    """`("ties=coin",)` as a dictionary."""
    parsed: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--option {text!r} is not NAME=VALUE, as in --option ties=coin")
        parsed[name.strip()] = value.strip()
    return parsed
