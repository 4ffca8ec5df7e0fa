"""Exact times of trees: closed forms, enclosure, and simulation by the search itself.

A mean may be 5.6 standard errors off (2e-8 two-sided).
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory.chain import trees
from gatewalk.theory.chain.trees import partitions_up_to, solved_trees
from gatewalk.theory.trees import single_tinyverse


@pytest.mark.parametrize("n", [2, 3, 5])
@pytest.mark.parametrize("selection", ["strict", "nonstrict"])
def test_tinyverse_single_in_closed_form(n, selection):
    search = search_for(f"and:{n}", algorithm="tgp-single", profile="tinyverse", selection=selection)
    assert solved_trees(search).expected_iterations == pytest.approx(single_tinyverse(n) - 1, rel=1e-12)


@pytest.mark.parametrize("n", [2, 4])
def test_strict_single_step_only_inserts(n):
    search = search_for(f"and:{n}", algorithm="tgp-single", selection="strict")
    assert solved_trees(search).expected_iterations == pytest.approx(single_tinyverse(n), rel=1e-12)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("and:3", {"algorithm": "tgp-single"}),
        ("and:4", {"algorithm": "tgp-multi"}),
        ("or:3", {"algorithm": "tgp-multi", "selection": "strict"}),
        ("and:3", {"algorithm": "tgp-multi", "options": {"ties": "coin", "uncounted": 1}}),
        ("and:3", {"algorithm": "tgp-single", "options": {"substitution": "off"}}),
        ("and:3", {"algorithm": "tgp-single", "options": {"substitution": "functions"}}),
        ("and:4", {"algorithm": "tgp-single", "options": {"substitution": "both"}}),
        ("and:3", {"algorithm": "tgp-multi", "options": {"substitution": "both"}, "selection": "strict"}),
    ],
)
def test_agrees_with_simulation(name, options):
    search = search_for(name, **options)
    result = solved_trees(search)
    times = np.array([run.iterations for run in run_many(search, seed=2, runs=range(2000))])
    assert result.error < 1e-6
    assert abs(times.mean() - result.expected_iterations) < 5.6 * result.std_iterations / sqrt(times.size)
    assert abs(times.std() / result.std_iterations - 1) < 0.15


def test_the_bounds_enclose(monkeypatch):
    search = search_for("and:4", algorithm="tgp-multi")
    fine = solved_trees(search)
    monkeypatch.setattr(trees, "MOST_STATES", partitions_up_to(16, 4))
    coarse = solved_trees(search)
    assert fine.error < coarse.error
    assert abs(coarse.expected_iterations - fine.expected_iterations) <= coarse.error / 2


def test_partitions_are_counted():
    assert partitions_up_to(4, 4) == 1 + 2 + 3 + 5
    assert partitions_up_to(4, 2) == 1 + 2 + 2 + 3


def test_steps_sum_to_one():
    for substitution in ("leaves", "off", "functions", "both"):
        for state in ((1,), (3, 1), (2, 2, 1)):
            chances = trees._hvl_step(state, 3, substitution).values()
            assert sum(chances) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("xor:3", {}, "and:N"),
        ("and:3", {"profile": "tinyverse", "algorithm": "tgp-multi"}, "uniformly"),
        ("and:3", {"profile": "tinyverse", "options": {"substitution": "both"}}, "uniformly"),
        ("and:3", {"profile": "tinyverse", "options": {"substitution": "leaves"}}, "uniformly"),
        ("and:3", {"algorithm": "cgp"}, "not cgp"),
        ("and:3", {"options": {"size_limit": 4}}, "size limits"),
        ("and:3", {"training": "sample"}, "complete"),
    ],
)
def test_refused(name, options, words):
    with pytest.raises(InputError, match=words):
        solved_trees(search_for(name, **{"algorithm": "tgp-single", **options}))


@pytest.mark.parametrize("algorithm", ["tgp-single", "tgp-multi"])
def test_a_short_chain_encloses_mean_and_deviation(algorithm, monkeypatch):
    search = search_for("and:5", algorithm=algorithm)
    true = solved_trees(search)
    monkeypatch.setattr(trees, "MOST_STATES", 50)
    rough = solved_trees(search)
    assert rough.error > 1000 * true.error
    assert abs(rough.expected_iterations - true.expected_iterations) <= rough.error / 2
    assert abs(rough.std_iterations - true.std_iterations) <= rough.std_error / 2


def test_many_inputs_take_no_longer_than_the_cut(monkeypatch):
    monkeypatch.setattr(trees, "MOST_STATES", 50)
    n = 100_000
    result = solved_trees(search_for(f"and:{n}", algorithm="tgp-single"))
    # At most from above: inserting missing inputs one after another, as under the profile tinyverse.
    assert result.expected_iterations + result.error / 2 == pytest.approx(single_tinyverse(n), rel=1e-3)
