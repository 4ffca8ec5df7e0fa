"""Systems solved level by level, against one dense system over all classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gatewalk.theory.chain.hitting_times import backwards
from gatewalk.theory.chain.level_solver import hopeful_classes, solve, visits
from gatewalk.theory.chain.markov_chain import Chain
from gatewalk.theory.chain.node_states import Floats
from gatewalk.theory.chain.sam_search import exact

CASES: list[tuple[str, dict[str, Any]]] = [
    ("and:3", {}),
    ("and:3", {"selection": "strict"}),
    ("and:3", {"offspring": 2, "options": {"ties": "coin"}}),
    ("xor:3", {"selection": "strict"}),
    ("and:4", {}),  # two nodes are too few: no class is hopeful
]


def dense(chain: Chain, generations: list[Any]) -> Floats:
    """Q, column by column."""
    return np.array([backwards(chain, generations, unit) for unit in np.eye(chain.classes)]).T


@pytest.mark.parametrize(("name", "options"), CASES)
def test_the_same_as_one_dense_system(name: str, options: dict[str, Any]) -> None:
    found = exact(name, nodes=2, **options)
    chain, generations = found.chain, found.times.generations
    matrix, hopeful = dense(chain, generations), hopeful_classes(chain)
    inner = np.eye(int(hopeful.sum())) - matrix[np.ix_(hopeful, hopeful)]
    constant = np.random.default_rng(3).random(chain.classes)
    known = np.zeros(chain.classes)
    known[hopeful] = np.linalg.solve(inner, constant[hopeful])
    assert solve(chain, generations, constant, hopeful) == pytest.approx(known, rel=1e-10, abs=1e-12)
    counted = np.zeros(chain.classes)
    counted[hopeful] = np.linalg.solve(inner.T, found.start[hopeful])
    assert visits(chain, generations, found.start, hopeful) == pytest.approx(counted, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_class_is_hopeful_if_a_path_leads_to_a_solved_program(name: str, options: dict[str, Any]) -> None:
    found = exact(name, nodes=2, **options)
    chain, generations = found.chain, found.times.generations
    reached = np.concatenate([one.solved for one in generations]) > 1e-13
    steps = dense(chain, generations) > 1e-13
    for _ in range(chain.classes):
        reached |= steps @ reached
    assert (hopeful_classes(chain) == reached).all()
