"""Gates on rows of packed words, for the evaluation of trees: computed, compared or counted.

A gate is given by the four words of `gatewalk.tgp.table.gate_words`. The tail of a row is its last `_TAIL`
words.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.bits import popcount
from gatewalk.native.jit import Int, inlined, internal

_TAIL = 64  # words computed before the rest of a row
_ZERO = np.uint64(0)


@inlined
def tail_start(words: Int) -> Int:
    """The index at which the tail of a row of so many words begins."""
    return max(0, words - _TAIL)


@internal
def compute(
    a: NDArray[np.uint64], b: NDArray[np.uint64], gate: NDArray[np.uint64], new: NDArray[np.uint64]
) -> None:
    """new = gate(a, b)."""
    x, y, z = gate[1], gate[2], gate[3]
    if gate[0] == _ZERO:
        for w in range(new.size):
            new[w] = (a[w] & x) ^ (b[w] & y) ^ z
    else:
        for w in range(new.size):
            new[w] = ((a[w] ^ x) & (b[w] ^ y)) ^ z


@internal
def compute_tail(
    rows: NDArray[np.uint64], left: Int, right: Int, gate: NDArray[np.uint64], old: Int, fresh: Int
) -> bool:
    """Compute the tail of a gate on two rows into a fresh row; returns whether it differs from the old."""
    start = tail_start(rows.shape[1])
    a, b, former, new = rows[left, start:], rows[right, start:], rows[old, start:], rows[fresh, start:]
    x, y, z = gate[1], gate[2], gate[3]
    difference = _ZERO
    if gate[0] == _ZERO:
        for w in range(new.size):
            value = (a[w] & x) ^ (b[w] & y) ^ z
            difference |= value ^ former[w]
            new[w] = value
    else:
        for w in range(new.size):
            value = ((a[w] ^ x) & (b[w] ^ y)) ^ z
            difference |= value ^ former[w]
            new[w] = value
    return bool(difference != _ZERO)


@internal
def differs(
    a: NDArray[np.uint64], b: NDArray[np.uint64], gate: NDArray[np.uint64], old: NDArray[np.uint64]
) -> bool:
    """Whether gate(a, b), which is not stored, differs from the old words."""
    x, y, z = gate[1], gate[2], gate[3]
    difference = _ZERO
    if gate[0] == _ZERO:
        for w in range(old.size):
            difference |= (a[w] & x) ^ (b[w] & y) ^ z ^ old[w]
    else:
        for w in range(old.size):
            difference |= ((a[w] ^ x) & (b[w] ^ y)) ^ z ^ old[w]
    return bool(difference != _ZERO)


@internal
def mismatches(value: NDArray[np.uint64], wanted: NDArray[np.uint64], mask: np.uint64) -> Int:
    """The number of bits on which two rows differ; in the last word only those of the mask count."""
    wrong: Int = 0
    last = wanted.size - 1
    for w in range(last):
        wrong += popcount(value[w] ^ wanted[w])
    return wrong + popcount((value[last] ^ wanted[last]) & mask)


@internal
def compute_and_count(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    gate: NDArray[np.uint64],
    new: NDArray[np.uint64],
    wanted: NDArray[np.uint64],
) -> Int:
    """new = gate(a, b); returns the number of bits on which it differs from the wanted words."""
    x, y, z = gate[1], gate[2], gate[3]
    wrong: Int = 0
    if gate[0] == _ZERO:
        for w in range(wanted.size):
            value = (a[w] & x) ^ (b[w] & y) ^ z
            new[w] = value
            wrong += popcount(value ^ wanted[w])
    else:
        for w in range(wanted.size):
            value = ((a[w] ^ x) & (b[w] ^ y)) ^ z
            new[w] = value
            wrong += popcount(value ^ wanted[w])
    return wrong
