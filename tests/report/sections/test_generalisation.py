"""Generalisation of programs trained on samples."""

import numpy as np
import pytest
from report_stores import everything, nothing, unsolved

from gatewalk.report.sections.cells import read_cells
from gatewalk.report.sections.generalisation import generalisation


def test_only_sampled_cells_have_a_row() -> None:
    (row,) = generalisation(read_cells(everything()))["rows"]
    shares = [share for share in everything().columns()["generalisation"] if share is not None]
    assert (row["n"], row["training"], row["runs"]) == (6, "sample:20", len(shares))
    assert row["mean"][0] == pytest.approx(np.mean(shares), abs=1e-4)
    assert row["mean"][1] < row["mean"][0] < row["mean"][2]
    assert row["perfect"][0] == pytest.approx(np.mean(np.array(shares) == 1), abs=1e-4)


def test_the_reason_is_said() -> None:
    assert "Every training set is complete" in generalisation(read_cells(unsolved()))["reason"]
    assert generalisation(read_cells(nothing()))["reason"] == "There is no finished run yet."
