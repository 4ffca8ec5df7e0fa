"""A study from its folder to its page: of a user, with and without code, and every one of the package."""

from __future__ import annotations

import csv
import json
import re
import sys
from dataclasses import replace

import pytest
from study_folder import SPEC

from gatewalk.campaign import Results
from gatewalk.errors import InputError
from gatewalk.studies import Request, names, read_study, run_study
from gatewalk.studies.folder import find

PUBLISHED_SPEC = """
seed = 3
replications = 30
budget = 200
[study]
title = "T"
question = "Q"
time = "evaluations"
[published]
source = "Somebody <2013>"
[grid]
target = ["and:3", "and:4"]
[quick]
replications = 20
grid = { target = "and:3" }
"""


def request(home, out, **options):
    return Request(study=read_study(home), out=out, jobs=1, **options)


def test_a_folder_with_a_spec_alone_makes_a_page(folder, tmp_path):
    said = []
    report = run_study(
        request(folder(), tmp_path / "out", quick=True, say=said.append, command="gatewalk study run X")
    )
    page = report.page.read_text(encoding="utf-8")
    for words in (
        "Mine &lt;b&gt;",
        "spare nodes help?",
        "Running times",
        "Growth",
        "gatewalk study run X",
    ):
        assert words in page
    assert "<script" not in page
    assert not re.search(r"https?://", page)
    with (tmp_path / "out" / "tables" / "running-times.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["runs"] for row in rows] == ["12"] * 6
    assert all(float(row["ERT from"]) <= float(row["ERT"]) <= float(row["ERT to"]) for row in rows)
    growth = (tmp_path / "out" / "tables" / "growth.csv").read_text()
    assert "nodes=n,c n^a" in growth
    assert "nodes=2n,c b^n" in growth
    assert {path.name for path in (tmp_path / "out" / "figures").iterdir()} == {
        "times.svg", "times.pdf", "times.png", "times.tex",
    }  # fmt: skip
    assert report.record["cells"][0]["runs"] == 12
    assert json.dumps(report.record, allow_nan=False)
    for link in re.findall(r'href="([^#"]+)"', page):
        assert link == "data:," or (tmp_path / "out" / link).is_file(), link


def test_runs_are_continued_and_do_not_depend_on_jobs_or_on_what_else_is_stored(folder, tmp_path):
    home = folder(SPEC.replace("[grid]", 'x = "nodes"\n[grid]'))
    first = run_study(request(home, tmp_path / "one", quick=True))
    more = folder((home / "spec.toml").read_text().replace("replications = 12", "replications = 20"))
    run_study(request(more, tmp_path / "one", quick=True))
    with Results.open(tmp_path / "one" / "runs.sqlite") as results:
        assert len(results) == 6 * 20
    again = folder((home / "spec.toml").read_text().replace("replications = 20", "replications = 12"))
    seen = []
    watched = Request(
        study=read_study(again),
        out=tmp_path / "one",
        jobs=2,
        quick=True,
        watch=lambda stage, progress: seen.append((progress.done_now, progress.done)),
    )
    assert run_study(watched).record == first.record
    assert seen[-1] == (0, 72)


def published_rows(target, times):
    return "".join(f"{target},{time},{str(time < 201).lower()}\n" for time in times)


def test_published_runs_are_compared_cell_by_cell(folder, tmp_path):
    home = folder(PUBLISHED_SPEC, published_csv="target,time,solved\nand:3,1,1\nand:4,1,1\n")
    run_study(request(home, tmp_path / "first", seed=17))
    with Results.open(tmp_path / "first" / "runs.sqlite") as results:
        like_ours = {cell.values["target"]: columns["evaluations"] for cell, columns in results.by_cell()}
    text = "target,time,solved\n" + published_rows("and:3", like_ours["and:3"])
    text += published_rows("and:4", [201] * 30)  # as if nobody ever succeeded
    report = run_study(request(folder(PUBLISHED_SPEC, published_csv=text), tmp_path / "out"))
    assert [cell["verdict"] for cell in report.record["published"]] == ["agrees", "differs"]
    assert "1 of 2 published cells agree" in report.summary[0]
    page = report.page.read_text(encoding="utf-8")
    assert "Somebody &lt;2013&gt;" in page
    assert 'class="differs"' in page
    assert (tmp_path / "out" / "figures" / "distributions.pdf").is_file()
    assert (tmp_path / "out" / "tables" / "published.tex").is_file()
    quick = run_study(request(folder(PUBLISHED_SPEC, published_csv=text), tmp_path / "quick", quick=True))
    assert [cell["cell"] for cell in quick.record["published"]] == ["and:3"]


def test_published_statistics_are_compared_cell_by_cell(folder, tmp_path):
    text = "target,runs,successes,mean,std\nand:3,30,30,7,5\nand:4,30,30,5000,100\n"
    home = folder(PUBLISHED_SPEC.replace("budget = 200", "budget = 20000"), published_csv=text)
    report = run_study(request(home, tmp_path / "out"))
    assert [cell["verdict"] for cell in report.record["published"]] == ["agrees", "differs"]
    page = report.page.read_text(encoding="utf-8")
    assert "Published statistics compared with ours" in page
    assert "1 of 2 published cells agree" in page
    with (tmp_path / "out" / "tables" / "published.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["mean, published"] for row in rows] == ["7", "5000"]


def test_a_study_may_do_everything_itself(folder, tmp_path):
    code = (
        "from gatewalk.studies import Report\n"
        "def run(request):\n"
        "    (request.out / 'index.html').write_text('mine')\n"
        "    return Report(request.out / 'index.html', ('done',))\n"
    )
    spec = '[study]\ntitle = "T"\nquestion = "Q"\n'
    report = run_study(request(folder(spec, study_py=code), tmp_path / "out"))
    assert report.summary == ("done",)
    (tmp_path / "mine" / "study.py").unlink()
    with pytest.raises(InputError, match="nothing to run"):
        run_study(request(folder(spec), tmp_path / "out"))


# One of Cartesian GP, one of trees, one with a figure of its own; the others are slow.
TASTED = ("nodes", "tree_negation", "traps")
OTHERS = [name for name in names() if name not in ("paper", *TASTED)]


@pytest.mark.parametrize("name", [*TASTED, *(pytest.param(name, marks=pytest.mark.slow) for name in OTHERS)])
def test_a_quick_run_of_every_study_of_the_package(name, tmp_path):
    report = run_study(request(find(name), tmp_path, quick=True))
    page = report.page.read_text(encoding="utf-8")
    assert page.count("<figure") >= 1
    assert '<section id="notes">' in page
    assert report.record["claims"]
    assert all(claim["measured"] for claim in report.record["claims"])
    assert all(cell["runs"] > 0 for cell in report.record["cells"])


CODE = '''
"""Counts gates."""
from gatewalk.analysis import curves, style
from gatewalk.report import Table
from gatewalk.studies import Claim, Drawing, Findings, Remark, judged


def observe(cell, *, jobs):
    print("observed", cell.search.target.name)
    return {"gates": cell.search.nodes} if cell.search.nodes > 3 else None


def draw():
    figure, ((axes,),) = style.panels(height=2)
    axes.plot([1, 2])
    return figure


def findings(measured):
    seen = {cell.label: cell.observed for cell in measured.cells}
    return Findings(
        summary=(f"seen {sorted(v.get('gates', 0) for v in seen.values())}",),
        claims=(Claim(statement="S <i>", source="W", measured=str(len(curves(measured.cells))),
                      verdict=judged([True])),),
        figures=(Drawing(name="own", caption="Own <figure>", draw=draw),
                 Drawing(name="more", caption="More.", draw=draw, heading="More of <them>")),
        remarks=(Remark(title="Few <runs>", text="Because.", heading="Why"),
                 Remark(title="Table", text="See.", table=Table(title="S", columns=("b",), rows=(("2",),)))),
        data={"cells": Table(title="Cells", columns=("a", "b"), rows=(("1", "2"),))},
        tables=(("gates", Table(title="Gates", columns=("a",), rows=(("1",),))),),
    )
'''


def test_code_of_a_folder_observes_and_judges(folder, tmp_path, capsys):
    home = folder(SPEC.replace("[grid]", 'x = "nodes"\n[grid]'), study_py=CODE)
    report = run_study(request(home, tmp_path / "out"))
    assert report.summary == ("seen [0, 4, 5, 6, 8, 10]",)
    assert report.record["claims"][0]["verdict"] == "confirmed"
    page = report.page.read_text(encoding="utf-8")
    assert "S &lt;i&gt;" in page
    assert "Own &lt;figure&gt;" in page
    assert (tmp_path / "out" / "tables" / "gates.md").is_file()
    assert (tmp_path / "out" / "data" / "cells.csv").read_text() == "a,b\n1,2\n"
    for words in (
        "More of &lt;them&gt;",
        "<h3>Why</h3>",
        "<b>Few &lt;runs&gt;.</b> Because.",
        "data/cells.csv",
    ):
        assert words in page
    assert capsys.readouterr().out.count("observed") == 6
    # What was observed is kept, but for a line that was cut off; other code observes anew.
    kept = tmp_path / "out" / "observed.jsonl"
    kept.write_text(kept.read_text()[:-30], encoding="utf-8")
    assert run_study(request(home, tmp_path / "out")).summary == report.summary
    assert capsys.readouterr().out.count("observed") == 1
    assert run_study(request(home, tmp_path / "out")).summary == report.summary
    assert capsys.readouterr().out.count("observed") == 0
    damaged = kept.read_text().replace('"gates": 8', '"gates": 9').replace('"gates": 10', '"gates": NaN')
    kept.write_text(damaged, encoding="utf-8")
    assert run_study(request(home, tmp_path / "out")).summary == report.summary
    assert capsys.readouterr().out.count("observed") == 2
    run_study(request(folder((home / "spec.toml").read_text(), study_py=CODE + "#"), tmp_path / "out"))
    assert capsys.readouterr().out.count("observed") == 6
    assert not (home / "__pycache__").exists()


def test_nothing_is_judged_in_a_quick_run(folder, tmp_path):
    report = run_study(request(folder(study_py=CODE), tmp_path / "out", quick=True))
    assert [claim["verdict"] for claim in report.record["claims"]] == ["not judged"]


CHOOSING = """
from gatewalk.studies import Findings

CHOICES = {"only": ("few", "many"), "size": ("3", "4", "5")}


def chosen(cell, choices):
    kind = "few" if cell.words["nodes"] == "n" else "many"
    return kind in choices["only"] and str(cell.search.target.inputs) in choices["size"]


def findings(measured):
    return Findings(summary=(f"{dict(measured.choices)} {measured.replications}",))
"""


def test_some_cells_can_be_chosen_and_run_so_often(folder, tmp_path):
    home = folder(study_py=CHOOSING)
    chosen = {"only": ("many",), "size": ("4", "3")}
    report = run_study(request(home, tmp_path / "out", choices=chosen, replications=3))
    assert report.summary == ("{'only': ('many',), 'size': ('3', '4')} 3",)
    assert [(cell["cell"], cell["runs"]) for cell in report.record["cells"]] == [("and:3", 3), ("and:4", 3)]
    report = run_study(request(home, tmp_path / "all", quick=True))
    assert report.summary == ("{'only': ('few', 'many'), 'size': ('3', '4', '5')} None",)
    assert len(report.record["cells"]) == 6


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"onyl": ("few",)}, "no choice 'onyl'; it has only, size"),
        ({"size": ("3", "9")}, "unknown size '9'; choose from 3, 4, 5"),
    ],
)
def test_unknown_choices_are_refused_before_anything_is_written(folder, tmp_path, choices, words):
    with pytest.raises(InputError, match=words):
        run_study(request(folder(study_py=CHOOSING), tmp_path / "out", choices=choices))
    assert not (tmp_path / "out").exists()


