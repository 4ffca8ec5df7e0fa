"""The page of a study, the tables that every study has, and a page that links those of several studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isfinite, nan
from pathlib import Path

import numpy as np

from gatewalk.analysis.cells import CellRuns
from gatewalk.numbers import number, probability, running_time
from gatewalk.report import page as markup
from gatewalk.report.page import Colour, Picture, Section, ident, notes_markup
from gatewalk.report.page import page as whole_page
from gatewalk.report.tables import Table
from gatewalk.stats.comparison import CellComparison, ReportedComparison, chi_square
from gatewalk.stats.growth import Growth
from gatewalk.stats.resampling import ert_interval
from gatewalk.stats.sample import Sample, ert, success_rate
from gatewalk.stats.survival import median
from gatewalk.studies.findings import VERDICTS, Claim, Remark, Report
from gatewalk.studies.folder import Study
from gatewalk.studies.published import PublishedComparison, StoredCheck
from gatewalk.typeset import to_html

MOST_PICTURE = 5_000_000  # bytes: a larger stored picture is not shown in the notes
RESAMPLES = 1000  # for the interval of a cell
QUICK_RUN = (
    "A quick run: a few runs at small sizes, to see that everything works. For conclusions, repeat the "
    "command without --quick."
)
_COLOURS: dict[str, Colour] = dict(zip(VERDICTS, ("yes", "partly", "no", "unknown"), strict=True))


@dataclass(frozen=True, kw_only=True)
class Content:
    """Everything that the page shows.

    pictures: the figures, each with the heading that it stands below; "" for none.
    distributions: figures of the comparison with published runs.
    """

    study: Study
    quick: bool
    summary: Sequence[str]
    claims: Sequence[Claim]
    remarks: Sequence[Remark]
    pictures: Sequence[tuple[str, Picture]]
    own_tables: Sequence[Table]
    comparison: Table | None
    comparison_words: str
    distributions: Sequence[Picture]
    running_times: Table
    growth: Table | None
    checks: Sequence[StoredCheck]
    commands: Sequence[str]
    versions: Sequence[tuple[str, str]]
    data: Sequence[tuple[str, str]]


def page(content: Content) -> str:
    """The whole page as HTML."""
    study = content.study
    lead = markup.paragraph(study.question, "question")
    lead += "".join(f"<p>{markup.small(citation)}</p>" for citation in study.citations)
    answer = markup.paragraph(f"Answer of the full study: {study.answer}") if study.answer else ""
    return whole_page(
        title=study.title,
        heading=study.title,
        lead=lead,
        summary=(markup.paragraph(QUICK_RUN, "note") if content.quick else "")
        + answer
        + markup.bullets(content.summary),
        sections=[
            Section("claims", "Claims and verdicts", "".join(map(claim_markup, content.claims))),
            Section("published", "Comparison with published runs", _comparison(content)),
            Section("remarks", "Remarks", _remarks(content.remarks)),
            *_figures(content.pictures),
            Section("tables", "Tables", "".join(map(markup.table, content.own_tables))),
            Section("times", "Running times", _times(content)),
            Section("notes", "Notes", _notes(study)),
            Section(
                "made",
                "How this page was made",
                markup.origins(content.commands, content.versions, content.data),
            ),
        ],
    )


def claim_markup(claim: Claim) -> str:
    """A claim as a part of a page."""
    below = markup.paragraph(claim.measured)
    below += markup.paragraph(claim.reason, "note") if claim.reason else ""
    said = f"<p><b>{to_html(claim.statement)}</b> {markup.small(f'({claim.source})')}</p>"
    return said + markup.verdict(_COLOURS[claim.verdict], claim.verdict, below=below)


def _comparison(content: Content) -> str:
    if content.comparison is None or content.study.published is None:
        return ""
    return (
        markup.paragraph(f"Published: {content.study.published.source}")
        + markup.paragraph(content.comparison_words)
        + markup.table(content.comparison)
        + "".join(markup.picture(picture, wide=False) for picture in content.distributions)
    )


def _remarks(remarks: Sequence[Remark]) -> str:
    parts = []
    for heading, group in groupby(remarks, key=lambda remark: remark.heading):
        parts += [markup.heading(heading)] if heading else []
        for remark in group:
            parts.append(f"<p><b>{to_html(remark.title)}.</b> {to_html(remark.text)}</p>")
            parts += [markup.table(remark.table)] if remark.table is not None else []
    return "".join(parts)


def _figures(pictures: Iterable[tuple[str, Picture]]) -> list[Section]:
    """A section for each heading, in the order in which they first appear."""
    by_heading: dict[str, list[Picture]] = {}
    for heading, picture in pictures:
        by_heading.setdefault(heading, []).append(picture)
    return [
        Section(
            f"figures-{ident(heading)}" if heading else "figures",
            heading or "Figures",
            "".join(markup.picture(picture, wide=False) for picture in group),
        )
        for heading, group in by_heading.items()
    ]


def _times(content: Content) -> str:
    parts = [markup.table(content.running_times)]
    parts += [markup.table(content.growth)] if content.growth is not None else []
    parts += [markup.paragraph(check.words) for check in content.checks]
    return "".join(parts)


def _notes(study: Study) -> str:
    """The study's README.md, which is about the runs of the full study, with its stored pictures."""

    def show(words: str, address: str) -> str:
        path = study.folder / address
        inside = path.resolve().parent == study.folder.resolve()
        if not inside or path.suffix != ".svg" or not path.is_file() or path.stat().st_size > MOST_PICTURE:
            return ""
        return f"<figure>{markup.framed(Picture('', path.read_bytes(), words or path.stem))}</figure>"

    return notes_markup(study.notes, show) if study.notes else ""


