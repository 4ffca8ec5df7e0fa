"""Parts of a page as HTML: paragraphs, figures, tables, verdicts, files, provenance.

Callers pass plain text, which is escaped here; what these functions return is markup.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from gatewalk.report.prose import prose
from gatewalk.report.tables import Table, as_html

Colour = Literal["yes", "partly", "no", "unknown"]
COLOURS: tuple[str, ...] = get_args(Colour)


@dataclass(frozen=True)
class Picture:
    """A figure: the name of its file without a suffix, its SVG and its caption."""

    name: str
    svg: bytes
    caption: str


def text(words: str) -> str:
    """Text as markup that shows it unchanged, whatever characters it contains.

    >>> text("a < b")
    'a &lt; b'
    """
    return html.escape(words)


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph; kind: its class."""
    return f"<p{_class(kind)}>{prose(words)}</p>"


def heading(words: str) -> str:
    """A heading within a section."""
    return f"<h3>{prose(words)}</h3>"


def small(words: str) -> str:
    """Text in small print."""
    return f"<small>{prose(words)}</small>"


def bullets(lines: Iterable[str]) -> str:
    """A list of lines; nothing if there are none."""
    items = "".join(f"<li>{prose(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def quoted(quote: str, where: str) -> str:
    """A quotation and its source."""
    return f"<p><q>{prose(quote)}</q> {small(f'({where})')}</p>"


def verdict(colour: Colour, words: str, after: str = "", below: str = "") -> str:
    """A badge: the verdict in bold, with markup after it and below it."""
    return f'<div class="verdict {colour}"><b>{prose(words)}</b>{after}{below}</div>'


def details(summary: str, body: str) -> str:
    """Markup that is shown when its summary is clicked on."""
    return f"<details><summary>{prose(summary)}</summary>{body}</details>"


def table(shown: Table, kind: str = "") -> str:
    """A table in a frame that scrolls if it must; nothing if it has no rows. kind "low": of any height."""
    return f'<div class="scroll {kind}">{as_html(shown)}</div>' if shown.rows else ""


def picture(shown: Picture, *, wide: bool = True) -> str:
    """A figure with its caption and links to its files in `figures/`. wide: as wide as the column."""
    kinds = {"pdf": "PDF", "svg": "SVG", "png": "PNG", "tex": "LaTeX"}
    links = ", ".join(link(f"figures/{shown.name}.{kind}", words) for kind, words in kinds.items())
    return (
        f'<figure id="{text(shown.name)}"{_class("wide" if wide else "")}>{framed(shown)}'
        f"<figcaption>{prose(shown.caption)} {links}</figcaption></figure>"
    )


def image(shown: Picture) -> str:
    """The figure alone, within the page."""
    data = base64.b64encode(shown.svg).decode()
    return f'<img alt="{text(shown.caption)}" src="data:image/svg+xml;base64,{data}">'


def framed(shown: Picture) -> str:
    """The figure in a frame that scrolls on a narrow screen, so that its letters stay large enough."""
    return f'<div class="frame">{image(shown)}</div>'


def link(address: str, words: str) -> str:
    """A link to a file beside the page, or to a place in it."""
    return f'<a href="{text(address)}">{text(words)}</a>'


def files(listed: Iterable[tuple[str, str]]) -> str:
    """A list of files beside the page, each with a description."""
    items = "".join(f"<li>{link(path, path)}: {text(words)}</li>" for path, words in listed)
    return f"<ul>{items}</ul>" if items else ""


def origins(
    commands: Sequence[str], versions: Iterable[tuple[str, str]], data: Iterable[tuple[str, str]]
) -> str:
    """How the page was made: commands that make it again, versions, files with the data."""
    rows = "".join(f"<tr><td>{text(name)}</td><td>{text(value)}</td></tr>" for name, value in versions)
    return (
        f"<pre>{text(chr(10).join(commands))}</pre>"
        f'<div class="scroll low"><table><tbody>{rows}</tbody></table></div>'
        f"{heading('Data')}{files(data)}"
    )


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
