"""Distributions of running times: steps that are right, thinned and bounded."""

import numpy as np
import pytest
from report_stores import everything, nothing, unsolved

from gatewalk.campaign import campaign, run
from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.distributions import distributions
from gatewalk.report.sections.times import Known


def test_steps_are_shares_of_solved_runs() -> None:
    cells = read_cells(everything())
    for shown, cell in zip(distributions(cells, Known())["cells"], cells.runs, strict=True):
        solved = np.sort(cell.runs.times)
        for time, share, low, high in zip(
            *(shown[k] for k in ("times", "share", "low", "high")), strict=True
        ):
            assert share == pytest.approx(np.searchsorted(solved, time, side="right") / 12, abs=1e-4)
            assert low <= share <= high


def test_exact_laws_are_distributions() -> None:
    times, shares = distributions(read_cells(everything()), Known())["cells"][0]["exact"]
    assert times[0] == 0
    assert shares == sorted(shares)
    assert 0.99 < shares[-1] <= 1


def test_many_runs_are_thinned() -> None:
    many = run(campaign(target="and:6", replications=2000, seed=1), jobs=1)
    (shown,) = distributions(read_cells(many), Known())["cells"]
    assert shown["thinned"] is (len(set(many.columns()["iterations"])) > 250)
    assert len(shown["times"]) <= 250
    assert shown["share"][-1] == 1


def test_nothing_solved_and_nothing_run() -> None:
    assert distributions(read_cells(unsolved()), Known())["cells"][0]["share"] == [0]
    assert distributions(read_cells(nothing()), Known())["reason"] == "There is no finished run yet."
