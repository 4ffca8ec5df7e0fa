"""Verdicts on the growth of conjunctions, on a superfluous Or and on majority: each is reached and missed."""

from __future__ import annotations

from math import log

import pytest
from made_up import around
from planned_cells import cells

from gatewalk.stats.growth import growth
from gatewalk_studies.growth import study

SIZES = (4, 6, 8, 12, 16)
QUADRATIC = {n: around(n**2) for n in SIZES}


def test_one_mean_above_the_bound_is_enough():
    found = {"nodes=n": QUADRATIC, "nodes=2n": QUADRATIC}
    bounds = {name: {n: 2.0 * n**2 for n in SIZES} for name in found}
    assert study._below(found, bounds).verdict == "confirmed"
    bounds["nodes=2n"][16] = 10.0
    assert study._below(found, bounds).verdict == "partly confirmed"


def test_exponents_must_fall_with_the_nodes():
    powers = {
        name: growth({n: around(n**power) for n in SIZES}, resamples=10)
        for name, power in (("nodes=n", 3.0), ("nodes=2n", 2.0), ("nodes=n^2", 1.0))
    }
    assert study._nodes(powers).verdict == "confirmed"
    assert study._polynomial(powers, statement="", source="").verdict == "confirmed"
    rising = dict(reversed(powers.items()))
    assert study._nodes(rising).verdict == "not confirmed"
    steep = {"nodes=n": growth({n: around(3.0**n) for n in SIZES}, resamples=5)}
    assert study._polynomial(steep, statement="", source="").verdict == "not confirmed"


@pytest.mark.parametrize(("power", "verdict"), [(0.0, "confirmed"), (0.6, "not confirmed")])
def test_each_order_is_told_from_more(power, verdict):
    sizes = (32, 48, 64, 96)
    found = {
        order.curve: {n: around(order.times(n) * n**power) for n in sizes} | {8: around(1.0)}
        for order in study.ORDERS
        if order.least
    }
    found["nodes=n^2"] = {n: around(n * log(n) * n**power) for n in sizes}
    claims = list(study._orders(found))
    assert [claim.verdict for claim in claims] == [verdict] * 3
    assert "n³" in claims[0].statement
    assert "from n = 32 on" in claims[0].measured  # the small n, far below the line, does not count


def test_few_sizes_make_no_claim_on_an_order():
    few = {order.curve: {n: around(n**2) for n in (6, 8, 12)} for order in study.ORDERS}
    assert [claim.statement[:14] for claim in study._orders(few)] == ["With D = n² no"]


OR_SIZES = (4, 6, 8, 12)


@pytest.mark.parametrize(("factor", "verdict"), [(3.0, "confirmed"), (1.0, "not confirmed")])
def test_or_must_cost_something(factor, verdict):
    found = {
        study.AND: {n: around(n**2) for n in OR_SIZES},
        study.AND_OR: {n: around(factor * n**2) for n in OR_SIZES},
    }
    claim = study._cost_of_or(found)
    assert claim.verdict == verdict
    assert "n = 12" in claim.measured


def test_exponential_growth_is_noticed():
    grown = {
        study.AND: growth({n: around(n**2) for n in OR_SIZES}, resamples=5),
        study.AND_OR: growth({n: around(n**3) for n in OR_SIZES}, resamples=5),
    }
    assert study._polynomial(grown, statement="", source="").verdict == "confirmed"
    grown[study.AND_OR] = growth({n: around(3.0**n) for n in OR_SIZES}, resamples=5)
    assert study._polynomial(grown, statement="", source="").verdict == "partly confirmed"


@pytest.mark.parametrize(("base", "verdict"), [(4.0, "confirmed"), (2.0, "not confirmed")])
def test_majority_must_take_ten_times_as_long_for_two_inputs(base, verdict):
    assert study._majority({n: around(base**n) for n in (3, 5, 7)}).verdict == verdict


def test_cells_are_told_apart_by_their_gates():
    one, two = cells(target="and:4", gates=["and", "and,or"])
    (majority,) = cells(target="maj:3")
    assert [study._gates_of(cell) for cell in (one, two, majority)] == [
        study.AND,
        study.AND_OR,
        study.MAJORITY,
    ]