def test_a_choice_that_leaves_no_cell_is_refused(folder, tmp_path):
    code = CHOOSING.replace("return kind in", "return False and kind in")
    with pytest.raises(InputError, match="no cell of the campaign is left"):
        run_study(request(folder(study_py=code), tmp_path / "out"))
    with pytest.raises(InputError, match="has no choice 'only'; it has no choices"):
        run_study(request(folder(study_py=CODE), tmp_path / "out", choices={"only": ("few",)}))


FOUR = """
from pathlib import Path
from gatewalk.analysis import style
from gatewalk.studies import Drawing, Findings
import os


def draw(place):
    if Path(__file__).with_name("broken").exists() and place == 1:
        raise ValueError("no such place")
    figure, ((axes,),) = style.panels(height=2)
    axes.plot([place, 2])
    with Path(__file__).with_name("drawn").open("a") as file:
        file.write(f"{os.getpid()} ")
    return figure


def findings(measured):
    return Findings(figures=tuple(
        Drawing(name=f"figure-{place}", caption="C", draw=lambda place=place: draw(place))
        for place in range(4)
    ))
"""


def test_a_second_process_draws_the_same_figures_and_this_one_tells_errors(folder, tmp_path):
    home, pages = folder(SPEC, study_py=FOUR), []
    for jobs in (1, 2):
        pages.append(run_study(replace(request(home, tmp_path / f"out{jobs}"), jobs=jobs)).page)
    drawn = (home / "drawn").read_text().split()
    assert len(set(drawn[:4])) == 1
    if sys.platform == "linux":
        assert sorted(map(drawn[4:].count, set(drawn[4:]))) == [2, 2]
    alone, shared = (page.parent / "figures" for page in pages)
    assert {path.name: path.read_bytes() for path in alone.iterdir()} == {
        path.name: path.read_bytes() for path in shared.iterdir()
    }
    (home / "broken").touch()
    with pytest.raises(InputError, match="no such place"):
        run_study(replace(request(home, tmp_path / "out2"), jobs=2))
