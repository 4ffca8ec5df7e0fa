"""Affine functions: a parity of some inputs, or its inverse.

Closed under xor, xnor, not and copying. On the complete table of n inputs, any such function of another set
of inputs than the target's is wrong on half of the rows; of the same set, on none or, inverted, on all. So
there are three ranks: 0 is right, 1 half wrong, 2 all wrong.

`Affine` judges programs of any size, without a table: a source has a byte. Going through the nodes in falling
order, each hands its mark to the sources that it reads; there is no branch in it for the processor to guess.
Small programs have sets of inputs in words (`small`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.cgp.large import Large
from gatewalk.cgp.layout import Layout, gate_forms
from gatewalk.native.jit import inlined

Marks = NDArray[np.uint8]
INVERTED = np.uint64(1 << 63)
REACHED, ODD = np.uint8(1), np.uint8(2)
_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)


def is_affine(gates: GateSet) -> bool:
    """Are all gates affine, and do all have inputs?"""
    return all(gate.name in ("xor", "xnor", "not", "buf") for gate in gates.gates)


def affine_words(layout: Layout) -> NDArray[np.uint64]:
    """`gate_forms` for sets of inputs in the place of columns: a constant is the bit INVERTED."""
    words = gate_forms(layout)
    words[:, 0] &= INVERTED
    return words


def fitness_of(inputs: int, rank: int) -> int:
    """Mismatches on the complete table."""
    return rank << (inputs - 1)


class Affine(NamedTuple):
    """See `marked`. A mark is REACHED if a source has a path to the output, ODD if an odd number of paths.

    inverts, reads: for each gate, does it invert, and does it read its second source? inverted: is the target
    xnor?
    """

    active: Marks
    marks: Marks
    inverts: Marks
    reads: Marks
    inverted: np.uint8


def affine_of(layout: Layout, *, inverted: bool) -> Affine:
    """Arrays to judge affine functions."""
    active, marks = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    words = affine_words(layout)
    inverts, reads = (words[:, 0] != 0).astype(np.uint8), (words[:, 4] != 0).astype(np.uint8)
    return Affine(active, marks, inverts, reads, np.uint8(inverted))


@inlined
def rank(judge: Affine, program: Large) -> np.int64:
    """Mark every source from the output on; returns the rank."""
    genes, marks = program.genes, judge.marks
    end = program.inputs + program.nodes
    for place in range(end):
        marks[place] = 0
    marks[end] = REACHED
    marks[np.uint64(genes[program.nodes * _THREE])] = REACHED | ODD
    inverted, source = judge.inverted, end
    while source > program.inputs:
        source -= _ONE
        first = (source - program.inputs) * _THREE
        gate, a, b = genes[first], np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
        mark = marks[source]
        inverted ^= judge.inverts[gate] & np.uint8(mark >> np.uint8(1))
        marks[a] = np.uint8((marks[a] | (mark & REACHED)) ^ (mark & ODD))
        second = np.uint8(mark * judge.reads[gate])
        marks[b] = np.uint8((marks[b] | (second & REACHED)) ^ (second & ODD))
    even = np.int64(0)
    for place in range(program.inputs):
        even += np.int64(marks[place] & ODD == 0)
    return np.int64(1) if even > 0 else np.int64(2) * np.int64(inverted)
