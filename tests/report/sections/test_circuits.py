"""The smallest circuits, drawn."""

import pytest
from report_stores import everything, nothing, unsolved

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
