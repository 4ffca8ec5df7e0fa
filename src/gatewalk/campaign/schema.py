"""The tables of a store. Counts per cell are kept by a trigger, so a status never counts rows."""

from __future__ import annotations

APPLICATION_ID = 0x4757_414C  # "GWAL"
VERSION = 1

TABLES = ("campaign", "cell", "run", "trace", "checkpoint")

STATEMENTS = (
    # One line per invocation: what was asked, by which software, on what, when.
    """CREATE TABLE campaign (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL,
        packages TEXT NOT NULL, processor TEXT NOT NULL, executor TEXT NOT NULL,
        started REAL NOT NULL, stopped REAL, state TEXT NOT NULL)""",
    """CREATE TABLE cell (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, law TEXT NOT NULL, law_version INTEGER NOT NULL,
        options TEXT NOT NULL, seed INTEGER NOT NULL, budget INTEGER NOT NULL,
        target TEXT NOT NULL, algorithm TEXT NOT NULL, n INTEGER NOT NULL, nodes INTEGER,
        selection TEXT NOT NULL, profile TEXT NOT NULL, training TEXT NOT NULL, mutation TEXT,
        offspring INTEGER NOT NULL, gate_set TEXT NOT NULL,
        start TEXT NOT NULL, law_options TEXT NOT NULL,
        planned INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0, solved INTEGER NOT NULL DEFAULT 0,
        iterations INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0)""",
    # fitness has no type: an integer, or its decimal text beyond 64 bits.
    """CREATE TABLE run (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,
        cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL,
        iterations INTEGER NOT NULL, evaluations INTEGER NOT NULL, elementary_steps INTEGER NOT NULL,
        solved INTEGER NOT NULL, fitness NOT NULL, gates INTEGER NOT NULL, generalisation REAL,
        evaluation TEXT NOT NULL, program BLOB NOT NULL,
        seconds REAL NOT NULL, finished REAL NOT NULL, campaign INTEGER NOT NULL REFERENCES campaign,
        UNIQUE (cell, run))""",
    "CREATE TABLE trace (run INTEGER PRIMARY KEY REFERENCES run, data BLOB NOT NULL)",
    """CREATE TABLE checkpoint (
        cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL, state BLOB NOT NULL,
        seconds REAL NOT NULL, saved REAL NOT NULL, PRIMARY KEY (cell, run)) WITHOUT ROWID""",
    """CREATE TRIGGER counted AFTER INSERT ON run BEGIN
        UPDATE cell SET finished = finished + 1, solved = solved + new.solved,
            iterations = iterations + new.iterations, seconds = seconds + new.seconds
        WHERE id = new.cell;
        DELETE FROM checkpoint WHERE cell = new.cell AND run = new.run; END""",
)
