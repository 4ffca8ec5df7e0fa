"""Ranked classes: the same chain as `sam_search`, number for number, and larger ones against known bounds."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from gatewalk.cgp.genotype import valid_values
from gatewalk.search.settings import settings
from gatewalk.theory.chain import ranked_search
from gatewalk.theory.chain.program_lookup import class_of_program
from gatewalk.theory.chain.ranked_chain import RankedChain, chain_of
from gatewalk.theory.chain.ranked_moves import class_of_genes
from gatewalk.theory.chain.ranked_search import MayNeverEnd, moments_of, ranked_result
from gatewalk.theory.chain.ranked_size import is_ranked
from gatewalk.theory.chain.sam_search import exact

COIN = {"ties": "coin", "uncounted": 1, "sam_ends": "picked", "starts": 2}
CASES: list[tuple[str, int, dict[str, Any]]] = [
    ("and:2", 1, {}),
    ("and:2", 3, {"selection": "strict"}),
    ("and:3", 2, {}),
    ("and:3", 3, {"options": COIN}),
    ("and:3", 3, {"options": {"sam_ends": "picked"}, "selection": "strict"}),
    ("and:4", 3, {"selection": "strict"}),
    ("and:4", 4, {}),
    ("or:3", 3, {}),
    ("and:5", 4, {}),
    ("and:5", 4, {"selection": "strict"}),
]


@pytest.mark.parametrize(("name", "nodes", "options"), CASES)
def test_the_same_as_the_other_solver(name: str, nodes: int, options: dict[str, Any]) -> None:
    known = exact(name, nodes=nodes, **options).result.record()
    found = ranked_result(settings(name, nodes=nodes, **options)).record()
    assert found.keys() == known.keys()
    for key, value in known.items():
        assert found[key] == (pytest.approx(value, rel=1e-11) if isinstance(value, float) else value)


@pytest.mark.parametrize(("name", "nodes", "options"), [CASES[2], CASES[3], ("and:2", 3, {})])
def test_every_program(name: str, nodes: int, options: dict[str, Any]) -> None:
    """Each genotype against the unlumped chain; and classes are exactly those of the lumped one."""
    search = settings(name, nodes=nodes, **options)
    full, lumped = (exact(name, nodes=nodes, lump=lump, **options) for lump in (False, True))
    chain = chain_of(search)
    found = moments_of(chain)
    uncounted = options.get("options", {}).get("uncounted", 0)
    shape = full.chain.shape
    same: dict[int, int] = {}
    sizes: Counter[int] = Counter()
    for genes in product(*(valid_values(shape, gene) for gene in range(shape.length))):
        program = np.array(genes, dtype=np.int64)
        number = ranked_class(chain, program)
        other = class_of_program(lumped.chain, program)
        if other is None:
            assert number == -1
            continue
        sizes[number] += 1
        assert same.setdefault(number, other) == other
        if sum(genes) % 7 == 0:
            assert found.mean[number] - uncounted == pytest.approx(full.expected_from(genes), rel=1e-10)
    assert len(same) == len(set(same.values())) == chain.count == lumped.chain.classes
    assert sum(total for total, _, _ in found.totals) == sum(sizes.values())


def ranked_class(chain: RankedChain, genes: np.ndarray[Any, np.dtype[np.int64]]) -> int:
    """The number of a program's class; -1 if it is solved."""
    return int(class_of_genes(chain.cells, chain.ranks, chain.classes, genes))


def test_pieces_and_short_vectors_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    search = settings("and:4", nodes=4)
    known = ranked_result(search)
    monkeypatch.setattr(ranked_search, "AT_ONCE", 999)
    monkeypatch.setattr(ranked_search, "BASIS_BYTES", 400_000)
    said: list[tuple[str, float]] = []
    found = ranked_result(search, watch=lambda what, done: said.append((what, done)))
    assert found.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-11)
    assert found.std_iterations == pytest.approx(known.std_iterations, rel=1e-11)
    assert {words.rpartition(": ")[2] for words, _ in said} == {"active parts", "moves", "mean", "deviation"}
    assert all(0 <= done <= 1 for _, done in said)
    assert said[-1][1] == pytest.approx(1.0, abs=0.1)


def test_seven_inputs_are_more_rows_than_a_word_has() -> None:
    assert is_ranked(settings("and:7", nodes=6))
    few = settings("and:7", nodes=3)
    assert chain_of(few).levels == [2 ** (7 - used) - 1 for used in (4, 3, 2, 1)]
    with pytest.raises(MayNeverEnd):
        ranked_result(few)
