"""Lemma 5: the three-state chain that stands for one level, i- (1), i+ (2) and i+1 (3, absorbing).

Numbers may be floats or fractions; the result is of the same kind.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeVar

from gatewalk.errors import InputError

Number = TypeVar("Number", float, Fraction)


def check_probabilities(p: Number, q: Number, r: Number, s: Number) -> None:
    """The assumptions of Lemma 5 on the probabilities 1->3, 1->2, 2->3 and 2->1."""
    if not all(0 <= value < 1 for value in (p, q, r, s)) or not (q > 0 and r > 0):
        raise InputError("Lemma 5 needs p, q, r, s in [0, 1) with q > 0 and r > 0")
    if p + q > 1 or r + s > 1:
        raise InputError("Lemma 5 needs p + q <= 1 and r + s <= 1: they leave the same state")


def expected_from_first(p: Number, q: Number, r: Number, s: Number) -> Number:
    """E_1 = (q + r + s) / (rq + rp + sp), exactly."""
    check_probabilities(p, q, r, s)
    return (q + r + s) / (r * q + r * p + s * p)


def expected_from_second(p: Number, q: Number, r: Number, s: Number) -> Number:
    """E_2 = (p + q + s) / (rq + rp + sp): the same equations solved for the other state."""
    check_probabilities(p, q, r, s)
    return (p + q + s) / (r * q + r * p + s * p)


def upper_bound(q: Number, r: Number, s: Number) -> Number:
    """The first bound: E_1 <= 1/r + 1/q + s/(rq), whatever p."""
    check_probabilities(q - q, q, r, s)
    return 1 / r + 1 / q + s / (r * q)


def upper_bound_from_estimates(leave: Number, raise_: Number, lose: Number) -> Number:
    """The second: 1/r' + 1/q' + s'/(r'q') if p + q >= q' (leave), r >= r' (raise_), s <= s' (lose)."""
    if not (0 < leave <= 1 and 0 < raise_ <= 1 and 0 <= lose <= 1):
        raise InputError("the estimates of Lemma 5 are probabilities, q' and r' above 0")
    return 1 / raise_ + 1 / leave + lose / (raise_ * leave)
