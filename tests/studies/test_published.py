"""Published runs: what a file may hold, and to which cells its rows belong."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest

from gatewalk.campaign import campaign, plan
from gatewalk.errors import InputError
from gatewalk.studies.published import check_matched, of_cell, read_published, reported_of


def published(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_rows_match_as_written_and_as_resolved(tmp_path: Path) -> None:
    text = "target,nodes,law.ties,n,time,solved\nand:4,2n,coin,4,5,true\nand:4,8,coin,4,6,false\n"
    found = read_published(published(tmp_path / "p.csv", text), "S")
    cells = plan(campaign(target="and:4", nodes=["2n", "3n"], law={"ties": ["coin", "accept"]}))
    ours = [of_cell(found, cell) for cell in cells]
    matched = [one for one in ours if one is not None]
    assert len(matched) == 1
    assert matched[0].runs.iterations.tolist() == [5, 6]  # both ways of writing D = 8
    assert matched[0].runs.solved.tolist() == [True, False]
    check_matched(found, cells, "p.csv")


def test_a_row_that_belongs_to_no_cell_is_refused(tmp_path: Path) -> None:
    found = read_published(published(tmp_path / "p.csv", "target,time,solved\nand:5,1,1\n"), "S")
    with pytest.raises(InputError, match="no cell of the campaign has the published settings 'and:5'"):
        check_matched(found, plan(campaign(target="and:4")), "p.csv")


def test_statistics_in_a_row_per_cell(tmp_path: Path) -> None:
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
        ("target,runs,successes\nand:2,3,4\n", "4 successes of 3 runs cannot be"),
        ("target,runs,successes\nand:2,0,0\n", "0 successes of 0 runs cannot be"),
        ("target,runs,successes\nand:2,3.5,3\n", "runs is '3.5'; it must be a whole number"),
        ("target,runs,successes,mean\nand:2,3,3,x\n", "the time 'x'"),
        ("target,runs,successes\nand:2,3,3\nand:2,4,4\n", "p.csv:3: 'and:2' is there twice"),
        ("target,time,solved\n", "no runs"),
        ("target,solved\nand:2,true\n", "p.csv:1: no column time"),
        ("target,time\nand:2,3\n", "p.csv:1: no column solved"),
        ("goal,time,solved\nand:2,3,1\n", "unknown column 'goal'"),
        ("time,time,solved\n1,2,1\n", "twice"),
        ("target,time,solved\nand:2,3\n", "p.csv:2: 2 values where the header has 3"),
        ("target,time,solved\nand:2,x,1\n", "p.csv:2: the time 'x'"),
        ("target,time,solved\nand:2,-1,1\n", "at least 0"),
        ("target,time,solved\nand:2,nan,1\n", "at least 0"),
        ("target,time,solved\nand:2,inf,1\n", "at least 0"),
        ("target,time,solved\nand:2,1,maybe\n", "p.csv:2: solved is 'maybe'"),
        ('target,time,solved\n"and:2,1,1\n', "not valid CSV"),
        (f"target,time,solved\n{'a' * 200_000},1,1\n", "not valid CSV"),
    ],
)
def test_bad_files_are_refused_in_a_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        read_published(published(tmp_path / "p.csv", text), "S")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
