"""The published numbers of a study, in `published.csv`.

Columns of settings say which cell a row belongs to. They have the names of a campaign's TOML file (target,
nodes, mutation, lambda, ...), `n` or `law.NAME`; a setting without a column may have any value. The file has
either a row per run, with the columns `time`, in the unit of the study (for a failed run, its budget), and
`solved`, true or false; or a row per cell, with `runs`, `successes` and any of `mean`, `std` and `median` of
the successful runs.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import TypeVar

from gatewalk.campaign.plan import Cell
from gatewalk.campaign.spec import AXES, TOML_NAMES
from gatewalk.errors import InputError, shown
from gatewalk.search.settings import cell_values
from gatewalk.stats.comparison import Reported
from gatewalk.stats.sample import Sample, sample

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
        law = cell.settings.law
        return {str(getattr(law, name.removeprefix("law."), None))}
    values = cell_values(cell.settings, cell.seed)
    if name == "n":
        return {str(values["n"])}
    if name == "target":  # a custom target may have a long text, so its name is accepted too
        return {str(cell.options["target"]), cell.settings.target, cell.settings.label}
    field = _FIELDS[name]
    columns = AXES[field].columns
    return {str(cell.options.get(field)), *(str(values[column.name]) for column in columns[:1])}


def check_matched(published: Published, cells: Sequence[Cell], place: str) -> None:
    """Refuse a published cell that matches no cell of the campaign, such as one with a misspelt setting."""
    left: dict[int, PublishedCell | ReportedCell] = {id(one): one for one in published.cells}
    left |= {id(one): one for one in published.reported}
    for cell in cells:
        for found in matching(cell, list(left.values())):
            del left[id(found)]
    if left:
        label = next(iter(left.values())).label
        raise InputError(
            f"{place}: no cell of the campaign has the published settings {shown(label)}; "
            "add it to the grid or correct the row"
        )


def of_cell(published: Published, cell: Cell) -> PublishedCell | None:
    """The published runs that belong to a cell of ours."""
    found = matching(cell, published.cells)
    return _pooled(found) if found else None


def reported_of(published: Published, cell: Cell) -> Reported | None:
    """The published statistics that belong to a cell of ours."""
    return next((theirs.reported for theirs in matching(cell, published.reported)), None)


def _pooled(found: Iterable[PublishedCell]) -> PublishedCell:
    """Cells with equivalent settings, such as nodes 2n and 16 at n = 8, merged into one."""
    import numpy as np

    cells = list(found)
    runs = [cell.runs for cell in cells]
    return PublishedCell(
        cells[0].settings,
        Sample(
            np.concatenate([data.iterations for data in runs]), np.concatenate([data.solved for data in runs])
        ),
    )
