"""From a campaign to its cells: the product of each grid, validated, and each cell once.

An option that does not apply to an algorithm (nodes and mutation for trees, single fields of
the other algorithm's law) is left out before the product is made distinct, so it multiplies
nothing. Cells that coincide, within a grid or between grids, are one cell with the larger
number of replications.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from gatewalk.campaign.identity import cell_key
from gatewalk.campaign.spec import Campaign, Grid
from gatewalk.campaign.toml_lines import key_lines, line_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.errors import InputError
from gatewalk.search.settings import Settings, law_text, settings
from gatewalk.tgp.law import TgpLaw

_ONLY_CGP = ("nodes", "mutation")
_TOML_NAMES = {"offspring": "lambda"}


@dataclass(frozen=True, kw_only=True)
class Cell:
    """All runs with the same settings and seed.

    options: what `search.settings` was called with, enough to make `settings` again.
    law: the canonical text of what determines a trajectory. key: the cell's identity.
    """

    settings: Settings
    options: Mapping[str, Any]
    seed: int
    replications: int
    law: str
    key: bytes


def plan(campaign: Campaign) -> tuple[Cell, ...]:
    """The distinct cells of a campaign, in the order of its grids."""
    cells: dict[bytes, Cell] = {}
    for index, grid in enumerate(campaign.grids):
        tried: set[tuple[tuple[str, str], ...]] = set()
        for options in combinations(grid):
            once = tuple(sorted((name, repr(value)) for name, value in options.items()))
            if once in tried:
                continue
            tried.add(once)
            cell = _cell(campaign, index, grid, options)
            known = cells.get(cell.key)
            if known is None:
                cells[cell.key] = cell
            elif known.replications < cell.replications:
                cells[cell.key] = replace(known, replications=cell.replications)
    return tuple(cells.values())


def combinations(grid: Grid) -> Iterator[dict[str, Any]]:
    """The arguments of `search.settings` for every point of the product, coinciding ones included."""
    names = [f.name for f in fields(Grid) if f.name not in ("target", "n", "law", "replications")]
    axes = [getattr(grid, name) for name in names]
    laws = [dict(zip(grid.law, values, strict=True)) for values in itertools.product(*grid.law.values())]
    for target in _targets(grid):
        for values in itertools.product(*axes):
            options = {"target": target, **dict(zip(names, values, strict=True))}
            tree = str(options["algorithm"]).startswith("tgp")
            if tree:
                for name in _ONLY_CGP:
                    del options[name]
            for law in laws:
                yield {**options, "options": _own_fields(law, tree)}


def _own_fields(law: Mapping[str, Any], tree: bool) -> dict[str, Any]:
    """The fields without those that exist only in the other algorithm's law."""
    own, other = (TgpLaw, CgpLaw) if tree else (CgpLaw, TgpLaw)
    foreign = {f.name for f in fields(other)} - {f.name for f in fields(own)}
    return {name: value for name, value in law.items() if name not in foreign}


def _targets(grid: Grid) -> list[str]:
    found: list[str] = []
    for target in grid.target:
        family = ":" not in target and "." not in target and "/" not in target
        found += [f"{target}:{n}" for n in grid.n] if family and grid.n else [target]
    return list(dict.fromkeys(found))


def _cell(campaign: Campaign, index: int, grid: Grid, options: dict[str, Any]) -> Cell:
    try:
        made = settings(**options)
    except InputError as error:
        raise InputError(_blame(campaign, index, grid, options, error)) from None
    law = law_text(made)
    return Cell(
        settings=made,
        options=options,
        seed=campaign.seed,
        replications=grid.replications,
        law=law,
        key=cell_key(law, made.budget, campaign.seed),
    )


def _blame(campaign: Campaign, index: int, grid: Grid, options: dict[str, Any], error: InputError) -> str:
    """The message with the file, the line and the key that is at fault by itself, if one is."""
    names = [name for name in options if name not in ("target", "options")]
    trials: list[tuple[str, dict[str, Any]]] = [("target", {})]
    trials += [(f"law.{name}", {"options": {name: value}}) for name, value in options["options"].items()]
    trials += [(name, {name: options[name]}) for name in names]
    for name, trial in trials:
        if name.startswith("law.") and "algorithm" in options:
            trial = {**trial, "algorithm": options["algorithm"]}
        try:
            settings(options["target"], **trial)
        except InputError as fault:
            return _at(campaign, index, name) + str(fault)
    written = ", ".join(f"{_TOML_NAMES.get(n, n)} = {options[n]!r}" for n in ("target", *names))
    return f"{_at(campaign, index, None)}{error} (in the cell {written})"


def _at(campaign: Campaign, index: int, name: str | None) -> str:
    if not campaign.text:
        return f"{name}: " if name else ""
    path = tuple(_TOML_NAMES.get(part, part) for part in name.split(".")) if name else ()
    line = line_of(campaign.text, ("grid", index, *path)) if path else None
    if path and not _in_grid(campaign.text, index, path):
        line = line_of(campaign.text, path)
    label = f"{'.'.join(path)}: " if path else ""
    return f"{campaign.source}:{line}: {label}" if line else f"{campaign.source}: {label}"


def _in_grid(text: str, index: int, path: tuple[str, ...]) -> bool:
    places = key_lines(text)
    return ("grid", index, *path) in places or ("grid", *path) in places
