"""Parity targets without a table: every source of the program is an affine function.

An affine function is the parity of some inputs, or the inverse of one. Affine functions are closed under xor,
xnor, not and copying. On the complete table of n inputs, the parity of another set of inputs than the
target's is wrong on half of the rows; that of the same set is wrong on no row or, inverted, on all. So there
are three ranks: 0 is right, 1 is wrong on half of the rows, 2 is wrong on all.

`Affine` is for programs of any size and keeps one byte per source. It goes through the nodes in falling
order; each passes its mark on to the sources that it reads. No branch depends on the program, so the
processor mispredicts none. Small programs have an evaluator of their own, in which a set of inputs is a word
(`small`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.cgp.genotype import Layout, gate_forms
from gatewalk.cgp.large import Large
from gatewalk.native.jit import inlined

Marks = NDArray[np.uint8]
INVERTED = np.uint64(1 << 63)
REACHED, ODD = np.uint8(1), np.uint8(2)
_ONE, _TWO, _THREE = np.uint64(1), np.uint64(2), np.uint64(3)


def is_affine(gates: GateSet) -> bool:
    """Whether all gates are affine and have at least one input."""
    return all(gate.name in ("xor", "xnor", "not", "buf") for gate in gates.gates)


def affine_words(layout: Layout) -> NDArray[np.uint64]:
    """`gate_forms` for values that are sets of inputs, not columns: the constant 1 is the bit INVERTED."""
    words = gate_forms(layout)
    words[:, 0] &= INVERTED
    return words


def fitness_of(inputs: int, rank: int) -> int:
    """The number of mismatches on the complete table that a rank stands for."""
    return rank << (inputs - 1)


class Affine(NamedTuple):
    """The arrays of the evaluator; `marked` explains active and marks.

    A mark has the bit REACHED if the source has a path to the output, and ODD if the number of paths is odd.
    inverts, reads: for each gate, whether it inverts and whether it reads its second source.
    inverted: whether the target is the inverse of a parity, as xnor is.
    """

    active: Marks
    marks: Marks
    inverts: Marks
    reads: Marks
    inverted: np.uint8


def affine_of(layout: Layout, *, inverted: bool) -> Affine:
    """The arrays to evaluate affine functions."""
    active, marks = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    words = affine_words(layout)
    inverts, reads = (words[:, 0] != 0).astype(np.uint8), (words[:, 4] != 0).astype(np.uint8)
    return Affine(active, marks, inverts, reads, np.uint8(inverted))


@inlined
def rank(evaluator: Affine, program: Large) -> np.int64:
    """Mark every source, from the output down to the inputs; returns the rank."""
    genes, marks = program.genes, evaluator.marks
    end = program.inputs + program.nodes
    for place in range(end):
        marks[place] = 0
    marks[end] = REACHED
    marks[np.uint64(genes[program.nodes * _THREE])] = REACHED | ODD
    inverted, source = evaluator.inverted, end
    while source > program.inputs:
        source -= _ONE
        first = (source - program.inputs) * _THREE
        gate, a, b = genes[first], np.uint64(genes[first + _ONE]), np.uint64(genes[first + _TWO])
        mark = marks[source]
        inverted ^= evaluator.inverts[gate] & np.uint8(mark >> np.uint8(1))
        marks[a] = np.uint8((marks[a] | (mark & REACHED)) ^ (mark & ODD))
        second = np.uint8(mark * evaluator.reads[gate])
        marks[b] = np.uint8((marks[b] | (second & REACHED)) ^ (second & ODD))
    even = np.int64(0)
    for place in range(program.inputs):
        even += np.int64(marks[place] & ODD == 0)
    return np.int64(1) if even > 0 else np.int64(2) * np.int64(inverted)
