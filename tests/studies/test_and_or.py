"""Verdicts on a superfluous Or and on majority: each can be reached and missed."""

from __future__ import annotations

import pytest
from made_up import around
from planned_cells import cells

from gatewalk.stats.growth import growth
from gatewalk.studies.and_or import study

SIZES = (4, 6, 8, 12)


@pytest.mark.parametrize(("factor", "verdict"), [(3.0, "confirmed"), (1.0, "not confirmed")])
def test_or_must_cost_something(factor, verdict):
    found = {
        study.ONE: {n: around(n**2) for n in SIZES},
        study.TWO: {n: around(factor * n**2) for n in SIZES},
    }
    claim = study._cost(found, quick=False)
    assert claim.verdict == verdict
    assert "n = 12" in claim.measured
    assert study._cost(found, quick=True).verdict == "not judged"


def test_exponential_growth_is_noticed():
    grown = {
        study.ONE: growth({n: around(n**2) for n in SIZES}, resamples=5),
        study.TWO: growth({n: around(n**3) for n in SIZES}, resamples=5),
    }
    assert study._polynomial(grown, quick=False).verdict == "confirmed"
    grown[study.TWO] = growth({n: around(3.0**n) for n in SIZES}, resamples=5)
    assert study._polynomial(grown, quick=False).verdict == "partly confirmed"


@pytest.mark.parametrize(("base", "verdict"), [(4.0, "confirmed"), (2.0, "not confirmed")])
def test_majority_must_take_ten_times_as_long_for_two_inputs(base, verdict):
    found = {study.MAJORITY: {n: around(base**n) for n in (3, 5, 7)}}
    assert study._majority(found, quick=False).verdict == verdict


def test_cells_are_told_apart_by_their_gates():
    one, two = cells(target="and:4", gates=["and", "and,or"])
    (majority,) = cells(target="maj:3")
    assert [study._label(cell) for cell in (one, two, majority)] == [study.ONE, study.TWO, study.MAJORITY]
