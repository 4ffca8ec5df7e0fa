"""A small program: up to 63 sources and one output, so that a set of sources is one word.

Genes are bytes in three rows of 64 (gate, first source, second source); the index in a row is the source
number of the node. Index 63 stands for the output, whose gene is in the row of first sources. The whole
program is six vectors of 32 bytes, so an offspring is dropped by copying all of the parent, however many
genes changed: a loop over the changes would cost a mispredicted branch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Layout, Shape
from gatewalk.cgp.slots import owner_of, slot_fields
from gatewalk.native.bits import popcount
from gatewalk.native.blocks import copy, zeros
from gatewalk.native.jit import inlined

if TYPE_CHECKING:
    from gatewalk.cgp.program import Changes

Genes = NDArray[np.uint8]
LARGEST = 63  # sources of a small program
OUTPUT = np.uint64(63)
GATE, FIRST, SECOND, SIZE = np.uint64(0), np.uint64(64), np.uint64(128), np.uint64(192)  # where rows begin
NOBODY = 0  # the owner of genes that cannot change: an input, which is never active
_ZERO, _ONE, _PLACE = np.uint64(0), np.uint64(1), np.uint64(63)


class Small(NamedTuple):
    """The arrays of a program, see `program`. above: all sources but the inputs, as bits."""

    genes: Genes
    parent: Genes
    slots: NDArray[np.uint64]
    skip_from: NDArray[np.uint64]
    skip: NDArray[np.uint64]
    far: bool
    places: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    inputs: np.uint64
    nodes: np.uint64
    outputs: np.uint64
    arity: np.uint64
    above: np.uint64


def is_small(shape: Shape) -> bool:
    """Whether a program of this shape is small enough, with one output and gates of at most two inputs."""
    return shape.inputs + shape.nodes <= LARGEST and shape.outputs == 1 and shape.arity == 2


def places_of(layout: Layout) -> NDArray[np.int64]:
    """The index of every gene in the three rows."""
    genes = np.arange(layout.owner.size)
    places = (genes % layout.block) * 64 + layout.inputs + layout.owner
    places[layout.nodes * layout.block :] = int(FIRST + OUTPUT)
    return places.astype(np.int64)


def small_of(layout: Layout, *, picked: bool) -> Small:
    """The arrays for a program. picked: see `slots_of`."""
    places, size = places_of(layout), int(SIZE)
    return Small(
        zeros((size + 64) // 8).view(np.uint8),  # the last row is written to, but not read
        zeros(size // 8).view(np.uint8),
        *slot_fields(layout, places, places & 63, spare=size, nobody=NOBODY, picked=picked),
        ~((_ONE << np.uint64(layout.inputs)) - _ONE),
    )


@inlined
def bit_of(slot: np.uint64) -> np.uint64:
    """The node of a slot, as a bit."""
    return _ONE << (owner_of(slot) & _PLACE)


@inlined
def touch(program: Small, nodes: np.uint64, slot: np.uint64) -> np.uint64:
    """See `program.touch` and `program.hit`; the input `NOBODY` may be among the nodes."""
    return nodes | bit_of(slot)


@inlined
def copy_changed(to: Genes, source: Genes, program: Small, changes: Changes) -> None:
    """See `program.copy_changed`."""
    copy(to, _ZERO, source, _ZERO, SIZE)


# Functions shared by the evaluators of small programs. They have an array `cones`: for each source, the set
# of all sources under it, itself included.


def cones_of(layout: Layout) -> NDArray[np.uint64]:
    """An array for the cones of all sources and one more, with those of the inputs filled in."""
    cones = np.zeros(64 + 1, dtype=np.uint64)
    cones[: layout.inputs] = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    return cones


@inlined
def active_of(evaluator: Any, program: Small, top: np.uint64) -> np.uint64:
    """The nodes in the cone of the output, which reads `top`, and the bit of the output."""
    return np.uint64(evaluator.cones[top] & program.above | _ONE << OUTPUT)


@inlined
def is_active(evaluator: Any, program: Small, state: Any, slot: np.uint64) -> bool:
    """See `evaluators.is_active`; the first word of the state is the set of active nodes."""
    return bool(state[0] & bit_of(slot) != _ZERO)


@inlined
def count_active(evaluator: Any, program: Small, state: Any) -> np.int64:
    """See `evaluators.count_active`."""
    return popcount(nodes_of(program, state[0]))


@inlined
def first_of(program: Small, source: np.uint64) -> np.uint64:
    """The first source that a node reads, or what the output reads."""
    return np.uint64(program.genes[FIRST + source])


@inlined
def second_of(program: Small, source: np.uint64) -> np.uint64:
    """The second source of a node, which a gate of one input does not read."""
    return np.uint64(program.genes[SECOND + source])


@inlined
def gate_of(program: Small, source: np.uint64) -> np.uint64:
    """The gate of a node."""
    return np.uint64(program.genes[GATE + source])


@inlined
def nodes_of(program: Small, sources: np.uint64) -> np.uint64:
    """The nodes in a set of sources, without inputs and output."""
    return np.uint64(sources & program.above & ~(_ONE << OUTPUT))
