"""The page of a study, in the look that all pages have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gatewalk.report import page as markup
from gatewalk.report.page import Picture, Section, notes_markup
from gatewalk.report.page import page as whole_page
from gatewalk.report.tables import Table
from gatewalk.studies.claims import Claim, claim_markup
from gatewalk.studies.folder import Study

MOST_PICTURE = 5_000_000  # bytes: a larger stored picture is not shown in the notes
QUICK_RUN = (
    "A quick run: a few runs at small sizes, to see that everything works. For conclusions, repeat the "
    "command without --quick."
)


@dataclass(frozen=True, kw_only=True)
class Content:
    """Everything that the page shows."""

    study: Study
    quick: bool
    summary: Sequence[str]
    claims: Sequence[Claim]
    pictures: Sequence[Picture]
    own_tables: Sequence[Table]
    comparison: Table | None
    comparison_pictures: Sequence[Picture]
    comparison_words: str
    running_times: Table
    growth: Table | None
    repeated: str
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
            Section("claims", "Claims and verdicts", _claims(content)),
            Section("published", "Comparison with published runs", _comparison(content)),
            Section(
                "figures", "Figures", "".join(markup.picture(one, wide=False) for one in content.pictures)
            ),
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


def _claims(content: Content) -> str:
    return "".join(map(claim_markup, content.claims))


def _comparison(content: Content) -> str:
    if content.comparison is None or content.study.published is None:
        return ""
    return (
        markup.paragraph(f"Published: {content.study.published.source}")
        + markup.paragraph(content.comparison_words)
        + markup.table(content.comparison)
        + "".join(markup.picture(one, wide=False) for one in content.comparison_pictures)
    )


def _times(content: Content) -> str:
    parts = [markup.table(content.running_times)]
    if content.growth is not None:
        parts.append(markup.table(content.growth))
    if content.repeated:
        parts.append(markup.paragraph(content.repeated))
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
