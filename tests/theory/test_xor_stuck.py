"""Programs from which strict selection never finds an exclusive disjunction."""

from __future__ import annotations

from itertools import product
from math import inf
from types import ModuleType

import pytest
from genotype_chain import chain_of

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import shape_for
from gatewalk.cgp.law import PAPER
from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory.chain import exact
from gatewalk.theory.statements import applied
from gatewalk.theory.xor_stuck import double_chain, is_stuck, stuck_lower


def known_stuck(n: int, nodes: int, literal: ModuleType) -> tuple[list[list[int]], int]:
    """All programs that `is_stuck` knows, and the number of all programs."""
    stuck, count = [], 0
    for genes in product(*(range(literal.values(n, nodes, gene)) for gene in range(3 * nodes + 1))):
        count += 1
        active, used = literal.active_nodes(n, list(genes)), literal.used_inputs(n, list(genes))
        last = nodes - 1 in active
        if is_stuck(n, nodes, active=len(active), used=len(used), last_active=last):
            stuck.append(list(genes))
    return stuck, count


@pytest.mark.parametrize(("n", "nodes"), [(3, 2), (3, 3), (4, 3)])
def test_known_stuck_programs_have_no_optimal_offspring(n: int, nodes: int, literal: ModuleType) -> None:
    """Every one of them, by the exact chain; a twelfth of the smallest cases by SAM's law itself."""
    stuck, count = known_stuck(n, nodes, literal)
    assert stuck_lower(n, nodes) == pytest.approx(len(stuck) / count, rel=1e-12)
    found = exact(f"xor:{n}", nodes=nodes, selection="strict")
    assert all(found.expected_from(genes) == inf for genes in stuck[:: 1 if nodes < 3 else 7])
    assert found.p_never >= len(stuck) / count - 1e-12
    shape = shape_for(inputs=n, outputs=1, nodes=nodes, gates=gate_set(("xor",)), law=PAPER)
    chain = chain_of(shape, PAPER, gate="xor", strict=True)
    for genes in stuck[:: 12 if nodes < 3 else len(stuck) // 5]:
        reached = [one for one, chance in chain.offspring(tuple(genes)).items() if chance > 0]
        assert all(len(literal.parity(n, list(one))) < n for one in reached)


@pytest.mark.parametrize(("n", "nodes"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 4), (4, 4), (5, 4)])
def test_double_chain_is_stuck_and_the_chance_is_a_lower_bound(n: int, nodes: int) -> None:
    found = exact(f"xor:{n}", nodes=nodes, selection="strict")
    assert found.expected_from(double_chain(n, nodes)) == inf
    assert 0 < stuck_lower(n, nodes) <= found.p_never + 1e-12
    assert found.expected_iterations == inf


def test_exact_where_nothing_is_to_spare_for_three_inputs() -> None:
    found = exact("xor:3", nodes=2, selection="strict")
    assert stuck_lower(3, 2) == pytest.approx(found.p_never, rel=1e-12)


def test_positive_for_all_sizes() -> None:
    for n in (3, 5, 10, 25):
        for nodes in (n - 1, n, 2 * n):
            assert 0 < stuck_lower(n, nodes) < 1
    assert stuck_lower(2, 1) == 0
    with pytest.raises(InputError, match="at most"):
        stuck_lower(5, 1000)
    with pytest.raises(InputError, match="D >= 2"):
        double_chain(2, 1)


def test_statement() -> None:
    strict = settings("xor:4", nodes=3, selection="strict")
    assert applied("xor_stuck_lower", strict).value == stuck_lower(4, 3)
    assert applied("xor_stuck_lower", settings("xor:4", nodes=3)).value is None
    many = settings("xor:4", nodes=500, selection="strict")
    assert "infinite for any D" in applied("xor_stuck_lower", many).why
