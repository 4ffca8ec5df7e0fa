"""A page has its sections, links that lead to them, and nothing that it does not hold itself."""

from __future__ import annotations

import base64
import random
import re

import pytest

from gatewalk.report import page as markup
from gatewalk.report.page import PACKAGES, Section, asset, ident, notes_markup, page, provenance
from gatewalk.report.tables import Table
from gatewalk.version import __version__


def test_sections_without_a_body_are_left_out():
    text = page(
        title="<T>",
        heading="H & h",
        lead="<p>lead</p>",
        summary="<p>sum</p>",
        sections=[Section("a", "First <", "<p>1</p>"), Section("b", "Second", "")],
    )
    assert "<title>&lt;T&gt;</title>" in text
    assert "<h1>H &amp; h</h1><p>lead</p>" in text
    assert "<nav>" not in text  # a single section needs no links
    assert '<section id="a"><h2>First &lt;</h2><p>1</p></section>' in text
    assert "Second" not in text
    sections = [Section("a", "First <", "1"), Section("b", "Second", "2")]
    both = page(title="T", heading="H", lead="", sections=sections)
    assert '<nav><a href="#a">First &lt;</a><a href="#b">Second</a></nav>' in both


def test_identifiers_are_plain():
    assert ident('Table 2: "é"') == "table-2-----"


EVIL = "<script>\"&'"
SAFE = "&lt;script&gt;&quot;&amp;&#x27;"


@pytest.mark.parametrize(
    "part",
    [
        markup.text(EVIL),
        markup.paragraph(EVIL, "note"),
        markup.heading(EVIL),
        markup.small(EVIL),
        markup.bullets([EVIL]),
        markup.quoted(EVIL, EVIL),
        markup.verdict("yes", EVIL),
        markup.details(EVIL, ""),
        markup.link(EVIL, EVIL),
        markup.files([(EVIL, EVIL)]),
        markup.origins([EVIL], [(EVIL, EVIL)], [(EVIL, EVIL)]),
        markup.picture(markup.Picture(EVIL, b"<svg/>", EVIL)),
        markup.table(Table(title=EVIL, columns=(EVIL,), rows=((EVIL,),), note=EVIL)),
    ],
)
def test_whatever_is_given_is_text(part):
    assert SAFE in part
    assert "<script" not in part


def test_a_picture_is_within_the_page_and_links_its_files():
    shown = markup.picture(markup.Picture("times", b"<svg/>", "Times by n."))
    assert base64.b64encode(b"<svg/>").decode() in shown
    assert 'alt="Times by n."' in shown
    assert all(f'href="figures/times.{kind}"' in shown for kind in ("pdf", "svg", "png"))
    assert 'class="wide"' in shown
    assert 'class="wide"' not in markup.picture(markup.Picture("times", b"", "c"), wide=False)


def test_nothing_is_shown_of_nothing():
    assert markup.bullets([]) == ""
    assert markup.files([]) == ""
    assert markup.table(Table(title="T", columns=("a",), rows=())) == ""


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# Title\n\nWords\nand more.", "<p>Words\nand more.</p>"),
        ("## Part\nWords", "<h3>Part</h3><p>Words</p>"),
        ("- one\n  more\n- **two**", "<ul><li>one\nmore</li><li><b>two</b></li></ul>"),
        ("`a < b` and **b `c`**", "<p><code>a &lt; b</code> and <b>b <code>c</code></b></p>"),
        ("[web](https://a.b/c?d&e)", '<p><a href="https://a.b/c?d&amp;e">web</a></p>'),
        (
            "[file](../x.md) [bad](javascript:x) <https://a.b>",
            '<p>file bad <a href="https://a.b">https://a.b</a></p>',
        ),
        (
            "*soft*, n^2\n1. one\n2. two",
            "<p><em>soft</em>, n<sup>2</sup></p><ol><li>one</li><li>two</li></ol>",
        ),
        ("```\na *b*\n\n# c\n```\nd", "<pre>a *b*\n\n# c</pre><p>d</p>"),
        ("    p = 2\n", "<pre>p = 2</pre>"),
        ("```\nopen", "<pre>open</pre>"),
        ("<b>&", "<p>&lt;b&gt;&amp;</p>"),
        ("", ""),
    ],
)
def test_what_is_understood(markdown, html):
    assert notes_markup(markdown).replace(">\n", ">") == html


def test_tables_and_pictures():
    shown = notes_markup("| a | b |\n|---|---|\n| 1 | `2` |").replace(">\n", ">")
    assert "<thead><tr><th>a</th><th>b</th></tr></thead>" in shown
    assert "<tbody><tr><td>1</td><td><code>2</code></td></tr></tbody>" in shown
    assert notes_markup("![w](f.svg) ![v](g.svg)", lambda words, address: f"({words} {address})") == (
        "(w f.svg)(v g.svg)"
    )
    assert notes_markup("![w](f.svg)") == ""


def test_no_text_becomes_markup_of_its_own():
    # 500 seeded texts of the signs that mean something; all that may come out is what this module writes.
    allowed = (
        "p",
        "b",
        "a",
        "em",
        "ul",
        "ol",
        "li",
        "h3",
        "hr",
        "br",
        "blockquote",
        "pre",
        "code",
        "div",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    )
    draw = random.Random(1)
    for _ in range(500):
        text = "".join(draw.choice("ab <>&\"'`*[]()!#|-\n:/.") for _ in range(60))
        shown = notes_markup(text, lambda words, address: "")
        for part in shown.split("<")[1:]:
            tag = part.split(">")[0].strip("/").split()[0]
            assert tag in allowed, (text, tag)


def test_versions_are_named():
    versions = dict(provenance())
    assert versions["gatewalk"] == __version__
    assert set(PACKAGES) <= set(versions)
    assert versions["made"].endswith("UTC")


CSS = asset("page.css")
BLOCKS = re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)
LOOKS = dict(zip(("light", "dark", "paper"), BLOCKS, strict=True))
TEXTS = ("text", "soft", "link", "yes", "partly", "no", "unknown")


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("look", LOOKS)
def test_texts_stand_out_from_their_ground(look):
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", LOOKS[look]))
    for text in TEXTS:
        for ground in ("ground", "raised"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    for ground in ("differs", "borderline"):
        assert contrast(colours["text"], colours[ground]) >= 4.5


def test_nothing_is_fetched():
    assert not re.search(r"url\(|@import", CSS)
