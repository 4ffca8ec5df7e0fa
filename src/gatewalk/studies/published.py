"""Published runs of a study as data: `published.csv`, a row per run, told apart by columns of settings.

Columns are settings by their names in a campaign's TOML file (target, nodes, mutation, lambda, ...), `n` or
`law.NAME`, and two more: `time`, in the unit of the study, and `solved`, true or false. The time of a run
that failed is what it was given. Settings that have no column may be anything.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from gatewalk.analysis.statistics import Sample, sample
from gatewalk.campaign.plan import Cell
from gatewalk.campaign.spec import AXES, TOML_NAMES
from gatewalk.errors import InputError, shown
from gatewalk.search.settings import cell_values

MOST_BYTES = 50_000_000
MARKS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_FIELDS = {toml: name for name, toml in TOML_NAMES.items()}


@dataclass(frozen=True)
class PublishedCell:
    """The published runs with the same settings, which are texts by the names of their columns."""

    settings: Mapping[str, str]
    runs: Sample

    @property
    def label(self) -> str:
        return ", ".join(
            value if name == "target" else f"{name} {value}" for name, value in self.settings.items()
        )


@dataclass(frozen=True)
class Published:
    """All published runs of a study and where they come from."""

    source: str
    cells: tuple[PublishedCell, ...]


def read_published(path: Path, source: str) -> Published:
    """The runs in a CSV file; errors name the file and the line."""
    rows = read_table(path)
    header = next(rows)[1]
    for name in ("time", "solved"):
        if name not in header:
            raise InputError(
                f"{path}:1: no column {name}; published runs have a row each, with time and solved"
            )
    for name in header:
        _check_column(name, path)
    if len(set(header)) < len(header):
        raise InputError(f"{path}:1: a column is there twice")
    grouped: dict[tuple[str, ...], list[tuple[float, bool]]] = {}
    names = [name for name in header if name not in ("time", "solved")]
    for number, row in rows:
        values = dict(zip(header, row, strict=True))
        key = tuple(values[name].strip() for name in names)
        time, solved = _time(values["time"], path, number), _mark(values["solved"], path, number)
        grouped.setdefault(key, []).append((time, solved))
    if not grouped:
        raise InputError(f"{path}: no runs; leave the file out or give a row per run")
    cells = tuple(
        PublishedCell(dict(zip(names, key, strict=True)), sample(*zip(*times, strict=True)))
        for key, times in grouped.items()
    )
    return Published(source, cells)


def read_table(path: Path) -> Iterator[tuple[int, list[str]]]:
    """(line number, values) of the header and every row of a CSV file, all of one length."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path}: more than {MOST_BYTES:,} bytes; shorten it")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot read it: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: not a text in UTF-8") from None
    reader = csv.reader(text.splitlines(), strict=True)
    length = 0
    try:
        for row in reader:
            if not row:
                continue
            length = length or len(row)
            if len(row) != length:
                raise InputError(f"{path}:{reader.line_num}: {len(row)} values where the header has {length}")
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not valid CSV: {error}") from None
    if not length:
        raise InputError(f"{path}: empty; its first line has the columns' names")


def _check_column(name: str, path: Path) -> None:
    if name in ("time", "solved", "n") or name in _FIELDS or name.startswith("law."):
        return
    allowed = ", ".join(["time", "solved", "n", *_FIELDS, "law.NAME"])
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


def matches(cell: Cell, published: PublishedCell) -> bool:
    """Has the cell these settings, as they are written in the campaign or as they are resolved?"""
    return all(text in _forms(cell, name) for name, text in published.settings.items())


def _forms(cell: Cell, name: str) -> set[str]:
    if name.startswith("law."):
        law = cell.settings.law
        return {str(getattr(law, name.removeprefix("law."), None))}
    values = cell_values(cell.settings, cell.seed)
    if name == "n":
        return {str(values["n"])}
    if name == "target":  # of one's own, what it is called will do: its text may be long
        return {str(cell.options["target"]), cell.settings.target, cell.settings.label}
    field = _FIELDS[name]
    columns = AXES[field].columns
    return {str(cell.options.get(field)), *(str(values[column.name]) for column in columns[:1])}


def check_matched(published: Published, cells: Sequence[Cell], place: str) -> None:
    """Every published cell must belong to a cell of the campaign: another spelling would compare nothing."""
    for theirs in published.cells:
        if not any(matches(cell, theirs) for cell in cells):
            raise InputError(
                f"{place}: no cell of the campaign has the published settings {shown(theirs.label)}; "
                "add it to the grid or mend the row"
            )


def of_cell(published: Published, cell: Cell) -> PublishedCell | None:
    """The published runs that belong to a cell of ours."""
    found = [theirs for theirs in published.cells if matches(cell, theirs)]
    return _pooled(found) if found else None


def _pooled(found: Iterable[PublishedCell]) -> PublishedCell:
    """Cells that mean the same, such as nodes 2n and 16 at n = 8, as one."""
    import numpy as np

    cells = list(found)
    runs = [cell.runs for cell in cells]
    return PublishedCell(
        cells[0].settings,
        Sample(
            np.concatenate([data.iterations for data in runs]), np.concatenate([data.solved for data in runs])
        ),
    )
