"""A page has its sections, links that lead to them, and nothing that it does not hold itself."""

from __future__ import annotations

from pathlib import Path

from browser import document_after

from gatewalk.report.page import Section, ident, page


def test_sections_without_a_body_are_left_out() -> None:
    made = page(
        title="<T>",
        heading="H & h",
        lead="<p>lead</p>",
        summary="<p>sum</p>",
        sections=[Section("a", "First <", "<p>1</p>"), Section("b", "Second", "")],
    )
    assert "<title>&lt;T&gt;</title>" in made
    assert "<h1>H &amp; h</h1><p>lead</p>" in made
    assert "<nav>" not in made  # a single section needs no links
    assert '<section id="a"><h2>First &lt;</h2><p>1</p></section>' in made
    assert "Second" not in made
    sections = [Section("a", "First <", "1"), Section("b", "Second", "2")]
    both = page(title="T", heading="H", lead="", sections=sections)
    assert '<nav><a href="#a">First &lt;</a><a href="#b">Second</a></nav>' in both


def test_identifiers_are_plain() -> None:
    assert ident('Table 2: "é"') == "table-2-----"


def test_a_browser_reads_the_page_as_it_is_meant(tmp_path: Path) -> None:
    made = page(title="T", heading="H", lead="", sections=[Section("a", "A", "<p>one</p>")])
    read = document_after(made, tmp_path)
    assert '<section id="a"><h2>A</h2><p>one</p></section>' in read
    assert "prefers-color-scheme: dark" in read
