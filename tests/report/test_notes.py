"""Notes in Markdown: the little that notes need, and no more than text whatever they hold."""

from __future__ import annotations

import random

import pytest

from gatewalk.report.notes import notes_markup


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# Title\n\nWords\nand more.", "<p>Words\nand more.</p>"),
        ("## Part\nWords", "<h3>Part</h3><p>Words</p>"),
        ("- one\n  more\n- **two**", "<ul><li>one\nmore</li><li><b>two</b></li></ul>"),
        ("`a < b` and **b `c`**", "<p><code>a &lt; b</code> and <b>b <code>c</code></b></p>"),
        ("[web](https://a.b/c?d&e)", '<p><a href="https://a.b/c?d&amp;e">web</a></p>'),
        ("[file](../x.md) [bad](javascript:x)", "<p>file bad</p>"),
        ("```\na *b*\n\n# c\n```\nd", "<pre>a *b*\n\n# c</pre><p>d</p>"),
        ("    p = 2\n", "<pre>p = 2</pre>"),
        ("```\nopen", "<pre>open</pre>"),
        ("<b>&", "<p>&lt;b&gt;&amp;</p>"),
        ("", ""),
    ],
)
def test_what_is_understood(markdown: str, html: str) -> None:
    assert notes_markup(markdown) == html


def test_tables_and_pictures() -> None:
    shown = notes_markup("| a | b |\n|---|--:|\n| 1 | `2` |")
    assert "<thead><tr><th>a</th><th>b</th></tr></thead>" in shown
    assert "<tbody><tr><td>1</td><td><code>2</code></td></tr></tbody>" in shown
    assert notes_markup("![w](f.svg) ![v](g.svg)", lambda words, address: f"({words} {address})") == (
        "(w f.svg)(v g.svg)"
    )
    assert notes_markup("![w](f.svg)") == ""


def test_no_text_becomes_markup_of_its_own() -> None:
    # 500 seeded texts of the signs that mean something; all that may come out is what this module writes.
    allowed = (
        "p",
        "b",
        "a",
        "ul",
        "li",
        "h3",
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
