"""One call leaves the page, figures in four formats, tables in three formats, and the data."""

import csv
import re
from html.parser import HTMLParser

import pytest

from gatewalk.campaign import Results
from gatewalk.studies import Request, run_study
from gatewalk_studies.paper.cells import table2

FIGURES = ("figure2", "figure3", "success", "ert", "distributions", "exact")
TABLES = ("table2-tinyverse", "claims", "growth", "exact", "generalisation", "running-times")
CHI_SQUARES = ("table2", "figure3-iterations", "figure3-generalisation")


def test_everything_is_written(reproduction):
    out, report, said = reproduction
    assert report.page == out / "index.html"
    assert report.picture == out / "figures" / "figure2-tinyverse.svg"
    figures = {f"{name}-tinyverse" for name in FIGURES} | {"xor"}  # n is too small for "exponents"
    drawn = {path.name for path in (out / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in figures for kind in ("pdf", "svg", "png", "tex")}
    tables = {*TABLES, *(f"chi-square-{name}" for name in CHI_SQUARES)}
    written = {path.name: path.stat().st_size for path in (out / "tables").iterdir()}
    assert set(written) == {f"{name}.{kind}" for name in tables for kind in ("csv", "md", "tex")}
    assert min(written.values()) > 100
    assert {path.name for path in (out / "data").iterdir()} == {"complete.csv", "incomplete.csv", "xor.csv"}
    assert "drawing figures" in said
    with Results.open(out / "runs.sqlite") as results:
        assert len(results) == 7350


def test_table_2_has_published_and_ours_in_a_row(reproduction):
    with (reproduction[0] / "tables" / "table2-tinyverse.csv").open(encoding="utf-8") as file:
        rows = {(row["selection"], row["model"], int(row["n"])): row for row in csv.DictReader(file)}
    assert set(rows) == {key for key in table2() if key[2] <= 7}
    row = rows["nonstrict", "cgp-1n", 5]
    assert (row["successes_published"], row["median_published"]) == ("30", "68")
    with Results.open(reproduction[0] / "runs.sqlite") as results:
        (columns,) = [
            columns
            for cell, columns in results.by_cell()
            if cell.words["target"] == "and:5"
            and cell.words.get("nodes") == "n+1"
            and (cell.words["selection"], cell.words["training"]) == ("nonstrict", "complete")
        ]
    solved = [
        time for time, is_solved in zip(columns["iterations"], columns["solved"], strict=True) if is_solved
    ]
    assert (row["runs"], int(row["successes_ours"])) == ("120", len(solved))
    assert float(row["mean_ours"]) == pytest.approx(sum(solved) / len(solved))
    assert row["verdict"] in ("agrees", "borderline", "differs")


def test_the_record_is_that_of_every_study(reproduction):
    _, report, _ = reproduction
    (summary,) = report.summary
    assert re.match(r"Profile tinyverse .*: \d+ of 50 published cells agree", summary)
    assert report.record["study"] == "paper"
    assert {claim["verdict"] for claim in report.record["claims"]} == {"not judged"}
    assert "Programs found on samples generalise well" in [
        claim["statement"] for claim in report.record["claims"]
    ]
    assert len(report.record["cells"]) == 50 + 70 + 20
    assert report.record["published"] == []


def test_one_part_alone_makes_a_page_with_as_many_runs_as_asked_for(study, tmp_path):
    asked = {"quick": True, "replications": 5, "jobs": 1, "choices": {"only": ("xor",)}}
    report = run_study(Request(study=study, out=tmp_path, **asked))
    assert report.page.stat().st_size > 10_000
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"xor"}
    assert {cell["runs"] for cell in report.record["cells"]} == {5}
    with (tmp_path / "data" / "xor.csv").open(encoding="utf-8") as file:
        assert {row["runs"] for row in csv.DictReader(file)} == {"5"}


VOID = {"meta", "link", "img", "br"}


class Outline(HTMLParser):
    """Links, identifiers, sources, and whether every element is closed."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.links = []
        self.sources = []
        self.idents = set()
        self.texts = []

    def handle_starttag(self, tag, attrs):
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

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def outline(reproduction):
    outline = Outline()
    outline.feed(reproduction[1].page.read_text(encoding="utf-8"))
    return outline


def test_the_page_needs_nothing_from_elsewhere(reproduction, outline):
    assert outline.open == []
    assert outline.sources
    assert all(source.startswith("data:image/svg+xml;base64,") for source in outline.sources)
    text = reproduction[1].page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|<script", text)


def test_links_lead_to_files_and_sections(reproduction, outline):
    for link in outline.links:
        if link.startswith("#"):
            assert link[1:] in outline.idents
        else:
            assert (reproduction[0] / link).is_file(), link


@pytest.mark.parametrize(
    "words",
    [
        "gatewalk paper --quick",
        "arXiv:2606.15923",
        "A12",
        "largest p",
        "Means of successful runs only",
        "Programs that can never improve",
        "non-strict CGP means give a chi-square",
        "numba",
    ],
)
def test_a_reader_finds_what_was_promised(outline, words):
    assert words in " ".join(outline.texts)
