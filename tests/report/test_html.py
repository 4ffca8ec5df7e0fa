"""Parts of pages: what is given is text, and stays text."""

from __future__ import annotations

import base64

import pytest

from gatewalk.report import html
from gatewalk.report.tables import Table

EVIL = "<script>\"&'"
SAFE = "&lt;script&gt;&quot;&amp;&#x27;"


@pytest.mark.parametrize(
    "part",
    [
        html.text(EVIL),
        html.paragraph(EVIL, "note"),
        html.heading(EVIL),
        html.small(EVIL),
        html.bullets([EVIL]),
        html.quoted(EVIL, EVIL),
        html.verdict("yes", EVIL),
        html.details(EVIL, ""),
        html.link(EVIL, EVIL),
        html.files([(EVIL, EVIL)]),
        html.origins([EVIL], [(EVIL, EVIL)], [(EVIL, EVIL)]),
        html.picture(html.Picture(EVIL, b"<svg/>", EVIL)),
        html.table(Table(title=EVIL, columns=(EVIL,), rows=((EVIL,),), note=EVIL)),
    ],
)
def test_whatever_is_given_is_text(part: str) -> None:
    assert SAFE in part
    assert "<script" not in part


def test_a_picture_is_within_the_page_and_links_its_files() -> None:
    shown = html.picture(html.Picture("times", b"<svg/>", "Times by n."))
    assert base64.b64encode(b"<svg/>").decode() in shown
    assert 'alt="Times by n."' in shown
    assert all(f'href="figures/times.{kind}"' in shown for kind in ("pdf", "svg", "png"))
    assert 'class="wide"' in shown
    assert 'class="wide"' not in html.picture(html.Picture("times", b"", "c"), wide=False)


def test_nothing_is_shown_of_nothing() -> None:
    assert html.bullets([]) == ""
    assert html.files([]) == ""
    assert html.table(Table(title="T", columns=("a",), rows=())) == ""
