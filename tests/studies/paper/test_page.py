"""The page is one file that needs no network, and its links lead somewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.gallery import _theory
from gatewalk.studies.paper.reproduce import Report

Made = tuple[Path, Report, list[str]]
VOID = {"meta", "link", "img", "br"}


class Outline(HTMLParser):
    """Links, identifiers, sources, and whether every element is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.idents: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag not in VOID:
            self.open.append(tag)
        if given.get("id"):
            self.idents.add(str(given["id"]))
        if tag == "a":
            self.links.append(str(given["href"]))
        if given.get("src"):
            self.sources.append(str(given["src"]))
        if tag == "img":
            assert given.get("alt")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def outline(made: Made) -> Outline:
    found = Outline()
    found.feed(made[1].page.read_text(encoding="utf-8"))
    return found


def test_the_page_needs_nothing_from_elsewhere(reproduction: Made) -> None:
    found = outline(reproduction)
    assert found.open == []
    assert found.sources
    assert all(source.startswith("data:image/svg+xml;base64,") for source in found.sources)
    text = reproduction[1].page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|<script", text)


def test_links_lead_to_files_and_sections(reproduction: Made) -> None:
    found = outline(reproduction)
    for link in found.links:
        if link.startswith("#"):
            assert link[1:] in found.idents
        else:
            assert (reproduction[0] / link).is_file(), link


def test_a_reader_finds_what_was_promised(reproduction: Made) -> None:
    text = " ".join(outline(reproduction).texts)
    for words in (
        "gatewalk paper --seed 4",
        "arXiv:2606.15923",
        "A12",
        "largest p",
        "no success from n = 9 on",
        "Means of successful runs only",
        "Programs that can never improve",
        "non-strict CGP means give a chi-square",
        "numba",
        "3,000 iterations",
    ):
        assert words in text, words


def test_the_gap_of_theorem_6_is_said_wherever_it_is_drawn(
    reproduction: Made, cells: dict[Place, Cell]
) -> None:
    text = reproduction[1].page.read_text(encoding="utf-8")
    shown = text[text.index('id="exponents"') :].partition("</figure>")[0]
    captions = {name: caption for name, _, caption in _theory(cells, [], [], {})}
    for caption in (shown, captions["bounds"]):
        assert "Theorem 6 the proof has a gap" in caption
