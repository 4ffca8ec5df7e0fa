"""Results that a study's folder holds, matched to its cells: published ones, and its own of an earlier run.

`published.csv` has columns of settings that say which cell a row belongs to. They have the names of a
campaign's TOML file (target, nodes, mutation, lambda, ...), `n` or `law.NAME`; a setting without a column may
have any value. The file has either a row per run, with the columns `time`, in the unit of the study (for a
failed run, its budget), and `solved`, true or false; or a row per cell, with `runs`, `successes` and any of
`mean`, `std` and `median` of the successful runs.

`runs.csv` and `observed.jsonl` are the results behind the study's notes, and the page says whether they come
out the same now. `runs.csv` has a row per run, with the columns of an exported campaign: `run`, `iterations`,
`solved` and the settings in which the cells differ; others are ignored. `observed.jsonl` is that of an output
folder: a line per cell with what the study's `observe` returned.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isfinite, nan
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import labelling, position
from gatewalk.campaign.planning import Cell
from gatewalk.campaign.spec import AXES, TOML_NAMES
from gatewalk.circuit.files import check_regular
from gatewalk.errors import InputError, shown
from gatewalk.search.options import CELL_COLUMNS, cell_values
from gatewalk.search.runs import COLUMNS
from gatewalk.stats.comparison import (
    CellComparison,
    Compared,
    Reported,
    ReportedComparison,
    compare,
)
from gatewalk.stats.sample import Sample, sample

STORED_RUNS, OBSERVED = "runs.csv", "observed.jsonl"
MOST_BYTES = 50_000_000
MARKS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
RUNS = ("time", "solved")
STATISTICS = ("runs", "successes", "mean", "std", "median")
_FIELDS = {toml: name for name, toml in TOML_NAMES.items()}


@dataclass(frozen=True)
class PublishedCell:
    """The published runs with the same settings; settings are texts by the names of their columns."""

    settings: Mapping[str, str]
    runs: Sample

    @property
    def label(self) -> str:
        return settings_label(self.settings)


@dataclass(frozen=True)
class ReportedCell:
    """Published statistics of the runs with the same settings."""

    settings: Mapping[str, str]
    reported: Reported

    @property
    def label(self) -> str:
        return settings_label(self.settings)


AnyCell = TypeVar("AnyCell", PublishedCell, ReportedCell, PublishedCell | ReportedCell)


@dataclass(frozen=True)
class Published:
    """Everything published about a study's cells, as runs or as statistics, and its source."""

    source: str
    cells: tuple[PublishedCell, ...] = ()
    reported: tuple[ReportedCell, ...] = ()


def settings_label(settings: Mapping[str, str]) -> str:
    """The name of a published cell."""
    return ", ".join(value if name == "target" else f"{name} {value}" for name, value in settings.items())


def read_published(path: Path, source: str) -> Published:
    """The runs, or the statistics, in a CSV file; errors name the file and the line."""
    rows = read_table(path)
    header = next(rows)[1]
    wanted = STATISTICS if "successes" in header else RUNS
    for name in wanted[:2]:
        if name not in header:
            raise InputError(
                f"{path}:1: no column {name}; a row per run has {' and '.join(RUNS)}, "
                f"a row per cell {' and '.join(STATISTICS[:2])}"
            )
    for name in header:
        _check_column(name, wanted, path)
    if len(set(header)) < len(header):
        raise InputError(f"{path}:1: duplicate column")
    if wanted == STATISTICS:
        return Published(source, reported=_statistics(rows, header, path))
    return Published(source, _runs(rows, header, path))


Rows = Iterator[tuple[int, list[str]]]


def _runs(rows: Rows, header: list[str], path: Path) -> tuple[PublishedCell, ...]:
    grouped: dict[tuple[str, ...], list[tuple[float, bool]]] = {}
    names = [name for name in header if name not in RUNS]
    for number, row in rows:
        values = dict(zip(header, row, strict=True))
        key = tuple(values[name].strip() for name in names)
        time, solved = _time(values["time"], path, number), _mark(values["solved"], path, number)
        grouped.setdefault(key, []).append((time, solved))
    if not grouped:
        raise InputError(f"{path}: no runs; delete the file or give a row per run")
    return tuple(
        PublishedCell(dict(zip(names, key, strict=True)), sample(*zip(*times, strict=True)))
        for key, times in grouped.items()
    )


