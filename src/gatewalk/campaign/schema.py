"""The tables of a store. Counts per cell are written with the runs, so a status never counts rows."""

from __future__ import annotations

APPLICATION_ID = 0x4757_414C  # "GWAL"
VERSION = 2

TABLES = ("campaign", "cell", "delivery", "run", "trace", "checkpoint")

STATEMENTS = (
    # One line per invocation: what was asked, by which software, on what, when.
    """CREATE TABLE campaign (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL, text TEXT NOT NULL,
        packages TEXT NOT NULL, processor TEXT NOT NULL, executor TEXT NOT NULL,
        started REAL NOT NULL, stopped REAL, state TEXT NOT NULL)""",
    # finished, solved, iterations, seconds: of the runs stored; traced: those of them with a trace.
    """CREATE TABLE cell (
        id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, law TEXT NOT NULL, law_version INTEGER NOT NULL,
        options TEXT NOT NULL, seed INTEGER NOT NULL, budget INTEGER NOT NULL,
        target TEXT NOT NULL, algorithm TEXT NOT NULL, n INTEGER NOT NULL, nodes INTEGER,
        selection TEXT NOT NULL, profile TEXT NOT NULL, training TEXT NOT NULL, mutation TEXT,
        offspring INTEGER NOT NULL, gate_set TEXT NOT NULL,
        start TEXT NOT NULL, law_options TEXT NOT NULL,
        planned INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0, solved INTEGER NOT NULL DEFAULT 0,
        iterations INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
        traced INTEGER NOT NULL DEFAULT 0)""",
    # One line per transaction that stored runs: by which invocation, how many, and when.
    """CREATE TABLE delivery (
        id INTEGER PRIMARY KEY, campaign INTEGER NOT NULL REFERENCES campaign,
        runs INTEGER NOT NULL, stored REAL NOT NULL)""",
    # A run is known by its cell, whose key says what determines it, and its number. Rows lie in that order,
    # so that new ones are appended. fitness has no type: an integer, or its decimal text beyond 64 bits.
    """CREATE TABLE run (
        cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL,
        iterations INTEGER NOT NULL, evaluations INTEGER NOT NULL, elementary_steps INTEGER NOT NULL,
        solved INTEGER NOT NULL, fitness NOT NULL, gates INTEGER NOT NULL, generalisation REAL,
        evaluation TEXT NOT NULL, program BLOB NOT NULL, seconds REAL NOT NULL,
        delivery INTEGER NOT NULL REFERENCES delivery,
        PRIMARY KEY (cell, run)) WITHOUT ROWID""",
    """CREATE TABLE trace (
        cell INTEGER NOT NULL, run INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (cell, run), FOREIGN KEY (cell, run) REFERENCES run) WITHOUT ROWID""",
    """CREATE TABLE checkpoint (
        cell INTEGER NOT NULL REFERENCES cell, run INTEGER NOT NULL, state BLOB NOT NULL,
        seconds REAL NOT NULL, saved REAL NOT NULL, PRIMARY KEY (cell, run)) WITHOUT ROWID""",
)
