"""`gatewalk exact`: the exact running time of a small search, from its Markov chain."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cli.bounds import show_notes, value_text
from gatewalk.cli.options import (
    FoundLater,
    Number,
    Whole,
    out_option,
    program_options,
    search_from_options,
    seed_option,
    settings_options,
    target_argument,
    warn_of_ignored,
)
from gatewalk.cli.terminal import announce_compilation, console, progress, table_without_lines, wrote
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.numbers import MINUS, counted, fixed, for_json, number
from gatewalk.search.options import changed_options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from gatewalk.search.options import Search
    from gatewalk.theory.chain.result import ExactResult
    from gatewalk.theory.chain.sam.sampled_sets import SetResult, SetsResult

MOST_OFFSPRING = 1_000_000
EXAMPLES = """\b
Examples:
  gatewalk exact and:4
  gatewalk exact and:4 --nodes 3 --selection strict --quantiles 0.5,0.9,0.99
  gatewalk exact and:3 --nodes 3 --mutation point:2 --quantiles 0.5 --tail 100,1000
  gatewalk exact and:3 --nodes 3 --levels --out worst-start.svg
  gatewalk exact and:4 --selection strict --start penultimate
  gatewalk exact and:2 --nodes 2 --rational
  gatewalk exact xor:3 --nodes 4 --json
  gatewalk exact and:4 --algorithm tgp-multi
  gatewalk exact and:4 --nodes 3 --training sample:8 --sets 20 --seed 1
