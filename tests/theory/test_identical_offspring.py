"""How often an offspring is its parent again: the formula beside the literal twin, and by enumeration."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from gatewalk.errors import InputError
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.cgp_reference import setting_of
from gatewalk.search.cgp_search import task_of
from gatewalk.search.settings import Settings, settings
from gatewalk.theory.identical_offspring import (
    changeable_genes,
    identical_chance,
    published_chance,
    redrawn_chance,
)
from gatewalk.theory.watching import layout_for

OFFSPRING = 1500  # per parent
ALARM = 1e-7


def stream(seed: int) -> Stream:
    return Stream([random.Random(seed).getrandbits(64) for _ in range(4)])


def is_identical(s: twin.Setting, x: list[int], y: list[int]) -> bool:
    """By the definition: no output gene and no gene of an active node differs."""
    active = twin.active_nodes(s, x)
    return all(x[i] == y[i] for i in range(s.genes) if twin.is_active(s, active, i))


def statistic(search: Settings, *, published: bool) -> tuple[float, int]:
    """Counts of the twin's identical offspring of random parents against a formula, as a chi-square."""
    s, layout = setting_of(task_of(search, None)), layout_for(search)
    rate, draws, total, parents = s.strength, stream(3), 0.0, 12
    for _ in range(parents):
        x = twin.random_program(s, draws)
        seen = sum(is_identical(s, x, twin.mutation_rate(s, x, draws)[0]) for _ in range(OFFSPRING))
        chance = (
            published_chance(rate, outputs=s.Nout, active=len(twin.active_nodes(s, x)), arity=s.k)
            if published
            else identical_chance(rate, layout, np.array(x, np.int32))
        )
        total += (seen - OFFSPRING * chance) ** 2 / (OFFSPRING * chance * (1 - chance))
    return total, parents


FOUR = settings("mul:2", nodes=9, gates="and,or,nand,nor", mutation="rate:0.07")
ONE = settings("or:4", nodes=6, mutation="rate:0.1")


@pytest.mark.parametrize(
    "search", [FOUR, ONE, replace(FOUR, gates=("and", "not"))], ids=["four", "one", "not"]
)
def test_exact_chance_is_that_of_the_twin(search: Settings) -> None:
    value, degrees = statistic(search, published=False)
    assert stats.chi2.sf(value, degrees) > ALARM


def test_published_formula_is_exact_where_every_gene_can_change() -> None:
    value, degrees = statistic(FOUR, published=True)
    assert stats.chi2.sf(value, degrees) > ALARM


def test_published_formula_is_a_lower_bound_under_a_single_gate() -> None:
    value, degrees = statistic(ONE, published=True)
    assert stats.chi2.sf(value, degrees) < ALARM  # it is off, and the test can tell
    genes = np.array(twin.random_program(setting_of(task_of(ONE, None)), stream(1)), np.int32)
    active = len(twin.active_nodes(setting_of(task_of(ONE, None)), genes.tolist()))
    layout = layout_for(ONE)
    assert changeable_genes(layout, genes) == 1 + 2 * active
    assert identical_chance(0.1, layout, genes) >= published_chance(0.1, outputs=1, active=active)


def test_redrawn_genes_by_enumeration() -> None:
    rate, values = Fraction(1, 5), (2, 3, 4)
    total = Fraction(0)
    for drawn in itertools.product((False, True), repeat=3):
        for new in itertools.product(*(range(m) if d else (0,) for d, m in zip(drawn, values, strict=True))):
            weight = Fraction(1)
            for is_drawn, m in zip(drawn, values, strict=True):
                weight *= rate / m if is_drawn else 1 - rate
            total += weight * (not any(new))  # all genes are 0 before
    assert redrawn_chance(0.2, values) == pytest.approx(float(total), rel=1e-12)
    assert redrawn_chance(0.2, values) > published_chance(0.2, outputs=3, active=0)


@pytest.mark.parametrize("rate", [-0.1, 1.1, float("nan")])
def test_rates_that_are_no_probabilities_are_refused(rate: float) -> None:
    with pytest.raises(InputError, match="no probability"):
        published_chance(rate, outputs=1, active=3)
    with pytest.raises(InputError, match="no probability"):
        redrawn_chance(rate, [2])


def test_ends_of_the_range() -> None:
    assert published_chance(0.0, outputs=2, active=5) == 1.0
    assert published_chance(1.0, outputs=2, active=0) == 0.0
    with pytest.raises(InputError):
        published_chance(0.1, outputs=0, active=1)
