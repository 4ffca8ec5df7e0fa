"""The law of active nodes and used inputs of uniform programs."""

from __future__ import annotations

from itertools import product
from types import ModuleType

import numpy as np
import pytest

from gatewalk.theory.uniform_programs import active_and_used, thinned, two_more


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (2, 2), (1, 3), (3, 3)])
def test_by_listing_all_programs(n: int, nodes: int, literal: ModuleType) -> None:
    counts = np.zeros((nodes + 1, n + 1))
    for program in product(*(range(literal.values(n, nodes, gene)) for gene in range(3 * nodes + 1))):
        active, used = literal.active_nodes(n, list(program)), literal.used_inputs(n, list(program))
        counts[len(active), len(used)] += 1
    np.testing.assert_allclose(active_and_used(n, nodes), counts / counts.sum(), atol=1e-14)


def test_sums_to_one_for_many_nodes() -> None:
    assert active_and_used(20, 60).sum() == pytest.approx(1, abs=1e-12)


def test_tables() -> None:
    table = thinned(4, 0.25)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    np.testing.assert_allclose(table[2], [0.5625, 0.375, 0.0625, 0])
    np.testing.assert_allclose(two_more(table)[2], [0, 0, 0.5625, 0.375])
