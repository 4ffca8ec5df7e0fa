"""What a study observes of its cells is found out once, and kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from study_folder import SPEC

from gatewalk.studies import Request, read_study, run_study

Make = Callable[..., Path]
CODE = '''
"""Counts gates."""
from gatewalk.analysis.style import panels
from gatewalk.report.tables import Table
from gatewalk.studies import Claim, Drawing, Findings, curves, judged


def observe(cell, *, jobs):
    print("observed", cell.settings.target)
    return {"gates": cell.settings.nodes} if cell.settings.nodes > 3 else None


def draw():
    figure, ((axes,),) = panels(height=2)
    axes.plot([1, 2])
    return figure


def findings(measured):
    seen = {cell.label: cell.observed for cell in measured.cells}
    return Findings(
        summary=(f"seen {sorted(v.get('gates', 0) for v in seen.values())}",),
        claims=(Claim(statement="S <i>", source="W", measured=str(len(curves(measured.cells))),
                      verdict=judged([True], quick=measured.quick)),),
        figures=(Drawing(name="own", caption="Own <figure>", draw=draw),),
        tables=(("gates", Table(title="Gates", columns=("a",), rows=(("1",),))),),
    )
'''


def request(home: Path, out: Path, **options: object) -> Request:
    return Request(study=read_study(home), out=out, jobs=1, **options)  # type: ignore[arg-type]


def test_code_of_a_folder_observes_and_judges(
    folder: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = folder(SPEC.replace("[grid]", 'x = "nodes"\n[grid]'), study_py=CODE)
    report = run_study(request(home, tmp_path / "out"))
    assert report.summary == ("seen [0, 4, 5, 6, 8, 10]",)
    assert report.record["claims"][0]["verdict"] == "confirmed"
    page = report.page.read_text(encoding="utf-8")
    assert "S &lt;i&gt;" in page
    assert "Own &lt;figure&gt;" in page
    assert (tmp_path / "out" / "tables" / "gates.md").is_file()
    assert capsys.readouterr().out.count("observed") == 6
    # What was observed is kept, but for a line that was cut off; other code observes anew.
    kept = tmp_path / "out" / "observed.jsonl"
    kept.write_text(kept.read_text()[:-30], encoding="utf-8")
    assert run_study(request(home, tmp_path / "out")).summary == report.summary
    assert capsys.readouterr().out.count("observed") == 1
    assert run_study(request(home, tmp_path / "out")).summary == report.summary
    assert capsys.readouterr().out.count("observed") == 0
    run_study(request(folder((home / "spec.toml").read_text(), study_py=CODE + "#"), tmp_path / "out"))
    assert capsys.readouterr().out.count("observed") == 6
    assert not (home / "__pycache__").exists()
