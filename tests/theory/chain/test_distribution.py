"""The distribution of the running time: against its moments and against stepping all the way."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb, inf

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain.offspring_sums import (
    geometric,
    log_of_rest,
    odd_geometric,
    share_of_best,
    share_of_ties,
)

CASES = [
    {},
    {"selection": "strict"},
    {"offspring": 3},
    {"offspring": 2, "selection": "strict"},
    {"options": {"uncounted": 2, "starts": 2}},
]


@pytest.mark.parametrize("options", CASES)
def test_moments(options):
    solved = exact("and:3", nodes=2, **options)
    ends = solved.distribution()
    assert ends.error <= 1e-12
    beyond = np.array([ends.exceeds(t) for t in range(20_000)])
    mean = beyond.sum()
    square = ((2 * np.arange(beyond.size) + 1) * beyond).sum()
    assert mean == pytest.approx(solved.expected_iterations, rel=1e-8)
    assert square - mean**2 == pytest.approx(solved.std_iterations**2, rel=1e-6)
    assert (np.diff(beyond) <= 1e-15).all()


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
def test_tail_is_what_stepping_gives(selection):
    solved = exact("and:3", nodes=2, selection=selection)
    ends = solved.distribution()
    now = solved.start
    for t in range(3 * ends.beyond.size + 50):
        assert abs(ends.exceeds(t) - now.sum()) < 1e-11
        now = solved.transition.forwards(now)


def test_quantiles():
    solved = exact("and:3", nodes=2)
    ends = solved.distribution()
    for probability in (0.0, 0.01, 0.3, 0.9, 0.999999):
        t = int(ends.quantile(probability))
        assert ends.cumulative(t) >= probability
        assert t == 0 or ends.cumulative(t - 1) < probability
    assert ends.exceeds(-1) == 1
    with pytest.raises(InputError, match="probability"):
        ends.quantile(1.0)


def test_never():
    solved = exact("and:3", nodes=3, profile="tinyverse", selection="strict")
    ends = solved.distribution()
    assert ends.quantile(0.999) == inf
    assert ends.exceeds(10**7) == pytest.approx(solved.p_never, rel=1e-9)


def test_refused_when_too_long():
    with pytest.raises(InputError, match="not known after 10 iterations"):
        exact("and:3", nodes=3).distribution(most=10)


CHANCES = [(0.0, 0.0), (0.0, 0.25), (0.25, 0.5), (0.125, 0.875), (0.5, 0.0), (1.0, 0.0)]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7, 12, 13, 31, 32])
@pytest.mark.parametrize(("better", "here"), CHANCES)
def test_small_numbers_by_definition(count, better, here):
    u, a = 1 - Fraction(better), Fraction(here)
    w = u - a
    log_u, log_w = (log_of_rest(np.array([p])) for p in (better, better + here))
    expected = {
        geometric(log_u, count)[0]: sum(u**j for j in range(count)),
        odd_geometric(log_u, count)[0]: sum((2 * j + 1) * u**j for j in range(count)),
        share_of_best(log_u, log_w, count)[0]: sum(u ** (count - 1 - j) * w**j for j in range(count)),
        share_of_ties(log_u, log_w, count)[0]: sum(
            Fraction(comb(count, e) * e, e + 1) * a ** (e - 1) * w ** (count - e) for e in range(1, count + 1)
        ),
    }
    for computed, exactly in expected.items():
        assert computed == pytest.approx(float(exactly), rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("p", [1e-12, 1e-9, 1e-6, 1e-3, 0.3])
@pytest.mark.parametrize("count", [1000, 1_000_000, 10**12 + 1])
def test_large_numbers_in_many_digits(p, count):
    log_u, log_w = log_of_rest(np.array([p])), log_of_rest(np.array([1.5 * p]))
    with localcontext() as context:
        context.prec = 80
        u, w, many = 1 - Decimal(p), 1 - Decimal(1.5 * p), Decimal(count)
        a = u - w
        last = u**count
        plain = (1 - last) / Decimal(p)
        odd = 2 * (plain - 1 - (many - 1) * last) / Decimal(p) + plain
        best = (last - w**count) / a
        ties = (last - (u ** (count + 1) - w ** (count + 1)) / ((many + 1) * a)) / a
    assert geometric(log_u, count)[0] == pytest.approx(float(plain), rel=1e-12)
    assert odd_geometric(log_u, count)[0] == pytest.approx(float(odd), rel=1e-12)
    assert share_of_best(log_u, log_w, count)[0] == pytest.approx(float(best), rel=1e-12, abs=1e-300)
    assert share_of_ties(log_u, log_w, count)[0] == pytest.approx(float(ties), rel=1e-12, abs=1e-300)
