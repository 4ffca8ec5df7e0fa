"""The published results of a study compared with its own runs. Either runs or statistics are published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import nan

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import labelling, position
from gatewalk.campaign.plan import Cell
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import (
    CellComparison,
    Compared,
    ReportedComparison,
    compare,
    compare_reported,
    together,
)
from gatewalk.stats.sample import Sample
from gatewalk.studies.comparison import comparison_table, reported_table, summary
from gatewalk.studies.folder import Study
from gatewalk.studies.published import of_cell, reported_of


@dataclass(frozen=True)
class Beside:
    """The compared cells: with published runs, or with published statistics; one of the two is empty."""

    runs: tuple[CellComparison, ...] = ()
    statistics: tuple[ReportedComparison, ...] = ()

    @property
    def cells(self) -> tuple[Compared, ...]:
        return (*self.runs, *self.statistics)

    @property
    def words(self) -> str:
        """A line about all cells together; empty if there are none."""
        return summary(together(self.cells)) if self.cells else ""

    def table(self, unit: str) -> Table | None:
        """The comparison as a table with a row per cell."""
        if self.runs:
            return comparison_table(self.runs, unit)
        return reported_table(self.statistics, unit) if self.statistics else None


def beside(study: Study, cells: Sequence[Cell], runs: Sequence[CellRuns]) -> Beside:
    """Compare every cell for which something is published."""
    published = study.published
    if published is None:
        return Beside()
    pairs = list(zip(cells, runs, strict=True))
    theirs = [(ours, of_cell(published, cell)) for cell, ours in pairs]
    stated = [(ours, reported_of(published, cell)) for cell, ours in pairs]
    return Beside(
        tuple(compare(ours.label, ours.runs, found.runs) for ours, found in theirs if found),
        tuple(compare_reported(ours.label, ours.runs, found) for ours, found in stated if found),
    )


def published_times(
    study: Study, cells: Sequence[Cell], runs: Sequence[CellRuns]
) -> dict[str, dict[int, Sample | float]]:
    """Published times by curve and by the value on the axis: runs, or the mean if every run succeeded."""
    found: dict[str, dict[int, Sample | float]] = {}
    published = study.published
    if published is None:
        return found
    naming = labelling(runs, study.x)
    for cell, ours in zip(cells, runs, strict=True):
        theirs, stated = of_cell(published, cell), reported_of(published, cell)
        place = found.setdefault(naming(ours), {})
        if theirs is not None:
            place[position(ours, study.x)] = theirs.runs
        elif stated is not None:
            mean = stated.mean if stated.successes == stated.runs else nan
            place[position(ours, study.x)] = mean
    return found