def claim_table(claims: Iterable[Claim]) -> Table:
    """All claims, a row each."""
    return Table(
        title="Claims and verdicts",
        columns=("statement", "source", "measured", "verdict", "reason"),
        rows=tuple((c.statement, c.source, c.measured, c.verdict, c.reason) for c in claims),
        texts=5,
    )


def running_time_table(cells: Sequence[CellRuns], unit: str) -> Table:
    """A row per cell: successes, expected running time, median, all with 95 % intervals."""
    rows = []
    for cell in cells:
        rate, middle = success_rate(cell.runs), median(cell.runs)
        expected, span = ert(cell.runs), ert_interval(cell.runs, resamples=RESAMPLES)
        rows.append(
            (
                cell.label,
                str(cell.values["n"]),
                "–" if cell.values["nodes"] is None else str(cell.values["nodes"]),
                str(rate.runs),
                str(rate.successes),
                number(rate.rate),
                number(rate.interval.low),
                number(rate.interval.high),
                running_time(expected),
                number(span.low),
                number(span.high),
                number(middle.value),
                number(middle.interval.low),
                number(middle.interval.high),
            )
        )
    return Table(
        title="Running times",
        columns=(
            *("cell", "n", "nodes", "runs", "solved"),
            *("rate", "rate from", "rate to"),
            *("ERT", "ERT from", "ERT to"),
            *("median", "median from", "median to"),
        ),
        rows=tuple(rows),
        note=f"In {unit}. ERT: the {unit} of all runs, failed ones too, per success, with 95 % bootstrap "
        "intervals. Medians are Kaplan-Meier's with the interval of Brookmeyer and Crowley; ∞: too few runs "
        "succeeded to know. Rates have Wilson's intervals.",
    )


def growth_table(fitted: Mapping[str, Growth], x: str = "n") -> Table:
    """A row per curve and model, the best of each curve first."""
    rows = []
    for name, curve in fitted.items():
        held = {item.model: item for item in curve.held_out}
        for item in curve.estimates:
            last = held.get(item.fit.model.name)
            rows.append(
                (
                    name,
                    item.fit.model.formula.replace("n", x) if x != "n" else item.fit.model.formula,
                    number(item.fit.scale),
                    number(item.fit.rate),
                    number(item.rate.low),
                    number(item.rate.high),
                    number(item.weight, digits=2),
                    *(
                        ("–", "–", "–")
                        if last is None
                        else (str(last.n), number(last.predicted), number(last.observed))
                    ),
                )
            )
    return Table(
        title="Growth",
        columns=(
            *("curve", "model", "c", "a or b", "from", "to", "Akaike weight"),
            *("held out", "predicted", "seen"),
        ),
        rows=tuple(rows),
        texts=2,
        note="Curves of the mean, fitted to all runs by maximum likelihood with gamma distributed times; "
        "failed runs count as censored. 95 % bootstrap intervals of the exponent a or the base b. Held out: "
        "the largest size, its mean predicted from the smaller ones, and what was seen.",
    )


