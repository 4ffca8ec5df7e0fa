"""A page: one HTML file that needs no network, made of sections, and the parts that sections are made of.

Callers pass plain text, which is escaped here; what these functions return is markup. Notes in Markdown
become a part of a page, too: their raw HTML is shown as text, links go to web addresses only, and the caller
supplies the pictures.
"""

from __future__ import annotations

import base64
import html
import importlib.metadata
import json
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from typing import Any, Literal, get_args

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from gatewalk.campaign.store import processor
from gatewalk.report.tables import Table, as_html
from gatewalk.typeset import to_html

Colour = Literal["yes", "partly", "no", "unknown"]
COLOURS: tuple[str, ...] = get_args(Colour)
PACKAGES = ("gatewalk", "numpy", "numba", "scipy", "matplotlib")


@dataclass(frozen=True)
class Section:
    """A part of a page. ident: its anchor for links. body: markup; a section without a body is left out."""

    ident: str
    title: str
    body: str


@dataclass(frozen=True)
class Picture:
    """A figure: the name of its file without a suffix, its SVG and its caption."""

    name: str
    svg: bytes
    caption: str


def page(*, title: str, heading: str, lead: str, summary: str = "", sections: Iterable[Section] = ()) -> str:
    """The whole page: a headline, links to its sections, and the sections that have a body.

    `title`, shown by the browser, and `heading` are text. `lead`, below the headline, and `summary`, below
    the links, are markup.

    >>> times = Section("times", "Times", "<p>1</p>")
    >>> "<h2>Times</h2>" in page(title="t", heading="h", lead="", sections=[times])
    True
    """
    shown = [section for section in sections if section.body]
    links = "".join(link(f"#{section.ident}", section.title) for section in shown)
    navigation = f"<nav>{links}</nav>" if len(shown) > 1 else ""
    body = "".join(
        f'<section id="{section.ident}"><h2>{to_html(section.title)}</h2>{section.body}</section>'
        for section in shown
    )
    return (
        "<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width, initial-scale=1">'
        '<link rel=icon href="data:,">'
        f"<title>{text(title)}</title><style>{asset('page.css')}</style></head><body>"
        f"<h1>{to_html(heading)}</h1>{lead}{navigation}{summary}{body}</body></html>\n"
    )


def ident(title: str) -> str:
    """A title as an anchor for links within a page.

    >>> ident("Table 2, cell by cell")
    'table-2--cell-by-cell'
    """
    return "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in title.lower())


def text(words: str) -> str:
    """Text as markup that shows it unchanged, whatever characters it contains.

    >>> text("a < b")
    'a &lt; b'
    """
    return html.escape(words)


def paragraph(words: str, kind: str = "") -> str:
    """A paragraph; kind: its class."""
    return f"<p{_class(kind)}>{to_html(words)}</p>"


def heading(words: str) -> str:
    """A heading within a section."""
    return f"<h3>{to_html(words)}</h3>"


def small(words: str) -> str:
    """Text in small print."""
    return f"<small>{to_html(words)}</small>"


