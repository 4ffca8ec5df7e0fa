"""A page: one HTML file that needs no network, with a heading, links to its sections, and the sections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gatewalk.report.html import link, text
from gatewalk.report.prose import prose
from gatewalk.report.style import CSS


@dataclass(frozen=True)
class Section:
    """A part of a page. ident: its anchor for links. body: markup; a section without a body is left out."""

    ident: str
    title: str
    body: str


def page(*, title: str, heading: str, lead: str, summary: str = "", sections: Iterable[Section] = ()) -> str:
    """The whole page.

    Parameters
    ----------
    title
        The title in the browser, as text.
    heading
        The headline, as text.
    lead
        Shown below the headline, as markup.
    summary
        Shown below the links to the sections, as markup.
    sections
        In their order; those without a body are left out.

    Examples
    --------
    >>> times = Section("times", "Times", "<p>1</p>")
    >>> "<h2>Times</h2>" in page(title="t", heading="h", lead="", sections=[times])
    True
    """
    shown = [section for section in sections if section.body]
    links = "".join(link(f"#{section.ident}", section.title) for section in shown)
    navigation = f"<nav>{links}</nav>" if len(shown) > 1 else ""
    body = "".join(
        f'<section id="{section.ident}"><h2>{prose(section.title)}</h2>{section.body}</section>'
        for section in shown
    )
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        '<link rel=icon href="data:,">'
        f"<title>{text(title)}</title><style>{CSS}</style></head><body>"
        f"<h1>{prose(heading)}</h1>{lead}{navigation}{summary}{body}</body></html>\n"
    )


def ident(title: str) -> str:
    """A title as an anchor for links within a page.

    >>> ident("Table 2, cell by cell")
    'table-2--cell-by-cell'
    """
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in title.lower())
