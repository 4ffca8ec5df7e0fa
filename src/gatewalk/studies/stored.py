"""The stored runs of a study, `runs.csv`, behind its notes: whether they come out the same now.

The file has a row per run. Its columns are those of exported campaigns: `run`, `iterations`, `solved`, and
the settings that distinguish the cells; other columns are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gatewalk.analysis.cells import CellRuns
from gatewalk.errors import InputError, shown
from gatewalk.search.runs import COLUMNS
from gatewalk.search.settings import CELL_COLUMNS
from gatewalk.studies.published import read_table

_NEEDED = ("run", "iterations", "solved")


@dataclass(frozen=True)
class Repeated:
    """How many stored runs were repeated, and how many of these had the same result."""

    stored: int
    repeated: int
    same: int

    @property
    def words(self) -> str:
        if not self.repeated:
            return f"None of the {self.stored:,} runs stored with the study was repeated."
        rest = self.repeated - self.same
        end = "all with the same result" if not rest else f"{rest:,} of them with another result"
        return f"{self.repeated:,} of the {self.stored:,} runs stored with the study were repeated, {end}."


Stored = dict[tuple[str, ...], tuple[str, str]]


def read_stored(path: Path) -> tuple[tuple[str, ...], Stored]:
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
    found: Stored = {}
    for _, row in rows:
        values = dict(zip(header, row, strict=True))
        found[tuple(values[name] for name in names)] = (values["iterations"], values["solved"].lower())
    return names, found


def repeated(path: Path, cells: Sequence[CellRuns]) -> Repeated:
    """Compare the runs of these cells with the stored ones."""
    names, kept = read_stored(path)
    again = same = 0
    for cell in cells:
        for place in range(cell.runs.runs):
            key = tuple(_text(cell, name, place) for name in names)
            if key in kept:
                again += 1
                now = (str(cell.columns["iterations"][place]), str(cell.columns["solved"][place]).lower())
                same += now == kept[key]
    return Repeated(len(kept), again, same)


def _text(cell: CellRuns, name: str, place: int) -> str:
    value = cell.columns[name][place] if name in cell.columns else cell.values[name]
    return "" if value is None else str(value)
