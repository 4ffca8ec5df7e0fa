"""A program on packed truth tables: which sources are active, and every active node on all rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.layout import Layout
from gatewalk.native.bits import popcount
from gatewalk.native.jit import Int, hot_kernel, internal

Genes = NDArray[np.int32]


class Table(NamedTuple):
    """values[s]: the words of source s (inputs are filled in once). wanted: the target's words.

    mask: which bits of the last word are rows.
    """

    values: NDArray[np.uint64]
    wanted: NDArray[np.uint64]
    mask: np.uint64


def table_of(layout: Layout, training: TrainingSet) -> Table:
    """Room for the values of all sources on a training set."""
    values = np.zeros((layout.inputs + layout.nodes, training.inputs.shape[1]), dtype=np.uint64)
    values[: layout.inputs] = training.inputs
    return Table(values, training.outputs, np.uint64(last_mask(training.rows)))


@hot_kernel
def mark_active(layout: Layout, genes: Genes, active: NDArray[np.uint8]) -> None:
    """Mark the nodes with a path to an output, by source number; n + D, which stands for outputs, too."""
    end = layout.inputs + layout.nodes
    active[:end] = 0
    active[end] = 1
    for output in range(layout.outputs):
        active[genes[layout.nodes * layout.block + output]] = 1
    for node in range(layout.nodes - 1, -1, -1):
        if active[layout.inputs + node]:
            first = node * layout.block
            for argument in range(layout.arities[genes[first]]):
                active[genes[first + 1 + argument]] = 1


@internal
def apply_gate(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    c: NDArray[np.uint64],
    anf: NDArray[np.uint64],
    arity: Int,
    result: NDArray[np.uint64],
) -> None:
    """Compute a gate from its algebraic normal form, which needs no branch per gate."""
    k0, ka, kb, kab = anf[0], anf[1], anf[2], anf[3]
    if arity < 3:
        if k0 | ka | kb == np.uint64(0):
            for w in range(result.size):
                result[w] = a[w] & b[w] & kab
        else:
            for w in range(result.size):
                result[w] = k0 ^ (ka & a[w]) ^ (b[w] & (kb ^ (kab & a[w])))
        return
    kc, kac, kbc, kabc = anf[4], anf[5], anf[6], anf[7]
    for w in range(result.size):
        without = k0 ^ (ka & a[w]) ^ (b[w] & (kb ^ (kab & a[w])))
        factor = kc ^ (kac & a[w]) ^ (b[w] & (kbc ^ (kabc & a[w])))
        result[w] = without ^ (c[w] & factor)


@internal
def compute_node(layout: Layout, genes: Genes, node: Int, values: NDArray[np.uint64]) -> None:
    """Compute one node's words from those of its sources."""
    first = node * layout.block
    function = np.int64(genes[first])
    arity: Int = layout.arities[function]
    a = values[genes[first + 1]]
    b = values[genes[first + 2]] if arity > 1 else a
    c = values[genes[first + 3]] if arity > 2 else a
    apply_gate(a, b, c, layout.anf[function], arity, values[layout.inputs + node])


@internal
def mismatches(layout: Layout, genes: Genes, table: Table) -> Int:
    """Wrong output bits over all rows, from the values of the sources that the outputs read."""
    wrong = np.int64(0)
    last = table.wanted.shape[1] - 1
    for output in range(layout.outputs):
        value = table.values[genes[layout.nodes * layout.block + output]]
        wanted = table.wanted[output]
        for w in range(last):
            wrong += popcount(value[w] ^ wanted[w])
        wrong += popcount((value[last] ^ wanted[last]) & table.mask)
    return wrong


@hot_kernel
def evaluate(layout: Layout, genes: Genes, active: NDArray[np.uint8], table: Table) -> Int:
    """Compute the active nodes in order; returns the mismatches."""
    for node in range(layout.nodes):
        if active[layout.inputs + node]:
            compute_node(layout, genes, node, table.values)
    return mismatches(layout, genes, table)
