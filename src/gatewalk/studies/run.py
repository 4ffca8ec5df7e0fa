"""Running a study: its campaign, its observations and findings, and the page that shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import Curves, curves
from gatewalk.analysis.distribution_figures import MOST_COMPARED, distribution_figure
from gatewalk.analysis.growth_figures import growth_figure
from gatewalk.analysis.time_figures import MOST_CURVES, times_figure
from gatewalk.campaign.execution import run as run_campaign
from gatewalk.campaign.labels import labels
from gatewalk.campaign.planning import Cell, plan
from gatewalk.campaign.spec import Campaign
from gatewalk.errors import InputError, shown
from gatewalk.extras import need
from gatewalk.numbers import for_json
from gatewalk.report import tables
from gatewalk.report.page import provenance
from gatewalk.report.tables import Table
from gatewalk.search.options import cell_values
from gatewalk.search.scheduler import threads
from gatewalk.stats.growth import Growth
from gatewalk.stats.sample import ert, sample
from gatewalk.stats.survival import median
from gatewalk.studies.drawings import pictures
from gatewalk.studies.findings import Choices, Drawing, Findings, Measured, Report, Request, checked
from gatewalk.studies.folder import CODE, Code, Study, blamed_on, campaign_of, read_code
from gatewalk.studies.page import (
    Content,
    claim_table,
    comparison_table,
    comparison_words,
    growth_table,
    page,
    running_time_table,
)
from gatewalk.studies.published import (
    OBSERVED,
    PublishedComparison,
    compare_published,
    observation_key,
    published_times,
    read_observations,
    stored_checks,
    write_observation,
)

STORE = "runs.sqlite"
RESAMPLES, QUICK_RESAMPLES = 200, 20  # for the interval of a growth curve


def run_study(request: Request) -> Report:
    """Run a study: make the runs that its store lacks, and write its page, figures and tables.

    In a quick run nothing is judged: the verdict on every claim is "not judged".

    >>> from pathlib import Path
    >>> from gatewalk.studies import Request, read_study, run_study
    >>> request = Request(study=read_study("nodes"), out=Path("results/nodes"), quick=True)
    >>> report = run_study(request)  # doctest: +SKIP
    """
    need("matplotlib", "drawing figures")
    study = request.study
    code = read_code(study.folder)
    choices = chosen_values(study, code, request.choices)
    if code.run is not None:
        request.out.mkdir(parents=True, exist_ok=True)
        with blamed_on(study.folder):
            report = code.run(request)
        if not isinstance(report, Report):
            raise InputError(
                f"{study.folder / CODE}: run returned a {type(report).__name__}; it must return a Report"
            )
        return report
    campaign = campaign_of(study, quick=request.quick, seed=request.seed, replications=request.replications)
    if campaign is None:
        raise InputError(
            f"{study.folder}: nothing to run; add a [grid] to spec.toml, or run(request) to {CODE}"
        )
    cells = plan(campaign)
    if code.chosen is not None:
        with blamed_on(study.folder):
            cells = tuple(cell for cell in cells if code.chosen(cell, choices))
    if not cells:
        raise InputError(f"{study.folder}: no cell of the campaign is left by what was chosen; choose more")
    request.out.mkdir(parents=True, exist_ok=True)
    runs = _measure(request, campaign, cells, code)
    return _write(request, cells, runs, code, choices)


def chosen_values(study: Study, code: Code, choices: Choices) -> dict[str, tuple[str, ...]]:
    """For every name of the study's `CHOICES`, the values that were chosen, all if none was, in its order."""
    for name, values in choices.items():
        if name not in code.choices:
            allowed = f"it has {', '.join(code.choices)}" if code.choices else "it has no choices"
            raise InputError(f"the study {study.name} has no choice {shown(name)}; {allowed}")
        for value in values:
            if value not in code.choices[name]:
                raise InputError(
                    f"unknown {name} {shown(value)}; choose from {', '.join(code.choices[name])}"
                )
    return {
        name: tuple(value for value in allowed if value in (choices.get(name) or allowed))
        for name, allowed in code.choices.items()
    }


