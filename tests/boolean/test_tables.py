"""Packed tables against lists of bits."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean import tables
from gatewalk.boolean.gates import GATES, gate

bit_lists = st.lists(st.booleans(), min_size=1, max_size=200)


@given(bit_lists)
def test_pack_and_unpack(bits):
    words = tables.pack(bits)
    assert words.dtype == np.uint64
    assert words.shape == (tables.words_for(len(bits)),)
    assert tables.unpack(words, len(bits)).tolist() == bits
    assert [int(words[r // 64]) >> r % 64 & 1 for r in range(len(bits))] == bits


@given(bit_lists)
def test_pack_leaves_unused_bits_0(bits):
    last = int(tables.pack(bits)[-1])
    assert last & ~int(tables.last_mask(len(bits))) == 0


def test_pack_several_columns():
    bits = np.random.default_rng(1).integers(0, 2, (3, 4, 130)).astype(bool)
    words = tables.pack(bits)
    assert words.shape == (3, 4, 3)
    assert (tables.unpack(words, 130) == bits).all()
    assert (tables.unpack(words[:, ::2], 130) == bits[:, ::2]).all()


@pytest.mark.parametrize(("rows", "words"), [(1, 1), (63, 1), (64, 1), (65, 2), (128, 2), (129, 3)])
def test_words_for(rows, words):
    assert tables.words_for(rows) == words


@pytest.mark.parametrize(("rows", "bits"), [(1, 1), (2, 2), (63, 63), (64, 64), (65, 1), (128, 64)])
def test_last_mask(rows, bits):
    assert int(tables.last_mask(rows)) == (1 << bits) - 1


@pytest.mark.parametrize("n", range(1, 13))
def test_projections_are_the_bits_of_the_row(n):
    table = tables.unpack(tables.projections(n), 1 << n)
    row = np.arange(1 << n)
    for i in range(n):
        assert (table[i] == (row >> i & 1)).all()
        assert (tables.projection(i, n) == tables.projections(n)[i]).all()


@pytest.mark.parametrize("i", [0, 5, 6, 12, 21])
def test_a_large_projection(i):
    words = tables.projection(i, 22)
    rows = np.random.default_rng(2).integers(0, 1 << 22, 1000)
    assert (words[rows // 64] >> (rows % 64).astype(np.uint64) & np.uint64(1) == rows >> i & 1).all()


@pytest.mark.parametrize("i", [-1, 3])
def test_no_such_projection(i):
    with pytest.raises(ValueError, match="there is no input"):
        tables.projection(i, 3)


@pytest.mark.parametrize("name", GATES)
@given(rows=st.integers(1, 150), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_apply_is_the_gate_on_every_row(name, rows, seed):
    one = gate(name)
    columns = np.random.default_rng(seed).integers(0, 2, (one.arity, rows)).astype(bool)
    result = np.broadcast_to(tables.apply(one, *tables.pack(columns)), tables.words_for(rows))
    expected = [one(*columns[:, row]) for row in range(rows)]
    assert tables.unpack(result, rows).tolist() == expected


def test_apply_leaves_its_arguments():
    a, b = tables.projection(0, 7), tables.projection(6, 7)
    before = a.copy(), b.copy()
    tables.apply(gate("or"), a, b)
    tables.apply(gate("buf"), a)[...] = 0
    assert (a == before[0]).all()
    assert (b == before[1]).all()


def test_apply_with_too_few_columns():
    with pytest.raises(ValueError, match="takes 2 columns"):
        tables.apply(gate("and"), tables.projection(0, 2))


def test_masked_clears_unused_bits_in_a_copy():
    words = np.full((2, 2), tables.ALL)
    clean = tables.masked(words, 65)
    assert clean.tolist() == [[2**64 - 1, 1]] * 2
    assert (words == tables.ALL).all()
