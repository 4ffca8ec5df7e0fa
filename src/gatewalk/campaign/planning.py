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
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from math import prod
from typing import Any

from gatewalk.campaign.spec import AXES, TOML_NAMES, Campaign, Grid, key_lines
from gatewalk.circuit.own_targets import lacks_size, needs_its_code
from gatewalk.errors import InputError, shown
from gatewalk.foreign import found_in
from gatewalk.search.options import Search, law_text, search_for
from gatewalk.search.reading import LAWS, why_unsolvable
from gatewalk.search.session import advance_runs, session_of

# For each version of the law (`search.seeds.LAW_VERSION`), the part of a canonical text whose runs changed;
# all other runs stay the same.
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

    search, words: the search of its runs, and the words of `gatewalk.search_for` that describe it.
    seed, replications: the seed of its runs, and how many there are to be.
    key: the identity of the cell, a hash of everything that determines its runs.

    >>> from gatewalk.campaign import campaign, plan
    >>> (cell,) = plan(campaign(target="and:4", nodes="3n", replications=5))
    >>> cell.search.nodes, cell.words["nodes"], cell.replications
    (12, '3n', 5)
    """

    search: Search
    words: Mapping[str, Any]
    seed: int
    replications: int
    key: bytes

    @property
    def law(self) -> str:
        """The canonical text of everything that determines a run except its seed and budget."""
        return law_text(self.search)


def plan(campaign: Campaign) -> tuple[Cell, ...]:
    """The distinct cells of a campaign, in the order of its grids.

    >>> from gatewalk.campaign import campaign
    >>> [cell.search.nodes for cell in plan(campaign(target="and:4", nodes=["n", "2n", 8]))]
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
    for cell in _with_repetitions(campaign):
        known = cells.get(cell.key)
        if known is None:
            cells[cell.key] = cell
        elif known.replications < cell.replications:
            cells[cell.key] = replace(known, replications=cell.replications)
    return tuple(cells.values())


def _with_repetitions(campaign: Campaign) -> Iterator[Cell]:
    """A cell for every combination of every grid, equal ones too."""
    for index, grid in enumerate(campaign.grids):
        for words in combinations(grid):
            yield _cell(campaign, index, grid, words)


def product_size(grid: Grid) -> int:
    """How many combinations of settings a grid has."""
    axes = [_axes(grid, name) | _law_axes(grid, name) for name in _algorithms(grid)]
    return len(_targets(grid)) * sum(prod(map(len, of_one.values())) for of_one in axes)


def combinations(grid: Grid) -> Iterator[dict[str, Any]]:
    """The words of `search_for` for every combination of a grid, each once."""
    for target in _targets(grid):
        for algorithm in _algorithms(grid):
            axes, laws = _axes(grid, algorithm), _law_axes(grid, algorithm)
            for values in itertools.product(*axes.values()):
                words = {"target": target, "algorithm": algorithm, **dict(zip(axes, values, strict=True))}
                for law in itertools.product(*laws.values()):
                    yield {**words, "options": dict(zip(laws, law, strict=True))}


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
    """The fields of the algorithm's law; none for an unknown algorithm, which `search_for` will refuse."""
    return {field.name for law in LAWS.get(algorithm, {}).values() for field in fields(law)}


def _distinct(values: Iterable[Any]) -> list[Any]:
    """The values without repetitions; 1, 1.0 and True are three different values."""
    return list({(type(value), value): value for value in values}.values())


def _targets(grid: Grid) -> list[str]:
    targets: list[str] = []
    for target in grid.values["target"]:
        targets += [f"{target}:{n}" for n in grid.n] if grid.n and lacks_size(target) else [target]
    return _distinct(targets)


