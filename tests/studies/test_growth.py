"""Verdicts on the growth of conjunctions: the bound, the kind of growth, nodes, and n log n."""

from __future__ import annotations

from math import log

import pytest
from made_up import around

from gatewalk.stats.growth import growth
from gatewalk.studies.growth import study

SIZES = (4, 6, 8, 12, 16)
QUADRATIC = {n: around(n**2) for n in SIZES}


def test_one_mean_above_the_bound_is_enough():
    found = {"nodes=n": QUADRATIC, "nodes=2n": QUADRATIC}
    bounds = {name: {n: 2.0 * n**2 for n in SIZES} for name in found}
    assert study._below(found, bounds, quick=False).verdict == "confirmed"
    bounds["nodes=2n"][16] = 10.0
    assert study._below(found, bounds, quick=False).verdict == "partly confirmed"
    assert study._below(found, bounds, quick=True).verdict == "not judged"


def test_exponents_must_fall_with_the_nodes():
    powers = {
        name: growth({n: around(n**power) for n in SIZES}, resamples=10)
        for name, power in (("nodes=n", 3.0), ("nodes=2n", 2.0), ("nodes=n^2", 1.0))
    }
    assert study._nodes(powers, quick=False).verdict == "confirmed"
    assert study._polynomial(powers, quick=False).verdict == "confirmed"
    rising = dict(reversed(powers.items()))
    assert study._nodes(rising, quick=False).verdict == "not confirmed"
    steep = {"nodes=n": growth({n: around(3.0**n) for n in SIZES}, resamples=5)}
    assert study._polynomial(steep, quick=False).verdict == "not confirmed"


@pytest.mark.parametrize(("power", "verdict"), [(0.0, "confirmed"), (0.6, "not confirmed")])
def test_n_log_n_is_told_from_more(power, verdict, monkeypatch):
    found = {"nodes=n^2": {n: around(n * log(n) * n**power) for n in SIZES}}
    assert study._many_nodes(found, quick=True).verdict == "not judged"
    monkeypatch.setattr(study, "RESAMPLES", 10)
    assert study._many_nodes(found, quick=False).verdict == verdict
