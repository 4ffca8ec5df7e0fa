"""Measuring a study: the runs of its campaign, kept in a store, and what its own code observes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from gatewalk.analysis.cells import CellRuns
from gatewalk.campaign import Campaign, Cell, Progress
from gatewalk.campaign import run as run_campaign
from gatewalk.campaign.labels import labels
from gatewalk.errors import InputError
from gatewalk.search.settings import cell_values
from gatewalk.stats.sample import sample
from gatewalk.studies.folder import CODE, Study
from gatewalk.studies.hooks import Hooks, blamed_on

STORE, OBSERVED = "runs.sqlite", "observed.jsonl"
Watch = Callable[[str, Progress], None]
Say = Callable[[str], None]


def measure(
    study: Study,
    campaign: Campaign,
    cells: tuple[Cell, ...],
    hooks: Hooks,
    out: Path,
    *,
    jobs: int | None,
    watch: Watch | None,
    say: Say,
) -> tuple[CellRuns, ...]:
    """Make the runs that the folder's store lacks, and read all of them."""

    def tell(progress: Progress) -> None:
        if watch:
            watch("runs", progress)

    with run_campaign(campaign, out / STORE, cells=cells, jobs=jobs, watch=tell) as results:
        found = {cell.key: columns for cell, columns in results.by_cell()}
    observed = _observe(study, cells, hooks, out / OBSERVED, jobs=jobs, say=say)
    names = labels([cell_values(cell.settings, cell.seed) for cell in cells])
    return tuple(
        _cell_runs(study, cell, name, found[cell.key], observed.get(cell.key, {}))
        for cell, name in zip(cells, names, strict=True)
    )


def _cell_runs(
    study: Study, cell: Cell, label: str, columns: dict[str, list[Any]], observed: Mapping[str, Any]
) -> CellRuns:
    # A store may hold more runs than are asked for, and the page must not depend on that.
    kept = {name: values[: cell.replications] for name, values in columns.items()}
    return CellRuns(
        label=label,
        settings=cell.settings,
        options=cell.options,
        values=cell_values(cell.settings, cell.seed),
        runs=sample(kept[study.time], kept["solved"]),
        columns=kept,
        observed=observed,
    )


def _observe(
    study: Study, cells: tuple[Cell, ...], hooks: Hooks, path: Path, *, jobs: int | None, say: Say
) -> dict[bytes, Mapping[str, Any]]:
    """What the study's `observe` returns for each cell. Results are kept by cell, runs and code."""
    if hooks.observe is None:
        return {}
    version = hashlib.blake2b(hooks.code.encode(), digest_size=8).hexdigest()
    known = _known(path)
    found: dict[bytes, Mapping[str, Any]] = {}
    names = labels([cell_values(cell.settings, cell.seed) for cell in cells])
    for place, (cell, name) in enumerate(zip(cells, names, strict=True), 1):
        key = f"{cell.key.hex()}-{cell.replications}-{version}"
        if key not in known:
            say(f"observing {name} ({place} of {len(cells)})")
            with blamed_on(study.folder / CODE):
                value = hooks.observe(cell, jobs=jobs)
                known[key] = _kept(path, key, value)
        found[cell.key] = known[key]
    return found


def _kept(path: Path, key: str, value: Any) -> Mapping[str, Any]:
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise InputError(f"observe returned a {type(value).__name__}; it must return a dictionary or None")
    try:
        line = json.dumps({"key": key, "check": _check(value), "value": value}, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"observe returned what JSON cannot hold: {error}") from None
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")  # on a new line, because the last one may have been cut off
    kept: Mapping[str, Any] = json.loads(line)["value"]  # the value as it will be read the next time
    return kept


def _check(value: Any) -> str:
    """A checksum, by which damaged lines are noticed."""
    text = json.dumps(value, sort_keys=True, allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _known(path: Path) -> dict[str, Mapping[str, Any]]:
    """The results kept so far; lines that were cut off or damaged are left out and computed again."""
    known: dict[str, Mapping[str, Any]] = {}
    if not path.exists():
        return known
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            match json.loads(line):
                case {"key": str(key), "check": str(check), "value": dict(value)} if check == _check(value):
                    known[key] = value
        except (ValueError, RecursionError):
            continue
    return known
