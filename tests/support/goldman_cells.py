"""The published runs of Goldman and Punch in the place of ours, made slower or quicker."""

import numpy as np

from gatewalk.analysis import CellRuns
from gatewalk.stats.sample import Sample
from gatewalk.studies import Measured, read_study
from gatewalk.studies.folder import cells_of
from gatewalk_studies.goldman_punch.study import key_of, published_runs

STUDY = read_study("goldman_punch")
THEIRS = published_runs(Measured(study=STUDY, cells=()))


def cells(factor=1.0):
    """The published runs, their times multiplied, as if they were ours."""
    found = {}
    for cell in cells_of(STUDY):
        made = CellRuns(
            label=cell.search.target.label,
            search=cell.search,
            words=cell.words,
            values={"nodes": cell.search.nodes},
            runs=Sample(np.zeros(1), np.ones(1, bool)),
            columns={},
            observed={},
        )
        runs = THEIRS[key_of(made)]
        times = np.where(runs.solved, factor * runs.iterations, 1e7)
        found[key_of(made)] = CellRuns(**{**vars(made), "runs": Sample(times, runs.solved & (times <= 1e7))})
    return found
