"""Studies: papers and open questions, each a folder with its campaign, its published data and its claims.

>>> from gatewalk.studies import names
>>> "paper" in names()
True

The `study.py` of a study imports from here the types of its arguments and results.
"""

from __future__ import annotations

from gatewalk.studies.findings import Claim, Drawing, Findings, Measured, Remark, Report, Request, judged
from gatewalk.studies.folder import names, read_study
from gatewalk.studies.run import run_study

__all__ = [
    "Claim",
    "Drawing",
    "Findings",
    "Measured",
    "Remark",
    "Report",
    "Request",
    "judged",
    "names",
    "read_study",
    "run_study",
]
