"""Parities without a table: the three ranks of `affine` against all rows, for every affine gate set."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES, gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, valid_values
from gatewalk.cgp.judges.affine import (
    INVERTED,
    ODD,
    REACHED,
    affine_of,
    affine_words,
    fitness_of,
    is_affine,
)
from gatewalk.cgp.judges.small import parity_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.small import small_of

AFFINE = ("xor", "xnor", "not", "buf")
SETS = [names for size in range(1, 5) for names in combinations(AFFINE, size) if {"xor", "xnor"} & set(names)]
IS_INVERTED = {"xor": False, "parity": False, "xnor": True, "epar": True}


def test_affine_gates() -> None:
    assert {name for name in GATES if is_affine(gate_set([name]))} == set(AFFINE)
    assert not is_affine(gate_set("xor,and"))


def test_words_of_affine_gates() -> None:
    words = affine_words(layout_of(Shape(2, 1, 1, gate_set("xor,xnor,not,buf"))))
    every = 2**64 - 1
    assert words[:, 0].tolist() == [0, int(INVERTED), int(INVERTED), 0]
    assert words[:, 1].tolist() == [every] * 4
    assert words[:, 2].tolist() == words[:, 4].tolist() == [every, every, 0, 0]
    assert not words[:, 3].any()


def test_fitness_of_a_rank() -> None:
    assert [fitness_of(4, rank) for rank in range(3)] == [0, 8, 16]
    assert [fitness_of(1, rank) for rank in range(3)] == [0, 1, 2]


@pytest.mark.parametrize("names", SETS, ids=",".join)
@pytest.mark.parametrize("family", IS_INVERTED)
def test_ranks_are_those_of_all_rows(names, family: str, take_program, mismatches) -> None:
    random, seen = np.random.default_rng(7), set()
    for n in range(1, 6):
        shape, training = Shape(n, 1, 6, gate_set(names)), complete(target(f"{family}:{n}"))
        layout = layout_of(shape)
        inverted = IS_INVERTED[family]
        small, in_words = small_of(layout, picked=False), parity_of(layout, inverted=inverted)
        large, in_marks = large_of(layout, picked=False), affine_of(layout, inverted=inverted)
        for _ in range(60):
            values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
            genes = np.array(values, dtype=np.int32)
            rank = take_program(in_words, small, genes)
            assert rank == take_program(in_marks, large, genes)
            assert fitness_of(n, int(rank)) == mismatches(shape, training, genes)
            seen.add(int(rank))
    can_invert = bool({"xnor", "not"} & set(names))
    assert seen == ({0, 1, 2} if can_invert else {1, 2} if IS_INVERTED[family] else {0, 1})


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("gates", ["xor", "xnor", "xor,not", "xnor,buf,xor"])
@pytest.mark.parametrize("nodes", [9, 90])
def test_affine_functions(check_judge, mismatches, gates: str, inverted: bool, nodes: int) -> None:
    shape, training = Shape(3, 1, nodes, gate_set(gates)), complete(target("epar:3" if inverted else "xor:3"))
    check_judge(
        shape,
        large_of,
        lambda layout: affine_of(layout, inverted=inverted),
        lambda genes: mismatches(shape, training, genes) // 4,
        seed=nodes,
    )


def test_marks_count_paths(take_program) -> None:
    layout = layout_of(Shape(3, 1, 3, gate_set("xor,not")))
    judge = affine_of(layout, inverted=False)
    # Node 3 is x1 ^ x2, node 4 is not node 3, node 5 is node 3 ^ node 4: two paths to node 3, x3 has none.
    genes = np.array([0, 0, 1, 1, 3, 2, 0, 3, 4, 5], dtype=np.int32)
    assert take_program(judge, large_of(layout, picked=False), genes) == 1
    even, odd = REACHED, REACHED | ODD
    assert judge.active[:6].tolist() == [even, even, 0, even, odd, odd]
