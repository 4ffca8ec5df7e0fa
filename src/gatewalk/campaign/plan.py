"""From a campaign to its cells: the checked product of the settings of each grid, each cell once.

An option that does not apply to an algorithm (nodes and mutation for trees, or fields of another algorithm's
law) is left out before the product is formed, so it does not multiply the cells. The size of the product is
checked before it is formed. A cell is identified by a hash of everything that determines its runs and of
nothing else, and a run by its cell and its number. So equal cells, within a grid or between grids, become one
cell with the larger number of replications. How long a plan may take is estimated by a short trial of each
cell.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import prod
from typing import Any

from gatewalk.campaign.spec import AXES, TOML_NAMES, Campaign, Grid, key_lines
from gatewalk.errors import InputError, shown
from gatewalk.search.reading import why_hopeless
from gatewalk.search.session import advance_course, course_of
from gatewalk.search.settings import LAWS, Settings, law_text, settings

LAW_VERSION = 3
"""Raised whenever the same law text, seed and run number would give another trajectory."""

# For each version, the part of a law's canonical text whose runs it changed; all other runs stay the same.
# 2: gates without inputs no longer count as readers.
# 3: Cartesian GP uses its random stream in another way.
_CHANGED = {2: ('"const0"', '"const1"'), 3: ('"algorithm":"cgp"',)}
_SIZE = 16


def law_version_of(law: str) -> int:
    """The number of the version that last changed the runs of this law."""
    return max([1, *(version for version, parts in _CHANGED.items() if any(part in law for part in parts))])


def cell_key(law: str, budget: int, seed: int) -> bytes:
    """The key of a cell: a hash of the law's canonical text, its version, the budget and the seed."""
    text = json.dumps(
        {"version": law_version_of(law), "law": law, "budget": budget, "seed": seed}, sort_keys=True
    )
    return hashlib.blake2b(text.encode(), digest_size=_SIZE).digest()


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
        """The canonical text of everything that determines a run except its seed and budget."""
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
        source = f"{campaign.source}: " if campaign.source else ""
        raise InputError(
            f"{source}the lists make {shown(size)} cells, at most {MOST_CELLS:,} are possible; "
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
    """How many combinations of settings a grid has."""
    axes = [_axes(grid, name) | _law_axes(grid, name) for name in _algorithms(grid)]
    return len(_targets(grid)) * sum(prod(map(len, of_one.values())) for of_one in axes)


def combinations(grid: Grid) -> Iterator[dict[str, Any]]:
    """The arguments of `search.settings` for every combination of a grid, each once."""
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
    """The values of each setting that applies to this algorithm, except the target."""
    return {
        name: _distinct(_written(grid, name))
        for name, option in AXES.items()
        if name not in ("target", "algorithm") and (option.is_for_trees or algorithm == "cgp")
    }


def _law_axes(grid: Grid, algorithm: str) -> dict[str, list[Any]]:
    """The values of fields of the law, without fields that only laws of other algorithms have."""
    own = _law_fields(algorithm)
    foreign = set[str]().union(*map(_law_fields, LAWS)) - own if own else set()
    return {name: _distinct(values) for name, values in grid.law.items() if name not in foreign}


def _law_fields(algorithm: str) -> set[str]:
    """The fields of the algorithm's law; none for an unknown algorithm, which `settings` will refuse."""
    return {one.name for law in LAWS.get(algorithm, {}).values() for one in fields(law)}


def _distinct(values: Iterable[Any]) -> list[Any]:
    """The values without repetitions; 1, 1.0 and True are three different values."""
    return list({(type(value), value): value for value in values}.values())


def _targets(grid: Grid) -> list[str]:
    found: list[str] = []
    for target in grid.values["target"]:
        family = ":" not in target and "." not in target and "/" not in target
        found += [f"{target}:{n}" for n in grid.n] if family and grid.n else [target]
    return _distinct(found)


def _cell(campaign: Campaign, index: int, grid: Grid, options: dict[str, Any]) -> Cell:
    try:
        cell_settings = settings(**options)
    except InputError as error:
        raise InputError(_at(campaign, index, error.option) + _in_cell(error, options)) from None
    return Cell(
        settings=cell_settings,
        options=options,
        seed=campaign.seed,
        replications=grid.replications,
        key=cell_key(law_text(cell_settings), cell_settings.budget, campaign.seed),
    )


def _at(campaign: Campaign, index: int, option: str) -> str:
    """The beginning of a message about an option of a grid: the file, the line and the name."""
    if not campaign.text:
        return f"{option}: " if option else ""
    if not option:
        return f"{campaign.source}: "
    path = tuple(TOML_NAMES.get(part, part) for part in option.split("."))
    lines = key_lines(campaign.text)
    homes: tuple[tuple[str | int, ...], ...] = (("grid", index), ("grid",), ())
    written = (lines.get((*home, *path[:end])) for end in range(len(path), 0, -1) for home in homes)
    line = next((line for line in written if line), None)
    return (
        f"{campaign.source}:{line}: {'.'.join(path)}: " if line else f"{campaign.source}: {'.'.join(path)}: "
    )


def _in_cell(error: InputError, options: Mapping[str, Any]) -> str:
    """The message; if no single option is to blame, with the combination in which it occurs."""
    if error.option:
        return str(error)
    written = ", ".join(f"{TOML_NAMES[n]} = {shown(options[n])}" for n in options if n in TOML_NAMES)
    return f"{error} (in the cell {written})"


def doubts_of(cells: Iterable[Cell]) -> list[str]:
    """What is allowed in some cell but cannot lead to success, each once and in words."""
    return list(dict.fromkeys(doubt for cell in cells for doubt in why_hopeless(cell.settings)))


SECONDS_TO_STORE = 5e-6  # about the time to store one run


_ALL_TRIALS = 5.0  # seconds for the trials of all cells together
_LONGEST_TRIAL = 0.2
_MOST_TRIALS = 256
_SLICE = 64  # iterations of the first slice of a trial
_RUNS = 10_000  # runs that a trial takes on at once


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """How many seconds runs take.

    likely: the expected seconds; None if unknown. most: the seconds if every run used its whole budget.
    """

    likely: float | None
    most: float


def estimates(cells: Sequence[Cell], runs: Sequence[int]) -> list[Estimate | None]:
    """For each cell, an estimate of the time for so many of its runs on one processor, from a short trial.

    If no run of the trial ended, `likely` is None. If there are many cells, only some of them, evenly spread,
    are tried; the estimate of the others is None.
    """
    step = -(-len(cells) // _MOST_TRIALS)
    trial = min(_LONGEST_TRIAL, _ALL_TRIALS / max(1, min(len(cells), _MOST_TRIALS)))
    return [
        _estimate(cell, count, trial) if place % step == 0 else None
        for place, (cell, count) in enumerate(zip(cells, runs, strict=True))
    ]


def _estimate(cell: Cell, runs: int, trial: float) -> Estimate:
    warm = course_of(cell.settings, seed=cell.seed, runs=(0,))
    advance_course(warm, 1)  # load the kernels before the time is measured
    began = time.perf_counter()
    spent, ended, iterations, size = 0.0, 0, 0, _SLICE
    course = course_of(cell.settings, seed=cell.seed, runs=range(_RUNS))
    while spent < trial:
        at = time.perf_counter()
        finished = advance_course(course, size)
        if finished is not None:
            ended += len(finished)
            iterations += sum(finished.iterations.tolist())
        if course.is_over:
            course = course_of(cell.settings, seed=cell.seed, runs=range(ended, ended + _RUNS))
        elif time.perf_counter() - at < trial / 16:
            size *= 2
        spent = time.perf_counter() - began
    if course.session is not None:
        iterations += course.session.iterations
    most = runs * cell.settings.budget * spent / max(1, iterations)
    # The time of the run that the trial cut short counts, too: it was spent to get the runs that ended.
    likely = min(most, runs * spent / ended) if ended else None
    return Estimate(likely=likely, most=most)


def together(found: Sequence[Estimate | None], runs: Sequence[int], *, threads: int) -> Estimate:
    """An estimate for all cells together, on so many threads, of which only one stores runs.

    Cells without an estimate count as the average of the others.
    """
    storing = sum(runs) * SECONDS_TO_STORE
    tried = [(one, count) for one, count in zip(found, runs, strict=True) if one is not None]
    share = len(tried) / max(1, len(found)) * threads
    most = max(storing, sum(one.most for one, _ in tried) / max(share, 1e-9))
    if any(one.likely is None and count for one, count in tried):
        return Estimate(likely=None, most=most)
    likely = sum(one.likely or 0.0 for one, _ in tried) / max(share, 1e-9)
    return Estimate(likely=max(storing, likely), most=most)
