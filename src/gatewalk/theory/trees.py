"""Tree GP on conjunctions: one exact running time, and the asymptotic orders known from the literature."""

from __future__ import annotations

from dataclasses import dataclass

from gatewalk.boolean.training import Complete
from gatewalk.search.options import Search
from gatewalk.theory.assumptions import (
    COMPLETE_SET,
    CONJUNCTION,
    ONE_OFFSPRING,
    Assumption,
    inputs_from,
    is_pure,
    statement,
)
from gatewalk.theory.conjunctions import check_conjunction, harmonic


@statement(
    "tgp_single_tinyverse",
    "Trees, single",
    "E[T] = 3 n H(n-1), exactly, of tgp-single with profile tinyverse",
    needs=(CONJUNCTION, inputs_from(2), COMPLETE_SET, ONE_OFFSPRING),
    note="T counts every offspring; the profile tinyverse reports T - 1 iterations, one less",
)
def single_tinyverse(n: int) -> float:
    """E[T] = 3 n H(n-1): And_n, complete set, one HVL-prime step of the `tinyverse` profile.

    Only inserting a missing input improves, at any of its places: 1/3 * (n-i)/n per iteration at
    level i. Selection does not matter. The profile reports max(0, T - 1).
    """
    check_conjunction(n, n - 1)
    return 3 * n * harmonic(n - 1)


@dataclass(frozen=True)
class Order:
    """An asymptotic statement without constants: no number follows from it for a given n."""

    algorithm: str
    family: str
    training: str
    order: str
    source: str


ORDERS = (
    Order("tgp-single", "and", "complete", "O(n log n)", "Mambrini and Oliveto 2016"),
    Order("tgp-single", "and", "static sample of poly(n) rows", "O(log n)", "Mambrini and Oliveto 2016"),
    Order("tgp-single", "xor", "complete", "exp(Omega(n))", "Mambrini and Oliveto 2016"),
)


def known_order(search: Search) -> str | None:
    """The order of E[T] that the literature knows for this target and training set; None if it knows none."""
    is_complete = isinstance(search.training, Complete)
    for known in ORDERS:
        if is_pure(search, known.family) and (known.training == "complete") == is_complete:
            return known.order
    return None


@statement(
    "tgp_single_order",
    "Trees, order",
    "E[T] of HVL-prime, one step (Mambrini and Oliveto 2016)",
    needs=(
        Assumption(
            "target",
            "known for and:N with gates and, and for xor:N with gates xor on the complete set",
            lambda search: known_order(search) is not None,
        ),
        ONE_OFFSPRING,
    ),
)
def single_order(search: Search) -> str | None:
    """The literature's order of E[T], without constants."""
    return known_order(search)
