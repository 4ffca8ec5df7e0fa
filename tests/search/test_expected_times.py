"""Mean running times of whole runs against the chain of all genotypes, solved directly.

Each mean is of 100,000 seeded runs and may differ by 5.5 standard errors: a false alarm in 2.6e7.
"""

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for

RUNS = 100_000


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
@pytest.mark.parametrize(
    ("gate", "n", "nodes"),
    [("and", 2, 1), ("and", 2, 2), ("and", 2, 3), ("and", 3, 1), ("and", 3, 2), ("xor", 3, 2)],
)
def test_mean_iterations(gate, n, nodes, profile, selection):
    words = {"nodes": nodes, "profile": profile, "selection": selection}
    search = search_for(f"{gate}:{n}", **words, budget=10_000_000)
    expected = chain_for(search).expected_iterations
    if np.isinf(expected):
        short = search_for(f"{gate}:{n}", **words, budget=20_000)
        assert not run_many(short, seed=5, runs=range(300)).solved.all()
        return
    check_mean(search, expected)


def chain_for(search):
    """The chain of all genotypes of a search."""
    return chain_of(search.shape, search.law, gate=search.target.family, strict=search.strict)


def check_mean(search, expected):
    times = run_many(search, seed=5, runs=range(RUNS)).iterations
    assert abs(times.mean() - expected) < 5.5 * times.std() / np.sqrt(RUNS)


def test_mean_iterations_of_three_nodes_on_three_inputs():
    # 4374 genotypes under tinyverse. Non-strict under paper there are 21600, a system too large to be
    # solved directly: tests/theory/chain/sam/test_search.py has it by the lumped chain.
    search = search_for("and:3", nodes=3, profile="tinyverse")
    check_mean(search, chain_for(search).expected_iterations)


def test_mean_iterations_of_three_nodes_on_three_inputs_strict():
    search = search_for("and:3", nodes=3, selection="strict", budget=10_000_000)
    chain = chain_for(search)
    assert len(chain.genotypes) == 21600
    check_mean(search, float(chain.expected_from_by_levels.mean()))


def test_tinyverse_strict_has_programs_that_never_improve():
    # 204 of the 4374 genotypes at n = 3, D = 3: levels-back puts an input out of their reach.
    chain = chain_for(search_for("and:3", nodes=3, profile="tinyverse", selection="strict"))
    assert len(chain.genotypes) == 4374
    stuck = (chain.all_fitness > 0) & (np.diag(chain.moves) > 1 - 1e-12)
    assert stuck.sum() == 204
