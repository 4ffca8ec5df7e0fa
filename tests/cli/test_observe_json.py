"""The JSON of `gatewalk observe`: lines, keys, and numbers that JSON does not have."""

from __future__ import annotations

import json
import re
from math import inf, nan
from pathlib import Path

import pytest
from command import records

from gatewalk.cli import observe_json
from gatewalk.search.settings import settings
from gatewalk.theory.observation import observe_runs

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "observe.md"


def test_levels_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    summary, *levels = records(capsys, "observe", "and:5", "--runs", "30", "--nodes", "10")
    assert summary["kind"] == "runs"
    assert (summary["n"], summary["nodes"], summary["runs"], summary["solved"]) == (5, 10, 30, 30)
    assert [item["level"] for item in levels] == [1, 2, 3, 4]
    last = levels[-1]
    assert last["leave"]["value"] > last["estimates"]["s_i"]
    assert last["p"]["trials"] == last["iterations_minus"]
    assert sum(item["iterations_minus"] + item["iterations_plus"] for item in levels) == pytest.approx(
        summary["ert"] * 30
    )


def test_drift_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    summary, *drifts = records(capsys, "observe", "xor:6", "--nodes", "n", "--budget", "3000", "--runs", "2")
    assert summary["lemma8_drift"] is summary["lemma8_interval"] is None
    assert summary["reasons"]["lemma8_drift"].startswith("n: needs n >= 256")
    assert 0 < summary["lemma7_probability"] <= 1
    assert all(item["kind"] == "drift" for item in drifts)


def test_one_run_tells_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    summary, *drifts = records(capsys, "observe", "xor:4", "--nodes", "n", "--budget", "200")
    assert summary["runs"] == 1
    for item in drifts:
        assert (item["low"], item["high"]) == (-min(2, item["potential"]), min(2, 6 - item["potential"]))
    _, *levels = records(capsys, "observe", "and:4")
    assert all((item["leave"]["low"], item["leave"]["high"]) == (0.0, 1.0) for item in levels)


def test_the_reference_has_every_key_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    text = text[text.index("## JSON") :]
    tables = re.split(r'`"kind": "(\w+)"`', text)[1:]
    documented = {
        kind: [
            key
            for line in table.splitlines()
            if line.startswith("| `")
            for key in re.findall(r"`(\w+)`", line.split("|")[1])
        ]
        for kind, table in zip(tables[::2], tables[1::2], strict=True)
    }
    common = ("and:3", "--nodes", "2", "--selection", "strict", "--start", "penultimate", "--budget", "5")
    seen = [
        *records(capsys, "observe", *common),
        *records(capsys, "observe", "xor:3", "--nodes", "n", "--budget", "5"),
    ]
    found: dict[str, set[str]] = {}
    for line in seen:
        found.setdefault(line.pop("kind"), set()).update(line)
    assert {kind: set(keys) for kind, keys in documented.items()} == found


def test_every_line_is_json_though_some_numbers_are_not_finite() -> None:
    # After one iteration nothing is solved: the running time is infinite, and most means are none.
    seen = observe_runs(settings("and:6", nodes=6, budget=1), seed=1, runs=2, jobs=1)
    lines = [json.loads(json.dumps(line, allow_nan=False)) for line in observe_json.records(seen)]
    assert lines[0]["ert"] == "inf"
    assert any(line["waiting"] is None for line in lines[1:])
    assert observe_json._finite({"a": [nan, inf, 1.5, 2]}) == {"a": [None, "inf", 1.5, 2]}
