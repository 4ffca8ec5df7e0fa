"""Gates on rows of words: computed, compared and counted against NumPy, for every gate of two inputs."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import apply
from gatewalk.tgp import words
from gatewalk.tgp.table import gate_words

tail_start, compute, compute_tail, differs, mismatches, compute_and_count = (
    entry(getattr(words, name))
    for name in ("tail_start", "compute", "compute_tail", "differs", "mismatches", "compute_and_count")
)
TWO = [name for name, gate in GATES.items() if gate.arity == 2]


def rows_of(seed: int, count: int, size: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 1 << 64, (count, size), dtype=np.uint64, endpoint=False)


@pytest.mark.parametrize("name", TWO)
def test_every_gate(name: str) -> None:
    a, b, wanted = rows_of(1, 3, 70)
    gate = np.array(gate_words(GATES[name]), dtype=np.uint64)
    value = np.broadcast_to(apply(GATES[name], a, b), a.shape)
    new = np.zeros_like(a)
    compute(a, b, gate, new)
    assert (new == value).all()
    assert not differs(a, b, gate, new)
    new[13] ^= np.uint64(1)
    assert differs(a, b, gate, new)
    assert compute_and_count(a, b, gate, new, wanted) == np.bitwise_count(value ^ wanted).sum()
    assert (new == value).all()


def test_only_the_tail_is_computed_and_compared() -> None:
    size = 100
    start = tail_start(size)
    assert (start, tail_start(10)) == (36, 0)
    rows = rows_of(2, 4, size)
    gate = np.array(gate_words(GATES["and"]), dtype=np.uint64)
    rows[2] = rows[0] & rows[1]
    rows[2, start - 1] ^= np.uint64(1)  # a difference before the tail is not seen
    before = rows[3].copy()
    assert not compute_tail(rows, 0, 1, gate, 2, 3)
    assert (rows[3, start:] == rows[2, start:]).all()
    assert (rows[3, :start] == before[:start]).all()
    rows[2, start] ^= np.uint64(1)
    assert compute_tail(rows, 0, 1, gate, 2, 3)


def test_unused_bits_of_the_last_word_do_not_count() -> None:
    value, wanted = rows_of(3, 2, 3)
    mask = np.uint64(0b1011)
    expected = np.bitwise_count(value[:2] ^ wanted[:2]).sum() + np.bitwise_count((value ^ wanted)[2] & mask)
    assert mismatches(value, wanted, mask) == expected
