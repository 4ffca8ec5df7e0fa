"""Theorem 11 (Oliveto and Witt, Theorem 2): the negative drift theorem's conditions, from numbers.

For a process that must cross an interval (a, b) downwards against its drift. The theorem hides its
constant c, so what can be checked is whether its conditions hold, and with which r.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, log

import gatewalk as gw


@dataclass(frozen=True)
class Conditions:
    """What the numbers say.

    length: l = b - a.
    drift: the least drift inside (a, b); condition 1 asks for > 0.
    scale: the least r >= 1 with Pr(|step| >= j) <= r/(1+delta)^j for every j seen; condition 2.
    slack: r log(l)/l. The theorem asks for r = o(l / log l): a small number, a statement about
        growing l that no single l can settle.
    """

    length: float
    drift: float
    delta: float
    scale: float
    slack: float

    @property
    def drift_holds(self) -> bool:
        return self.drift > 0

    @property
    def steps_hold(self) -> bool:
        return self.slack < 1

    @property
    def hold(self) -> bool:
        return self.drift_holds and self.steps_hold

    @property
    def exponent(self) -> float:
        """l/r: the theorem's times are 2^(c l/r) and its failure probability 2^(-Omega(l/r))."""
        return self.length / self.scale


def conditions(
    *,
    a: float,
    b: float,
    drift: Mapping[float, float],
    steps: Mapping[float, Mapping[int, float]],
    delta: float = 1.0,
) -> Conditions:
    """Check Theorem 11 on [a, b] from the drift and the step distribution at each position.

    drift: position -> E[X' - X]; positions in (a, b) count.
    steps: position -> {size: probability}; positions above a count, sizes with their sign.
    """
    if not b > a:
        raise gw.InputError(f"the interval [{a}, {b}] is empty")
    if not delta > 0:
        raise gw.InputError(f"Theorem 11 needs delta > 0, not {delta}")
    inside = [value for position, value in drift.items() if a < position < b]
    if not inside:
        raise gw.InputError(f"no drift is given inside ({a}, {b})")
    scale = 1.0
    for position, sizes in steps.items():
        if position > a:
            scale = max(scale, _least_scale(sizes, delta))
    length = b - a
    slack = scale * log(length) / length if length > 1 else inf
    return Conditions(length=length, drift=min(inside), delta=delta, scale=scale, slack=slack)


def _least_scale(sizes: Mapping[int, float], delta: float) -> float:
    largest = max((abs(size) for size in sizes), default=0)
    scale = 1.0
    for j in range(largest + 1):
        beyond = sum(chance for size, chance in sizes.items() if abs(size) >= j)
        scale = max(scale, beyond * (1 + delta) ** j)
    return scale
