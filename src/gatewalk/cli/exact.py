"""`gatewalk exact`: the exact running time of a small search, from its Markov chain."""

from __future__ import annotations

import json
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gatewalk.circuit.picture_files import check_suffix, write_picture
from gatewalk.cli.options import (
    WHOLE,
    check_place,
    program_options,
    settings_given,
    target_argument,
    warn_of_ignored,
)
from gatewalk.errors import InputError, whole_number

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from gatewalk.search.settings import Settings
    from gatewalk.theory.chain.result import ExactResult

EXAMPLES = """\b
Examples:
  gatewalk exact and:4 --nodes 4
  gatewalk exact and:4 --nodes 3 --selection strict --quantiles 0.5,0.9,0.99
  gatewalk exact and:3 --nodes 3 --mutation point:2 --quantiles 0.5 --tail 100,1000
  gatewalk exact and:3 --nodes 3 --levels --out worst-start.svg
  gatewalk exact and:2 --nodes 2 --rational
  gatewalk exact xor:3 --nodes 4 --json
  gatewalk exact and:4 --algorithm tgp-multi
  gatewalk exact and:4 --nodes 3 --training sample:8 --sets 20 --seed 1
"""


@click.command(epilog=EXAMPLES, short_help="Exact expected running time from the Markov chain.")
@target_argument
@program_options
@click.option(
    "--algorithm",
    default="cgp",
    show_default=True,
    metavar="cgp|tgp-single|tgp-multi",
    help="Cartesian GP, or tree GP with one or with several mutation steps per offspring.",
)
@click.option(
    "--training",
    default="complete",
    show_default=True,
    metavar="complete|sample|sample:ROWS",
    help="All 2^n rows, or samples: those that evolve draws with the same seed.",
)
@click.option("--sets", default=1, show_default=True, type=WHOLE, metavar="K", help="Number of sampled sets.")
@click.option(
    "--seed", default=0, show_default=True, type=WHOLE, metavar="S", help="Seed of the sampled sets."
)
@click.option(
    "--mutation", default="sam", show_default=True, metavar="sam|point:K|rate:P", help="How cgp mutates."
)
@click.option(
    "--lambda",
    "offspring",
    default=1,
    show_default=True,
    type=int,
    metavar="L",
    help="Offspring per generation.",
)
@click.option(
    "--levels",
    "show_levels",
    is_flag=True,
    help="Also show the time at each level and sub-level, and the worst start.",
)
@click.option(
    "--out",
    metavar="FILE",
    help="Write the worst start: as a drawing (.svg, .pdf, .png), or its genes (.json) for evolve --start.",
)
@click.option("--quantiles", metavar="P,P,...", help="Also show these quantiles of the iterations.")
@click.option("--tail", metavar="T,T,...", help="Also show the probabilities of more iterations than these.")
@click.option(
    "--rational", "as_fraction", is_flag=True, help="Also show the expectation as an exact fraction."
)
@click.option("--full", is_flag=True, help="Use no symmetries: every genotype is a state.")
@click.option(
    "--memory",
    default=16.0,
    show_default=True,
    type=click.FloatRange(0.001, 1e6),
    metavar="GB",
    help="Refuse a chain that would take more memory.",
)
def command(
    target: str,
    as_json: bool,
    show_levels: bool,
    out: str | None,
    quantiles: str | None,
    tail: str | None,
    as_fraction: bool,
    full: bool,
    memory: float,
    sets: int,
    seed: int,
    **given: Any,
) -> None:
    """The exact expected iterations of a search for TARGET, their standard deviation, and the worst start.

    The search is a Markov chain on programs; programs that differ only by a symmetry count as one state.
    Iterations are counted as the profile counts them. The expectation is infinite if the search may never
    end. With --training sample, each training set has a chain of its own, and the numbers are means over the
    sets; two more are shown: the chance that the level, the number of inputs in use, ever drops, and the
    generalisation ability of the program found.
    """
    from gatewalk.cli.background import watched
    from gatewalk.cli.progress import announce_compilation
    from gatewalk.theory.chain.details import Wanted, result_with_details

    given["nodes"] = given["nodes"] or "2n"  # not the default of `evolve`, which depends on the target
    settings = settings_given(target, given)
    warn_of_ignored(settings.algorithm)
    if settings.training != "complete":
        from gatewalk.cli.exact_sets import show_sets

        if show_levels or quantiles or tail or as_fraction or out is not None:
            raise InputError(
                "--levels, --out, --quantiles, --tail and --rational are for --training complete"
            )
        show_sets(settings, sets=sets, seed=seed, lump=not full, gigabytes=memory, as_json=as_json)
        return
    if show_levels and settings.mutation != "sam":
        raise InputError(f"--levels is for --mutation sam, not {settings.mutation or settings.algorithm}")
    wanted = Wanted(
        quantiles=_probabilities(quantiles),
        tail=_iterations(tail),
        levels=show_levels,
        worst_start=out is not None,
        fraction=as_fraction,
    )
    whole_number("--lambda", settings.offspring, least=1, most=1_000_000)
    if isnan(memory):
        raise InputError("--memory is not a number")
    most = int(memory * 1e9)
    path = None if out is None else Path(out)
    if path is not None:
        _check_out(path)
    announce_compilation()

    found, extra = watched(
        f"solving {settings.label}",
        lambda tell: result_with_details(settings, wanted, lump=not full, memory=most, watch=tell),
    )
    if path is not None:
        _write_program(path, settings, extra["worst_start"])
    if as_json:
        click.echo(json.dumps({**found.record(), **extra}))
        return
    _print(found, extra)


