"""Traces as CSV and Parquet."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory import trace
from gatewalk.theory.watching import TraceMoments, watch_runs


def test_csv_and_parquet_hold_the_same(tmp_path: Path) -> None:
    import pyarrow.parquet

    search = settings("and:5", nodes=7)
    watched = watch_runs(search, seed=1, runs=range(3), record=TraceMoments(improvements=True))
    rows = list(trace.rows(watched, levels=True))
    trace.write_trace(tmp_path / "t.csv", rows)
    trace.write_trace(tmp_path / "t.parquet", rows)
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    table = pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert [row["iteration"] for row in table] == [int(row["iteration"]) for row in read]
    assert list(table[0]) == list(trace.COLUMNS)
    for row in table:
        assert row["fitness"] == 2 ** (5 - row["level"]) - 1
        assert row["sub_level"] in ("+", "-")


def test_no_levels_no_numbers() -> None:
    watched = watch_runs(settings("maj:3", nodes=9, budget=20), seed=1, runs=range(1))
    first = next(iter(trace.rows(watched, levels=False)))
    assert first[3:5] == (None, None)


def test_fitness_beyond_64_bits(tmp_path: Path) -> None:
    import pyarrow.parquet

    row = (0, 0, 2**99 - 1, 1, "-", 0, True)
    trace.write_trace(tmp_path / "t.parquet", [row])
    assert pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pylist()[0]["fitness"] == str(2**99 - 1)


def test_numbers_for_a_figure() -> None:
    search = settings("xor:5", nodes=8, selection="strict", budget=50)
    item = watch_runs(search, seed=1, runs=range(1), record=TraceMoments(every=1))[0]
    found = trace.with_fitness(item)
    assert found[0, 1] == 16  # half of all rows, as of any parity of other inputs
    assert (np.delete(found, 1, axis=1) == np.delete(item.trace, 1, axis=1)).all()
    with pytest.raises(InputError, match="cannot be drawn"):
        trace.with_fitness(replace(item, fitness=dict.fromkeys(item.fitness, 2**1100)))


def test_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.csv"):
        trace.write_trace(tmp_path / "t.xlsx", [])