def _statistics(rows: Rows, header: list[str], path: Path) -> tuple[ReportedCell, ...]:
    names = [name for name in header if name not in STATISTICS]
    found: dict[tuple[str, ...], ReportedCell] = {}
    for number, row in rows:
        values = {name: text.strip() for name, text in zip(header, row, strict=True)}
        settings = {name: values[name] for name in names}
        if (key := tuple(settings.values())) in found:
            raise InputError(f"{path}:{number}: duplicate row for {shown(settings_label(settings))}")
        counts = [_count(values[name], name, path, number) for name in STATISTICS[:2]]
        if counts[0] < 1 or counts[1] > counts[0]:
            raise InputError(f"{path}:{number}: {counts[1]} successes in {counts[0]} runs is impossible")
        numbers = {name: _time(values[name], path, number) for name in STATISTICS[2:] if values.get(name)}
        found[key] = ReportedCell(settings, Reported(runs=counts[0], successes=counts[1], **numbers))
    if not found:
        raise InputError(f"{path}: no cells; delete the file or give a row per cell")
    return tuple(found.values())


def _count(text: str, name: str, path: Path, line: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InputError(f"{path}:{line}: {name} must be a whole number, not {shown(text)}")
    return int(text)


def read_table(path: Path) -> Rows:
    """(line number, values) of the header and of every row of a CSV file, all of the same length."""
    try:
        check_regular(path)
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: more than {MOST_BYTES:,} bytes; shorten it")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not valid UTF-8") from None
    reader = csv.reader(text.splitlines(), strict=True)
    length = 0
    try:
        for row in reader:
            if not row:
                continue
            length = length or len(row)
            if len(row) != length:
                raise InputError(
                    f"{path}:{reader.line_num}: {len(row)} values, but the header has {length} columns"
                )
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not valid CSV: {error}") from None
    if not length:
        raise InputError(f"{path}: empty; its first line has the columns' names")


def _check_column(name: str, wanted: tuple[str, ...], path: Path) -> None:
    if name in (*wanted, "n") or name in _FIELDS or name.startswith("law."):
        return
    allowed = ", ".join([*wanted, "n", *_FIELDS, "law.NAME"])
    raise InputError(f"{path}:1: unknown column {shown(name)}; allowed: {allowed}")


