"""Certified levels: against all programs one by one and exact times; the mean over sampled sets."""

from __future__ import annotations

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.cgp_search import PAPER
from gatewalk.cgp.genotype import shape_for
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.theory import chain_bounds, exact_sets
from gatewalk.theory.chain.exact import exact
from gatewalk.theory.chain_bounds import LevelConstants, certified_levels
from gatewalk.theory.conjunctions import theorem6_levels
from gatewalk.theory.statements import applied


def at_plus(chain, genes):
    """Can a connection of an active node be redirected to an input so that fitness improves?"""
    active, here = chain.active(genes), chain.fitness(genes)
    return any(
        active[gene] and chain.fitness((*genes[:gene], source, *genes[gene + 1 :])) < here
        for gene in range(len(genes) - 1)
        if gene % 3
        for source in range(chain.n)
    )


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (3, 2)])
def test_constants_by_listing_all_programs(n, nodes):
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(("and",)), law=PAPER)
    chain = chain_of(shape, PAPER)
    fitness = chain.all_fitness
    plus = np.array([at_plus(chain, genes) for genes in chain.genotypes])
    for constants in certified_levels(search_for(f"and:{n}", nodes=nodes)).levels:
        here = fitness == 2 ** (n - constants.level) - 1
        up = chain.moves[:, fitness < 2 ** (n - constants.level) - 1].sum(axis=1)
        rise, fall = up[here & plus], chain.moves[:, here & ~plus].sum(axis=1)[here & plus]
        leave = (up + chain.moves[:, here & plus].sum(axis=1))[here & ~plus]
        assert (constants.rise is None) == (rise.size == 0)
        if rise.size:
            assert constants.rise == pytest.approx(rise.min(), rel=1e-9)
            assert constants.fall == pytest.approx((fall / rise).max(), rel=1e-9)
        assert constants.leave == pytest.approx(leave.min(), rel=1e-9)


@pytest.mark.parametrize(
    ("n", "nodes", "options"),
    [
        (2, 1, {}),
        (2, 3, {}),
        (3, 2, {}),
        (3, 4, {}),
        (4, 3, {}),
        (4, 4, {}),
        (3, 3, {"options": {"ties": "coin"}}),
        (3, 3, {"options": {"sam_ends": "picked"}}),
    ],
)
def test_bound_holds_from_the_worst_start(n, nodes, options):
    certified = certified_levels(search_for(f"and:{n}", nodes=nodes, **options))
    assert [constants.level for constants in certified.levels] == list(range(1, n))
    assert exact(f"and:{n}", nodes=nodes, **options).worst_start_expected < certified.bound
    assert certified.bound < theorem6_levels(n, nodes)


def test_the_certificate_of_four_inputs_and_four_nodes():
    certified = certified_levels(search_for("and:4", nodes=4))
    assert certified.bound == pytest.approx(862.34, abs=0.01)
    assert max(constants.fall for constants in certified.levels) == pytest.approx(1.567, abs=1e-3)


def test_time_of_a_level_bounds_random_chains_of_two_blocks():
    """The lemma itself: whatever the programs of i- and i+ do, no start takes longer."""
    random = np.random.default_rng(20)
    for _ in range(500):
        low, high = random.integers(1, 4, size=2)
        size = low + high
        moves = random.dirichlet(np.full(size + 1, 0.3), size=size)  # the last column leaves the level
        times = np.linalg.solve(np.eye(size) - moves[:, :-1], np.ones(size))
        rise, fall = moves[low:, -1], moves[low:, :low].sum(axis=1)
        leave = moves[:low, -1] + moves[:low, low:-1].sum(axis=1)
        bound = LevelConstants(1, rise.min(), leave.min(), (fall / rise).max()).time
        assert times.max() <= bound * (1 + 1e-9)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("xor:3", {"nodes": 3}, "and:N"),
        ("and:3", {"nodes": 3, "gates": "and,or"}, "and:N"),
        ("and:3", {"nodes": 3, "selection": "strict"}, "nonstrict"),
        ("and:3", {"nodes": 3, "offspring": 2}, "lambda 1"),
        ("and:4", {"nodes": 3, "profile": "tinyverse"}, "cannot rise"),
        ("and:9", {"nodes": 9}, "genotypes"),
    ],
)
def test_other_searches_are_not_certified(name, options, words):
    with pytest.raises(InputError, match=words):
        certified_levels(search_for(name, **options))


def test_the_statement_on_levels_is_the_certificate_or_says_what_is_possible():
    statement = applied("certified_levels", search_for("and:4", nodes=4))
    assert statement.value == pytest.approx(862.34, abs=0.01)
    assert statement.note == ""
    assert "D <= 4 here" in applied("certified_levels", search_for("and:4", nodes=5)).why
    assert "n <= 5 here" in applied("certified_levels", search_for("and:8", nodes=8)).why
    assert applied("certified_levels", search_for("and:4", nodes=4, selection="strict")).value is None


def test_the_size_is_about_the_number_of_classes():
    for n, nodes in [(2, 3), (3, 3), (4, 3), (3, 4)]:
        assert chain_bounds.fits_levels(n, nodes)
        assert exact(f"and:{n}", nodes=nodes).classes < chain_bounds.MOST_CLASSES
    assert not chain_bounds.fits_levels(2, 5)
    assert not chain_bounds.fits_levels(7, 6)
    assert not chain_bounds.fits_levels(3, 10**9)


def test_the_statement_on_sampled_sets():
    search = search_for("and:3", nodes=2, training="sample:4")
    known = exact_sets(search, sets=chain_bounds.SETS, seed=0).expected_iterations
    assert applied("sampled_expected", search).value == pytest.approx(known, rel=1e-12)
    for wrong, about in [
        (search_for("and:3", nodes=2), "training"),
        (search_for("and:3", nodes=9, training="sample"), "size"),
        (search_for("and:3", nodes=2, training="sample:65"), "size"),
        (search_for("and:3", nodes=2, training="sample", mutation="point:2"), "mutation"),
        (search_for("and:9", nodes=2, training="sample"), "size"),
    ]:
        statement = applied("sampled_expected", wrong)
        assert statement.value is None
        assert statement.why.startswith(about), statement


def test_the_mean_over_sampled_sets_is_a_text_if_some_may_never_end():
    search = search_for("xor:3", nodes=2, training="sample:6", selection="strict")
    assert applied("sampled_expected", search).value == "inf"
