"""Values of sources on packed rows, computed block by block and only when asked for.

A row of words belongs to each source. Its blocks are up to 64, and a source has a word with a bit
for each block whose value is that of the program as it is now. A change makes bits of the sources
above it fall; nothing is computed until somebody reads. So inactive nodes, and blocks behind an
early verdict, cost nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.layout import Layout
from gatewalk.jit import inlined, outlined

MOST_BLOCKS = 64
WIDE = 8  # words computed together: 512 bits
Words = NDArray[np.uint64]
_ZERO, _ONE, _TWO, _THREE = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)


class Rows(NamedTuple):
    """values[s * words + w]: word w of source s. fresh[s]: which blocks of it are valid.

    words: of a source, a multiple of block; block: words of a block, a multiple of len(lanes), which
    is a constant to the compiler. gates: algebraic normal form and, at 4, whether the second input
    is read. wanted: the target, as values; mask: which bits of a word are rows. stack: for `ensure`.
    """

    values: Words
    fresh: Words
    words: np.uint64
    block: np.uint64
    blocks: np.uint64
    lanes: tuple[int, ...]
    gates: Words
    wanted: Words
    mask: Words
    stack: Words


def rows_of(layout: Layout, training: TrainingSet) -> Rows:
    """Room for the values of all sources on a training set."""
    used = training.inputs.shape[1]
    lanes = WIDE if used >= WIDE else 1
    block = lanes * -(-used // (lanes * MOST_BLOCKS))
    words = block * -(-used // block)
    sources = layout.inputs + layout.nodes
    values = np.zeros((sources, words), dtype=np.uint64)
    values[: layout.inputs, :used] = training.inputs
    wanted = np.zeros((layout.outputs, words), dtype=np.uint64)
    wanted[:, :used] = training.outputs
    mask = np.zeros(words, dtype=np.uint64)
    mask[:used] = ~_ZERO
    mask[used - 1] = last_mask(training.rows)
    fresh = np.zeros(sources, dtype=np.uint64)
    fresh[: layout.inputs] = ~_ZERO
    gates = np.zeros((len(layout.arities), 8), dtype=np.uint64)
    gates[:, :4] = layout.anf[:, :4]
    gates[layout.arities > 1, 4] = ~_ZERO
    return Rows(
        values.ravel(),
        fresh,
        np.uint64(words),
        np.uint64(block),
        np.uint64(words // block),
        (0,) * lanes,
        gates.ravel(),
        wanted.ravel(),
        mask,
        np.zeros(sources + 1, dtype=np.uint64),
    )


@inlined
def gate_word(gates: Words, gate: np.uint64, x: np.uint64, y: np.uint64) -> np.uint64:
    """A gate of at most two inputs, from its algebraic normal form, which needs no branch per gate."""
    at = gate << _THREE
    return np.uint64(gates[at] ^ (gates[at + _ONE] & x) ^ (y & (gates[at + _TWO] ^ (gates[at + _THREE] & x))))


@inlined
def reads_second(gates: Words, gate: np.uint64) -> bool:
    """Does a gate read its second input?"""
    return bool(gates[(gate << _THREE) + np.uint64(4)] != _ZERO)


@inlined
def compute_block(
    rows: Rows, genes: NDArray[np.int64], inputs: np.uint64, source: np.uint64, at: np.uint64
) -> None:
    """Compute a block, which begins at word `at`, of a node from its sources."""
    first = (source - inputs) * _THREE
    gate = np.uint64(genes[first])
    a = np.uint64(genes[first + _ONE]) * rows.words + at
    b = np.uint64(genes[first + _TWO]) * rows.words + at
    result = source * rows.words + at
    for start in range(_ZERO, rows.block, np.uint64(len(rows.lanes))):
        for lane in range(len(rows.lanes)):
            w = start + np.uint64(lane)
            rows.values[result + w] = gate_word(rows.gates, gate, rows.values[a + w], rows.values[b + w])


@inlined
def ensure(
    rows: Rows, genes: NDArray[np.int64], inputs: np.uint64, source: np.uint64, block: np.uint64
) -> None:
    """See to it that a block of a source is fresh, and so all that it is computed from."""
    if (rows.fresh[source] >> block) & _ONE == _ZERO:
        refresh(rows, genes, inputs, source, block)


@outlined
def refresh(
    rows: Rows, genes: NDArray[np.int64], inputs: np.uint64, source: np.uint64, block: np.uint64
) -> None:
    """Compute a block of a source, after all blocks under it that are not fresh."""
    bit = _ONE << block
    stack = rows.stack
    stack[0] = source
    height = _ONE
    while height != _ZERO:
        node = stack[height - _ONE]
        first = (node - inputs) * _THREE
        a = np.uint64(genes[first + _ONE])
        if rows.fresh[a] & bit == _ZERO:
            stack[height] = a
            height += _ONE
            continue
        b = np.uint64(genes[first + _TWO])
        if rows.fresh[b] & bit == _ZERO and reads_second(rows.gates, np.uint64(genes[first])):
            stack[height] = b
            height += _ONE
            continue
        compute_block(rows, genes, inputs, node, block * rows.block)
        rows.fresh[node] |= bit
        height -= _ONE


@outlined
def spread_staleness(
    rows: Rows,
    genes: NDArray[np.int64],
    inputs: np.uint64,
    stale: Words,
    lowest: np.uint64,
    end: np.uint64,
    node: np.uint64,
    blocks: np.uint64,
) -> None:
    """Make blocks fall that depend on stale ones, from source `lowest` up to `end`.

    stale[s]: blocks of source s that changed, zero for all sources outside; it is spread upwards,
    and zero again afterwards. Of `node` exactly `blocks` changed, whatever is under it.
    """
    source = lowest
    while source < end:
        first = (source - inputs) * _THREE
        a, b = np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
        changed = blocks if source == node else stale[source] | stale[a] | stale[b]
        stale[source] = changed
        rows.fresh[source] &= ~changed
        source += _ONE
    source = lowest
    while source < end:
        stale[source] = _ZERO
        source += _ONE
