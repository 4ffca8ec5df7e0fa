"""The guide to watching a run: its picture is what its command writes, and its code runs."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from gatewalk.report.watch import watch

DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def test_the_picture_is_what_the_command_writes(tmp_path: Path) -> None:
    path = tmp_path / "watch.svg"
    watch("and:6", path, seed=1)
    # If animations have changed: gatewalk evolve and:6 --seed 1 --watch docs/how-to/watch.svg
    assert path.read_text() == (DOCS / "watch.svg").read_text()


def test_the_code_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", (DOCS / "watch.md").read_text(), re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(code, {})
    assert shown.getvalue().startswith("Run(xor:8, cgp, solved, iterations=")
    assert {path.name for path in tmp_path.iterdir()} == {"run.html", "run.svg"}
