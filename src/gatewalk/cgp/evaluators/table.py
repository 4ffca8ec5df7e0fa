"""Any program on any table: every active node of an offspring is computed on all rows, 64 rows a word.

The simplest evaluator, and the only one for every task: gates of up to three inputs, constants, any number of
outputs. `marked` has the functions that it shares with other evaluators.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet, counted
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes, Large, mark_active
from gatewalk.native.bits import popcount
from gatewalk.native.blocks import apply_gate
from gatewalk.native.jit import Int, inlined, internal

Words = NDArray[np.uint64]


class Plain(NamedTuple):
    """The arrays of the evaluator; `marked` explains active and marks.

    values[s]: the words of source s; those of the inputs are filled in once.
    wanted, counted: the words of the target, and which of their bits count.
    """

    layout: Layout
    active: NDArray[np.uint8]
    marks: NDArray[np.uint8]
    values: Words
    wanted: Words
    counted: Words


def plain_of(layout: Layout, training: TrainingSet) -> Plain:
    """The arrays to evaluate programs on a training set."""
    active, marks = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    values = np.zeros((layout.inputs + layout.nodes, training.inputs.shape[1]), dtype=np.uint64)
    values[: layout.inputs] = training.inputs
    return Plain(layout, active, marks, values, training.outputs.copy(), counted(training))


@inlined
def use_rows(evaluator: Plain, sample: Words) -> None:
    """See `evaluators.use_rows`."""
    inputs = evaluator.layout.inputs
    for w in range(sample.shape[1]):
        for source in range(inputs):
            evaluator.values[source, w] = sample[source, w]
        for output in range(evaluator.layout.outputs):
            evaluator.wanted[output, w] = sample[inputs + output, w]


@internal
def compute_node(layout: Layout, genes: Genes, node: Int, values: Words) -> None:
    """Compute the words of a node from those of its sources."""
    first = node * layout.block
    function = np.int64(genes[first])
    arity: Int = layout.arities[function]
    a = values[genes[first + 1]]
    b = values[genes[first + 2]] if arity > 1 else a
    c = values[genes[first + 3]] if arity > 2 else a
    apply_gate(a, b, c, layout.anf[function], arity, values[layout.inputs + node])


@internal
def rank(evaluator: Plain, program: Large) -> Int:
    """Mark and compute the active nodes, in order; returns the number of wrong output bits over all rows."""
    layout, genes, values = evaluator.layout, program.genes, evaluator.values
    mark_active(layout, genes, evaluator.marks)
    for node in range(layout.nodes):
        if evaluator.marks[layout.inputs + node]:
            compute_node(layout, genes, node, values)
    wrong = np.int64(0)
    for output in range(layout.outputs):
        value, wanted = values[genes[layout.nodes * layout.block + output]], evaluator.wanted[output]
        counts = evaluator.counted[output]
        for w in range(wanted.size):
            wrong += popcount((value[w] ^ wanted[w]) & counts[w])
    return wrong
