"""Studies: papers and open questions, each a folder with its campaign, its published data and its claims.

>>> from gatewalk.studies import names
>>> "paper" in names()
True

The `study.py` of a study imports from here the types of its arguments and results.
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    from gatewalk.analysis.cells import CellRuns as CellRuns
    from gatewalk.analysis.curves import curves as curves
    from gatewalk.analysis.time_figures import times_figure as times_figure
    from gatewalk.studies.catalogue import find as find
    from gatewalk.studies.catalogue import names as names
    from gatewalk.studies.claims import Claim as Claim
    from gatewalk.studies.claims import judged as judged
    from gatewalk.studies.comparison import CellComparison as CellComparison
    from gatewalk.studies.comparison import Reported as Reported
    from gatewalk.studies.comparison import ReportedComparison as ReportedComparison
    from gatewalk.studies.comparison import Together as Together
    from gatewalk.studies.comparison import compare as compare
    from gatewalk.studies.comparison import compare_reported as compare_reported
    from gatewalk.studies.comparison import together as together
    from gatewalk.studies.figures import distribution_figure as distribution_figure
    from gatewalk.studies.findings import Drawing as Drawing
    from gatewalk.studies.findings import Findings as Findings
    from gatewalk.studies.findings import Measured as Measured
    from gatewalk.studies.folder import Study as Study
    from gatewalk.studies.folder import read_study as read_study
    from gatewalk.studies.request import Report as Report
    from gatewalk.studies.request import Request as Request
    from gatewalk.studies.run import run_study as run_study

_HOME = {
    "CellComparison": "comparison",
    "CellRuns": "measuring",
    "Claim": "claims",
    "Drawing": "findings",
    "Findings": "findings",
    "Measured": "findings",
    "Report": "request",
    "Reported": "comparison",
    "ReportedComparison": "comparison",
    "Request": "request",
    "Study": "folder",
    "Together": "comparison",
    "compare": "comparison",
    "compare_reported": "comparison",
    "curves": "run",
    "distribution_figure": "figures",
    "find": "catalogue",
    "judged": "claims",
    "names": "catalogue",
    "read_study": "folder",
    "run_study": "run",
    "times_figure": "run",
    "together": "comparison",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
