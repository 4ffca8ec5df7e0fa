"""The cells of a store with their running times: the input of figures, fits and comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gatewalk.campaign.labels import labels
from gatewalk.campaign.store_file import explained
from gatewalk.errors import InputError, brief, shown
from gatewalk.search.settings import Settings
from gatewalk.stats.sample import Sample, sample

if TYPE_CHECKING:
    from gatewalk.campaign.results import Results

UNITS = ("iterations", "evaluations", "elementary_steps")


@dataclass(frozen=True, kw_only=True)
class CellRuns:
    """A cell of a campaign or a study with its runs.

    Attributes
    ----------
    label
        The name of the cell, different from those of the other cells.
    settings
        The settings of its runs.
    options
        Its options as the campaign writes them: `options["nodes"]` may be "2n".
    values
        Its settings by column: `values["n"]`, `values["nodes"]`.
    runs
        Running times, and which runs succeeded.
    columns
        Every result of the runs by name: iterations, evaluations, gates, generalisation, ...
    observed
        What a study's `observe` returned for this cell; empty otherwise.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> (cell,) = cells_of(run(campaign(target="and:3", replications=5, seed=7), jobs=1))
    >>> cell.label, cell.values["n"], cell.runs.successes
    ('and:3', 3, 5)
    """

    label: str
    settings: Settings
    options: Mapping[str, Any]
    values: Mapping[str, Any]
    runs: Sample
    columns: Mapping[str, Sequence[Any]]
    observed: Mapping[str, Any]


def written(cell: CellRuns, option: str) -> str:
    """An option of a cell as its campaign writes it, such as 2n; empty if it does not say."""
    value = cell.options.get(option)
    return "" if value is None else brief(str(value))


def cells_of(results: Results, *, unit: str = "iterations") -> tuple[CellRuns, ...]:
    """The cells of a campaign's results that have runs.

    Parameters
    ----------
    results
        The results of a campaign, or a selection of them: `results.where(target="and:4")`.
    unit
        What time is counted in: iterations, evaluations or elementary_steps.

    Returns
    -------
    tuple of CellRuns
        In the order of the store.

    Raises
    ------
    InputError
        If there is no run, or the store is damaged.

    Examples
    --------
    >>> from gatewalk.campaign import campaign, run
    >>> results = run(campaign(target=["and:2", "and:3"], replications=5, seed=7), jobs=1)
    >>> [(cell.label, cell.runs.runs) for cell in cells_of(results)]
    [('and:2', 5), ('and:3', 5)]
    """
    if unit not in UNITS:
        raise InputError(f"unknown unit of time {shown(unit)}; use {', '.join(UNITS)}")
    read = [(cell, columns) for cell, columns in results.by_cell() if columns[unit]]
    if not read:
        raise InputError(f"{results.name}: there are no finished runs; run the campaign first")
    names = labels([cell.values for cell, _ in read])
    with explained(results.name):
        return tuple(
            CellRuns(
                label=name,
                settings=cell.settings,
                options=cell.options,
                values=cell.values,
                runs=sample(columns[unit], columns["solved"]),
                columns=columns,
                observed={},
            )
            for name, (cell, columns) in zip(names, read, strict=True)
        )