def _time(text: str, path: Path, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (isfinite(value) and value >= 0):
        raise InputError(f"{path}:{line}: the time {shown(text)} is not a number of at least 0")
    return value


def _mark(text: str, path: Path, line: int) -> bool:
    mark = MARKS.get(text.strip().lower())
    if mark is None:
        raise InputError(f"{path}:{line}: solved is {shown(text)}; it must be true or false")
    return mark


def matching(cell: Cell, published: Sequence[AnyCell]) -> list[AnyCell]:
    """The published cells with the settings of this cell, as written in the campaign or as resolved."""
    names = {name for theirs in published for name in theirs.settings}
    forms = {name: _forms(cell, name) for name in names}
    return [
        theirs for theirs in published if all(text in forms[name] for name, text in theirs.settings.items())
    ]


def _forms(cell: Cell, name: str) -> set[str]:
    if name.startswith("law."):
        return {str(getattr(cell.search.law, name.removeprefix("law."), None))}
    values = cell_values(cell.search, cell.seed)
    if name == "n":
        return {str(values["n"])}
    if name == "target":  # a custom target may have a long text, so its name is accepted too
        return {str(cell.words["target"]), cell.search.target.name, cell.search.target.label}
    field = _FIELDS[name]
    columns = AXES[field].columns
    return {str(cell.words.get(field)), *(str(values[column.name]) for column, _ in columns[:1])}


def check_matched(published: Published, cells: Sequence[Cell], place: str) -> None:
    """Refuse a published cell that matches no cell of the campaign, such as one with a misspelt setting."""
    left: dict[int, PublishedCell | ReportedCell] = {id(one): one for one in published.cells}
    left |= {id(one): one for one in published.reported}
    for cell in cells:
        for matched in matching(cell, list(left.values())):
            del left[id(matched)]
    if left:
        label = next(iter(left.values())).label
        raise InputError(
            f"{place}: no cell of the campaign has the published settings {shown(label)}; "
            "add it to the grid or correct the row"
        )


def of_cell(published: Published, cell: Cell) -> PublishedCell | None:
    """The published runs that belong to a cell of ours."""
    matched = matching(cell, published.cells)
    return _pooled(matched) if matched else None


def reported_of(published: Published, cell: Cell) -> Reported | None:
    """The published statistics that belong to a cell of ours."""
    return next((theirs.reported for theirs in matching(cell, published.reported)), None)


def _pooled(found: Iterable[PublishedCell]) -> PublishedCell:
    """Cells with equivalent settings, such as nodes 2n and 16 at n = 8, merged into one."""
    cells = list(found)
    runs = [cell.runs for cell in cells]
    return PublishedCell(
        cells[0].settings,
        Sample(
            np.concatenate([data.iterations for data in runs]), np.concatenate([data.solved for data in runs])
        ),
    )


@dataclass(frozen=True, kw_only=True)
class PublishedComparison:
    """The compared cells: with published runs, or with published statistics; one of the two is empty."""

    runs: tuple[CellComparison, ...] = ()
    statistics: tuple[ReportedComparison, ...] = ()

    @property
    def cells(self) -> tuple[Compared, ...]:
        return (*self.runs, *self.statistics)


def compare_published(
    published: Published | None, cells: Sequence[Cell], runs: Sequence[CellRuns]
) -> PublishedComparison:
    """Compare every cell for which something is published; runs: the cells with what was measured."""
    if published is None:
        return PublishedComparison()
    pairs = list(zip(cells, runs, strict=True))
    theirs = [(ours, of_cell(published, cell)) for cell, ours in pairs]
    stated = [(ours, reported_of(published, cell)) for cell, ours in pairs]
    return PublishedComparison(
        runs=tuple(compare(ours.label, ours.runs, cell.runs) for ours, cell in theirs if cell),
        statistics=tuple(compare(ours.label, ours.runs, cell) for ours, cell in stated if cell),
    )


def published_times(
    published: Published | None, x: str, cells: Sequence[Cell], runs: Sequence[CellRuns]
) -> dict[str, dict[int, Sample | float]]:
    """Published times by curve and by the value of x: runs, or the mean if every run succeeded."""
    times: dict[str, dict[int, Sample | float]] = {}
    if published is None:
        return times
    naming = labelling(runs, x)
    for cell, ours in zip(cells, runs, strict=True):
        theirs, stated = of_cell(published, cell), reported_of(published, cell)
        along = times.setdefault(naming(ours), {})
        if theirs is not None:
            along[position(ours, x)] = theirs.runs
        elif stated is not None:
            along[position(ours, x)] = stated.mean if stated.successes == stated.runs else nan
    return times


@dataclass(frozen=True, kw_only=True)
class StoredCheck:
    """How many of the results stored with a study were computed again, and how many came out the same.

    what: what was counted, in the plural.

    >>> StoredCheck(what="runs", stored=5, repeated=4, same=3).words
    '4 of the 5 runs stored with the study were repeated, 1 of them with another result.'
    """

    what: str
    stored: int
    repeated: int
    same: int

    @property
    def words(self) -> str:
        other = self.repeated - self.same
        end = f"{other:,} of them with another result" if other else "all with the same result"
        counts = f"{self.repeated:,} of the {self.stored:,} {self.what}"
        return f"{counts} stored with the study were repeated, {end}."


def stored_checks(folder: Path, cells: Sequence[Cell], runs: Sequence[CellRuns]) -> tuple[StoredCheck, ...]:
    """Compare what was measured with the files of results in the study's folder, as far as they meet.

    cells, runs: the cells of the campaign, and the same with what was measured.
    """
    checks = []
    if (path := folder / STORED_RUNS).is_file():
        checks.append(_check_runs(path, runs))
    if (path := folder / OBSERVED).is_file():
        checks.append(_check_observations(path, cells, runs))
    return tuple(check for check in checks if check.repeated)


StoredRuns = dict[tuple[str, ...], tuple[str, str]]
_NEEDED = ("run", "iterations", "solved")


def read_stored_runs(path: Path) -> tuple[tuple[str, ...], StoredRuns]:
    """The columns that identify a run, and (iterations, solved) of each run by their values."""
    rows = read_table(path)
    header = next(rows)[1]
    known = {column.name for column in COLUMNS}
    for name in header:
        if name not in known:
            raise InputError(f"{path}:1: unknown column {shown(name)}; allowed: {', '.join(sorted(known))}")
    for name in _NEEDED:
        if header.count(name) != 1:
            raise InputError(f"{path}:1: no column {name}, or two; stored runs have {', '.join(_NEEDED)}")
    telling = {"run", *(column.name for column in CELL_COLUMNS)}
    names = tuple(name for name in header if name in telling)
    stored: StoredRuns = {}
    for _, row in rows:
        values = dict(zip(header, row, strict=True))
        stored[tuple(values[name] for name in names)] = (values["iterations"], values["solved"].lower())
    return names, stored


def _check_runs(path: Path, runs: Sequence[CellRuns]) -> StoredCheck:
    names, stored = read_stored_runs(path)
    again = same = 0
    for cell in runs:
        for index in range(cell.runs.runs):
            key = tuple(_written(cell, name, index) for name in names)
            if key in stored:
                again += 1
                now = (str(cell.columns["iterations"][index]), str(cell.columns["solved"][index]).lower())
                same += now == stored[key]
    return StoredCheck(what="runs", stored=len(stored), repeated=again, same=same)


def _written(cell: CellRuns, name: str, index: int) -> str:
    value = cell.columns[name][index] if name in cell.columns else cell.values[name]
    return "" if value is None else str(value)


def _check_observations(path: Path, cells: Sequence[Cell], runs: Sequence[CellRuns]) -> StoredCheck:
    stored = {key.rpartition("-")[0]: value for key, value in read_observations(path).items()}
    now = {_observed_runs(cell): ours.observed for cell, ours in zip(cells, runs, strict=True)}
    again = stored.keys() & now.keys()
    same = sum(_is_same(stored[key], now[key]) for key in again)
    return StoredCheck(what="observed cells", stored=len(stored), repeated=len(again), same=same)


def _is_same(stored: Any, now: Any) -> bool:
    """Whether a value is the stored one, but for last digits and for entries that were not stored."""
    match stored, now:
        case dict(), dict():
            return all(name in now and _is_same(value, now[name]) for name, value in stored.items())
        case list(), list():
            return len(stored) == len(now) and all(map(_is_same, stored, now))
        case float(), float():
            return isclose(stored, now, rel_tol=1e-8)
        case _:
            return bool(stored == now)


def observation_key(cell: Cell, code: str) -> str:
    """What an observation depends on: the cell, its number of runs, and the study's code."""
    return f"{_observed_runs(cell)}-{hashlib.blake2b(code.encode(), digest_size=8).hexdigest()}"


def _observed_runs(cell: Cell) -> str:
    return f"{cell.key.hex()}-{cell.replications}"


def write_observation(path: Path, key: str, value: Any) -> dict[str, Any]:
    """Append what a study's `observe` returned to a file; returns it as it will be read the next time."""
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise InputError(f"observe returned a {type(value).__name__}; it must return a dictionary or None")
    try:
        line = json.dumps({"key": key, "check": _checksum(value), "value": value}, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InputError(f"observe returned what JSON cannot hold: {error}") from None
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")  # on a new line, because the last one may have been cut off
    written: dict[str, Any] = json.loads(line)["value"]
    return written


def read_observations(path: Path) -> dict[str, dict[str, Any]]:
    """The observations in a file by their keys, without lines that were cut off or damaged."""
    known: dict[str, dict[str, Any]] = {}
    if not path.exists():
        return known
    check_regular(path)
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            match json.loads(line):
                case {"key": str(key), "check": str(check), "value": dict(value)}:
                    if check == _checksum(value):
                        known[key] = value
        except (ValueError, RecursionError):
            continue
    return known


def _checksum(value: Any) -> str:
    """By which damaged lines are noticed."""
    text = json.dumps(value, sort_keys=True, allow_nan=False)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
