"""From a campaign to its cells: the product of each grid, validated, and each cell once.

An option that does not apply to an algorithm (nodes and mutation for trees, single fields of
the other algorithm's law) is left out before the product is made, so it multiplies nothing. The
product is counted before it is made. Cells that coincide, within a grid or between grids, are one
cell with the larger number of replications.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from math import prod
from typing import Any

from gatewalk.campaign.identity import cell_key
from gatewalk.campaign.spec import AXES, TOML_NAMES, Campaign, Grid
from gatewalk.campaign.toml_lines import key_lines, line_of
from gatewalk.errors import InputError, shown
from gatewalk.search.settings import LAWS, Settings, law_text, settings

MOST_CELLS = 250_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """All runs of a campaign that have the same settings.

    Attributes
    ----------
    settings
        The settings of its runs.
    options
        The arguments of `gatewalk.settings` that make these settings again.
    seed, replications
        The seed of its runs, and how many there are to be.
    key
        The identity of the cell, a hash of everything that determines its runs.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, plan
    >>> (cell,) = plan(campaign(target="and:4", nodes="3n", replications=5))
    >>> cell.settings.nodes, cell.options["nodes"], cell.replications
    (12, '3n', 5)
    """

    settings: Settings
    options: Mapping[str, Any]
    seed: int
    replications: int
    key: bytes

    @property
    def law(self) -> str:
        """The canonical text of what determines a trajectory."""
        return law_text(self.settings)


def plan(campaign: Campaign) -> tuple[Cell, ...]:
    """The distinct cells of a campaign.

    Parameters
    ----------
    campaign
        The campaign.

    Returns
    -------
    tuple of Cell
        In the order of its grids; cells that coincide are there once.

    Examples
    --------
    >>> from gatewalk.campaign import campaign
    >>> [cell.settings.nodes for cell in plan(campaign(target="and:4", nodes=["n", "2n", 8]))]
    [4, 8]
    """
    size = sum(product_size(grid) for grid in campaign.grids)
    if size > MOST_CELLS:
        place = f"{campaign.source}: " if campaign.source else ""
        raise InputError(
            f"{place}the lists make {shown(size)} cells, at most {MOST_CELLS:,} are possible; "
            "shorten a list or make several campaigns"
        )
    cells: dict[bytes, Cell] = {}
    for index, grid in enumerate(campaign.grids):
        for options in combinations(grid):
            cell = _cell(campaign, index, grid, options)
            known = cells.get(cell.key)
            if known is None:
                cells[cell.key] = cell
            elif known.replications < cell.replications:
                cells[cell.key] = replace(known, replications=cell.replications)
    return tuple(cells.values())


def product_size(grid: Grid) -> int:
    """How many combinations there are."""
    axes = [_axes(grid, name) | _law_axes(grid, name) for name in _algorithms(grid)]
    return len(_targets(grid)) * sum(prod(map(len, of_one.values())) for of_one in axes)


def combinations(grid: Grid) -> Iterator[dict[str, Any]]:
    """The arguments of `search.settings` for every point of the product, each once."""
    for target in _targets(grid):
        for algorithm in _algorithms(grid):
            axes, laws = _axes(grid, algorithm), _law_axes(grid, algorithm)
            for values in itertools.product(*axes.values()):
                options = {"target": target, "algorithm": algorithm, **dict(zip(axes, values, strict=True))}
                for law in itertools.product(*laws.values()):
                    yield {**options, "options": dict(zip(laws, law, strict=True))}


def _algorithms(grid: Grid) -> list[str]:
    return _distinct(_written(grid, "algorithm"))


def _written(grid: Grid, name: str) -> tuple[Any, ...]:
    return grid.values.get(name, (AXES[name].default,))


def _axes(grid: Grid, algorithm: str) -> dict[str, list[Any]]:
    """The values of each setting of this algorithm besides the target."""
    return {
        name: _distinct(_written(grid, name))
        for name, option in AXES.items()
        if name not in ("target", "algorithm") and (option.is_for_trees or algorithm == "cgp")
    }


def _law_axes(grid: Grid, algorithm: str) -> dict[str, list[Any]]:
    """The values of single fields of the law, without those that only laws of other algorithms have."""
    own = _law_fields(algorithm)
    foreign = set[str]().union(*map(_law_fields, LAWS)) - own if own else set()
    return {name: _distinct(values) for name, values in grid.law.items() if name not in foreign}


def _law_fields(algorithm: str) -> set[str]:
    """Of an unknown algorithm, none: its settings are refused, in better words."""
    return {one.name for law in LAWS.get(algorithm, {}).values() for one in fields(law)}


def _distinct(values: Iterable[Any]) -> list[Any]:
    """The values, each once; 1, 1.0 and True are three."""
    return list({(type(value), value): value for value in values}.values())


def _targets(grid: Grid) -> list[str]:
    found: list[str] = []
    for target in grid.values["target"]:
        family = ":" not in target and "." not in target and "/" not in target
        found += [f"{target}:{n}" for n in grid.n] if family and grid.n else [target]
    return _distinct(found)


def _cell(campaign: Campaign, index: int, grid: Grid, options: dict[str, Any]) -> Cell:
    try:
        made = settings(**options)
    except InputError as error:
        raise InputError(_blame(campaign, index, grid, options, error)) from None
    return Cell(
        settings=made,
        options=options,
        seed=campaign.seed,
        replications=grid.replications,
        key=cell_key(law_text(made), made.budget, campaign.seed),
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
    written = ", ".join(f"{TOML_NAMES.get(n, n)} = {shown(options[n])}" for n in ("target", *names))
    return f"{_at(campaign, index, None)}{error} (in the cell {written})"


def _at(campaign: Campaign, index: int, name: str | None) -> str:
    if not campaign.text:
        return f"{name}: " if name else ""
    path = tuple(TOML_NAMES.get(part, part) for part in name.split(".")) if name else ()
    line = line_of(campaign.text, ("grid", index, *path)) if path else None
    if path and not _in_grid(campaign.text, index, path):
        line = line_of(campaign.text, path)
    label = f"{'.'.join(path)}: " if path else ""
    return f"{campaign.source}:{line}: {label}" if line else f"{campaign.source}: {label}"


def _in_grid(text: str, index: int, path: tuple[str, ...]) -> bool:
    places = key_lines(text)
    return ("grid", index, *path) in places or ("grid", *path) in places
