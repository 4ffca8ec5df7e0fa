"""How often an offspring is its parent again: formulas against the literal twin and enumeration, and runs."""

import itertools
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from scipy import stats

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import layout_of
from gatewalk.errors import InputError
from gatewalk.reference import cgp as twin
from gatewalk.reference.stream import Stream
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.twins import rules_of
from gatewalk.theory.observe.identical_offspring import (
    CHANGEABLE,
    identical_observer,
    identical_runs,
    look,
    published_chance,
    rate_of,
)

OFFSPRING = 1500  # per parent
ALARM = 1e-7


def changeable_genes(layout, genes):
    """How many genes of outputs and active nodes have more than one valid value."""
    observer = identical_observer(layout)
    look(observer, np.array(genes, np.int32))
    return int(observer.current[CHANGEABLE])


def identical_chance(rate, layout, genes):
    """The exact chance under `--mutation rate:P`, which counts only genes that can change."""
    return (1 - rate) ** changeable_genes(layout, genes)


def redrawn_chance(rate, values):
    """The chance if a drawn gene takes any of its so many valid values, the current one included."""
    return prod(1 - rate * (1 - 1 / count) for count in values)


def stream(seed):
    return Stream([random.Random(seed).getrandbits(64) for _ in range(4)])


def is_identical(s, x, y):
    """By the definition: no output gene and no gene of an active node differs."""
    active = twin.active_nodes(s, x)
    return all(x[i] == y[i] for i in range(s.genes) if twin.is_active(s, active, i))


def statistic(search, *, published):
    """Counts of the twin's identical offspring of random parents against a formula, as a chi-square."""
    s, layout = rules_of(search, None), layout_of(search.shape)
    rate, draws, total, parents = s.strength, stream(3), 0.0, 12
    for _ in range(parents):
        x = twin.random_program(s, draws)
        seen = sum(is_identical(s, x, twin.mutation_rate(s, x, draws)[0]) for _ in range(OFFSPRING))
        chance = (
            published_chance(rate, outputs=s.Nout, active=len(twin.active_nodes(s, x)), arity=s.k)
            if published
            else identical_chance(rate, layout, x)
        )
        total += (seen - OFFSPRING * chance) ** 2 / (OFFSPRING * chance * (1 - chance))
    return total, parents


FOUR = search_for("mul:2", nodes=9, gates="and,or,nand,nor", mutation="rate:0.07")
ONE = search_for("or:4", nodes=6, mutation="rate:0.1")


@pytest.mark.parametrize(
    "search", [FOUR, ONE, replace(FOUR, gates=gate_set("and,not"))], ids=["four", "one", "not"]
)
def test_exact_chance_is_that_of_the_twin(search):
    value, degrees = statistic(search, published=False)
    assert stats.chi2.sf(value, degrees) > ALARM


def test_published_formula_is_exact_where_every_gene_can_change():
    value, degrees = statistic(FOUR, published=True)
    assert stats.chi2.sf(value, degrees) > ALARM


def test_published_formula_is_a_lower_bound_under_a_single_gate():
    value, degrees = statistic(ONE, published=True)
    assert stats.chi2.sf(value, degrees) < ALARM  # it is off, and the test can tell
    genes = twin.random_program(rules_of(ONE, None), stream(1))
    active = len(twin.active_nodes(rules_of(ONE, None), genes))
    layout = layout_of(ONE.shape)
    assert changeable_genes(layout, genes) == 1 + 2 * active
    assert identical_chance(0.1, layout, genes) >= published_chance(0.1, outputs=1, active=active)


def test_redrawn_genes_by_enumeration():
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
def test_rates_that_are_no_probabilities_are_refused(rate):
    with pytest.raises(InputError, match="is not a probability"):
        published_chance(rate, outputs=1, active=3)


def test_ends_of_the_range():
    assert published_chance(0.0, outputs=2, active=5) == 1.0
    assert published_chance(1.0, outputs=2, active=0) == 0.0
    with pytest.raises(InputError):
        published_chance(0.1, outputs=0, active=1)


@pytest.mark.parametrize(
    ("name", "options"),
    [("mul:2", {"nodes": 12, "gates": "and,or,nand,nor"}), ("mul:2", {"nodes": 12, "gates": "nand"})],
)
def test_counts_of_runs_are_those_of_the_twin(name, options, monkeypatch):
    search = search_for(name, mutation="rate:0.05", offspring=1, budget=300, **options)
    offspring = Counter()
    identical = Counter()
    nodes = 0

    def counted(s, x, stream):
        nonlocal nodes
        y, steps = twin.mutation_rate(s, x, stream)
        active = twin.active_nodes(s, x)
        genes = [i for i in range(s.genes) if twin.is_active(s, active, i) and len(twin.valid(s, i)) > 1]
        offspring[len(genes)] += 1
        identical[len(genes)] += all(x[i] == y[i] for i in genes)
        nodes += len(active)
        return y, steps

    monkeypatch.setitem(twin.MUTATIONS, "rate", counted)
    literal = search_for(
        name, mutation="rate:0.05", offspring=1, budget=300, evaluation="reference", **options
    )
    for run in range(3):
        run_many(literal, seed=5, runs=[run])
    watched = identical_runs(search, seed=5, runs=range(3))
    assert dict(zip(watched.genes.tolist(), watched.offspring.tolist(), strict=True)) == dict(offspring)
    counts = dict(zip(watched.genes.tolist(), watched.identical.tolist(), strict=True))
    assert counts == {genes: identical[genes] for genes in offspring}
    assert watched.nodes == pytest.approx(nodes / sum(offspring.values()))
    assert sum(identical.values()) > 20


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mutation": "sam"}, "under --mutation rate:P, not sam"),
        ({"mutation": "rate:0.1", "offspring": 4}, "one offspring at a time"),
    ],
)
def test_other_searches_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        identical_runs(search_for("mul:2", nodes=5, **options), seed=1, runs=range(1))


def test_rate_of_the_mutation():
    assert rate_of(search_for("mul:2", nodes=5, mutation="rate:1%", offspring=1)) == 0.01
