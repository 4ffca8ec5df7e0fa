"""Cells of a campaign with a running time or two, without running it."""

from gatewalk.analysis.cells import CellRuns
from gatewalk.campaign import campaign, plan
from gatewalk.search.settings import cell_values
from gatewalk.stats.sample import sample


def cells(**options):
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