def _cell(campaign: Campaign, index: int, grid: Grid, words: dict[str, Any]) -> Cell:
    try:
        with found_in(os.path.dirname(campaign.source)):  # Python files that the campaign's file names
            search = search_for(**words)
    except InputError as error:
        raise InputError(_at(campaign, index, error.option) + _in_cell(error, words)) from None
    if needs_its_code(words["target"]):
        words = {**words, "target": search.target.name}
    return Cell(
        search=search,
        words=words,
        seed=campaign.seed,
        replications=grid.replications,
        key=cell_key(law_text(search), search.budget, campaign.seed),
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


def _in_cell(error: InputError, words: Mapping[str, Any]) -> str:
    """The message; if no single option is to blame, with the combination in which it occurs."""
    if error.option:
        return str(error)
    written = ", ".join(f"{TOML_NAMES[n]} = {shown(words[n])}" for n in words if n in TOML_NAMES)
    return f"{error} (in the cell {written})"


def doubts_of(cells: Iterable[Cell]) -> list[str]:
    """What is allowed in some cell but cannot lead to success, each once and in words."""
    reasons = (why_unsolvable(cell.search) for cell in cells)
    return list(dict.fromkeys(reason for reason in reasons if reason is not None))


def doubts_of_merging(campaign: Campaign, cells: Sequence[Cell]) -> list[str]:
    """Of each setting that determines no run, such as the evaluation, that cells differ in nothing else.

    cells: those of the campaign. Cells whose settings have one value, written in two ways, merge silently.
    """
    if len(cells) == sum(map(product_size, campaign.grids)):
        return []
    kept = {cell.key: cell for cell in cells}
    outside = [name for name, option in AXES.items() if option.identity is None and name != "budget"]
    merged = [
        name
        for cell in _with_repetitions(campaign)
        for name in outside
        if cell.words.get(name) != kept[cell.key].words.get(name)
    ]
    return [
        f"{TOML_NAMES[name]} determines no run, so cells that differ in nothing else are one cell: "
        f"{merged.count(name):,} are left out"
        for name in dict.fromkeys(merged)
    ]


SECONDS_TO_STORE = 5e-6  # about the time to store one run


_ALL_TRIALS = 5.0  # seconds for the trials of all cells together
_LONGEST_TRIAL = 0.2
_MOST_TRIALS = 256
_SLICE = 64  # iterations of the first slice of a trial
_RUNS = 10_000  # runs that a session of a trial has


def estimates(cells: Sequence[Cell], runs: Sequence[int]) -> dict[int, float | None]:
    """By the place of a cell, the seconds that so many of its runs take on one processor, from a short trial.

    None if no run of the trial ended. Of many cells only some, evenly spread, are tried.
    """
    step = -(-len(cells) // _MOST_TRIALS)
    trial = min(_LONGEST_TRIAL, _ALL_TRIALS / max(1, min(len(cells), _MOST_TRIALS)))
    return {place: _estimate(cells[place], runs[place], trial) for place in range(0, len(cells), step)}


def _estimate(cell: Cell, runs: int, trial: float) -> float | None:
    if not runs:
        return 0.0
    advance_runs(session_of(cell.search, seed=cell.seed, runs=(0,)), 1)  # load the kernels before the trial
    began = time.perf_counter()
    spent, ended, size = 0.0, 0, _SLICE
    session = session_of(cell.search, seed=cell.seed, runs=range(_RUNS))
    while spent < trial:
        at = time.perf_counter()
        finished = advance_runs(session, size)
        if finished is not None:
            ended += len(finished)
        if session.finished:
            session = session_of(cell.search, seed=cell.seed, runs=range(ended, ended + _RUNS))
        elif time.perf_counter() - at < trial / 16:
            size *= 2
        spent = time.perf_counter() - began
    # The time of the run that the trial cut short counts, too: it was spent to get the runs that ended.
    return runs * spent / ended if ended else None


def together(tried: Mapping[int, float | None], runs: Sequence[int], *, threads: int) -> float | None:
    """The seconds for all cells together, on so many threads, of which only one stores runs.

    None if a cell is unknown. Cells that were not tried count as the average of the others.
    """
    seconds = [value for value in tried.values() if value is not None]
    if len(seconds) < len(tried):
        return None
    return max(sum(runs) * SECONDS_TO_STORE, sum(seconds) * len(runs) / max(1, len(tried)) / threads)
