"""One page that links the pages of several studies, with the question and the main figure of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gatewalk.report import page as markup
from gatewalk.report.page import Picture, Section, page
from gatewalk.studies.folder import Study
from gatewalk.studies.request import Report


def write_gallery(reports: Sequence[tuple[Study, Report]], folder: Path) -> Path:
    """Write FOLDER/index.html, with links to the pages of the studies in folders below it."""
    cards = "".join(_card(study, report, folder) for study, report in reports)
    target = folder / "index.html"
    target.write_text(
        page(
            title="Studies",
            heading="Studies: how long genetic programming takes to find a Boolean circuit",
            lead=markup.paragraph(f"{len(reports)} studies, each with its figures, tables, claims and runs."),
            sections=[Section("studies", "The studies", f'<div class="cards">{cards}</div>')],
        ),
        encoding="utf-8",
    )
    return target


def _card(study: Study, report: Report, folder: Path) -> str:
    shown = report.picture
    picture = markup.image(Picture(study.name, shown.read_bytes(), study.title)) if shown else ""
    heading = f"<h3>{markup.link(report.page.relative_to(folder).as_posix(), study.title)}</h3>"
    answer = markup.paragraph(f"Answer of the full study: {study.answer}") if study.answer else ""
    return f'<div class="card">{heading}{picture}{markup.paragraph(study.question)}{answer}</div>'
