"""The cells of a store for a report: counts of all cells, and the runs of as many as a page can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.campaign.labels import labels
from gatewalk.campaign.results import Results
from gatewalk.campaign.store import StoredCell, run_chunks
from gatewalk.campaign.store_file import explained
from gatewalk.search.runs import RUN_COLUMNS
from gatewalk.stats.sample import sample

MOST_CELLS = 1000  # the runs of at most so many cells are read; all cells are counted
_WANTED = ("run", "iterations", "solved", "gates", "generalisation")
_COLUMNS = tuple(column for column in RUN_COLUMNS if column.name in _WANTED)
Tell = Callable[[str, float], None]  # is given the current step and the share of the work that is done


@dataclass(frozen=True, kw_only=True)
class Cells:
    """The cells that a report is about.

    Parameters
    ----------
    stored
        All cells, in the order of the store.
    labels
        The name of each of them.
    read
        The cells with runs, at most `MOST_CELLS`: each as the store has it, and with its runs.
    """

    stored: tuple[StoredCell, ...]
    labels: tuple[str, ...]
    read: tuple[tuple[StoredCell, CellRuns], ...]

    @property
    def runs(self) -> tuple[CellRuns, ...]:
        """The cells whose runs were read."""
        return tuple(runs for _, runs in self.read)

    @property
    def unread(self) -> int:
        """How many cells have runs that were not read, because there are too many cells."""
        return sum(cell.finished > 0 for cell in self.stored) - len(self.read)


def read_cells(results: Results, *, tell: Tell | None = None) -> Cells:
    """Read a store for a report.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> found = read_cells(results)
    >>> found.labels, [cell.runs.runs for cell in found.runs]
    (('and:2', 'and:3'), [5, 5])
    """
    stored = tuple(results.cells())
    names = tuple(labels([cell.values for cell in stored]))
    chosen = [(cell, name) for cell, name in zip(stored, names, strict=True) if cell.finished][:MOST_CELLS]
    total = sum(cell.finished for cell, _ in chosen)
    read, done = [], 0
    for cell, name in chosen:
        if tell is not None:
            tell("reading runs", done / total)
        runs = _with_runs(results, cell, name)
        if runs is not None:
            read.append((cell, runs))
        done += cell.finished
    return Cells(stored=stored, labels=names, read=tuple(read))


def _with_runs(results: Results, cell: StoredCell, name: str) -> CellRuns | None:
    """The cell with the columns of its runs as arrays; None if it has none."""
    with explained(results.name):
        chunks = [
            np.array(part, dtype=object) for part in run_chunks(results.connection, cell.number, _COLUMNS)
        ]
        if not chunks:
            return None
        rows = np.concatenate(chunks)
        columns = {column.name: rows[:, place] for place, column in enumerate(_COLUMNS)}
        solved = columns["solved"].astype(np.bool_)
        kept: dict[str, Any] = {
            "run": columns["run"].astype(np.int64),
            "solved": solved,
            "gates": columns["gates"].astype(np.int64),
            "generalisation": columns["generalisation"].astype(np.float64),  # NaN for none
        }
        return CellRuns(
            label=name,
            settings=cell.settings,
            options=cell.options,
            values=cell.values,
            runs=sample(columns["iterations"].astype(np.float64), solved),
            columns=kept,
            observed={},
        )
