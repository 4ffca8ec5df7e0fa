"""The constants of a program's shape as a kernel reads them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import anf
from gatewalk.cgp.genotype import Shape
from gatewalk.errors import InputError

WIDEST = 3  # inputs of the widest gate that kernels compute


class Layout(NamedTuple):
    """A `Shape` and its `Ranges` as numbers and arrays.

    block: genes of a node. owner[g]: the node of gene g.
    choices[g], skip_from[g], skip[g]: the number of valid values of gene g, and which it skips.
    arities[f]: inputs of gate f.
    anf[f, m]: all ones if the algebraic normal form of gate f has the product of the inputs in the bit set m,
        else 0.
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
    """The shape as kernels read it; gates with more than `WIDEST` inputs are refused."""
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
    """Eight words for each gate of at most two inputs, the last three unused.

    The first four are the coefficients of its algebraic normal form; the fifth is all ones if the gate reads
    its second input.
    """
    words = np.zeros((len(layout.arities), 8), dtype=np.uint64)
    words[:, :4] = layout.anf[:, :4]
    words[layout.arities > 1, 4] = ~np.uint64(0)
    return words
