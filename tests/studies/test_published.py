"""Published runs: what a file may hold, and to which cells its rows belong."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from math import isnan

import pytest

from gatewalk.analysis import CellRuns
from gatewalk.campaign import Results, campaign, plan
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import cell_values
from gatewalk.stats import sample
from gatewalk.studies import Request, names, read_study, run_study
from gatewalk.studies.folder import cells_of, find
from gatewalk.studies.page import comparison_table, comparison_words
from gatewalk.studies.published import (
    OBSERVED,
    PublishedComparison,
    StoredCheck,
    check_matched,
    compare_published,
    of_cell,
    published_times,
    read_published,
    read_stored_runs,
    reported_of,
    stored_checks,
)


def published(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_match_as_written_and_as_resolved(tmp_path):
    text = "target,nodes,law.ties,n,time,solved\nand:4,2n,coin,4,5,true\nand:4,8,coin,4,6,false\n"
    found = read_published(published(tmp_path / "p.csv", text), "S")
    cells = plan(campaign(target="and:4", nodes=["2n", "3n"], options={"ties": ["coin", "accept"]}))
    ours = [of_cell(found, cell) for cell in cells]
    matched = [one for one in ours if one is not None]
    assert len(matched) == 1
    assert matched[0].runs.iterations.tolist() == [5, 6]  # both ways of writing D = 8
    assert matched[0].runs.solved.tolist() == [True, False]
    check_matched(found, cells, "p.csv")


def test_a_target_of_ones_own_is_called_by_its_name(tmp_path):
    found = read_published(published(tmp_path / "p.csv", "target,time,solved\nodd,5,true\n"), "S")
    ours, other = plan(campaign(target=["odd@table:3:0x96", "xor:3"]))
    assert of_cell(found, ours) is not None
    assert of_cell(found, other) is None


def test_a_row_that_belongs_to_no_cell_is_refused(tmp_path):
    found = read_published(published(tmp_path / "p.csv", "target,time,solved\nand:5,1,1\n"), "S")
    with pytest.raises(InputError, match="no cell of the campaign has the published settings 'and:5'"):
        check_matched(found, plan(campaign(target="and:4")), "p.csv")


def test_statistics_in_a_row_per_cell(tmp_path):
    text = "target,nodes,runs,successes,mean,median\nand:4,2n,30,29,5.5,\nand:4,12,30,30,6,4\n"
    found = read_published(published(tmp_path / "p.csv", text), "S")
    assert found.cells == ()
    cells = plan(campaign(target="and:4", nodes=["2n", "3n", "4n"]))
    check_matched(found, cells, "p.csv")
    first, second, none = (reported_of(found, cell) for cell in cells)
    assert first is not None
    assert (first.runs, first.successes, first.mean, isnan(first.median)) == (30, 29, 5.5, True)
    assert second is not None
    assert (second.mean, second.median, isnan(second.std)) == (6.0, 4.0, True)
    assert none is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("target,runs,successes\n", "no cells"),
        ("target,successes\nand:2,3\n", "p.csv:1: no column runs"),
        ("target,runs,successes,time\nand:2,3,3,3\n", "unknown column 'time'"),
        ("target,runs,successes\nand:2,3,4\n", "4 successes in 3 runs is impossible"),
        ("target,runs,successes\nand:2,0,0\n", "0 successes in 0 runs is impossible"),
        ("target,runs,successes\nand:2,3.5,3\n", "runs must be a whole number, not '3.5'"),
        ("target,runs,successes,mean\nand:2,3,3,x\n", "the time 'x'"),
        ("target,runs,successes\nand:2,3,3\nand:2,4,4\n", "p.csv:3: duplicate row for 'and:2'"),
        ("target,time,solved\n", "no runs"),
        ("target,solved\nand:2,true\n", "p.csv:1: no column time"),
        ("target,time\nand:2,3\n", "p.csv:1: no column solved"),
        ("goal,time,solved\nand:2,3,1\n", "unknown column 'goal'"),
        ("time,time,solved\n1,2,1\n", "duplicate column"),
        ("target,time,solved\nand:2,3\n", "p.csv:2: 2 values, but the header has 3 columns"),
        ("target,time,solved\nand:2,x,1\n", "p.csv:2: the time 'x'"),
        ("target,time,solved\nand:2,-1,1\n", "at least 0"),
        ("target,time,solved\nand:2,nan,1\n", "at least 0"),
        ("target,time,solved\nand:2,inf,1\n", "at least 0"),
        ("target,time,solved\nand:2,1,maybe\n", "p.csv:2: solved is 'maybe'"),
        ('target,time,solved\n"and:2,1,1\n', "not valid CSV"),
        (f"target,time,solved\n{'a' * 200_000},1,1\n", "not valid CSV"),
    ],
)
def test_bad_files_are_refused_in_a_line(tmp_path, text, words):
    with pytest.raises(InputError) as refused:
        read_published(published(tmp_path / "p.csv", text), "S")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


SPEC = """
[study]
title = "T"
question = "Q"
[published]
source = "S"
[grid]
target = ["and:3", "and:4", "and:5"]
"""


def runs_of(study):
    return [
        CellRuns(
            label=cell.search.target.name,
            search=cell.search,
            words=cell.words,
            values=cell_values(cell.search, cell.seed),
            runs=sample([3, 4, 5, 6, 7, 8], [True] * 6),
            columns={},
            observed={},
        )
        for cell in cells_of(study)
    ]


def test_runs_and_statistics(folder):
    study = read_study(folder(SPEC, published_csv="target,time,solved\nand:3,4,1\nand:3,5,1\nand:5,900,1\n"))
    runs = runs_of(study)
    found = compare_published(study.published, cells_of(study), runs)
    assert [cell.label for cell in found.runs] == [cell.label for cell in found.cells] == ["and:3", "and:5"]
    assert "2 of 2 published cells agree" in comparison_words(found)
    assert published_times(study.published, study.x, cells_of(study), runs)["and"].keys() == {3, 5}
    text = "target,runs,successes,mean\nand:3,9,9,5\nand:4,9,8,6\n"
    study = read_study(folder(SPEC, published_csv=text))
    found = compare_published(study.published, cells_of(study), runs)
    assert [cell.label for cell in found.statistics] == ["and:3", "and:4"]
    table = comparison_table(found, "iterations")
    assert table is not None
    assert len(table.rows) == 2
    times = published_times(study.published, study.x, cells_of(study), runs)["and"]
    assert times[3] == 5.0
    assert isinstance(times[4], float)
    assert isnan(times[4])  # a mean of successes only is no expected time


def test_nothing_is_published(folder):
    study = read_study(folder(SPEC.replace('[published]\nsource = "S"\n', "")))
    cells, runs = cells_of(study), runs_of(study)
    assert compare_published(study.published, cells, runs) == PublishedComparison()
    assert published_times(study.published, study.x, cells, runs) == {}


STORED = [name for name in names() if (find(name) / "runs.csv").is_file()]


REPEATED = 'seed = 3\nreplications = 4\n[study]\ntitle = "T"\nquestion = "Q"\n[grid]\ntarget = "and:2"\n'


def test_stored_runs_are_compared_one_by_one(folder, tmp_path):
    out = tmp_path / "out"
    run_study(Request(study=read_study(folder(REPEATED)), out=out, jobs=1))
    with Results.open(out / "runs.sqlite") as results:
        columns = results.columns()
    times = [*columns["iterations"][:3], columns["iterations"][3] + 1]
    text = "target,nodes,run,iterations,solved\n"
    text += "".join(f"and:2,4,{run},{time},True\n" for run, time in enumerate(times)) + "and:9,4,0,1,True\n"
    report = run_study(Request(study=read_study(folder(REPEATED, runs_csv=text)), out=out, jobs=1))
    words = "4 of the 5 runs stored with the study were repeated, 1 of them with another result."
    assert words in report.page.read_text(encoding="utf-8")


OBSERVE = """
def observe(cell, *, jobs):
    return {"nodes": cell.search.nodes, "rates": [0.1 + 0.2, None], "more": {"runs": cell.replications}}