def _measure(
    request: Request, campaign: Campaign, cells: tuple[Cell, ...], code: Code
) -> tuple[CellRuns, ...]:
    """Make the runs that the folder's store lacks, and read all of them."""
    watch = request.watch or (lambda stage, progress: None)
    with run_campaign(
        campaign,
        request.out / STORE,
        cells=cells,
        jobs=request.jobs,
        watch=lambda progress: watch("runs", progress),
    ) as results:
        columns = {cell.key: columns for cell, columns in results.by_cell()}
    names = labels([cell_values(cell.search, cell.seed) for cell in cells])
    observed = _observe(request, cells, names, code)
    return tuple(
        _cell_runs(request.study, cell, name, columns[cell.key], seen)
        for cell, name, seen in zip(cells, names, observed, strict=True)
    )


def _cell_runs(
    study: Study, cell: Cell, label: str, columns: Mapping[str, list[Any]], observed: Mapping[str, Any]
) -> CellRuns:
    # A store may hold more runs than are asked for, and the page must not depend on that.
    first = {name: values[: cell.replications] for name, values in columns.items()}
    return CellRuns(
        label=label,
        search=cell.search,
        words=cell.words,
        values=cell_values(cell.search, cell.seed),
        runs=sample(first[study.time], first["solved"]),
        columns=first,
        observed=observed,
    )


def _observe(
    request: Request, cells: Sequence[Cell], names: Sequence[str], code: Code
) -> list[Mapping[str, Any]]:
    """What the study's `observe` returns for each cell. Results are kept by cell, runs and code."""
    if code.observe is None:
        return [{} for _ in cells]
    path = request.out / OBSERVED
    known = read_observations(path)
    for index, (cell, name) in enumerate(zip(cells, names, strict=True), 1):
        key = observation_key(cell, code.text)
        if key not in known:
            request.say(f"observing {name} ({index} of {len(cells)})")
            with blamed_on(request.study.folder):
                known[key] = write_observation(path, key, code.observe(cell, jobs=threads(request.jobs)))
    return [known[observation_key(cell, code.text)] for cell in cells]


@dataclass(frozen=True, kw_only=True)
class _Results:
    """What a study's page is made of: the cells, the frame's own analysis and the study's findings."""

    cells: Sequence[Cell]
    runs: tuple[CellRuns, ...]
    along: Curves
    published: PublishedComparison
    growth: Mapping[str, Growth]
    findings: Findings


def _write(
    request: Request, cells: Sequence[Cell], runs: tuple[CellRuns, ...], code: Code, choices: Choices
) -> Report:
    study, out = request.study, request.out
    request.say(f"comparing {len(runs)} cells" if study.published else f"reading {len(runs)} cells")
    published = compare_published(study.published, cells, runs)
    measured = Measured(
        study=study,
        cells=runs,
        compared=published.runs,
        reported=published.statistics,
        quick=request.quick,
        replications=request.replications,
        choices=choices,
        resamples=QUICK_RESAMPLES if request.quick else RESAMPLES,
    )
    findings = Findings()
    if code.findings is not None:
        request.say("judging claims")
        with blamed_on(study.folder):
            findings = checked(code.findings(measured))
    if request.quick:
        claims = tuple(replace(claim, verdict="not judged") for claim in findings.claims)
        findings = replace(findings, claims=claims)
    growth: Mapping[str, Growth] = {}
    if "growth" not in dict(findings.tables):  # a study with a table of its own needs no other
        request.say("fitting growth curves")
        growth = measured.growth
    results = _Results(
        cells=cells,
        runs=runs,
        along=curves(runs, study.x),
        published=published,
        growth=growth,
        findings=findings,
    )
    request.say("drawing figures")
    drawings = list(findings.figures) or [_times_drawing(study, results)]
    distributions = [_distributions(study, published)] if published.runs else []
    drawn = pictures([*drawings, *distributions], out / "figures", study=study.folder, jobs=request.jobs)
    words = comparison_words(published)
    content = Content(
        study=study,
        quick=request.quick,
        summary=[*([words] if words else []), *findings.summary],
        claims=findings.claims,
        remarks=findings.remarks,
        pictures=[(drawing.heading, drawn[drawing.name]) for drawing in drawings],
        own_tables=[table for _, table in findings.tables],
        comparison=comparison_table(published, study.time),
        comparison_words=words,
        distributions=[drawn[drawing.name] for drawing in distributions],
        running_times=running_time_table(runs, study.time),
        growth=growth_table(growth) if growth else None,
        checks=stored_checks(study.folder, cells, runs),
        commands=[request.command],
        versions=[*_versions(request, runs), *provenance()],
        data=_files(results, observed=code.observe is not None),
    )
    _save_tables(content, findings, out)
    target = out / "index.html"
    target.write_text(page(content), encoding="utf-8")
    return Report(
        target,
        tuple(content.summary),
        _record(request, content, results, target),
        out / "figures" / f"{drawings[0].name}.svg",
    )


