"""The page of the reproduction: one HTML file that needs no network, with figures, tables and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gatewalk.numbers import number, probability
from gatewalk.report import page as markup
from gatewalk.report.page import Colour, Picture, Section, ident
from gatewalk.report.page import page as whole_page
from gatewalk.report.tables import Table
from gatewalk.studies.paper.claims import Claim
from gatewalk.studies.paper.discrepancies import Oddity
from gatewalk.studies.paper.models import PROFILE_WORDS
from gatewalk.typeset import to_html


@dataclass(kw_only=True)
class Content:
    """Everything that the page shows, in this order."""

    source: str
    summary: Sequence[str] = ()
    claims: Sequence[Claim] = ()
    claim_table: Table | None = None
    chi_squares: Sequence[Table] = ()
    agreement_words: Sequence[str] = ()
    oddities: dict[str, list[Oddity]] = field(default_factory=dict)
    pictures: dict[str, list[Picture]] = field(default_factory=dict)
    growth: Table | None = None
    exact: Table | None = None
    table2: Sequence[tuple[str, Table]] = ()
    commands: Sequence[str] = ()
    versions: Sequence[tuple[str, str]] = ()
    data: Sequence[tuple[str, str]] = ()


def page(content: Content) -> str:
    """The whole page as HTML."""
    return whole_page(
        title="The paper, reproduced",
        heading="How long CGP and tree GP take to find a conjunction: the paper, reproduced",
        lead=f"<p>{markup.small(content.source)}</p>",
        summary=markup.bullets(content.summary),
        sections=[
            Section("claims", "What the paper says, and what the runs say", _claims(content)),
            Section("agreement", "Do the published numbers look like ours?", _agreement(content)),
            *(
                Section(f"figures-{ident(title)}", title, "".join(map(markup.picture, pictures)))
                for title, pictures in content.pictures.items()
            ),
            Section(
                "growth", "Growth and exact values", _optional(content.growth) + _optional(content.exact)
            ),
            Section("table2", "Table 2, cell by cell", _table2(content)),
            Section(
                "made",
                "How this page was made",
                markup.origins(content.commands, content.versions, content.data),
            ),
        ],
    )


def _optional(*tables: Table | None) -> str:
    return "".join(markup.table(table) for table in tables if table is not None)


def _colour(verdict: str) -> Colour:
    if verdict.startswith("not"):
        return "no"
    return "partly" if "not at" in verdict or " of " in verdict or "as stated" in verdict else "yes"


def _claims(content: Content) -> str:
    by_title: dict[str, list[Claim]] = {}
    for claim in content.claims:
        by_title.setdefault(claim.title, []).append(claim)
    parts = []
    for title, found in by_title.items():
        parts += [markup.heading(title), markup.quoted(found[0].quote, found[0].where)]
        for claim in found:
            whose = markup.small(f"— profile {claim.profile}, {PROFILE_WORDS[claim.profile]}")
            parts.append(
                markup.verdict(
                    _colour(claim.verdict), claim.verdict, after=f" {whose}", below=_strength(claim)
                )
            )
        parts += [markup.paragraph(words) for words in dict.fromkeys(c.remark for c in found if c.remark)]
    if content.claim_table is not None and content.claim_table.rows:
        parts.append(markup.details("Every comparison", markup.table(content.claim_table)))
    return "".join(parts)


def _strength(claim: Claim) -> str:
    """Effect sizes, p-values and replications of a claim in one sentence, or its evidence in words."""
    seen = [evidence.contrast for evidence in claim.evidence if evidence.contrast is not None]
    if not seen:
        return markup.details("evidence", markup.bullets(evidence.text for evidence in claim.evidence))
    a12, ratios = [found.a12 for found in seen], [found.ratio for found in seen if found.ratio == found.ratio]
    words = f"A12 from {min(a12):.2f} to {max(a12):.2f}"
    if ratios:
        words += f", {number(min(ratios))} to {number(max(ratios))} times as fast (ERT)"
    worst = max(found.p_value for found in seen)
    words += f", largest p = {probability(worst)}, {len(seen)} comparisons"
    words += f" over {len(seen[0].sizes)} sizes with {seen[0].replications} runs each"
    return f"<br>{markup.small(words)}"


def _agreement(content: Content) -> str:
    parts = [markup.paragraph(words) for words in content.agreement_words]
    parts += [markup.table(table, "low") for table in content.chi_squares]
    for profile, found in content.oddities.items():
        if found:
            parts.append(
                markup.heading(f"Where published and measured numbers differ (profile {profile}), and why")
            )
            for odd in found:
                parts.append(f"<p><b>{to_html(odd.title)}.</b> {to_html(odd.text)}</p>")
                parts.append(_optional(odd.table))
    return "".join(parts)


def _table2(content: Content) -> str:
    parts = []
    for name, table in content.table2:
        links = ", ".join(
            markup.link(f"tables/{name}.{kind}", words)
            for kind, words in (("csv", "CSV"), ("md", "Markdown"), ("tex", "LaTeX"))
        )
        parts.append(f"<p>{to_html(table.title)}: {links}</p>{markup.table(table)}")
    return "".join(parts)