"""


def test_stored_observations_are_compared_cell_by_cell(folder, tmp_path):
    out, spec = tmp_path / "out", REPEATED + "nodes = [3, 4, 5]\n"
    home = folder(spec, study_py=OBSERVE)
    run_study(Request(study=read_study(home), out=out, jobs=1))
    lines = (out / OBSERVED).read_text(encoding="utf-8")
    (home / OBSERVED).write_text(lines, encoding="utf-8")
    # Other code, and a number that differs in its last digit only, make no difference.
    other = OBSERVE.replace("0.1 + 0.2", "0.3").replace('"more"', '"further": 1, "more"')
    report = run_study(Request(study=read_study(folder(spec, study_py=other)), out=out, jobs=1))
    words = "3 of the 3 observed cells stored with the study were repeated, all with the same result."
    assert words in report.page.read_text(encoding="utf-8")
    other = OBSERVE.replace("cell.replications", "cell.replications + (cell.search.nodes == 4)")
    report = run_study(Request(study=read_study(folder(spec, study_py=other)), out=out, jobs=1))
    assert "were repeated, 1 of them with another result." in report.page.read_text(encoding="utf-8")
    quick = run_study(Request(study=read_study(home), out=tmp_path / "seed", jobs=1, seed=4))
    assert "stored with the study" not in quick.page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ({}, 1),
        ({"list": [1, 2.5000000000000004, None]}, 1),
        ({"new": 1}, 1),
        ({"count": 4}, 0),
        ({"count": 3.5}, 0),
        ({"list": [1, 2.5]}, 0),
        ({"list": [1, 2.6, None]}, 0),
        ({"inner": {"b": 1}}, 0),
        ({"truth": "True"}, 0),
    ],
)
def test_what_counts_as_the_same_observation(folder, tmp_path, change, same):
    stored = {"count": 3, "list": [1, 2.5, None], "inner": {"a": 1}, "truth": True}
    home = folder(REPEATED, study_py=f"def observe(cell, *, jobs):\n    return {stored!r}\n")
    run_study(Request(study=read_study(home), out=tmp_path / "out", jobs=1))
    (home / OBSERVED).write_text((tmp_path / "out" / OBSERVED).read_text(encoding="utf-8"), encoding="utf-8")
    study = read_study(home)
    (ours,) = runs_of(study)
    now = replace(ours, observed=json.loads(json.dumps({**stored, **change})))
    expected = StoredCheck(what="observed cells", stored=1, repeated=1, same=same)
    assert stored_checks(home, cells_of(study), [now]) == (expected,)


@pytest.mark.parametrize("name", STORED)
def test_stored_runs_of_the_package_come_out_the_same_today(name):
    names, kept = read_stored_runs(find(name) / "runs.csv")
    assert len(kept) > 500
    quickest = sorted(kept, key=lambda key: int(kept[key][0]))[:3]
    cells = [(cell_values(cell.search, cell.seed), cell) for cell in cells_of(read_study(name))]
    for key in quickest:
        wanted = dict(zip(names, key, strict=True))
        number = int(wanted.pop("run"))
        (cell,) = (c for values, c in cells if all(str(values[k]) == text for k, text in wanted.items()))
        (run,) = run_many(cell.search, seed=cell.seed, runs=[number], jobs=1)
        assert (str(run.iterations), str(run.solved).lower()) == kept[key]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("run,iterations\n0,1\n", "no column solved"),
        ("run,iterations,solved,colour\n0,1,True,red\n", "unknown column 'colour'"),
        ("run,iterations,solved\n0,1\n", "2 values"),
        ("", "empty"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, words):
    (tmp_path / "runs.csv").write_text(text)
    with pytest.raises(InputError, match=words):
        read_stored_runs(tmp_path / "runs.csv")


def test_a_pipe_is_refused(tmp_path):
    os.mkfifo(tmp_path / "published.csv")
    with pytest.raises(InputError, match="pipe"):
        read_published(tmp_path / "published.csv", "a paper")