"""
NAMES = {
    "expected_iterations": "expected iterations",
    "std_iterations": "standard deviation",
    "worst_start_expected": "expected from the worst start",
    "p_solved_at_start": "probability of being solved at the start",
    "p_never": "probability of never being solved",
    "expected_if_solved": "expected iterations if solved",
    "states": "genotypes",
    "classes": "states after lumping",
}
NAMES_ON_SETS = {
    "expected_iterations": "expected iterations",
    "worst_start_expected": "expected from the worst start",
    "p_solved_at_start": "probability of being solved at the start",
    "p_never": "probability of never being solved",
    "p_level_drops": "probability that the level ever drops",
    "generalisation": "generalisation ability of the program found",
}


@click.command(epilog=EXAMPLES)
@target_argument
@program_options(nodes=FoundLater("n-1, if so few can compute TARGET"))
@settings_options("algorithm", "training", "mutation", "offspring", "start", offspring=1)
@click.option(
    "--sets", default=1, show_default=True, type=Whole(1), metavar="K", help="Number of sampled sets."
)
@seed_option(0, "Seed of the sampled sets: those that evolve draws with the same seed.")
@click.option(
    "--levels",
    "show_levels",
    is_flag=True,
    help="Also show the time at each level and sub-level, and the worst start.",
)
@out_option("Write the worst start as a drawing (.svg, .pdf, .png), or its genes (.json) for evolve --start.")
@click.option("--quantiles", metavar="P,P,...", help="Also show these quantiles of the iterations.")
@click.option(
    "--tail", metavar="T,T,...", help="Also show the probabilities of needing more iterations than these."
)
@click.option(
    "--rational", "as_fraction", is_flag=True, help="Also show the expectation as an exact fraction."
)
@click.option("--full", is_flag=True, help="Use no symmetries: make every genotype a state.")
@click.option(
    "--memory",
    default=16,
    show_default=True,
    type=Number(least=0.001, most=1e6),
    metavar="GB",
    help="Refuse chains that need more memory than this.",
)
def exact(
    target: str,
    as_json: bool,
    show_levels: bool,
    out: Path | None,
    quantiles: str | None,
    tail: str | None,
    as_fraction: bool,
    full: bool,
    memory: float,
    sets: int,
    seed: int,
    **given: Any,
) -> None:
    """Compute the exact expected iterations of a search for TARGET.

    Also shown are their standard deviation and the expected iterations from the worst start. The search is a
    Markov chain on programs; programs that differ only by a symmetry count as one state. The expectation is
    infinite if the search may never end. Iterations are those that the profile reports: T, the number of
    offspring, with the profile paper, and T - 1 with tinyverse.

    With --training sample, each training set has a chain of its own, and the numbers are means over the sets.
    Two more are shown: the probability that the level, the number of inputs in use, ever drops, and the
    generalisation ability of the program found.
    """
    from gatewalk.theory.chain.exact import Details, result_with_details
    from gatewalk.theory.chain.reach import with_default_nodes
    from gatewalk.theory.chain.result import with_settings

    search = with_default_nodes(partial(search_from_options, target), given)
    warn_of_ignored(search)
    most = int(memory * 1e9)
    is_default = given["nodes"] is None and isinstance(search, CgpSearch)
    if search.rows is not None:
        has_start = isinstance(search, CgpSearch) and search.start is not None
        if show_levels or quantiles or tail or as_fraction or out is not None or has_start:
            raise InputError(
                "--levels, --out, --quantiles, --tail, --rational and --start are for --training complete"
            )
        results = _solve_sets(search, sets=sets, seed=seed, lump=not full, memory=most, as_json=as_json)
        if as_json:
            click.echo(json.dumps(with_settings(results.record(), search)))
        else:
            _show_sets(results)
            _show_choices(search, is_default)
        return
    operator = str(search.mutation) if isinstance(search, CgpSearch) else search.algorithm
    if show_levels and operator != "sam":
        raise InputError(f"--levels is for --mutation sam, not {operator}")
    details = Details(
        quantiles=_probabilities(quantiles),
        tail=_numbers_of_iterations(tail),
        levels=show_levels,
        worst_start=out is not None,
        fraction=as_fraction,
    )
    whole_number("--lambda", search.offspring, least=1, most=MOST_OFFSPRING)
    if out is not None:
        _check_suffix(out)
    announce_compilation()
    with progress(f"solving {search.target.label}") as on_progress:
        result, extra = result_with_details(
            search, details, lump=not full, memory=most, on_progress=on_progress
        )
    if out is not None:
        _write_program(out, search, extra["worst_start"])
    if as_json:
        click.echo(json.dumps({**result.record(), **extra}))
    else:
        _show(result, extra)
        _show_choices(search, is_default)
    if out is not None:
        wrote(out, as_json=as_json)


def _probabilities(text: str | None) -> tuple[float, ...]:
    if text is None:
        return ()
    try:
        probabilities = tuple(float(word) for word in text.split(","))
    except ValueError:
        probabilities = (-1.0,)
    if not all(0.0 <= p < 1.0 for p in probabilities):
        raise InputError(
            f"--quantiles {shown(text)}: give probabilities in [0, 1), separated by commas, e.g. 0.5,0.9,0.99"
        )
    return probabilities


def _numbers_of_iterations(text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    words = text.split(",")
    if not all(word.isascii() and word.isdecimal() and len(word) <= 15 for word in words):
        raise InputError(
            f"--tail {shown(text)}: give whole numbers of iterations, separated by commas, e.g. 100,1000"
        )
    return tuple(map(int, words))


def _check_suffix(path: Path) -> None:
    """Refuse a file with an unknown suffix, or one that needs a missing extra, before anything is solved."""
    from gatewalk.circuit.drawing.picture import check_suffix

    if path.suffix != ".json":
        check_suffix(path)


def _write_program(path: Path, search: Search, genes: list[int] | None) -> None:
    from gatewalk.cgp.drawing import genotype_picture
    from gatewalk.circuit.drawing.picture import write_picture

    if genes is None:
        raise InputError(
            f"every program of {search.target.label} is solved; there is no worst start to write"
        )
    if path.suffix == ".json":
        path.write_text(json.dumps({"genes": genes}) + "\n", encoding="utf-8")
    else:
        write_picture(genotype_picture(**_program(search, genes)), path)


def _program(search: Search, genes: list[int]) -> dict[str, Any]:
    """A program as the arguments of the functions that draw and list it."""
    from gatewalk.cgp.genotype import check

    assert isinstance(search, CgpSearch)  # only Cartesian GP has a worst start to write
    labels = {"input_labels": search.target.input_labels, "output_labels": search.target.output_labels}
    return {"shape": search.shape, "genes": check(search.shape, genes), **labels}


SHOWN_BOUNDS = (  # with the exact time, what is proven without solving the chain
    "xor_lower",
    "xor_lower_active",
    "conjunction_lower",
    "certified_levels",
    "conjunction_upper",
)
UPPER_BOUNDS = ("theorem3", "theorem6")


def _show(result: ExactResult, extra: dict[str, Any]) -> None:
    from gatewalk.search.runs import what_is_searched
    from gatewalk.theory.assumptions import is_taught
    from gatewalk.theory.statements import applied

    search = result.search
    screen = console()
    _show_title(screen, what_is_searched(search, start=True))
    table = table_without_lines()
    table.add_column("", no_wrap=True)
    table.add_column("", justify="right")
    record = {**result.record(), **extra}
    errors = {
        "expected_iterations": result.error,
        "worst_start_expected": result.error,
        "std_iterations": result.std_error,
    }
    uncounted = search.law.uncounted
    for key, name in NAMES.items():
        value = record.get(key)
        if value is None:
            continue
        words = name
        if key == "expected_iterations":
            words += "" if record["start"] in (None, "random") else " from this start"
            words += f", T {MINUS} {uncounted}" if uncounted else ""
        table.add_row(words, _enclosed(value, errors.get(key, 0.0)))
        if key == "expected_iterations" and uncounted and result.expected_offspring is not None:
            table.add_row(
                "expected T, every offspring counted",
                _enclosed(for_json(result.expected_offspring), result.error),
            )
    keys = (*SHOWN_BOUNDS, *UPPER_BOUNDS) if is_taught(search) else ()
    proven = [item for key in keys if (item := applied(key, search)).value is not None]
    upper = [item for item in proven if item.key in UPPER_BOUNDS]
    bounds = [item for item in proven if item.key in SHOWN_BOUNDS]
    for item in bounds:
        table.add_row(f"{item.side}: {item.name}", value_text(item.value, side=item.side))
    for probability, iterations in extra.get("quantiles", {}).items():
        table.add_row(f"{probability} quantile", _text(iterations))
    for iterations, probability in extra.get("tail", {}).items():
        table.add_row(
            f"probability of needing more than {counted(int(iterations), 'iteration')}", _text(probability)
        )
    for item in upper:
        table.add_row(f"bound of {item.name}", value_text(item.value, side=item.side))
    screen.print(table)
    show_notes(screen, [*bounds, *upper])
    if "levels" in extra:
        title = "expected iterations at i-, without a free connection, and at i+, with one"
        screen.print(f"\n[bold]{title}[/bold]", highlight=False)
        screen.print(_level_table(search, extra["levels"]))
    if extra.get("worst_start"):
        _show_program(screen, search, extra["worst_start"])
    if "fraction" in extra:
        screen.print(f"expected iterations = {extra['fraction']}", highlight=False, soft_wrap=True)


def _show_title(screen: Console, words: str) -> None:
    """Print what was solved; it may be longer than the table below it, which would wrap it."""
    screen.print(f"[bold]{escape(words)}[/bold]", highlight=False)


def _show_choices(search: Search, is_default: bool) -> None:
    """Print notes on what the user did not choose: the number of nodes, and what the profile leaves out."""
    notes = []
    if is_default and isinstance(search, CgpSearch):
        notes.append(
            f"D = {search.nodes}, the fewest nodes with which {search.target.label} can be computed; "
            "--nodes chooses others"
        )
    if uncounted := search.law.uncounted:
        is_of_profile = "uncounted" not in changed_options(search)
        law = f"the profile {search.profile}" if is_of_profile else f"uncounted={uncounted}"
        notes.append(
            f"of T offspring {law} reports T {MINUS} {uncounted} iterations, or 0 if T is less; "
            "all times are reported ones, unless they say T"
        )
    for words in notes:
        console().print(f"[dim]note:[/dim] {escape(words)}", highlight=False)


def _level_table(search: Search, levels: list[dict[str, Any]]) -> Table:
    """The expected time at each level and sub-level, with the proofs' bounds where they apply."""
    from gatewalk.theory.observe.levels import proof_estimates

    table = table_without_lines()
    estimates = [proof_estimates(search, level["level"]) for level in levels if level["level"] is not None]
    times = [estimate.times for estimate in estimates if estimate is not None]
    bounds = [name for i, name in enumerate(("Theorem 3", "Theorem 6")) if times and times[0][i]]
    kind = "level" if levels and levels[0]["level"] is not None else "fitness"
    for name in (kind, "at i-", "at i+", *(f"{name}: at most" for name in bounds)):
        table.add_column(name, justify="right")
    for i, level in enumerate(levels):
        most = [value_text(value, side="at most") for value in times[i] if value is not None] if times else []
        table.add_row(str(level[kind]), _text(level["bound"]), _text(level["free"]), *most)
    return table


