"""Cells of a campaign with a running time or two, without running it."""

from __future__ import annotations

from typing import Any

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.statistics import sample
from gatewalk.campaign import campaign, plan
from gatewalk.search.settings import cell_values


def cells(**options: Any) -> list[CellRuns]:
    return [
        CellRuns(
            label=cell.settings.target,
            settings=cell.settings,
            options=cell.options,
            values=cell_values(cell.settings, cell.seed),
            runs=sample([place, 1], [True, True]),
            columns={},
            observed={},
        )
        for place, cell in enumerate(plan(campaign(**options)))
    ]
