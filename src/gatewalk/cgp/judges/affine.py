"""Affine functions: a parity of some inputs, or its inverse.

Closed under xor, xnor, not and copying. On the complete table of n inputs, any such function of another set
of inputs than the target's is wrong on half of the rows; of the same set, on none or, inverted, on all. So
there are three ranks: 0 is right, 1 half wrong, 2 all wrong.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.cgp.layout import Layout, gate_words

INVERTED = np.uint64(1 << 63)


def is_affine(gates: GateSet) -> bool:
    """Are all gates affine, and do all have inputs?"""
    return all(gate.name in ("xor", "xnor", "not", "buf") for gate in gates.gates)


def affine_words(layout: Layout) -> NDArray[np.uint64]:
    """`gate_words` for sets of inputs in the place of columns: a constant is the bit INVERTED."""
    words = gate_words(layout)
    words[:, 0] &= INVERTED
    return words


def fitness_of(inputs: int, rank: int) -> int:
    """Mismatches on the complete table."""
    return rank << (inputs - 1)
