"""The reproduction of the paper as a study."""

from __future__ import annotations

from dataclasses import replace

from gatewalk.studies.paper import reproduce
from gatewalk.studies.paper.experiments import Request
from gatewalk.studies.request import Report
from gatewalk.studies.request import Request as StudyRequest


def run(request: StudyRequest) -> Report:
    """Reproduce the paper with the usual replications."""
    wanted = Request()
    if request.seed is not None:
        wanted = replace(wanted, seed=request.seed)
    if request.quick:
        wanted = wanted.quick()
    report = reproduce.reproduce(
        wanted,
        request.out,
        jobs=request.jobs,
        watch=request.watch,
        say=request.say,
        command=request.command,
    )
    record = {
        "study": request.study.name,
        "quick": request.quick,
        "page": str(report.page),
        "summary": list(report.summary),
    }
    return Report(report.page, report.summary, record, request.out / "figures" / "figure2-tinyverse.svg")
