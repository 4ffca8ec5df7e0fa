"""Mean running times of whole runs against the chain of all genotypes, solved directly.

Each mean is of 100,000 seeded runs and may differ by 5.5 standard errors: a false alarm in 2.6e7.
"""

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PROFILES
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings

RUNS = 100_000


@pytest.mark.parametrize("selection", ["nonstrict", "strict"])
@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
@pytest.mark.parametrize(
    ("gate", "n", "nodes"),
    [("and", 2, 1), ("and", 2, 2), ("and", 2, 3), ("and", 3, 1), ("and", 3, 2), ("xor", 3, 2)],
)
def test_mean_iterations(gate, n, nodes, profile, selection):
    law = PROFILES[profile]
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set([gate]), law=law)
    expected = chain_of(shape, law, gate=gate, strict=selection == "strict").expected_iterations
    made = settings(f"{gate}:{n}", nodes=nodes, profile=profile, selection=selection, budget=10_000_000)
    if np.isinf(expected):
        short = settings(f"{gate}:{n}", nodes=nodes, profile=profile, selection=selection, budget=20_000)
        assert not run_many(short, seed=5, runs=range(300)).solved.all()
        return
    check_mean(made, expected)


def check_mean(made, expected):
    times = run_many(made, seed=5, runs=range(RUNS)).iterations
    assert abs(times.mean() - expected) < 5.5 * times.std() / np.sqrt(RUNS)


def test_mean_iterations_of_three_nodes_on_three_inputs():
    # 4374 genotypes under tinyverse. Non-strict under paper there are 21600, a system too large to be
    # solved directly: tests/theory/chain/sam/test_search.py has it by the lumped chain.
    law = PROFILES["tinyverse"]
    shape = shape_for(inputs=3, outputs=1, nodes=3, gates=gate_set(["and"]), law=law)
    check_mean(settings("and:3", nodes=3, profile="tinyverse"), chain_of(shape, law).expected_iterations)


def test_mean_iterations_of_three_nodes_on_three_inputs_strict():
    law = PROFILES["paper"]
    shape = shape_for(inputs=3, outputs=1, nodes=3, gates=gate_set(["and"]), law=law)
    chain = chain_of(shape, law, strict=True)
    assert len(chain.genotypes) == 21600
    made = settings("and:3", nodes=3, selection="strict", budget=10_000_000)
    check_mean(made, float(chain.expected_from_by_levels.mean()))


def test_tinyverse_strict_has_programs_that_never_improve():
    # 204 of the 4374 genotypes at n = 3, D = 3: levels-back puts an input out of their reach.
    law = PROFILES["tinyverse"]
    shape = shape_for(inputs=3, outputs=1, nodes=3, gates=gate_set(["and"]), law=law)
    chain = chain_of(shape, law, strict=True)
    assert len(chain.genotypes) == 4374
    stuck = (chain.all_fitness > 0) & (np.diag(chain.moves) > 1 - 1e-12)
    assert stuck.sum() == 204
