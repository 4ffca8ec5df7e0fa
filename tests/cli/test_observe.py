"""`gatewalk observe`: starts, files and errors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from command import call, records


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    return call(capsys, "observe", *arguments)


def test_penultimate_start(capsys: pytest.CaptureFixture[str]) -> None:
    common = ("and:3", "--nodes", "n-1", "--selection", "strict", "--start", "penultimate", "--runs", "200")
    summary, *_ = records(capsys, "observe", *common)
    assert summary["theorem4_expected"] == 663
    assert summary["solved"] == 200
    assert abs(summary["ert"] - 663) < 5.5 * 663 / 200**0.5  # geometric: its deviation is its mean
    status, out, _ = run(capsys, *common)
    assert status == 0
    assert "exactly 663 expected" in out


def test_no_theorem_for_complete_sets_beside_sampled_ones(capsys: pytest.CaptureFixture[str]) -> None:
    common = ("and:6", "--nodes", "n-1", "--selection", "strict", "--start", "penultimate", "--runs", "3")
    summary, *levels = records(capsys, "observe", *common, "--training", "sample")
    assert summary["theorem4_expected"] is summary["theorem3"] is None
    assert summary["reasons"]["theorem4_expected"] == "training: needs the complete set: --training complete"
    assert all(item["estimates"] is None for item in levels)
    _, out, _ = run(capsys, *common, "--training", "sample")
    assert "does not apply: Theorem 3, Theorem 4 start: training" in out
    assert "206,798" not in out


def test_tables_and_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
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
    ("arguments", "words"),
    [
        (["and:4", "--out", "x.gif"], "cannot write"),
        (["and:4", "--out", "no/such/folder/x.svg"], "no folder"),
        (["and:4", "--record", "never"], "cannot record"),
        (["and:4", "--runs", "0"], "--runs"),
        (["and:4", "--lambda", "3"], "--lambda 1"),
        (["and:4", "--algorithm", "tgp-single"], "--algorithm cgp"),
        (["and:4", "--selection", "strict", "--option", "waiting=drawn"], "waiting=walked"),
        (["and:4", "--start", "penultimate"], "n-1 nodes"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("library", "name", "extra"), [("matplotlib", "levels.svg", "plot"), ("pyarrow", "trace.parquet", "data")]
)
def test_a_missing_extra_is_named_before_the_runs(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    library: str,
    name: str,
    extra: str,
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr("gatewalk.cli.observe._observe", None)  # a run would fail otherwise
    status, out, err = run(capsys, "and:5", "--out", str(tmp_path / name))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"gatewalk[{extra}]" in err
