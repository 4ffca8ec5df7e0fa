"""One call leaves the page, figures in three formats, tables in three formats, and the data."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from gatewalk.campaign import Results
from gatewalk.paper.experiments import Cell, Place, Request
from gatewalk.paper.reproduce import STORE, Report, write

Made = tuple[Path, Report, list[str]]
FIGURES = ("figure2", "figure3", "success", "ert", "distributions", "exact")


def test_everything_is_written(reproduction: Made) -> None:
    out, report, said = reproduction
    assert report.page == out / "index.html"
    names = {f"{name}-tinyverse" for name in FIGURES} | {"exponents", "xor"}
    drawn = {path.name for path in (out / "figures").iterdir()}
    assert drawn == {f"{name}.{kind}" for name in names for kind in ("pdf", "svg", "png")}
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
    report = write(small_request, own, tmp_path, say=lambda _: None)
    assert report.page.stat().st_size > 10_000
    assert {path.stem for path in (tmp_path / "figures").iterdir()} == {"xor"}
