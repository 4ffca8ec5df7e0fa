"""The guide to learning shows the figures that are stored."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "how-to" / "learn.md").read_text()
RESULTS = ROOT / "benchmarks" / "results" / "learning.jsonl"


def test_the_table_is_what_was_measured() -> None:
    measured = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    rows = re.findall(r"^\| ([a-z0-9-]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", GUIDE, re.MULTILINE)
    assert [row[:2] for row in rows if row[0] != "data"] == [(one["data"], one["model"]) for one in measured]
    for (_, _, accuracy, size), one in zip(rows[-len(measured) :], measured, strict=True):
        figures = [100 * one["accuracy"], 100 * one["accuracy_sd"], one["size"], one["size_sd"]]
        assert re.findall(r"[\d.]+", f"{accuracy} {size}") == [f"{figure:.1f}" for figure in figures]
