"""The cells of a store with their running times: the input of figures, fits, comparisons and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import label_of
from gatewalk.campaign.labels import labels
from gatewalk.campaign.store import StoredCell, run_chunks
from gatewalk.campaign.store_file import explained
from gatewalk.errors import InputError, brief, shown
from gatewalk.search.options import Search, cell_values
from gatewalk.search.runs import RUN_COLUMNS, Runs
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.sample import Sample, sample

if TYPE_CHECKING:
    from gatewalk.campaign.results import Results

UNITS = ("iterations", "evaluations", "elementary_steps")
MOST_CELLS = 1000  # a page has the runs of at most so many cells; it counts those of all cells
_TYPES: dict[str, Any] = {  # of the columns of runs that a page needs
    "run": np.int64,
    "iterations": np.int64,
    "solved": np.bool_,
    "gates": np.int64,
    "generalisation": np.float64,
}
_COLUMNS = tuple(column for column in RUN_COLUMNS if column.name in _TYPES)


@dataclass(frozen=True, kw_only=True)
class CellRuns:
    """A cell of a campaign or a study with its runs.

    label: its name, different from those of the other cells.
    search, words: the search of its runs, and the words that describe it: `words["nodes"]` may be "2n".
    values: its settings by column: `values["n"]`, `values["nodes"]`.
    runs: running times, and which runs succeeded.
    columns: the results of the runs by name: iterations, evaluations, gates, generalisation, ...
    observed: what a study's `observe` returned for this cell; empty otherwise.

    >>> from gatewalk.campaign import campaign, run
    >>> (cell,) = cells_of(run(campaign(target="and:3", replications=5, seed=7), jobs=1))
    >>> cell.label, cell.values["n"], cell.runs.successes
    ('and:3', 3, 5)
    """

    label: str
    search: Search
    words: Mapping[str, Any]
    values: Mapping[str, Any]
    runs: Sample
    columns: Mapping[str, Sequence[Any]]
    observed: Mapping[str, Any]

    @property
    def errors(self) -> NDArray[np.float64]:
        """The error of every run on fresh rows, if the training set is a sample.

        >>> from gatewalk.campaign import campaign, run
        >>> results = run(campaign(target="and:4", training="sample", replications=3, seed=7), jobs=1)
        >>> cells_of(results)[0].errors.shape
        (3,)
        """
        abilities: NDArray[np.float64] = np.array(self.columns["generalisation"], dtype=np.float64)
        return 1 - abilities


@dataclass(frozen=True, kw_only=True)
class StoreCells:
    """All cells of a store, and the runs of as many as a page can show.

    stored, labels: the cells in the order of the store, and the name of each.
    read: the cells with runs, at most `MOST_CELLS`: each as the store has it, and with its runs.
    """

    stored: tuple[StoredCell, ...]
    labels: tuple[str, ...]
    read: tuple[tuple[StoredCell, CellRuns], ...]

    @property
    def runs(self) -> tuple[CellRuns, ...]:
        """The cells whose runs were read."""
        return tuple(cell for _, cell in self.read)

    @property
    def unread(self) -> int:
        """How many cells have runs that were not read, because there are too many cells."""
        return sum(cell.finished > 0 for cell in self.stored) - len(self.read)


def word_of(cell: CellRuns, name: str) -> str:
    """A setting of a cell as its campaign writes it, such as 2n; empty if it does not say."""
    word = cell.words.get(name)
    return "" if word is None else brief(str(word))


def cells_of(results: Results | Runs, *, unit: str = "iterations") -> tuple[CellRuns, ...]:
    """The cells of a campaign that have runs, in the order of the store; or the one cell of `Runs`.

    results: of a campaign, or a selection of them: `results.where(target="and:4")`; or those of `run_many`.
    unit: what time is counted in: iterations, evaluations or elementary_steps.

    Raises `InputError` if there is no run, or the store is damaged.

    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> [(cell.label, cell.runs.runs) for cell in cells_of(results)]
    [('and:2', 5), ('and:3', 5)]
    """
    if unit not in UNITS:
        raise InputError(f"unknown unit of time {shown(unit)}; use {', '.join(UNITS)}")
    if isinstance(results, Runs):
        return (_cell_of(results, unit=unit),)
    stored = [(cell, columns) for cell, columns in results.by_cell() if columns[unit]]
    if not stored:
        raise InputError(f"{results.name}: there are no finished runs; run the campaign first")
    names = labels([cell.values for cell, _ in stored])
    with explained(results.name):
        return tuple(
            _with_runs(cell, name, columns, unit=unit)
            for name, (cell, columns) in zip(names, stored, strict=True)
        )


def _cell_of(runs: Runs, *, unit: str) -> CellRuns:
    """Runs that are in no store, as a cell."""
    values = cell_values(runs.search, runs.seed)
    columns = {column.name: list(runs.values(column.name)) for column in RUN_COLUMNS}
    return CellRuns(
        label=label_of(runs.search.target.name),
        search=runs.search,
        words=values,
        values=values,
        runs=sample(columns[unit], columns["solved"]),
        columns=columns,
        observed={},
    )


def read_cells(results: Results, *, on_progress: OnProgress = lambda share, words: None) -> StoreCells:
    """All cells of a store, with only those columns of their runs that a page needs, as arrays.

    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> cells = read_cells(results)
    >>> cells.labels, [cell.runs.runs for cell in cells.runs]
    (('and:2', 'and:3'), [5, 5])
    """
    stored = tuple(results.cells())
    names = tuple(labels([cell.values for cell in stored]))
    chosen = [(cell, name) for cell, name in zip(stored, names, strict=True) if cell.finished][:MOST_CELLS]
    total = sum(cell.finished for cell, _ in chosen)
    read, done = [], 0
    for cell, name in chosen:
        on_progress(done / total, "reading runs")
        with explained(results.name):
            columns = _arrays(results, cell)
            if columns["run"].size:
                read.append((cell, _with_runs(cell, name, columns, unit="iterations")))
        done += cell.finished
    return StoreCells(stored=stored, labels=names, read=tuple(read))


def _arrays(results: Results, cell: StoredCell) -> dict[str, Any]:
    """The columns of `_TYPES`: arrays take a quarter of the memory of lists. No generalisation is NaN."""
    parts = {name: [np.empty(0, dtype)] for name, dtype in _TYPES.items()}
    for chunk in run_chunks(results.connection, cell, _COLUMNS):
        for column, values in zip(_COLUMNS, chunk, strict=True):
            parts[column.name].append(np.array(values, _TYPES[column.name]))
    return {name: np.concatenate(arrays) for name, arrays in parts.items()}


def _with_runs(cell: StoredCell, label: str, columns: Mapping[str, Any], *, unit: str) -> CellRuns:
    return CellRuns(
        label=label,
        search=cell.search,
        words=cell.words,
        values=cell.values,
        runs=sample(columns[unit], columns["solved"]),
        columns=columns,
        observed={},
    )
