"""Studies: papers and open questions, each a folder with its campaign, its published data and its claims.

>>> from gatewalk.studies import names
>>> "paper" in names()
True

The `study.py` of a study imports from here the types of its arguments and results.
"""

from __future__ import annotations

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import curves
from gatewalk.analysis.distribution_figures import distribution_figure
from gatewalk.analysis.time_figures import times_figure
from gatewalk.stats.comparison import (
    CellComparison,
    Reported,
    ReportedComparison,
    Together,
    compare,
    compare_reported,
    together,
)
from gatewalk.studies.findings import Claim, Drawing, Findings, Measured, Remark, Report, Request, judged
from gatewalk.studies.folder import Study, find, names, read_study
from gatewalk.studies.page import write_gallery
from gatewalk.studies.run import run_study

__all__ = [
    "CellComparison",
    "CellRuns",
    "Claim",
    "Drawing",
    "Findings",
    "Measured",
    "Remark",
    "Report",
    "Reported",
    "ReportedComparison",
    "Request",
    "Study",
    "Together",
    "compare",
    "compare_reported",
    "curves",
    "distribution_figure",
    "find",
    "judged",
    "names",
    "read_study",
    "run_study",
    "times_figure",
    "together",
    "write_gallery",
]
