"""The tables of a store and the columns of each: what is written, and what is checked when it is read.

Counts per cell are written with the runs, so a status never counts rows. The columns of cells and runs are
those of `Settings` and `Run`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gatewalk.search.column import Column, Kind
from gatewalk.search.run import RUN_COLUMNS
from gatewalk.search.settings import CELL_COLUMNS

APPLICATION_ID = 0x4757_414C  # "GWAL"
VERSION = 3

ID = Column(name="id", kind="count")
CELL_NUMBER = Column(name="cell", kind="count")
RUN_NUMBER = Column(name="run", kind="count")
PROGRAM = Column(name="program", kind="bytes")

# One row per invocation: what was asked, by which software, on what, when.
CAMPAIGN = (
    Column(name="name", kind="text"),
    Column(name="source", kind="text"),
    Column(name="text", kind="text"),
    Column(name="packages", kind="text"),
    Column(name="processor", kind="text"),
    Column(name="executor", kind="text"),
    Column(name="started", kind="real"),
    Column(name="stopped", kind="real", optional=True),
    Column(name="state", kind="text"),
)
# Of the runs stored: how many there are, were solved and have a trace, and the sums of what they took.
COUNTS = (
    Column(name="finished", kind="count"),
    Column(name="solved", kind="count"),
    Column(name="iterations", kind="total"),
    Column(name="seconds", kind="real"),
    Column(name="traced", kind="count"),
)
# options: what `settings` was called with, as JSON; law: what it came to.
CELL = (
    Column(name="key", kind="bytes"),
    Column(name="law", kind="text"),
    Column(name="options", kind="text"),
    *CELL_COLUMNS,
    Column(name="planned", kind="count"),
    *COUNTS,
)
# One row per transaction that stored runs: by which invocation, how many, and when.
DELIVERY = (
    Column(name="campaign", kind="count"),
    Column(name="runs", kind="count"),
    Column(name="stored", kind="real"),
)
# A run is known by its cell, whose key says what determines it, and its number.
RUN = (CELL_NUMBER, *RUN_COLUMNS, PROGRAM, Column(name="delivery", kind="count"))
TRACE = (CELL_NUMBER, RUN_NUMBER, Column(name="data", kind="bytes"))
CHECKPOINT = (
    CELL_NUMBER,
    RUN_NUMBER,
    Column(name="state", kind="bytes"),
    Column(name="seconds", kind="real"),
    Column(name="saved", kind="real"),
)

# A number beyond 64 bits is its decimal text, so its column has no type.
_TYPES: dict[Kind, str] = {
    "text": "TEXT",
    "count": "INTEGER",
    "total": "INTEGER",
    "real": "REAL",
    "truth": "INTEGER",
    "number": "",
    "bytes": "BLOB",
}


def _numbered(name: str, columns: Sequence[Column], *more: str) -> str:
    """A table whose rows have numbers of their own."""
    return _table(name, ["id INTEGER PRIMARY KEY", *map(_declared, columns), *more])


def _of_runs(name: str, columns: Sequence[Column], *more: str) -> str:
    """A table with a row per run, in their order, so that new ones are appended."""
    key = "PRIMARY KEY (cell, run)"
    return _table(name, [*map(_declared, columns), key, *more]) + " WITHOUT ROWID"


def _table(name: str, lines: Sequence[str]) -> str:
    return f"CREATE TABLE {name} (" + ", ".join(lines) + ")"


def _declared(column: Column) -> str:
    words = [column.name, _TYPES[column.kind], "" if column.optional else "NOT NULL"]
    if column in COUNTS:
        words.append("DEFAULT 0")
    return " ".join(filter(None, words))


STATEMENTS = (
    _numbered("campaign", CAMPAIGN),
    _numbered("cell", CELL, "UNIQUE (key)"),
    _numbered("delivery", DELIVERY, "FOREIGN KEY (campaign) REFERENCES campaign"),
    _of_runs("run", RUN, "FOREIGN KEY (cell) REFERENCES cell", "FOREIGN KEY (delivery) REFERENCES delivery"),
    _of_runs("trace", TRACE, "FOREIGN KEY (cell, run) REFERENCES run"),
    _of_runs("checkpoint", CHECKPOINT, "FOREIGN KEY (cell) REFERENCES cell"),
)
