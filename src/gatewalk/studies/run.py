"""Running a study: its campaign, its observations and findings, and the page that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gatewalk.analysis.cells import CellRuns
from gatewalk.analysis.curves import Curves, curves
from gatewalk.analysis.growth_figures import growth_figure
from gatewalk.analysis.style import save_all, styled
from gatewalk.analysis.time_figures import MOST_CURVES, times_figure
from gatewalk.campaign.plan import Cell
from gatewalk.errors import InputError
from gatewalk.extras import need
from gatewalk.numbers import for_json
from gatewalk.report import tables
from gatewalk.report.page import Picture, provenance
from gatewalk.stats.comparison import CellComparison
from gatewalk.stats.growth import Growth
from gatewalk.stats.sample import ert
from gatewalk.stats.survival import median
from gatewalk.studies import figures
from gatewalk.studies.beside import Beside, beside, published_times
from gatewalk.studies.claims import claim_table
from gatewalk.studies.findings import Drawing, Findings, Measured, checked
from gatewalk.studies.folder import CODE, STORED, Study, campaign_of, cells_of
from gatewalk.studies.hooks import Hooks, blamed_on, hooks_of
from gatewalk.studies.measuring import OBSERVED, STORE, measure
from gatewalk.studies.page import Content, page
from gatewalk.studies.request import Report, Request
from gatewalk.studies.running_times import fits, growth_table, running_time_table
from gatewalk.studies.stored import repeated

QUICK_RESAMPLES = 20
MOST_FITTED = 12  # curves; fitting more takes minutes, and a figure could not show them


def run_study(request: Request) -> Report:
    """Run a study: make the runs that its store lacks, and write its page, figures and tables.

    Parameters
    ----------
    request
        The study, the output folder and the options.

    Returns
    -------
    Report
        The page and its summary.

    Examples
    --------
    >>> from pathlib import Path
    >>> from gatewalk.studies import Request, find, read_study, run_study
    >>> request = Request(study=read_study(find("nodes")), out=Path("results/nodes"), quick=True)
    >>> report = run_study(request)  # doctest: +SKIP
    """
    need("matplotlib", "drawing figures")
    study = request.study
    hooks = hooks_of(study.folder)
    if hooks.run is not None:
        request.out.mkdir(parents=True, exist_ok=True)
        with blamed_on(study.folder / CODE):
            report = hooks.run(request)
        if not isinstance(report, Report):
            raise InputError(
                f"{study.folder / CODE}: run returned a {type(report).__name__}; it must return a Report"
            )
        return report
    campaign = campaign_of(study, quick=request.quick, seed=request.seed)
    if campaign is None:
        raise InputError(
            f"{study.folder}: nothing to run; add a [grid] to spec.toml, or run(request) to {CODE}"
        )
    cells = cells_of(study, quick=request.quick, seed=request.seed)
    request.out.mkdir(parents=True, exist_ok=True)
    runs = measure(
        study, campaign, cells, hooks, request.out, jobs=request.jobs, watch=request.watch, say=request.say
    )
    return _write(request, cells, runs, hooks)


def _write(request: Request, cells: Sequence[Cell], runs: tuple[CellRuns, ...], hooks: Hooks) -> Report:
    study, out = request.study, request.out
    request.say(f"comparing {len(runs)} cells" if study.published else f"reading {len(runs)} cells")
    published = beside(study, cells, runs)
    request.say("fitting growth curves")
    along = curves(runs, study.x)
    grown = _grown(request, along)
    found = Findings()
    if hooks.findings is not None:
        request.say("judging claims")
        measured = Measured(
            study=study,
            cells=runs,
            compared=published.runs,
            reported=published.statistics,
            growth=grown,
            quick=request.quick,
        )
        with blamed_on(study.folder / CODE):
            found = checked(hooks.findings(measured))
    request.say("drawing figures")
    drawings = list(found.figures) or [_times_drawing(study, along, grown, cells, runs)]
    more = [_distributions(study, published.runs)] if published.runs else []
    words = published.words
    content = Content(
        study=study,
        quick=request.quick,
        summary=[*([words] if words else []), *found.summary],
        claims=found.claims,
        pictures=[_drawn(drawing, out, study) for drawing in drawings],
        own_tables=[table for _, table in found.tables],
        comparison=published.table(study.time),
        comparison_pictures=[_drawn(drawing, out, study) for drawing in more],
        comparison_words=words,
        running_times=running_time_table(runs, study.time),
        growth=growth_table(grown) if grown else None,
        repeated=_repeated(study, runs),
        commands=[request.command],
        versions=[*_versions(request, runs), *provenance()],
        data=_files(request, found, compared=bool(words), grown=bool(grown), hooks=hooks),
    )
    _save_tables(content, found, out)
    target = out / "index.html"
    target.write_text(page(content), encoding="utf-8")
    return Report(
        target,
        tuple(content.summary),
        _record(request, content, runs, published, target),
        out / "figures" / f"{drawings[0].name}.svg",
    )


def _grown(request: Request, along: Curves) -> dict[str, Growth]:
    if request.study.x != "n" or len(along) > MOST_FITTED:
        return {}
    return fits(along, resamples=QUICK_RESAMPLES) if request.quick else fits(along)


def _times_drawing(
    study: Study, along: Curves, grown: dict[str, Growth], cells: Sequence[Cell], runs: Sequence[CellRuns]
) -> Drawing:
    """The figure that every study has: times along its axis, with published times."""
    published = published_times(study, cells, runs)
    shown = dict(list(along.items())[:MOST_CURVES])
    left = len(along) - len(shown)
    more = f" {left} more curves are in the table only." if left else ""
    if grown and not published:
        return Drawing(
            name="times",
            caption=f"Mean {study.time} by n with 95 % intervals, and fitted powers of n.{more}",
            draw=lambda: growth_figure({name: (data, grown.get(name)) for name, data in shown.items()}),
        )
    return Drawing(
        name="times",
        caption=f"Expected {study.time} (of all runs, per success) with 95 % intervals; hollow: some runs "
        f"failed; a triangle: the interval has no upper end; an arrow: none succeeded.{more}",
        draw=lambda: times_figure(shown, x=study.x, unit=study.time, published=published),
    )


def _distributions(study: Study, compared: Sequence[CellComparison]) -> Drawing:
    left = max(0, len(compared) - figures.MOST_PANELS)
    more = f" {left} more cells are in the table only." if left else ""
    return Drawing(
        name="distributions",
        caption=f"Fraction of runs solved within so many {study.time}, published and ours.{more}",
        draw=lambda: figures.distribution_figure(compared, unit=study.time),
    )


def _drawn(drawing: Drawing, out: Path, study: Study) -> Picture:
    with blamed_on(study.folder / CODE), styled():
        svg = save_all(drawing.draw(), out / "figures", drawing.name)
    return Picture(drawing.name, svg, drawing.caption)


def _repeated(study: Study, runs: Sequence[CellRuns]) -> str:
    path = study.folder / STORED
    if not path.is_file():
        return ""
    found = repeated(path, runs)
    return found.words if found.repeated else ""


def _versions(request: Request, runs: Sequence[CellRuns]) -> list[tuple[str, str]]:
    return [
        ("study", request.study.name + (", a quick run" if request.quick else "")),
        ("cells", str(len(runs))),
        ("runs", str(sum(cell.runs.runs for cell in runs))),
        ("seed", str(runs[0].values["seed"])),
    ]


def _files(
    request: Request, found: Findings, *, compared: bool, grown: bool, hooks: Hooks
) -> list[tuple[str, str]]:
    files = [("tables/running-times.csv", "every cell; also as .md and .tex")]
    files += [("tables/growth.csv", "fitted curves")] if grown else []
    files += [("tables/published.csv", "published and ours, cell by cell")] if compared else []
    files += [("tables/claims.csv", "claims and verdicts")] if found.claims else []
    files += [(f"tables/{name}.csv", table.title) for name, table in found.tables]
    files += [(OBSERVED, "what was observed of each cell")] if hooks.observe else []
    return [*files, (STORE, "every run with its program; gatewalk campaign status|export reads it")]


def _save_tables(content: Content, found: Findings, out: Path) -> None:
    named = {
        "running-times": content.running_times,
        "growth": content.growth,
        "published": content.comparison,
        "claims": claim_table(found.claims) if found.claims else None,
        **dict(found.tables),
    }
    for name, table in named.items():
        if table is not None:
            tables.save(table, out / "tables", name)


def _record(
    request: Request,
    content: Content,
    runs: Sequence[CellRuns],
    published: Beside,
    target: Path,
) -> dict[str, Any]:
    """The results as data: a line of `gatewalk study run --json`."""
    return {
        "study": request.study.name,
        "quick": request.quick,
        "page": str(target),
        "summary": list(content.summary),
        "claims": [
            {
                "statement": claim.statement,
                "source": claim.source,
                "measured": claim.measured,
                "verdict": claim.verdict,
                "reason": claim.reason,
            }
            for claim in content.claims
        ],
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
            for cell in runs
        ],
        "published": [
            {"cell": cell.label, "p": cell.p_value, "verdict": cell.verdict} for cell in published.cells
        ],
    }
