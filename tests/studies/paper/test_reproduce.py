"""One call leaves the page, figures in three formats, tables in three formats, and the data."""

from __future__ import annotations

import csv
import re
import sys
from pathlib import Path

import pytest

from gatewalk.campaign import Results
from gatewalk.errors import MissingExtra
from gatewalk.studies.paper.experiments import Cell, Place, Request
from gatewalk.studies.paper.reproduce import STORE, Report, analyse, reproduce, write
from gatewalk.studies.paper.workers import workers

Made = tuple[Path, Report, list[str]]
FIGURES = ("figure2", "figure3", "success", "ert", "distributions", "exact")


def test_everything_is_written(reproduction: Made) -> None:
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


def test_table_2_has_published_and_ours_in_a_row(reproduction: Made, cells: dict[Place, Cell]) -> None:
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


def test_the_summary_names_profiles_and_claims(reproduction: Made) -> None:
    summary = "\n".join(reproduction[1].summary)
    assert re.search(r"Profile tinyverse .*: \d+ of 60 published cells agree", summary)
    assert "Strict selection makes CGP slower" in summary
    assert "generalise well" in summary


def test_one_part_alone_makes_a_page(
    tmp_path: Path, cells: dict[Place, Cell], small_request: Request
) -> None:
    own = {place: cell for place, cell in cells.items() if place.part == "xor"}
    with workers(1) as later:
        analysis = analyse(small_request, own, later=later)
        report = write(small_request, own, analysis, tmp_path, later=later, say=lambda _: None)
    assert report.page.stat().st_size > 10_000
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"xor"}


def test_the_same_files_whatever_the_number_of_jobs(
    tmp_path: Path, cells: dict[Place, Cell], small_request: Request
) -> None:
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


def test_matplotlib_is_asked_for_before_anything_is_run(
    tmp_path: Path, small_request: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"gatewalk\[plot\]"):
        reproduce(small_request, tmp_path / "out", jobs=1)
    assert not (tmp_path / "out").exists()