def _show_program(screen: Console, search: Search, genes: list[int]) -> None:
    from gatewalk.cgp.genotype import whole_circuit
    from gatewalk.circuit.text import listing

    words = ",".join(map(str, genes))
    screen.print(f"\n[bold]the worst start[/bold], genes:{words}", highlight=False, soft_wrap=True)
    for line in listing(whole_circuit(**_program(search, genes))):
        screen.print(f"  {line}", highlight=False, markup=False)


def _enclosed(value: Any, error: float) -> str:
    """A number; or the interval that contains it, if the error is large enough to change the digits shown."""
    if error <= 1e-6:
        return _text(value)
    return f"{number(value - error / 2, digits=6)} to {number(value + error / 2, digits=6)}"


def _text(value: Any) -> str:
    """A value with six decimals, more than an estimate has: it is exact."""
    if isinstance(value, str):
        return "infinite" if value == "inf" else value
    is_plain = isinstance(value, float) and (1e-4 <= abs(value) < 1e9 or value == 0)
    return fixed(value, 6) if is_plain else number(value, digits=7)


def _solve_sets(
    search: Search, *, sets: int, seed: int, lump: bool, memory: int, as_json: bool
) -> SetsResult:
    """Solve sampled sets. With JSON, print a line for each of several as soon as it is solved."""
    from gatewalk.theory.chain.result import with_settings
    from gatewalk.theory.chain.sam.sampled_sets import exact_sets

    announce_compilation()

    def on_done(result: SetResult) -> None:
        if as_json and sets > 1:
            nodes = search.nodes if isinstance(search, CgpSearch) else None
            record = {"target": search.target.name, "nodes": nodes, **result.record()}
            click.echo(json.dumps(with_settings(record, search)))

    with progress(f"solving {search.target.label} on {counted(sets, 'set')}") as on_progress:
        return exact_sets(
            search,
            sets=sets,
            seed=seed,
            lump=lump,
            memory=memory,
            on_done=on_done,
            on_progress=on_progress,
        )


def _show_sets(results: SetsResult) -> None:
    from gatewalk.search.runs import what_is_searched

    search = results.search
    several = len(results.sets) > 1
    means = f", means over {len(results.sets)} sets" if several else ""
    screen = console()
    _show_title(screen, f"{what_is_searched(search)}, seed {results.seed}{means}")
    table = table_without_lines()
    table.add_column("", no_wrap=True)
    for header in ("", "±", "least", "most") if several else ("",):
        table.add_column(header, justify="right")
    records = [result.record() for result in results.sets]
    for key, name in NAMES_ON_SETS.items():
        values = [float("nan") if record[key] is None else float(record[key]) for record in records]
        mean, error = results.mean(key)
        cells = [mean, error, min(values), max(values)] if several else [mean]
        table.add_row(name, *(fixed(cell, 4) for cell in cells))
    table.add_row("states after lumping, at most", number(max(record["classes"] for record in records)))
    screen.print(table)
