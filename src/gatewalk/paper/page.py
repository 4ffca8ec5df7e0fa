"""The page of the reproduction: one HTML file without any network, with figures, tables and verdicts."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from dataclasses import dataclass, field

from gatewalk.paper.claims import Claim
from gatewalk.paper.discrepancies import Oddity
from gatewalk.paper.models import PROFILE_WORDS
from gatewalk.paper.tables import Table, as_html, number, probability

_CSS = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: #1d1d1f;
  max-width: 70rem; margin: 2rem auto 4rem; padding: 0 1rem; background: #fff; }
h1 { font-size: 1.7rem; line-height: 1.25; margin-bottom: .3rem; }
h2 { margin-top: 2.6rem; border-bottom: 1px solid #ccc; padding-bottom: .2rem; }
h3 { margin: 1.6rem 0 .3rem; font-size: 1.05rem; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .92rem; margin: 1rem 0; }
a { color: #0b57a4; } q { font-style: italic; }
p, li { max-width: 56rem; }
figure { margin: 1.4rem 0 2rem; max-width: 60rem; } figure img { width: 100%; height: auto; display: block; }
figcaption { font-size: .9rem; color: #444; margin-top: .4rem; }
.scroll { overflow: auto; max-height: 32rem; border: 1px solid #ddd; margin: .6rem 0 1.2rem; }
.scroll.low { max-height: none; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100%; }
caption { caption-side: top; text-align: left; font-weight: 600; padding: .4rem .6rem; }
th { position: sticky; top: 0; background: #f2f2f4; text-align: left; }
th, td { padding: .16rem .5rem; border-bottom: 1px solid #eee; white-space: nowrap; vertical-align: top; }
td.n, th.n { text-align: right; } .words td { white-space: normal; }
tr.differs td { background: #fbe3d6; } tr.borderline td { background: #fdf5d8; }
.verdict { display: block; padding: .3rem .6rem; border-left: .35rem solid #888; background: #f6f6f7;
  margin: .35rem 0; }
.verdict.yes { border-color: #009e73; } .verdict.partly { border-color: #e69f00; }
.verdict.no { border-color: #d55e00; }
.note, small { color: #555; font-size: .88rem; } .note { margin: .2rem .6rem .6rem; }
code, pre { font: .85rem/1.45 ui-monospace, Menlo, Consolas, monospace; background: #f4f4f5; }
pre { padding: .7rem .9rem; overflow: auto; } code { padding: .05rem .25rem; }
summary { cursor: pointer; font-weight: 600; margin: .5rem 0; }
@media print { .scroll { max-height: none; overflow: visible; } details > * { display: block; } }
"""


@dataclass(frozen=True)
class Picture:
    """A figure: its file's name without ending, its SVG and its caption."""

    name: str
    svg: bytes
    caption: str


@dataclass(kw_only=True)
class Content:
    """All that is on the page, in the order it appears."""

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
    sections = [
        ("claims", "What the paper says, and what the runs say", _claims(content)),
        ("agreement", "Do the published numbers look like ours?", _agreement(content)),
        *(
            (f"figures-{_id(title)}", title, "".join(map(_figure, pictures)))
            for title, pictures in content.pictures.items()
        ),
        ("growth", "Growth and exact values", _optional(content.growth) + _optional(content.exact)),
        ("table2", "Table 2, cell by cell", _table2(content)),
        ("made", "How this page was made", _made(content)),
    ]
    sections = [section for section in sections if section[2]]
    links = "".join(f'<a href="#{ident}">{_text(title)}</a>' for ident, title, _ in sections)
    body = "".join(
        f'<section id="{ident}"><h2>{_text(title)}</h2>{part}</section>' for ident, title, part in sections
    )
    summary = "".join(f"<li>{_text(line)}</li>" for line in content.summary)
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        '<link rel=icon href="data:,">'
        f"<title>The paper, reproduced</title><style>{_CSS}</style></head><body>"
        "<h1>How long CGP and tree GP take to find a conjunction: the paper, reproduced</h1>"
        f"<p><small>{_text(content.source)}</small></p><nav>{links}</nav>"
        f"<ul>{summary}</ul>{body}</body></html>\n"
    )


def _text(text: str) -> str:
    return html.escape(text)


def _id(title: str) -> str:
    return "".join(sign if sign.isalnum() else "-" for sign in title.lower())


def _optional(table: Table | None) -> str:
    return _scroll(table) if table is not None and table.rows else ""


