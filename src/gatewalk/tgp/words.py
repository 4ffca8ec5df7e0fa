"""What the evaluation of trees does to packed words: a gate on two rows, computed, compared or counted.

A gate is given as by `gate_words` in `gatewalk.tgp.table`. The tail of a row is its last words.
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
    """Where the tail of a row of so many words begins."""
    return max(0, words - _TAIL)


@internal
def compute(
    a: NDArray[np.uint64], b: NDArray[np.uint64], gate: NDArray[np.uint64], new: NDArray[np.uint64]
) -> None:
    """Compute a gate on words into others."""
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
    """Compute the tail of a gate on two rows into a fresh one. Whether it is not that of the old one."""
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
    """Whether a gate's value, which is not stored, is not the old one."""
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
    """The mismatches of words; of the last one only those in the mask count."""
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
    """Compute a gate on words into others, and count the mismatches of these."""
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
