"""`gatewalk observe`: starts, tables, JSON, files, refusals, Ctrl-C."""

import json
import re
import sys
from math import nan
from pathlib import Path

import pytest
from command import call, records
from processes import interrupted
from refusals import refused

from gatewalk.cli.observe import _rate
from gatewalk.search.options import search_for
from gatewalk.theory.observe.levels import Frequency
from gatewalk.theory.observe.observation import observe_runs

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "observe.md"


def run(capsys, *arguments):
    return call(capsys, "observe", *arguments)


def test_penultimate_start(capsys):
    common = ("and:3", "--nodes", "n-1", "--selection", "strict", "--start", "penultimate", "--runs", "200")
    summary, *_ = records(capsys, "observe", *common)
    assert summary["theorem4_expected"] == 663
    assert summary["solved"] == 200
    assert abs(summary["ert"] - 663) < 5.5 * 663 / 200**0.5  # geometric: its deviation is its mean
    status, out, _ = run(capsys, *common)
    assert status == 0
    assert "Theorem 4's start: 663" in out


def test_theorems_on_complete_sets_are_not_applied_to_sampled_ones(capsys):
    common = ("and:6", "--nodes", "n-1", "--selection", "strict", "--start", "penultimate", "--runs", "3")
    summary, *levels = records(capsys, "observe", *common, "--training", "sample")
    assert summary["theorem4_expected"] is summary["theorem3"] is None
    assert summary["reasons"]["theorem4_expected"] == "training: needs the complete set: --training complete"
    assert all(item["estimates"] is None for item in levels)
    _, out, _ = run(capsys, *common, "--training", "sample")
    assert "does not apply: Theorem 3, Theorem 4 start: training" in out
    assert "206,798" not in out


def test_tables_and_files(capsys, tmp_path):
    files = [str(tmp_path / name) for name in ("a.svg", "b.csv", "c.parquet")]
    outs = [word for name in files for word in ("--out", name)]
    status, out, _ = run(capsys, "and:4", "--runs", "20", *outs)
    assert status == 0
    assert "waiting" in out
    assert all(Path(name).stat().st_size > 0 for name in files)
    status, out, _ = run(
        capsys,
        "xor:4",
        "--nodes",
        "n",
        "--budget",
        "500",
        "--out",
        str(tmp_path / "d.png"),
        "--out",
        str(tmp_path / "d.csv"),
    )
    assert status == 0
    assert "Lemma 8" in out
    assert (tmp_path / "d.csv").read_text().startswith("run,iteration,fitness")
    status, out, _ = run(capsys, "maj:3", "--budget", "100", "--out", str(tmp_path / "m.svg"))
    assert status == 0


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (["and:4", "--out", "x.gif"], ("--out", "x.gif", ".svg .pdf .png .csv .parquet")),
        (["and:4", "--record", "never"], ("never", "every:K")),
        (["and:4", "--lambda", "3"], ("--lambda 1",)),
        (["and:4", "--algorithm", "tgp-single"], ("--algorithm cgp",)),
        (["and:4", "--selection", "strict", "--option", "waiting=drawn"], ("waiting=walked",)),
        (["and:4", "--start", "penultimate"], ("penultimate", "n-1 nodes")),
    ],
)
def test_refusals(capsys, arguments, names):
    refused(capsys, "observe", *arguments, naming=names)


def test_ctrl_c_ends_it_at_once():
    command = [sys.executable, "-m", "gatewalk", "observe", "xor:12", "--nodes", "13"]
    command += ["--budget", "1000000000000"]  # days
    code, out, err = interrupted(command, lambda process: "observe: " in process.err)
    assert (code, out) == (130, "")
    assert err.splitlines()[-1] == "gatewalk: interrupted"
    assert "Traceback" not in err


def test_symbols_are_explained_and_rates_have_intervals(capsys):
    _, out, _ = run(capsys, "and:4", "--runs", "30", "--seed", "2")
    for term in ("level i", "i+", "i-", "p, q", "r, s", "leave", "waiting", "s_i", "q', r', s'", "[a, b]"):
        assert any(line.startswith(term) for line in out.splitlines()), term
    rows = [line for line in out.splitlines() if line.startswith("    3")]
    assert [row.count("[") for row in rows] == [1, 3, 2]  # leave; p, q, p + q; r, s
    _, out, _ = run(capsys, "and:4", "--runs", "30", "--selection", "strict")
    assert "(p+q)/q'" not in out  # Theorem 6 is not about strict selection
    _, out, _ = run(capsys, "xor:4", "--nodes", "n", "--budget", "200", "--runs", "5")
    assert "Lemma 8's potential" in out
    assert "[+" in out


def test_a_rate_is_shown_with_its_interval_if_it_is_told():
    assert _rate(Frequency(0, 0, nan, 0.0, 1.0)) == "–"
    assert _rate(Frequency(1, 4, 0.25, 0.0, 1.0)) == "0.25"
    assert _rate(Frequency(1, 4, 0.25, 0.1, 0.5)) == "0.25 [.1, .5]"


def test_levels_as_json(capsys):
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


def test_drift_as_json(capsys):
    summary, *drifts = records(capsys, "observe", "xor:6", "--nodes", "n", "--budget", "3000", "--runs", "2")
    assert summary["lemma8_drift"] is summary["lemma8_interval"] is None
    assert summary["reasons"]["lemma8_drift"].startswith("n: needs n >= 256")
    assert 0 < summary["lemma7_probability"] <= 1
    assert all(item["kind"] == "drift" for item in drifts)


def test_one_run_tells_no_interval(capsys):
    summary, *drifts = records(capsys, "observe", "xor:4", "--nodes", "n", "--budget", "200")
    assert summary["runs"] == 1
    for item in drifts:
        assert (item["low"], item["high"]) == (-min(2, item["potential"]), min(2, 6 - item["potential"]))
    _, *levels = records(capsys, "observe", "and:4")
    assert all((item["leave"]["low"], item["leave"]["high"]) == (0.0, 1.0) for item in levels)


def test_the_reference_has_every_key_and_no_other(capsys):
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
    found = {}
    for line in seen:
        found.setdefault(line.pop("kind"), set()).update(line)
    assert {kind: set(keys) for kind, keys in documented.items()} == found


def test_every_line_is_json_though_some_numbers_are_not_finite():
    # After one iteration nothing is solved: the running time is infinite, and most means are none.
    seen = observe_runs(search_for("and:6", nodes=6, budget=1), seed=1, runs=2, jobs=1)
    lines = [json.loads(json.dumps(line, allow_nan=False)) for line in seen.records()]
    assert lines[0]["ert"] == "inf"
    assert any(line["waiting"] is None for line in lines[1:])
