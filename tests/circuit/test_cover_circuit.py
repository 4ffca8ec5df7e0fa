"""Covers as circuits of their cubes compute what the cover says, on every row."""

from __future__ import annotations

import random

import pytest

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit import cover as covers
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.cover import Cover, Cube
from gatewalk.circuit.cover_circuit import cares_circuit, ones_circuit, sum_circuit


def some_cover(seed: int, kind: str, n: int = 5) -> Cover:
    generator = random.Random(seed)
    cubes = []
    for _ in range(6):
        ones, zeros = generator.getrandbits(n), generator.getrandbits(n)
        on, free = generator.getrandbits(2), generator.getrandbits(2) if "d" in kind else 0
        cubes.append(Cube(ones & ~zeros, zeros & ~ones, on & ~free, 0, free))
    labels = tuple(f"x{i}" for i in range(n))
    return Cover(labels, ("y", "z"), tuple(cubes), kind)


def table(words, n: int) -> list[list[bool]]:
    return unpack(words, 1 << n).tolist()


@pytest.mark.parametrize("kind", ["f", "fd"])
@pytest.mark.parametrize("seed", range(8))
def test_the_circuits_agree_with_the_cover(seed: int, kind: str) -> None:
    cover, inputs = some_cover(seed, kind), projections(5)
    counted, found = covers.cares(cover, inputs), cares_circuit(cover)
    if found is None:
        assert all(map(all, table(counted, 5)))
    else:
        assert table(evaluate(found, inputs), 5) == table(counted, 5)
    assert table(evaluate(ones_circuit(cover), inputs) & counted, 5) == table(
        covers.ones(cover, inputs) & counted, 5
    )


def test_cubes_that_outputs_share_are_built_once() -> None:
    labels = ["a", "b", "c", "d"]
    shared = sum_circuit([["11--", "--11"], ["11--"]], labels, ["y", "z"])
    assert len(shared) == 3
    assert shared(1, 1, 0, 0) == (1, 1)
    assert shared(0, 1, 1, 1) == (1, 0)


def test_an_empty_sum_is_the_constant_0() -> None:
    assert [sum_circuit([[]], ["a"], ["y"])(bit) for bit in (0, 1)] == [0, 0]