def comparison_words(comparison: PublishedComparison) -> str:
    """One line on how many cells agree, and on all of them together; empty if there are none."""
    if not comparison.cells:
        return ""
    total = chi_square(cell.score for cell in comparison.cells)
    agreeing = sum(cell.verdict == "agrees" for cell in comparison.cells)
    return (
        f"{agreeing} of {total.degrees} published cells agree with ours; combined chi-square "
        f"{total.statistic:.1f} with {total.degrees} degrees of freedom, p = {probability(total.p_value)}."
    )


def comparison_table(comparison: PublishedComparison, unit: str) -> Table | None:
    """The comparison as a table with a row per cell; None without cells."""
    if comparison.runs:
        return _runs_table(comparison.runs, unit)
    return _statistics_table(comparison.statistics, unit) if comparison.statistics else None


def _runs_table(compared: Sequence[CellComparison], unit: str) -> Table:
    """Published runs and ours, a row per cell."""
    return Table(
        title="Published runs compared with ours, cell by cell",
        columns=(
            "cell",
            "verdict",
            "solved, published",
            "solved, ours",
            "median, published",
            "median, ours",
            "ERT, published",
            "ERT, ours",
            "cut at",
            "A12",
            "p ranks",
            "p log-rank",
            "p solved",
        ),
        rows=tuple(
            (
                cell.label,
                cell.verdict,
                _solved(cell.published),
                _solved(cell.ours),
                number(median(cell.published).value),
                number(median(cell.ours).value),
                running_time(ert(cell.published)),
                running_time(ert(cell.ours)),
                number(cell.cut) if isfinite(cell.cut) else "–",
                number(cell.ranks.a12),
                probability(cell.ranks.p_value),
                probability(cell.p_log_rank),
                probability(cell.p_successes),
            )
            for cell in compared
        ),
        texts=2,
        note=f"Times are {unit}. Medians are Kaplan-Meier's; ERT: the {unit} of all runs per success. Both "
        "samples are cut where the first run of either was given up. A12: the probability that a run of ours "
        "is faster. The verdict is that of the rank sums, failed runs last: agrees from p = 0.05, borderline "
        "from 0.001, differs below.",
    )


def _solved(data: Sample) -> str:
    return f"{data.successes}/{data.runs}"


def _statistics_table(compared: Sequence[ReportedComparison], unit: str) -> Table:
    """Published statistics and those of our runs, a row per cell."""
    rows = []
    for cell in compared:
        theirs, times = cell.published, cell.ours.times
        rows.append(
            (
                cell.label,
                cell.verdict,
                f"{theirs.successes}/{theirs.runs}",
                _solved(cell.ours),
                number(theirs.mean),
                number(float(times.mean()) if times.size else nan),
                number(theirs.median),
                number(float(np.median(times)) if times.size else nan),
                number(cell.standard_errors, digits=2),
                probability(cell.p_mean),
                probability(cell.p_median),
                probability(cell.p_successes),
            )
        )
    return Table(
        title="Published statistics compared with ours, cell by cell",
        columns=(
            *("cell", "verdict", "solved, published", "solved, ours"),
            *("mean, published", "mean, ours", "median, published", "median, ours"),
            *("diff. / SE", "p mean", "p median", "p solved"),
        ),
        rows=tuple(rows),
        texts=2,
        note=f"{unit.capitalize()} of the successful runs only, as published. Difference: published minus "
        "measured mean in standard errors. Median: is the published median plausible for a sample of that "
        "size from our runs? Verdict: the least of the p-values of mean, median and successes, times their "
        "number; agrees from 0.05, borderline from 0.001, differs below.",
    )


def write_gallery(reports: Sequence[tuple[Study, Report]], folder: Path) -> Path:
    """Write FOLDER/index.html, with links to the pages of the studies in folders below it."""
    cards = "".join(_card(study, report, folder) for study, report in reports)
    target = folder / "index.html"
    target.write_text(
        whole_page(
            title="Studies",
            heading="Studies: how long genetic programming takes to find a Boolean circuit",
            lead=markup.paragraph(f"{len(reports)} studies, each with its figures, tables, claims and runs."),
            sections=[Section("studies", "The studies", f'<div class="cards">{cards}</div>')],
        ),
        encoding="utf-8",
    )
    return target


def _card(study: Study, report: Report, folder: Path) -> str:
    main = report.picture
    picture = markup.image(Picture(study.name, main.read_bytes(), study.title)) if main else ""
    heading = f"<h3>{markup.link(report.page.relative_to(folder).as_posix(), study.title)}</h3>"
    answer = markup.paragraph(f"Answer of the full study: {study.answer}") if study.answer else ""
    return f'<div class="card">{heading}{picture}{markup.paragraph(study.question)}{answer}</div>'
