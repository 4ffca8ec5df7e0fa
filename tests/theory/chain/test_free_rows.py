"""Targets with rows that do not count: the exact chain against that of all genotypes, by direct algebra."""

from __future__ import annotations

import numpy as np
import pytest
from genotype_chain import chain_of

from gatewalk.boolean.truth_table import table_target
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.evolve import run_many
from gatewalk.search.settings import settings
from gatewalk.theory.chain.sam_search import exact
from gatewalk.theory.chain.solver import exact_result

TABLES = {"and": 0x80, "xor": 0x96}


@pytest.mark.parametrize(
    ("gate", "selection", "profile", "cares"),
    [
        ("and", "nonstrict", "paper", 0x81),
        ("and", "strict", "paper", 0xE8),
        ("and", "nonstrict", "paper", 0xB5),
        ("and", "strict", "tinyverse", 0xB5),
        ("xor", "nonstrict", "tinyverse", 0xC3),
        ("xor", "strict", "paper", 0xB5),
    ],
)
def test_the_literal_chain(gate: str, selection: str, profile: str, cares: int) -> None:
    """Symmetric and lopsided choices of rows: of 0xb5, only the identity is a symmetry."""
    wanted = table_target([TABLES[gate]], 3, cares=[cares])
    search = settings(wanted, nodes=2, gates=gate, selection=selection, profile=profile)
    rows = [tuple(row >> i & 1 for i in range(3)) for row in range(8)]
    free = frozenset(bits for row, bits in enumerate(rows) if not cares >> row & 1)
    law = search.law
    literal = chain_of(shape_of(search), law, gate=gate, strict=search.strict, free=free)
    for lump in (True, False):
        found = exact_result(search, lump=lump)
        assert found.expected_iterations == pytest.approx(literal.expected_iterations, rel=1e-9)
    assert found.p_solved_at_start == pytest.approx(literal.start_law[literal.all_fitness == 0].sum())


def test_only_symmetries_of_the_rows_that_count_are_used() -> None:
    options = {"nodes": 2, "gates": "and"}
    symmetric, lopsided = (exact(f"table:3:0x80/{cares}", **options) for cares in ("0x81", "0xb5"))
    assert symmetric.chain.tables.moved_source.shape[0] == 6
    assert lopsided.chain.tables.moved_source.shape[0] == 1


@pytest.mark.parametrize("mutation", ["point:1", "rate:0.2"])
def test_runs_take_as_long(mutation: str) -> None:
    """Means of 4000 runs within six standard errors: a false alarm in 10^8 tries (seed 1)."""
    search = settings("table:3:0x80/0xb5", nodes=3, gates="and,or", mutation=mutation, budget=10**6)
    found = exact_result(search)
    times = run_many(search, seed=1, runs=range(4000), jobs=1).iterations
    error = found.std_iterations / np.sqrt(times.size)
    assert abs(times.mean() - found.expected_iterations) < 6 * error


def test_rows_that_count_for_some_outputs_only() -> None:
    with pytest.raises(InputError, match="rows that count for some outputs only"):
        exact_result(settings("table:2:0x8/0xe,0x1/0x7", nodes=2))
    whole = exact_result(settings("table:2:0x8/0xe,0x6/0xe", nodes=2, gates="and,xor"))
    assert whole.expected_iterations > 0
