"""The guide to reports: its code runs, and its commands are there."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from gatewalk.cli.main import gatewalk
from gatewalk.report.sections import growth

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "report.md"


def test_the_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(growth, "_RESAMPLES", 4)
    exec(code, {})
    assert {path.name for path in tmp_path.iterdir()} == {"report.html", "large.html"}


def test_its_options_are_there() -> None:
    shown = CliRunner().invoke(gatewalk, ["campaign", "run", "--help"]).output
    for option in re.findall(r"--live[\w-]*", GUIDE.read_text()):
        assert option in shown
