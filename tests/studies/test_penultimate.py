"""Verdicts on Theorem 4's start."""

from __future__ import annotations

import pytest
from made_up import around

from gatewalk.studies.penultimate import study
from gatewalk.theory.conjunctions import expected_iterations

EXACT = {n: float(expected_iterations(n)) for n in (3, 4, 5, 6)}
FOUND = {
    "strict": {n: around(mean) for n, mean in EXACT.items()},
    "nonstrict": {n: around(20.0 * n) for n in EXACT},
}


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (1.5, "not confirmed")])
def test_means_are_held_against_the_exact_ones(factor, verdict):
    found = {**FOUND, "strict": {n: around(factor * mean) for n, mean in EXACT.items()}}
    claim = study._exact(found, EXACT, quick=False)
    assert claim.verdict == verdict
    assert f"Measured over exact: {factor:.3f}" in claim.measured


def test_one_size_that_is_wrong_is_noticed_though_the_mean_is_right():
    strict = dict(FOUND["strict"]) | {3: around(0.4 * EXACT[3]), 4: around(1.6 * EXACT[4])}
    claim = study._exact({**FOUND, "strict": strict}, EXACT, quick=False)
    assert "Measured over exact: 1.000" in claim.measured
    assert claim.verdict == "not confirmed"


def test_the_order_comes_from_the_formula(monkeypatch):
    assert study._order(quick=False).verdict == "confirmed"
    monkeypatch.setattr(study, "expected_iterations", lambda n: n**5)
    assert study._order(quick=False).verdict == "not confirmed"


def test_ties_must_undo_the_trap():
    assert study._ties(FOUND, EXACT, quick=False).verdict == "confirmed"
    slow = {**FOUND, "nonstrict": FOUND["strict"]}
    assert study._ties(slow, EXACT, quick=False).verdict == "not confirmed"


def test_the_table_has_measured_and_exact_values():
    row = study._table(FOUND, EXACT).rows[0]
    assert row[:4] == ("3", "663", "663", "1.00")
