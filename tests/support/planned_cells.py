"""Cells of a campaign with a running time or two, without running it."""

from gatewalk.analysis.cells import CellRuns
from gatewalk.campaign import campaign, plan
from gatewalk.search.options import cell_values
from gatewalk.stats.sample import sample


def cells(**words):
    return [
        CellRuns(
            label=cell.search.target.name,
            search=cell.search,
            words=cell.words,
            values=cell_values(cell.search, cell.seed),
            runs=sample([index, 1], [True, True]),
            columns={},
            observed={},
        )
        for index, cell in enumerate(plan(campaign(**words)))
    ]
