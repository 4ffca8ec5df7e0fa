"""Claims on evaluations: the published runs confirm them, others do not."""

from __future__ import annotations

import numpy as np
import pytest
from goldman_cells import THEIRS, cells

from gatewalk.analysis.statistics import Sample
from gatewalk.studies.goldman_punch.evaluations import (
    breadth,
    breadth_claim,
    exponent,
    lengths,
    medians,
    rates,
)


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (4.0, "not confirmed")])
def test_medians(factor: float, verdict: str) -> None:
    ours = cells(factor)
    assert medians(ours, THEIRS, quick=False).verdict == verdict
    assert medians(ours, THEIRS, quick=True).verdict == "not judged"


def test_lengths_and_rates() -> None:
    ours = cells()
    assert lengths(ours, THEIRS, quick=False).verdict == "confirmed"
    assert rates(ours, quick=False).verdict == "confirmed"
    slow = {key: cells(50.0)[key] if key.mutation == "sam" else cell for key, cell in ours.items()}
    assert rates(slow, quick=False).verdict == "not confirmed"


def test_exponent_of_breadth() -> None:
    by_size = breadth(cells(), THEIRS)
    fits = {name: exponent(along, resamples=20) for name, along in by_size.items()}
    told = breadth_claim(fits, quick=False)
    assert told.verdict == "confirmed"
    assert "0.0 standard errors apart" in told.measured
    flat = exponent({n: Sample(np.arange(1.0, 30.0), np.ones(29, bool)) for n in (5, 15, 25)}, resamples=20)
    assert breadth_claim({"ours": flat, "published": flat}, quick=False).verdict == "partly confirmed"
    assert breadth_claim({**fits, "ours": flat}, quick=False).verdict == "partly confirmed"
    assert breadth_claim({"ours": None, "published": flat}, quick=False).verdict == "not judged"
    assert exponent({5: by_size["ours"][5]}) is None
