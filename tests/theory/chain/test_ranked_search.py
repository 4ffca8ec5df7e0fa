"""Ranked classes: the same chain as `sam_search`, number for number, and larger ones against known bounds."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from gatewalk.cgp.genotype import valid_values
from gatewalk.errors import InputError
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import settings
from gatewalk.theory.chain import ranked_search, solver
from gatewalk.theory.chain.program_lookup import class_of_program
from gatewalk.theory.chain.ranked_chain import RankedChain, chain_of
from gatewalk.theory.chain.ranked_moves import class_of_genes
from gatewalk.theory.chain.ranked_search import MayNeverEnd, moments_of, ranked_result
from gatewalk.theory.chain.ranked_size import is_ranked, ranked_classes
from gatewalk.theory.chain.sam_search import exact
from gatewalk.theory.chain.solver import exact_result

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


def test_numbers_of_classes() -> None:
    # One node of six inputs reads {a, a} or {a, b}, and the output is the node, a, b or another input.
    assert ranked_classes(shape_of(settings("and:6", nodes=1))) == 6
    assert ranked_classes(shape_of(settings("and:6", nodes=5))) == 1_960_694
    assert chain_of(settings("and:6", nodes=5)).count == 1_960_678


def test_what_is_not_ranked() -> None:
    others: list[dict[str, Any]] = [
        {"profile": "tinyverse"},
        {"gates": "and,or"},
        {"gates": "nimply"},
        {"offspring": 2},
        {"mutation": "point:1"},
        {"training": "sample:4"},
        {"options": {"uncounted": 2}},
        {"options": {"levels_back": 1}},
        {"options": {"rows": 2}},
    ]
    for options in others:
        assert not is_ranked(settings("and:3", nodes=4, **options))
    assert not is_ranked(settings("table:2:0x2", nodes=2, gates="and"))
    assert is_ranked(settings("xor:3", nodes=4))


def test_the_solver_takes_it_for_large_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    known = exact_result(settings("and:3", nodes=3))
    monkeypatch.setattr(solver, "RANKED_FROM", 0)
    taken = []
    monkeypatch.setattr(
        solver,
        "ranked_result",
        lambda search, **options: taken.append(search) or ranked_result(search, **options),
    )
    found = exact_result(settings("and:3", nodes=3))
    assert found.expected_iterations == pytest.approx(known.expected_iterations, rel=1e-12)
    lost = exact_result(settings("xor:3", nodes=2, selection="strict"))
    assert lost.p_never > 0  # by the other solver
    assert [search.target for search in taken] == ["and:3", "xor:3"]
    exact_result(settings("and:3", nodes=3), lump=False)
    assert len(taken) == 2


def test_refused_before_any_memory_is_taken() -> None:
    with pytest.raises(InputError, match=r"and:5 with 8 nodes .* GB and too many for --memory 16: up to 6"):
        exact_result(settings("and:5", nodes=8))
    with pytest.raises(InputError, match="--memory 1: up to 5 nodes"):
        exact_result(settings("and:6", nodes=6), memory=10**9)