def _times_drawing(study: Study, results: _Results) -> Drawing:
    """The figure of a study without figures of its own: times along its axis, with published times."""
    published = published_times(study.published, study.x, results.cells, results.runs)
    drawn = dict(list(results.along.items())[:MOST_CURVES])
    left = len(results.along) - len(drawn)
    more = f" {left} more curves are in the table only." if left else ""
    if results.growth and not published:
        return Drawing(
            name="times",
            caption=f"Mean {study.time} by n with 95 % intervals, and fitted powers of n.{more}",
            draw=lambda: growth_figure(
                {name: (data, results.growth.get(name)) for name, data in drawn.items()}
            ),
        )
    return Drawing(
        name="times",
        caption=f"Expected {study.time} (of all runs, per success) with 95 % intervals; hollow: some runs "
        f"failed; a triangle: the interval has no upper end; an arrow: none succeeded.{more}",
        draw=lambda: times_figure(drawn, x=study.x, unit=study.time, published=published),
    )


def _distributions(study: Study, published: PublishedComparison) -> Drawing:
    left = max(0, len(published.runs) - MOST_COMPARED)
    more = f" {left} more cells are in the table only." if left else ""
    return Drawing(
        name="distributions",
        caption=f"Fraction of runs solved within so many {study.time}, published and ours.{more}",
        draw=lambda: distribution_figure(published.runs, unit=study.time),
    )


def _versions(request: Request, runs: Sequence[CellRuns]) -> list[tuple[str, str]]:
    return [
        ("study", request.study.name + (", a quick run" if request.quick else "")),
        ("cells", str(len(runs))),
        ("runs", str(sum(cell.runs.runs for cell in runs))),
        ("seed", str(runs[0].values["seed"])),
    ]


def _files(results: _Results, *, observed: bool) -> list[tuple[str, str]]:
    findings = results.findings
    files = {"tables/running-times.csv": "every cell; also as .md and .tex"}
    files |= {"tables/growth.csv": "fitted curves"} if results.growth else {}
    files |= {"tables/published.csv": "published and ours, cell by cell"} if results.published.cells else {}
    files |= {"tables/claims.csv": "claims and verdicts"} if findings.claims else {}
    files |= {f"tables/{name}.csv": table.title for name, table in findings.tables}
    files |= {f"data/{name}.csv": table.title for name, table in findings.data.items()}
    files |= {OBSERVED: "what was observed of each cell"} if observed else {}
    return [*files.items(), (STORE, "every run with its program; gatewalk campaign status|export reads it")]


def _save_tables(content: Content, findings: Findings, out: Path) -> None:
    named: dict[str, Table | None] = {
        "running-times": content.running_times,
        "growth": content.growth,
        "published": content.comparison,
        "claims": claim_table(findings.claims) if findings.claims else None,
        **dict(findings.tables),
    }
    for name, table in named.items():
        if table is not None:
            tables.save(table, out / "tables", name)
    for name, table in findings.data.items():
        (out / "data").mkdir(exist_ok=True)
        (out / "data" / f"{name}.csv").write_text(tables.as_csv(table), encoding="utf-8")


def _record(request: Request, content: Content, results: _Results, target: Path) -> dict[str, Any]:
    """The results as data: a line of `gatewalk study run --json`."""
    return {
        "study": request.study.name,
        "quick": request.quick,
        "page": str(target),
        "summary": list(content.summary),
        "claims": [asdict(claim) for claim in content.claims],
        "cells": [
            {
                "cell": cell.label,
                "n": cell.values["n"],
                "nodes": cell.values["nodes"],
                "runs": cell.runs.runs,
                "solved": cell.runs.successes,
                "ert": for_json(ert(cell.runs)),
                "median": for_json(median(cell.runs).value),
            }
            for cell in results.runs
        ],
        "published": [
            {"cell": cell.label, "p": cell.p_value, "verdict": cell.verdict}
            for cell in results.published.cells
        ],
    }
