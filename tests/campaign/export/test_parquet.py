"""Parquet: typed columns, in row groups."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from gatewalk.campaign import campaign, run
from gatewalk.campaign.export import export
from gatewalk.campaign.export import parquet as module
from gatewalk.campaign.results import NAMES
from gatewalk.errors import MissingExtra


def test_rows_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GROUP", 7)
    small = campaign(target=["and:2", "and:4"], training=["complete", "sample"], replications=5)
    with run(small, jobs=1) as results:
        export(results, "parquet", tmp_path / "runs.parquet")
        expected = results.columns()
    table = parquet.read_table(tmp_path / "runs.parquet")
    assert tuple(table.column_names) == NAMES
    assert table.to_pydict() == expected
    assert str(table.schema.field("iterations").type) == "int64"
    assert str(table.schema.field("solved").type) == "bool"


def test_large_fitness_is_text(tmp_path: Path) -> None:
    with run(campaign(target="and:2", replications=3), jobs=1) as results:
        results.connection.execute("UPDATE run SET fitness = '123456789012345678901234567890' WHERE run = 1")
        export(results, "parquet", tmp_path / "runs.parquet")
        assert results.columns()["fitness"][1] == 123456789012345678901234567890
    fitness = parquet.read_table(tmp_path / "runs.parquet")["fitness"].to_pylist()
    assert fitness == ["0", "123456789012345678901234567890", "0"]


def test_pyarrow_is_an_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with (
        run(campaign(target="and:2", replications=3), jobs=1) as results,
        pytest.raises(MissingExtra, match=r"gatewalk\[data\]"),
    ):
        export(results, "parquet", tmp_path / "runs.parquet")
