"""The page of a study shows pictures of its own folder only, and never its text as markup."""

from __future__ import annotations

import numpy as np
from study_folder import SPEC

from gatewalk.analysis import CellRuns, fits
from gatewalk.campaign import campaign, plan
from gatewalk.search.options import cell_values
from gatewalk.stats import Reported, compare, sample
from gatewalk.studies import Report, Request, read_study, run_study
from gatewalk.studies.page import (
    comparison_table,
    comparison_words,
    growth_table,
    running_time_table,
    write_gallery,
)
from gatewalk.studies.published import PublishedComparison


def test_notes_show_their_own_pictures_and_no_others(folder, tmp_path):
    (tmp_path / "outside.svg").write_text("<svg>outside</svg>")
    notes = "# T\n\nSeen <i>\n\n![in](in.svg) ![out](../outside.svg) ![none](none.svg) ![toml](spec.toml)\n"
    home = folder(SPEC.replace("[grid]", 'x = "nodes"\n[grid]').replace("Do spare", "Do <u> spare"))
    (home / "README.md").write_text(notes, encoding="utf-8")
    (home / "in.svg").write_text("<svg>in</svg>")
    report = run_study(Request(study=read_study(home), out=tmp_path / "out", jobs=1, quick=True))
    page = report.page.read_text(encoding="utf-8")
    section = page[page.index('<section id="notes">') :].partition("</section>")[0]
    assert "Seen &lt;i&gt;" in section
    assert section.count("<img") == 1
    assert 'alt="in"' in section
    assert "Do &lt;u&gt; spare" in page
    assert "A quick run: " in page
    assert "Growth" not in page  # along nodes nothing is fitted


def test_every_study_has_a_card_with_its_main_figure(folder, tmp_path):
    study, out = read_study(folder()), tmp_path / "out"
    out.mkdir()
    svg = tmp_path / "times.svg"
    svg.write_text("<svg/>")
    made = [(study, Report(out / "mine" / "index.html", ())), (study, Report(out / "b.html", (), {}, svg))]
    index = write_gallery(made, out)
    text = index.read_text(encoding="utf-8")
    assert index == out / "index.html"
    assert '<a href="mine/index.html">Mine &lt;b&gt;</a>' in text
    assert '<a href="b.html">' in text
    assert text.count('src="data:image/svg+xml;base64,') == 1


(CELL,) = plan(campaign(target="and:3", nodes=5))


def cell(iterations, solved):
    values = cell_values(CELL.search, 0)
    runs = sample(iterations, solved)
    return CellRuns(
        label="and:3",
        search=CELL.search,
        words=CELL.words,
        values=values,
        runs=runs,
        columns={},
        observed={},
    )


def test_a_row_has_the_statistics_of_its_cell():
    table = running_time_table([cell([2, 4, 6, 100], [True, True, True, False])], "evaluations")
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["n"], row["nodes"], row["runs"], row["solved"], row["rate"]) == ("3", "5", "4", "3", "0.75")
    assert row["ERT"] == "37.33"  # 112 evaluations, three successes
    assert row["median"] == "4"
    assert "In evaluations" in table.note
    never = running_time_table([cell([5, 5], [False, False])], "iterations").rows[0]
    assert never[8:11] == ("not solved", "0", "∞")
    assert never[11] == "∞"


def test_growth_is_fitted_where_there_are_sizes_enough():
    rng = np.random.default_rng(1)
    enough = {n: sample(rng.geometric(1 / n**2, 40), np.ones(40)) for n in (4, 8, 16)}
    found = fits({"a": enough, "b": {4: enough[4], 8: enough[8]}}, resamples=5)
    assert list(found) == ["a"]
    table = growth_table(found)
    assert {row[1] for row in table.rows} == {"c n^a", "c n^a log n", "c b^n"}
    assert [row[7] for row in table.rows] == ["16"] * 3


def times(seed, scale, runs=60):
    return sample(np.random.default_rng(seed).geometric(1 / scale, runs), np.ones(runs))


def test_one_line_on_all_cells():
    same = [compare(str(i), times(i, 100), times(100 + i, 100)) for i in range(12)]
    assert "of 12 published cells agree" in comparison_words(PublishedComparison(runs=tuple(same)))


def test_a_row_for_published_runs():
    never = sample([9, 9], [False, False])
    table = comparison_table(PublishedComparison(runs=(compare("c", never, never),)), "iterations")
    (row,) = table.rows
    assert row[1] == "agrees"
    assert row[4:8] == ("∞", "∞", "not solved", "not solved")


def test_a_row_for_published_statistics():
    found = compare("a < b", times(1, 100, 50), Reported(runs=30, successes=29, mean=99.5))
    table = comparison_table(PublishedComparison(statistics=(found,)), "evaluations")
    (row,) = table.rows
    assert row[:5] == ("a < b", found.verdict, "29/30", "50/50", "99.5")
    assert row[6] == "–"


def test_nothing_published_makes_no_table_and_no_words():
    assert comparison_words(PublishedComparison()) == ""
    assert comparison_table(PublishedComparison(), "iterations") is None