def _scroll(table: Table, kind: str = "") -> str:
    return f'<div class="scroll {kind}">{as_html(table)}</div>'


def _colour(verdict: str) -> str:
    if verdict.startswith("not"):
        return "no"
    return "partly" if "not at" in verdict or " of " in verdict or "as stated" in verdict else "yes"


def _claims(content: Content) -> str:
    by_title: dict[str, list[Claim]] = {}
    for claim in content.claims:
        by_title.setdefault(claim.title, []).append(claim)
    parts = []
    for title, found in by_title.items():
        first = found[0]
        parts.append(
            f"<h3>{_text(title)}</h3><p><q>{_text(first.quote)}</q> <small>({_text(first.where)})</small></p>"
        )
        for claim in found:
            parts.append(
                f'<span class="verdict {_colour(claim.verdict)}"><b>{_text(claim.verdict)}</b> '
                f"<small>— profile {claim.profile}, {PROFILE_WORDS[claim.profile]}</small>"
                f"{_strength(claim)}</span>"
            )
        for remark in dict.fromkeys(claim.remark for claim in found if claim.remark):
            parts.append(f"<p>{_text(remark)}</p>")
    if content.claim_table is not None and content.claim_table.rows:
        parts.append(f"<details><summary>Every comparison</summary>{_scroll(content.claim_table)}</details>")
    return "".join(parts)


def _strength(claim: Claim) -> str:
    """Effect sizes, p-values and replications of a claim in one sentence, or its evidence in words."""
    seen = [evidence.contrast for evidence in claim.evidence if evidence.contrast is not None]
    if not seen:
        items = "".join(f"<li>{_text(evidence.text)}</li>" for evidence in claim.evidence)
        return f"<details><summary><small>evidence</small></summary><ul>{items}</ul></details>"
    a12, ratios = [found.a12 for found in seen], [found.ratio for found in seen if found.ratio == found.ratio]
    text = f"A12 from {min(a12):.2f} to {max(a12):.2f}"
    if ratios:
        text += f", {number(min(ratios))} to {number(max(ratios))} times as fast (ERT)"
    worst = max(found.p_value for found in seen)
    text += f", largest p = {probability(worst)}, {len(seen)} comparisons"
    text += f" over {len(seen[0].sizes)} sizes with {seen[0].replications} runs each"
    return f"<br><small>{_text(text)}</small>"


def _agreement(content: Content) -> str:
    parts = [f"<p>{_text(words)}</p>" for words in content.agreement_words]
    parts += [_scroll(table, "low") for table in content.chi_squares if table.rows]
    for profile, found in content.oddities.items():
        if found:
            parts.append(f"<h3>Where published and measured part (profile {profile}), and why</h3>")
            for odd in found:
                parts.append(f"<p><b>{_text(odd.title)}.</b> {_text(odd.text)}</p>")
                parts.append(_optional(odd.table))
    return "".join(parts)


def _figure(picture: Picture) -> str:
    data = base64.b64encode(picture.svg).decode()
    links = ", ".join(
        f'<a href="figures/{picture.name}.{kind}">{kind.upper()}</a>' for kind in ("pdf", "svg", "png")
    )
    words = f'alt="{_text(picture.caption)}"'
    return (
        f'<figure id="{picture.name}"><img {words} src="data:image/svg+xml;base64,{data}">'
        f"<figcaption>{_text(picture.caption)} {links}</figcaption></figure>"
    )


def _table2(content: Content) -> str:
    parts = []
    for name, table in content.table2:
        links = ", ".join(
            f'<a href="tables/{name}.{kind}">{words}</a>'
            for kind, words in (("csv", "CSV"), ("md", "Markdown"), ("tex", "LaTeX"))
        )
        parts.append(f"<p>{_text(table.title)}: {links}</p>{_scroll(table)}")
    return "".join(parts)


def _made(content: Content) -> str:
    commands = _text("\n".join(content.commands))
    versions = "".join(
        f"<tr><td>{_text(name)}</td><td>{_text(value)}</td></tr>" for name, value in content.versions
    )
    data = "".join(f'<li><a href="{path}">{path}</a>: {_text(words)}</li>' for path, words in content.data)
    return (
        f"<pre>{commands}</pre><div class='scroll low'><table><tbody>{versions}</tbody></table></div>"
        f"<h3>Data</h3><ul>{data}</ul>"
    )
