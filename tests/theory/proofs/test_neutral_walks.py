"""Theorems A and B, line by line: docs/theory/neutral-walks.md.

They need the enclosure's lemmas, whose counting is tried in `test_enclosure_counting`.
"""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.search.options import search_for
from gatewalk.theory import conjunction_times as times
from gatewalk.theory import enclosure
from gatewalk.theory.chain_bounds import certified_levels

SOLVED = [(2, 1), (2, 2), (2, 3), (3, 2), (3, 3), (3, 4), (4, 3), (4, 4)]
SIZES = [(n, nodes) for n in (2, 3, 4, 5, 8, 13, 30, 77) for nodes in (n - 1, n, n + 3, 2 * n, n * n)]
ROUNDING = 1e-9  # of ratios of chances in the chain


def ratio(n, nodes, level):
    """rho."""
    falling, rising = (of(n, nodes, level) for of in (enclosure.fall_by_surplus, enclosure.rise_by_surplus))
    return (falling / rising).max()


@pytest.mark.parametrize(("n", "nodes"), SOLVED)
def test_falling_is_at_most_rho_times_rising_at_every_program(n, nodes):
    """Lemma 3, against the greatest ratio over all programs of the level."""
    for constants in certified_levels(search_for(f"and:{n}", nodes=nodes)).levels:
        assert constants.fall <= ratio(n, nodes, constants.level) + ROUNDING


@pytest.mark.parametrize(("n", "nodes"), SIZES)
def test_every_estimate_of_a_level(n, nodes):
    """The inequalities between the enclosure's constants and the closed forms, at every level."""
    sources = n + nodes
    for level in range(1, n):
        spare, unused = nodes - level + 1, n - level
        rho, rising = ratio(n, nodes, level), enclosure.rise_by_surplus(n, nodes, level)
        leave, meeting = enclosure.leave(n, nodes, level), enclosure.meeting(n, nodes, level)
        preparing, unpreparing = (of(n, nodes, level) for of in (enclosure.preparing, enclosure.unpreparing))
        surplus = np.arange(1, spare + 1)
        least = (surplus + 1) * unused / ((2 * (level + surplus) - 1) * (sources - 2))
        assert 1 / leave <= 4 * level**2 * sources**2 / spare
        assert (rising >= least * (1 - 1e-12)).all()
        assert 1 / rising.min() <= (level + 1) * sources / unused
        assert rho <= (sources - 2) / n * (1 + spare / unused) + 1e-9
        assert 1 + rho <= 3 * sources * spare / (n * unused)
        assert 1 / preparing <= 3 * (2 * level - 1) * (sources - 1) ** 2 / (unused * spare)
        assert 1 / preparing <= 6 * level * sources**2 / (unused * spare)
        assert unpreparing / meeting <= 5.5 * sources * spare / (n - 1)
        assert 1 / meeting <= level * sources**3 / (2 * (n - 1) * unused)
        way = 1 / meeting + (1 + unpreparing / meeting) / preparing
        assert way <= 36.5 * level * sources**3 / ((n - 1) * unused)
        assert (1 + rho) * way <= 110 * level * spare * sources**4 / (n * (n - 1) * unused**2)
        time = (1 + rho) * min(1 / leave, way) + 1 / rising.min()
        assert enclosure.time_at_level(n, nodes, level) <= time * (1 + 2 * enclosure.OUTWARD)
        assert time <= 12 * level**2 * sources**3 / (n * unused) + (level + 1) * sources / unused


@pytest.mark.parametrize(("n", "nodes"), SIZES)
def test_the_sum_is_far_below_the_closed_forms(n, nodes):
    levels = enclosure.by_levels(n, nodes)
    assert levels <= 13 / 21 * times.theorem_a(n, nodes)
    assert levels <= 111 / 194 * times.theorem_b(n, nodes)
    assert 10 * levels <= min(times.theorem_a(n, nodes), times.theorem_b(n, nodes))


def test_hand_values():
    """The formulas at one place each, as the pages state them."""
    # n = D = 4, i = 2: N = 8, u = 3, a = 3
    assert enclosure.meeting(4, 4, 2) == pytest.approx(1 / (4 * 7))
    assert enclosure.unpreparing(4, 4, 2) == pytest.approx((2 * (1 / 3 + 1 / 3) + 3 / 4) / 12 + 5 / 12)
    # n = 7, D = 6, i = 5, c = 1: m = 5, a = 11; an unused input or the inactive node, at two connections
    assert enclosure.rise_by_surplus(7, 6, 5)[0] == pytest.approx(2 / 11 * (1 / 11 + 1 / 11))
    assert enclosure.fall_by_surplus(7, 6, 5)[0] == pytest.approx((6 / 7 + 2 / 8) / 11)
    assert times.theorem_a(3, 2) == pytest.approx(21 * 3 * 125 * 1.5)
    assert times.theorem_b(3, 2) == pytest.approx(194 * 625 / 2 * 1.5)
