"""Covers on packed words: which rows are ones, which rows count, and contradictions."""

import pytest

from gatewalk.boolean.tables import pack, projections, unpack
from gatewalk.circuit.cover import Cover, Cube, cares, ones
from gatewalk.errors import InputError


def bits(words, rows):
    return unpack(words, rows).astype(int).tolist()


def test_a_row_that_is_on_and_free_does_not_count():
    cubes = (Cube(ones=1, zeros=0, on=1, off=0, free=0), Cube(ones=3, zeros=0, on=0, off=0, free=1))
    cover = Cover(("a", "b"), ("y",), cubes)
    assert bits(ones(cover, projections(2)), 4) == [[0, 1, 0, 0]]
    assert bits(cares(cover, projections(2)), 4) == [[1, 1, 1, 0]]


def test_a_hundred_inputs_on_a_few_rows():
    cover = Cover(
        tuple(f"x{i}" for i in range(100)), ("y",), (Cube(ones=(1 << 100) - 1, zeros=0, on=1, off=0, free=0),)
    )
    inputs = pack([[1, 1, 0]] * 99 + [[1, 0, 0]])
    assert bits(ones(cover, inputs), 3) == [[1, 0, 0]]
    assert bits(cares(cover, inputs), 3) == [[1, 1, 1]]


def test_without_cubes_every_row_is_0_or_none_counts():
    for kind, counted in (("f", 1), ("fd", 1), ("fr", 0), ("fdr", 0)):
        cover = Cover(("a",), ("y", "z"), (), kind)
        assert bits(ones(cover, projections(1)), 2) == [[0, 0]] * 2
        assert bits(cares(cover, projections(1)), 2) == [[counted] * 2] * 2


def test_0_and_1_on_one_row_is_refused():
    cubes = (Cube(ones=1, zeros=0, on=2, off=0, free=0), Cube(ones=2, zeros=0, on=0, off=2, free=0))
    with pytest.raises(InputError, match=r"contradicts itself: .* output 'z'"):
        ones(Cover(("a", "b"), ("y", "z"), cubes, "fr"), projections(2))
    # Where it does not matter, it does not matter.
    free = (*cubes, Cube(ones=3, zeros=0, on=0, off=0, free=2))
    assert bits(ones(Cover(("a", "b"), ("y", "z"), free, "fdr"), projections(2)), 4)[1] == [0, 1, 0, 0]


def test_unknown_types_and_other_columns():
    with pytest.raises(InputError, match="type 'dr', the types are f, fd, fr, fdr"):
        Cover(("a",), ("y",), (), "dr")
    with pytest.raises(ValueError, match="1 inputs, 2 columns"):
        ones(Cover(("a",), ("y",), ()), projections(2))
