"""The smallest circuits, drawn."""

import pytest
from report_stores import everything, nothing, sampled, unsolved

from gatewalk.report.sections import circuits as module
from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.circuits import circuits


def test_each_target_has_its_smallest() -> None:
    found = circuits(everything(), read_cells(everything()))["drawn"]
    assert {one["target"]: one["gates"] for one in found} | {"and:6": 0} == {
        "and:2": 1, "and:3": 2, "and:4": 3, "and:6": 0,
    }  # fmt: skip
    for one in found:
        assert one["svg"].count('class="gw-gate"') == one["gates"]
    sampled = next(one for one in found if one["target"] == "and:6")
    assert "on validation rows" in sampled["words"]


def test_of_sampled_runs_the_best_on_validation_rows_come_first() -> None:
    cells = read_cells(sampled())
    passed_over = 0
    for one in circuits(sampled(), cells)["drawn"]:
        runs = [
            (share, gates)
            for cell in cells.runs
            if cell.values["target"] == one["target"]
            for share, gates, solved in zip(
                *(cell.columns[name] for name in ("generalisation", "gates", "solved")), strict=True
            )
            if solved
        ]
        best = max(share for share, _ in runs)
        right = "all" if best == 1 else f"{100 * best:.1f} %"
        assert f"on validation rows {right} of its outputs are right" in one["words"]
        fewest = min(gates for share, gates in runs if share == best)
        assert one["gates"] <= fewest
        passed_over += sum(gates < fewest for _, gates in runs)
    assert passed_over  # smaller ones that do worse


def test_pictures_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CIRCUITS", 3)
    monkeypatch.setattr(module, "_MOST_GATES", 1)
    found = circuits(everything(), read_cells(everything()))
    assert [one["svg"] is None for one in found["drawn"]] == [False, True, True]
    assert "too large to draw" in found["drawn"][1]["words"]
    assert found["note"] == "1 more target left out of this page."


def test_the_reason_is_said() -> None:
    assert circuits(unsolved(), read_cells(unsolved()))["reason"] == "No run has solved its task yet."
    assert circuits(nothing(), read_cells(nothing()))["reason"] == "There is no finished run yet."
