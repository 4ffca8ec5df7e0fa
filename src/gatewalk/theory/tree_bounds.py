"""Tree GP on conjunctions: one exact running time, and the asymptotic orders known from the literature."""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.errors import InputError
from gatewalk.theory.bounds import harmonic


@dataclass(frozen=True)
class Order:
    """An asymptotic statement without constants: no number follows from it for a given n."""

    algorithm: str
    family: str
    training: str
    order: str
    source: str


def single_tinyverse(n: int) -> float:
    """E[T] = 3 n H(n-1): And_n, complete set, one HVL-prime step of the `tinyverse` profile.

    Only inserting a missing input improves, at any of its places: 1/3 * (n-i)/n per iteration at
    level i. Selection does not matter. The profile reports max(0, T - 1).
    """
    if n < 2:
        raise InputError(f"a conjunction needs n >= 2 inputs, not {n}")
    return 3 * n * harmonic(n - 1)


ORDERS = (
    Order("tgp-single", "and", "complete", "O(n log n)", "Mambrini and Oliveto 2016"),
    Order("tgp-single", "and", "static sample of poly(n) rows", "O(log n)", "Mambrini and Oliveto 2016"),
    Order("tgp-single", "xor", "complete", "exp(Omega(n))", "Mambrini and Oliveto 2016"),
)


def order(family: str, *, is_complete: bool) -> str | None:
    """The order of E[T] that the literature knows on complete or on sampled sets; None if it knows none."""
    for known in ORDERS:
        if known.family == family and (known.training == "complete") == is_complete:
            return known.order
    return None
