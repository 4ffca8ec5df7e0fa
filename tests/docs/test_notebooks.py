"""The notebooks of the documentation are small, hold no outputs, and run from top to bottom."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest
from documents import ROOT

NOTEBOOKS = {path.name: path for path in sorted((ROOT / "docs").rglob("*.ipynb"))}


def code_cells(path: Path) -> list[dict[str, object]]:
    return [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]


def test_there_is_a_notebook() -> None:
    assert "notebook.ipynb" in NOTEBOOKS


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_notebook_holds_no_outputs(name: str) -> None:
    cells = code_cells(NOTEBOOKS[name])
    assert [cell for cell in cells if cell["outputs"] or cell["execution_count"] is not None] == []
    assert NOTEBOOKS[name].stat().st_size < 50_000


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_notebook_runs(name: str, tmp_path: Path) -> None:
    names: dict[str, object] = {"__name__": "__main__"}
    printed = io.StringIO()
    with contextlib.chdir(tmp_path), contextlib.redirect_stdout(printed):
        for number, cell in enumerate(code_cells(NOTEBOOKS[name]), 1):
            exec(compile("".join(cell["source"]), f"<cell {number}>", "exec"), names)  # type: ignore[arg-type]
    assert "6 gates before, 5 after; the smallest possible: True" in printed.getvalue()