def _check_out(path: Path) -> None:
    """Refuse a file with an unknown suffix, or one that needs a missing extra, before anything is solved."""
    if path.suffix != ".json":
        check_suffix(path)
    check_place(path)


def _write_program(path: Path, settings: Settings, genes: list[int] | None) -> None:
    if genes is None:
        raise InputError(f"every program of {settings.label} is solved: there is no worst start to write")
    if path.suffix == ".json":
        path.write_text(json.dumps({"genes": genes}) + "\n", encoding="utf-8")
        return
    from gatewalk.search.program_drawing import genotype_picture

    write_picture(genotype_picture(**_program(settings, genes)), path)


def _program(settings: Settings, genes: list[int]) -> dict[str, Any]:
    """A program as the arguments of the functions that draw and list it."""
    from gatewalk.cgp.genotype import check
    from gatewalk.search.cgp_search import shape_of

    shape, wanted = shape_of(settings), settings.wanted
    labels = {"input_labels": wanted.input_labels, "output_labels": wanted.output_labels}
    return {"shape": shape, "genes": check(shape, genes), **labels}


def _probabilities(text: str | None) -> tuple[float, ...]:
    if text is None:
        return ()
    try:
        found = tuple(float(one) for one in text.split(","))
    except ValueError:
        found = (-1.0,)
    if not all(0.0 <= one < 1.0 for one in found):
        raise InputError(f"--quantiles {text}: give probabilities in [0, 1) with commas, as 0.5,0.9,0.99")
    return found


def _iterations(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    parts = text.split(",")
    if not all(one.isascii() and one.isdecimal() and len(one) <= 15 for one in parts):
        raise InputError(f"--tail {text}: give whole numbers of iterations with commas, as 100,1000")
    return tuple(int(one) for one in parts)


def _print(found: ExactResult, extra: dict[str, Any]) -> None:
    from rich.table import Table

    from gatewalk.cli.console import console as unwrapped
    from gatewalk.cli.numbers import show_notes
    from gatewalk.theory.statements import applied

    settings = found.settings
    nodes = f", D = {settings.nodes}" if settings.nodes is not None else ""
    title = f"{settings.label}, {settings.algorithm}{nodes}, {settings.selection}, {settings.profile}"
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
    for key in ("xor_lower", "xor_lower_active", "enclosure_lower", "certified_levels", "enclosure_upper"):
        item = applied(key, settings)
        if item.value is not None:
            table.add_row(
                f"{'at most' if 'at most' in item.says else 'at least'}: {item.name}", _text(item.value)
            )
    for probability, iterations in extra.get("quantiles", {}).items():
        table.add_row(f"reached with probability {probability}", _text(iterations))
    for iterations, probability in extra.get("tail", {}).items():
        table.add_row(f"probability to need more than {int(iterations):,}", _text(probability))
    upper = [applied(key, settings) for key in ("theorem3", "theorem6")]
    for item in upper:
        if item.value is not None:
            table.add_row(f"bound of {item.name}", _text(item.value))
    console = unwrapped()
    console.print(table)
    show_notes(console, upper)
    if "levels" in extra:
        title = "expected iterations at i-, without a free connection, and at i+, with one"
        console.print(f"\n[bold]{title}[/bold]", highlight=False)
        console.print(_level_table(settings, extra["levels"]))
    if extra.get("worst_start"):
        _print_program(console, settings, extra["worst_start"])
    if "fraction" in extra:
        console.print(f"expected iterations = {extra['fraction']}", highlight=False, soft_wrap=True)


def _level_table(settings: Settings, levels: list[dict[str, Any]]) -> Table:
    """The expected time at each level and sub-level, beside the proofs' bounds where they apply."""
    from rich.table import Table

    from gatewalk.theory.level_report import proof_estimates

    table = Table(box=None, pad_edge=False)
    estimates = [proof_estimates(settings, one["level"]) for one in levels if one["level"] is not None]
    times = [one.times for one in estimates if one is not None]
    bounds = [name for place, name in enumerate(("Theorem 3", "Theorem 6")) if times and times[0][place]]
    kind = "level" if levels and levels[0]["level"] is not None else "fitness"
    for name in (kind, "at i-", "at i+", *(f"{name}: at most" for name in bounds)):
        table.add_column(name, justify="right")
    for row, one in enumerate(levels):
        most = [_text(value) for value in times[row] if value is not None] if times else []
        table.add_row(str(one[kind]), _text(one["bound"]), _text(one["free"]), *most)
    return table


def _print_program(console: Console, settings: Settings, genes: list[int]) -> None:
    from gatewalk.circuit.text import listing
    from gatewalk.search.program_pictures import whole_circuit

    words = ",".join(map(str, genes))
    console.print(f"\n[bold]the worst start[/bold], genes:{words}", highlight=False, soft_wrap=True)
    for line in listing(whole_circuit(**_program(settings, genes))):
        console.print(f"  {line}", highlight=False, markup=False)


def _enclosed(value: Any, error: float) -> str:
    """A number; or the interval that contains it, if the error is large enough to change the digits shown."""
    if error <= 1e-6:
        return _text(value)
    return f"{value - error / 2:,.6g} to {value + error / 2:,.6g}"


def _text(value: Any) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6f}" if 1e-4 <= abs(value) < 1e9 or value == 0 else f"{value:.6e}"
    return str(value)
