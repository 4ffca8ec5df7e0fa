"""The constants of a program's shape as a kernel reads them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import anf
from gatewalk.cgp.genotype import Shape
from gatewalk.errors import InputError

WIDEST = 3  # inputs of the widest gate a kernel computes


class Layout(NamedTuple):
    """See `Shape` and `Ranges`; choices[g] is the number of valid values of gene g.

    anf[f, m] is all ones if gate f has the monomial of the bit set m, else zero.
    """

    inputs: int
    nodes: int
    outputs: int
    block: int
    owner: NDArray[np.int64]
    choices: NDArray[np.int64]
    skip_from: NDArray[np.int64]
    skip: NDArray[np.int64]
    arities: NDArray[np.int64]
    anf: NDArray[np.uint64]


@lru_cache(maxsize=64)
def layout_of(shape: Shape) -> Layout:
    """The shape in arrays."""
    gates = shape.gates.gates
    if shape.arity > WIDEST:
        raise InputError(f"gates of more than {WIDEST} inputs cannot be evolved, only read and written")
    coefficients = np.zeros((len(gates), 1 << WIDEST), dtype=np.uint64)
    for row, gate in zip(coefficients, gates, strict=True):
        row[: 1 << gate.arity] = np.array(anf(gate), dtype=np.uint64) * np.uint64(0xFFFFFFFFFFFFFFFF)
    ranges = shape.ranges
    return Layout(
        shape.inputs,
        shape.nodes,
        shape.outputs,
        shape.block,
        shape.owner,
        ranges.count,
        ranges.skip_from,
        ranges.skip,
        np.array([gate.arity for gate in gates], dtype=np.int64),
        coefficients,
    )


def gate_forms(layout: Layout) -> NDArray[np.uint64]:
    """Eight words a gate of at most two inputs: its algebraic normal form; at 4, is the second input read?"""
    words = np.zeros((len(layout.arities), 8), dtype=np.uint64)
    words[:, :4] = layout.anf[:, :4]
    words[layout.arities > 1, 4] = ~np.uint64(0)
    return words
