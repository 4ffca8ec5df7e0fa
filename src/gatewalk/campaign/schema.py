"""The tables of a store and their columns, as they are written and as they are checked when read.

Counts per cell are updated with the runs, so nobody has to count rows to know the status. The columns of
cells and runs follow from `Settings` and `Run`.
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

# One row per invocation of a campaign: what was asked for, with which software, on which machine, and when.
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
# About the stored runs of a cell: how many there are, how many were solved and how many have a trace, and the
# sums of their iterations and seconds.
COUNTS = (
    Column(name="finished", kind="count"),
    Column(name="solved", kind="count"),
    Column(name="iterations", kind="total"),
    Column(name="seconds", kind="real"),
    Column(name="traced", kind="count"),
)
# options: the arguments of `settings`, as JSON. law: the canonical text of the law that follows from them.
CELL = (
    Column(name="key", kind="bytes"),
    Column(name="law", kind="text"),
    Column(name="options", kind="text"),
    *CELL_COLUMNS,
    Column(name="planned", kind="count"),
    *COUNTS,
)
# One row per transaction that stored runs: of which invocation, how many runs, and when.
DELIVERY = (
    Column(name="campaign", kind="count"),
    Column(name="runs", kind="count"),
    Column(name="stored", kind="real"),
)
# A run is identified by its cell, whose key is a hash of what determines it, and by its number.
RUN = (CELL_NUMBER, *RUN_COLUMNS, PROGRAM, Column(name="delivery", kind="count"))
TRACE = (CELL_NUMBER, RUN_NUMBER, Column(name="data", kind="bytes"))
CHECKPOINT = (
    CELL_NUMBER,
    RUN_NUMBER,
    Column(name="state", kind="bytes"),
    Column(name="seconds", kind="real"),
    Column(name="saved", kind="real"),
)

# Numbers beyond 64 bits are stored as decimal text, so their column has no type.
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
    """The statement that creates a table whose rows have a number of their own as key."""
    return _table(name, ["id INTEGER PRIMARY KEY", *map(_declared, columns), *more])


def _of_runs(name: str, columns: Sequence[Column], *more: str) -> str:
    """The statement that creates a table with a row per run, ordered so that new runs are appended."""
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
