"""One call leaves the page, figures in three formats, tables in three formats, and the data."""

from __future__ import annotations

import csv
import multiprocessing
import os
import re
import signal
import sys
import time
from html.parser import HTMLParser
from math import factorial
from pathlib import Path

import pytest
from processes import running, wait_until

from gatewalk.campaign import Results
from gatewalk.studies import find, read_study
from gatewalk.studies.paper import study
from gatewalk.studies.paper.experiments import Place, Request
from gatewalk.studies.paper.gallery import _theory
from gatewalk.studies.paper.reproduce import STORE, Report, analyse, write
from gatewalk.studies.paper.workers import workers
from gatewalk.studies.request import Request as StudyRequest

FIGURES = ("figure2", "figure3", "success", "ert", "distributions", "exact")


def test_everything_is_written(reproduction):
    out, report, said = reproduction
    assert report.page == out / "index.html"
    names = {f"{name}-tinyverse" for name in FIGURES} | {"exponents", "xor"}
    drawn = {path.name for path in (out / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("pdf", "svg", "png", "tex")}
    for name in ("table2-tinyverse", "claims", "growth", "chi-square-table2", "exact"):
        for kind in ("csv", "md", "tex"):
            assert (out / "tables" / f"{name}.{kind}").stat().st_size > 100
    assert {path.name for path in (out / "data").iterdir()} == {"complete.csv", "incomplete.csv", "xor.csv"}
    assert any("drawing figure2" in words for words in said)
    with Results.open(out / STORE) as results:
        assert len(results) > 1000


def test_table_2_has_published_and_ours_in_a_row(reproduction, cells):
    with (reproduction[0] / "tables" / "table2-tinyverse.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 5 * 6
    row = next(
        row for row in rows if (row["selection"], row["model"], row["n"]) == ("nonstrict", "cgp-1n", "5")
    )
    assert (row["successes_published"], row["median_published"]) == ("30", "68")
    ours = cells[Place("complete", "tinyverse", "nonstrict", "cgp-1n", 5)].all_runs
    assert int(row["successes_ours"]) == ours.successes
    assert abs(float(row["mean_ours"]) - ours.times.mean()) < 1e-3
    assert row["verdict"] in ("agrees", "borderline", "differs")


def test_the_summary_names_profiles_and_claims(reproduction):
    summary = "\n".join(reproduction[1].summary)
    assert re.search(r"Profile tinyverse .*: \d+ of 60 published cells agree", summary)
    assert "Strict selection makes CGP slower" in summary
    assert "generalise well" in summary


def test_one_part_alone_makes_a_page(tmp_path, cells, small_request):
    own = {place: cell for place, cell in cells.items() if place.part == "xor"}
    with workers(1) as later:
        analysis = analyse(small_request, own, later=later)
        report = write(small_request, own, analysis, tmp_path, later=later, say=lambda _: None)
    assert report.page.stat().st_size > 10_000
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"xor"}


def test_the_same_files_whatever_the_number_of_jobs(tmp_path, cells, small_request):
    own = {
        place: cell for place, cell in cells.items() if place.part != "complete" and place.profile == "paper"
    }
    written = []
    for jobs in (1, 2):
        out = tmp_path / str(jobs)
        with workers(jobs) as later:
            analysis = analyse(small_request, own, later=later)
            write(small_request, own, analysis, out, later=later, say=lambda _: None)
        paths = [path for folder in ("figures", "tables", "data") for path in (out / folder).iterdir()]
        written.append({path.name: path.read_bytes() for path in paths})
    assert written[0] == written[1]
    assert {"xor.svg", "figure3-paper.pdf", "growth.csv", "exact.csv", "incomplete.csv"} <= set(written[0])


@pytest.mark.parametrize(
    ("seed", "quick", "wanted"),
    [(None, False, Request()), (9, False, Request(seed=9)), (9, True, Request(seed=9).quick())],
)
def test_seed_and_quick_are_handed_on(seed, quick, wanted, tmp_path, monkeypatch):
    asked = []

    def reproduce(request, out, **options):
        asked.append((request, out, options["jobs"], options["command"]))
        return Report(out / "index.html", ("all is well",))

    monkeypatch.setattr(study.reproduce, "reproduce", reproduce)
    request = StudyRequest(
        study=read_study(find("paper")), out=tmp_path, seed=seed, quick=quick, jobs=2, command="again"
    )
    report = study.run(request)
    assert asked == [(wanted, tmp_path, 2, "again")]
    assert report.summary == ("all is well",)
    assert report.record == {
        "study": "paper",
        "quick": quick,
        "page": str(tmp_path / "index.html"),
        "summary": ["all is well"],
    }
    assert report.picture == tmp_path / "figures" / "figure2-tinyverse.svg"


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


def outline(made):
    found = Outline()
    found.feed(made[1].page.read_text(encoding="utf-8"))
    return found


def test_the_page_needs_nothing_from_elsewhere(reproduction):
    found = outline(reproduction)
    assert found.open == []
    assert found.sources
    assert all(source.startswith("data:image/svg+xml;base64,") for source in found.sources)
    text = reproduction[1].page.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|<script", text)


def test_links_lead_to_files_and_sections(reproduction):
    found = outline(reproduction)
    for link in found.links:
        if link.startswith("#"):
            assert link[1:] in found.idents
        else:
            assert (reproduction[0] / link).is_file(), link


def test_a_reader_finds_what_was_promised(reproduction):
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


def test_the_gap_of_theorem_6_is_said_wherever_it_is_drawn(reproduction, cells):
    text = reproduction[1].page.read_text(encoding="utf-8")
    shown = text[text.index('id="exponents"') :].partition("</figure>")[0]
    captions = {name: caption for name, _, caption in _theory(cells, [], [], {})}
    for caption in (shown, captions["bounds"]):
        assert "Theorem 6 the proof has a gap" in caption


SOURCE = Path(__file__).resolve().parents[2] / "src"


def test_one_job_needs_no_process():
    with workers(1) as later:
        promised = later(os.getpid)
        assert not multiprocessing.active_children()
        assert promised() == os.getpid()


@pytest.mark.parametrize("jobs", [1, 2])
def test_values_belong_to_their_calls(jobs):
    with workers(jobs) as later:
        promised = [later(factorial, n) for n in range(8)]
        assert later(int, "ff", base=16)() == 255
        assert [value() for value in promised] == [factorial(n) for n in range(8)]
        failed = later(factorial, -1)
        with pytest.raises(ValueError, match="negative"):
            failed()
    assert not multiprocessing.active_children()


def test_two_jobs_are_other_processes():
    with workers(2) as later:
        assert later(os.getpid)() != os.getpid()


def test_an_interrupt_breaks_calls_off():
    def interrupted():
        with workers(2) as later:
            later(time.sleep, 3600)
            later(os.getpid)()  # both are at work
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    wait_until(lambda: not multiprocessing.active_children())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_one_that_started_them(number, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import os, time\n"
        "from gatewalk.studies.paper.workers import workers\n"
        "if __name__ == '__main__':\n"
        "    with workers(2) as later:\n"
        "        later(os.getpid)()\n"
        "        waiting = [later(time.sleep, 3600) for _ in range(2)]\n"
        "        print('asleep', flush=True)\n"
        "        waiting[0]()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    with running([sys.executable, str(script)], env=environment) as main:
        main.wait_until(lambda main: main.out == "asleep\n")
        if number == signal.SIGINT:
            main.interrupt()
        else:
            main.process.send_signal(number)
        _, _, err = main.end()  # the workers, too, must let go of the pipes
    assert err.count("Traceback") == (number == signal.SIGINT)
