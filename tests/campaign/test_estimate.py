"""Estimates of time from a short trial."""

from __future__ import annotations

import pytest

from gatewalk.campaign import campaign, estimate, plan
from gatewalk.campaign.estimate import estimates


def test_solvable_cells_have_a_likely_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "_LONGEST_TRIAL", 0.05)
    cells = plan(campaign(target=["and:2", "and:3"], budget=100_000))
    for found in estimates(cells, [100, 100]):
        assert found.likely is not None
        assert 0 < found.likely < found.most


def test_a_cell_that_does_not_end_has_only_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimate, "_LONGEST_TRIAL", 0.05)
    (found,) = estimates(plan(campaign(target="and:4", nodes=2, budget=10**12)), [10])
    assert found.likely is None
    assert found.most > 60


def test_nothing_to_do_takes_no_time() -> None:
    (found,) = estimates(plan(campaign(target="and:2")), [0])
    assert (found.likely, found.most) == (0, 0)
