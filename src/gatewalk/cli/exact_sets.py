"""`gatewalk exact --training sample`: exact running times on sampled training sets."""

from __future__ import annotations

import json
from math import isnan
from typing import TYPE_CHECKING, Any

import click

from gatewalk.cli.background import watched
from gatewalk.cli.console import console
from gatewalk.cli.progress import announce_compilation
from gatewalk.errors import InputError

if TYPE_CHECKING:
    from gatewalk.search.settings import Settings
    from gatewalk.theory.chain.sampled_sets import SetResult, SetsResult


def show_sets(
    settings: Settings, *, sets: int, seed: int, lump: bool, gigabytes: float, as_json: bool
) -> None:
    """Solve the sets and print the results. In JSON: a line for each solved set, then the means."""
    from gatewalk.theory.chain.sampled_sets import exact_sets

    if isnan(gigabytes):
        raise InputError("--memory is not a number")
    memory = int(gigabytes * 1e9)
    announce_compilation()

    def done(one: SetResult) -> None:
        if as_json and sets > 1:
            click.echo(json.dumps({"target": settings.target, "nodes": settings.nodes, **one.record()}))

    found = watched(
        f"solving {settings.label} on {sets} set{'s' if sets > 1 else ''}",
        lambda tell: exact_sets(
            settings, sets=sets, seed=seed, lump=lump, memory=memory, on_done=done, watch=tell
        ),
    )
    if as_json:
        click.echo(json.dumps(found.record()))
    else:
        _print(found)


def _print(found: SetsResult) -> None:
    from rich.table import Table

    settings = found.settings
    several = len(found.sets) > 1
    search = f"{settings.selection}, {settings.profile}, {settings.training}"
    title = f"{settings.label}, D = {settings.nodes}, {search}"
    title += f", seed {found.seed}" + (f", means over {len(found.sets)} sets" if several else "")
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column("", justify="right")
    for header in ("±", "least", "most") if several else ():
        table.add_column(header, justify="right")
    names = {
        "expected_iterations": "expected iterations",
        "worst_start_expected": "expected from the worst start",
        "p_solved_at_start": "probability to be solved at the start",
        "p_never": "probability never to be solved",
        "p_level_drops": "probability that the level ever drops",
        "generalisation": "generalisation ability of the program found",
    }
    for key, name in names.items():
        values = [float("nan") if value is None else float(value) for value in _column(found, key)]
        mean, error = found.mean(key)
        cells = [mean, error, min(values), max(values)] if several else [mean]
        table.add_row(name, *(_text(cell) for cell in cells))
    table.add_row("states after lumping, at most", f"{max(_column(found, 'classes')):,}")
    console().print(table)


def _column(found: SetsResult, key: str) -> list[Any]:
    return [one.record()[key] for one in found.sets]


def _text(value: float) -> str:
    return "-" if value != value else f"{value:,.4f}"
