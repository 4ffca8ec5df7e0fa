"""One page that links the pages of several studies, with the question and the first figure of each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gatewalk.report import html
from gatewalk.report.html import Picture
from gatewalk.report.page import Section, page
from gatewalk.studies.folder import Study


def write_gallery(studies: Sequence[Study], folder: Path) -> Path:
    """Write FOLDER/index.html; the page of each study is in the folder of its name."""
    cards = "".join(_card(study, folder) for study in studies)
    target = folder / "index.html"
    target.write_text(
        page(
            title="Studies",
            heading="Studies: how long genetic programming takes to find a Boolean circuit",
            lead=html.paragraph(f"{len(studies)} studies, each with its figures, tables, claims and runs."),
            sections=[Section("studies", "The studies", f'<div class="cards">{cards}</div>')],
        ),
        encoding="utf-8",
    )
    return target


def _card(study: Study, folder: Path) -> str:
    shown = _first_figure(folder / study.name / "figures")
    picture = html.image(Picture(study.name, shown.read_bytes(), study.title)) if shown else ""
    heading = f"<h3>{html.link(f'{study.name}/index.html', study.title)}</h3>"
    answer = html.paragraph(study.answer) if study.answer else ""
    return f'<div class="card">{heading}{picture}{html.paragraph(study.question)}{answer}</div>'


def _first_figure(folder: Path) -> Path | None:
    return next(iter(sorted(folder.glob("*.svg"))), None) if folder.is_dir() else None