def bullets(lines: Iterable[str]) -> str:
    """A list of lines; nothing if there are none."""
    items = "".join(f"<li>{to_html(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""


def quoted(quote: str, where: str) -> str:
    """A quotation and its source."""
    return f"<p><q>{to_html(quote)}</q> {small(f'({where})')}</p>"


def verdict(colour: Colour, words: str, after: str = "", below: str = "") -> str:
    """A badge: the verdict in bold, with markup after it and below it."""
    return f'<div class="verdict {colour}"><b>{to_html(words)}</b>{after}{below}</div>'


def details(summary: str, body: str) -> str:
    """Markup that is shown when its summary is clicked on."""
    return f"<details><summary>{to_html(summary)}</summary>{body}</details>"


def table(shown: Table, kind: str = "") -> str:
    """A table in a frame that scrolls if it must; nothing if it has no rows. kind "low": of any height."""
    return f'<div class="scroll {kind}">{as_html(shown)}</div>' if shown.rows else ""


def picture(shown: Picture, *, wide: bool = True) -> str:
    """A figure with its caption and links to its files in `figures/`. wide: as wide as the column."""
    kinds = {"pdf": "PDF", "svg": "SVG", "png": "PNG", "tex": "LaTeX"}
    links = ", ".join(link(f"figures/{shown.name}.{kind}", words) for kind, words in kinds.items())
    return (
        f'<figure id="{text(shown.name)}"{_class("wide" if wide else "")}>{framed(shown)}'
        f"<figcaption>{to_html(shown.caption)} {links}</figcaption></figure>"
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


def provenance() -> list[tuple[str, str]]:
    """When and with what a page was made: time, processor, versions of packages."""
    pairs = [
        ("made", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())),
        ("processor", processor()),
        ("system", platform.system()),
        ("python", platform.python_version()),
    ]
    for package in PACKAGES:
        try:
            pairs.append((package, importlib.metadata.version(package)))
        except importlib.metadata.PackageNotFoundError:
            continue
    return pairs


Show = Callable[[str, str], str]  # the markup of a picture, from its text and address; "" for none


def notes_markup(markdown: str, show: Show = lambda words, address: "") -> str:
    """Notes in Markdown, without their top-level headings, because a page has its own.

    >>> notes_markup("# Title\\n\\nA **bold** <b>.")
    '<p>A <b>bold</b> &lt;b&gt;.</p>\\n'
    """
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Notes).enable("table")
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # `link_open` decides
    return str(parser.render(markdown, {"show": show}))


class _Notes(RendererHTML):
    """The markup of notes where it differs from the usual; a method per kind of token, named after it."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return to_html(tokens[idx].content)

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return f"<pre>{text(tokens[idx].content.rstrip(chr(10)))}</pre>\n"

    def code_block(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return self.fence(tokens, idx, options, env)

    def heading_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        if tokens[idx].tag != "h1":
            return "<h3>"
        tokens[idx + 1].children = []
        return ""

    def heading_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "" if tokens[idx].tag == "h1" else "</h3>\n"

    def strong_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "<b>"

    def strong_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</b>"

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return '<div class="scroll low words"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</table></div>\n"

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        address = str(tokens[idx].attrs["href"])
        env["is_link"] = address.startswith(("https://", "http://"))
        return f'<a href="{text(address)}">' if env["is_link"] else ""

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        return "</a>" if env["is_link"] else ""

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Nothing here: pictures stand below their paragraph."""
        return ""

    def paragraph_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        inline = tokens[idx + 1]
        if not _has_words(inline):  # pictures and the space between them
            inline.children = [token for token in inline.children or () if token.type == "image"]
            return ""
        return "" if tokens[idx].hidden else "<p>"

    def paragraph_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        inline = tokens[idx - 1]
        pictures = "".join(
            env["show"](token.content, str(token.attrs["src"]))
            for token in inline.children or ()
            if token.type == "image"
        )
        return ("</p>\n" if not tokens[idx].hidden and _has_words(inline) else "") + pictures


def _has_words(inline: Token) -> bool:
    return any(token.type != "image" and token.content.strip() for token in inline.children or ())


@cache
def asset(name: str) -> str:
    """A file of the folder `pages`, as text."""
    return resources("gatewalk.report").joinpath("pages", name).read_text(encoding="utf-8")


def filled(template: str, values: Mapping[str, str]) -> str:
    """A template of the folder `pages` with its @placeholders@ filled; an @ in a value stays as it is."""
    first, *others = asset(template).split("@")
    names, texts = others[::2], others[1::2]  # every second piece is the name of a placeholder
    return first + "".join(values[name] + text for name, text in zip(names, texts, strict=True))


def as_json(data: Any) -> str:
    """Data as JSON, escaped so that no browser takes a text in it for markup.

    >>> as_json({"name": "</script>"})
    '{"name":"\\\\u003c/script\\\\u003e"}'
    """
    written = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return written.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
