"""Comparisons: those of `gatewalk.analysis.compare`, for every option that differs."""

import pytest
from report_stores import everything, nothing

from gatewalk.analysis import compare
from gatewalk.report.sections import comparisons as module
from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.comparisons import comparisons


def test_pairs_are_those_of_the_analysis() -> None:
    found = {one["by"]: one for one in comparisons(read_cells(everything()))["options"]}
    assert set(found) == {"algorithm", "selection"}
    pairs = compare(everything(), "selection").pairs
    for shown, pair in zip(found["selection"]["pairs"], pairs, strict=True):
        assert shown["a12"][0] == pytest.approx(pair.a12, abs=1e-3)
        assert shown["logRank"] == pytest.approx(pair.log_rank_holm, rel=0.06)
        assert shown["differs"] is pair.differs
        assert "of two runs that of" in shown["words"]
    assert found["selection"]["words"].startswith("3 pairs differ in selection alone. ")


def test_many_pairs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 2)
    found = {one["by"]: one for one in comparisons(read_cells(everything()))["options"]}
    assert len(found["selection"]["pairs"]) == 2
    assert found["selection"]["note"].startswith("1 more pair left out")


def test_too_many_cells_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CELLS", 3)
    found = comparisons(read_cells(everything()))
    assert found["options"] == []
    assert "stores of up to 3 cells" in found["notes"][0]


def test_nothing_to_compare() -> None:
    assert "there is nothing to compare" in comparisons(read_cells(nothing()))["notes"][0]
