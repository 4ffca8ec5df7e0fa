"""Runs within a page are those that an export writes."""

import base64
import gzip
from pathlib import Path

import pytest
from report_stores import everything

from gatewalk.campaign.export import export
from gatewalk.report import runs_csv as module
from gatewalk.report.runs_csv import runs_csv


def test_it_is_the_export(tmp_path: Path) -> None:
    packed = runs_csv(everything(), most_bytes=1_000_000)
    assert packed is not None
    export(everything(), "csv", tmp_path / "runs.csv")
    assert gzip.decompress(base64.b64decode(packed)) == (tmp_path / "runs.csv").read_bytes()


def test_too_many_runs_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_RUNS", 5)
    assert runs_csv(everything(), most_bytes=1_000_000) is None
