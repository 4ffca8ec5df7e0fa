"""NewValue (Algorithm 2) and the uniform random program."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.layout import Layout
from gatewalk.cgp.registers import load, pick, store
from gatewalk.jit import Int, inlined, outlined
from gatewalk.stream import State, below_from


@inlined
def new_value(stream: State, layout: Layout, genes: NDArray[np.int64], gene: Int, spare: np.uint64) -> Int:
    """A uniform valid value other than the current one; the current one if there is no other.

    `spare` is a random half word that nothing else uses.
    """
    others = layout.choices[gene] - 1
    current: Int = genes[gene]
    if others == 0:
        return current
    skip_from, skip = layout.skip_from[gene], layout.skip[gene]
    index = current if current < skip_from else current - skip
    value: Int = np.int64(below_from(stream, spare, np.uint64(others)))
    if value >= index:
        value += 1
    return value if value < skip_from else value + skip


@outlined
def random_program(stream: State, layout: Layout, genes: NDArray[np.int64]) -> None:
    """Draw every gene uniformly from its valid values, in order, a word each."""
    registers = load(stream)
    for gene in range(np.uint64(genes.size)):
        choice, _, registers = pick(registers, np.uint64(layout.choices[gene]))
        value = np.int64(choice)
        genes[gene] = value if value < layout.skip_from[gene] else value + layout.skip[gene]
    store(stream, registers)
