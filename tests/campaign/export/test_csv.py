"""CSV: a line per run."""

from __future__ import annotations

import csv
import os
import stat
from pathlib import Path

import pytest

from gatewalk.campaign import campaign, run
from gatewalk.campaign.export import export
from gatewalk.campaign.export.csv import neutralised
from gatewalk.campaign.results import NAMES, Results
from gatewalk.errors import InputError


def test_rows_come_back(tmp_path: Path) -> None:
    with run(campaign(target=["and:2", "xor:2"], gates=[None, "and,xor"], replications=3), jobs=1) as results:
        path = export(results, "csv", tmp_path / "runs.csv")
        expected = results.columns()
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 12
    assert tuple(rows[0]) == NAMES
    for name in ("iterations", "solved", "fitness", "gate_set", "seconds"):
        assert [row[name] for row in rows] == [str(value) for value in expected[name]]
    assert rows[0]["generalisation"] == ""
    assert [p.name for p in tmp_path.iterdir()] == ["runs.csv"]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with run(campaign(target="and:2", replications=3), jobs=1) as results:
        with pytest.raises(InputError, match="does not exist"):
            export(results, "csv", tmp_path / "none" / "runs.csv")
        with pytest.raises(InputError, match="no file"):
            export(results, "csv", tmp_path)
        with pytest.raises(InputError, match="csv, parquet, ioh"):
            export(results, "xls", tmp_path / "runs.xls")


@pytest.mark.parametrize("to", ["csv", "parquet"])
def test_nothing_else_is_harmed(tmp_path: Path, to: str) -> None:
    store, pipe, other, link = (tmp_path / name for name in ("store.sqlite", "pipe", "runs.part", "link"))
    os.mkfifo(pipe)
    other.write_text("mine")
    link.symlink_to(tmp_path / "linked")
    with run(campaign(target="and:2", replications=3), store=store, jobs=1) as results:
        for path, words in ((store, "the store itself"), (pipe, "no file")):
            with pytest.raises(InputError, match=words):
                export(results, to, path)
        export(results, to, tmp_path / "runs")
        export(results, to, link)
        assert len(results) == 3
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert other.read_text() == "mine"
    assert link.is_symlink()
    assert (tmp_path / "linked").read_bytes() == (tmp_path / "runs").read_bytes()
    with Results.open(store) as again:
        assert len(again) == 3


def test_formulas_are_neutralised_on_request(tmp_path: Path) -> None:
    """A spreadsheet would run a text that begins with one of these."""
    for text in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "plain", ""):
        (row,) = neutralised(iter([("and:2", text, -1, None)]))
        assert row == ["and:2", f"'{text}" if text not in ("plain", "") else text, -1, None]
    with run(campaign(target="and:2", replications=2), jobs=1) as results:
        export(results, "csv", tmp_path / "plain.csv")
        export(results, "csv", tmp_path / "safe.csv", for_spreadsheet=True)
        with pytest.raises(InputError, match="use csv"):
            export(results, "parquet", tmp_path / "runs.parquet", for_spreadsheet=True)
    assert (tmp_path / "plain.csv").read_text() == (tmp_path / "safe.csv").read_text()
