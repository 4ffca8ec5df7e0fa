"""Tables: truth tables and their columns, packed 64 rows to a word, as pure functions.

Bit r % 64 of word r // 64 is row r; row r of a complete table assigns input x_{i+1} the bit i
of r. Bits of the last word beyond the rows are unused: they may hold anything and never count.
A function takes one column (a vector of words) or several (words along the last axis).
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gatewalk.boolean.gates import Gate, anf

Words = NDArray[np.uint64]

WORD_BITS = 64
ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)

# The projections of the first six inputs repeat within every word.
_MASKS = (
    0xAAAA_AAAA_AAAA_AAAA,
    0xCCCC_CCCC_CCCC_CCCC,
    0xF0F0_F0F0_F0F0_F0F0,
    0xFF00_FF00_FF00_FF00,
    0xFFFF_0000_FFFF_0000,
    0xFFFF_FFFF_0000_0000,
)


def words_for(rows: int) -> int:
    """The number of words that so many rows take."""
    return -(-rows // WORD_BITS)


def last_mask(rows: int) -> np.uint64:
    """The last word of a column with a 1 for every bit that is a row."""
    return np.uint64((1 << (rows - 1) % WORD_BITS + 1) - 1)


def masked(words: Words, rows: int) -> Words:
    """A copy with unused bits set to 0."""
    copy = words.copy()
    copy[..., -1] &= last_mask(rows)
    return copy


def projection(i: int, n_inputs: int) -> Words:
    """The column of input x_{i+1} in the complete table of n inputs; unused bits are 0."""
    if not 0 <= i < n_inputs:
        raise ValueError(f"there is no input {i} among {n_inputs}")
    rows = 1 << n_inputs
    count = words_for(rows)
    if i < len(_MASKS):
        return masked(np.full(count, _MASKS[i], np.uint64), rows)
    run = 1 << (i - len(_MASKS))
    return np.tile(np.repeat(np.array([0, ALL], np.uint64), run), count // (2 * run))


def projections(n_inputs: int) -> Words:
    """The columns of all inputs of the complete table, uint64[n, words]."""
    table = np.empty((n_inputs, words_for(1 << n_inputs)), np.uint64)
    for i in range(n_inputs):
        table[i] = projection(i, n_inputs)
    return table


def apply(gate: Gate, *words: Words) -> Words:
    """The output column of a gate on input columns, by its algebraic normal form.

    A constant gate has no input column that says how long the result is; it gives one word, which broadcasts.
    """
    if len(words) != gate.arity:
        raise ValueError(f"gate {gate.name} takes {gate.arity} columns, not {len(words)}")
    result: Words | None = None
    for factors in _monomials(gate):
        term = words[factors[0]] if factors else np.full((1,) if not words else words[0].shape, ALL)
        for j in factors[1:]:
            term = term & words[j]
        result = term if result is None else result ^ term
    if result is None:
        return np.zeros((1,) if not words else words[0].shape, np.uint64)
    return result.copy() if any(result is column for column in words) else result


@cache
def _monomials(gate: Gate) -> tuple[tuple[int, ...], ...]:
    """The inputs that each term of the gate's algebraic normal form multiplies."""
    return tuple(
        tuple(j for j in range(gate.arity) if monomial >> j & 1)
        for monomial, coefficient in enumerate(anf(gate))
        if coefficient
    )


def pack(bits: ArrayLike) -> Words:
    """Words of the bits along the last axis, row 0 first; unused bits are 0."""
    array = np.asarray(bits, bool)
    rows = array.shape[-1]
    padded = np.zeros((*array.shape[:-1], words_for(rows) * WORD_BITS), bool)
    padded[..., :rows] = array
    return np.packbits(padded, axis=-1, bitorder="little").view("<u8").astype(np.uint64)


def unpack(words: Words, rows: int) -> NDArray[np.bool_]:
    """The first `rows` bits of each column."""
    octets = np.ascontiguousarray(words, "<u8").view(np.uint8)
    return np.unpackbits(octets, axis=-1, bitorder="little")[..., :rows].astype(bool)


def table_numbers(columns: Words, rows: int) -> list[int]:
    """Each column as a whole number, bit r its row r."""
    return [int.from_bytes(column.astype("<u8").tobytes(), "little") for column in masked(columns, rows)]
