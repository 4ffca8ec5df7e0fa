"""A program while a kernel changes it: the parent, the offspring made from it, and what is different.

There are two representations behind the same functions: `small` (n + D up to 63 sources, sets of sources are
words) and `large` (any size, changes are listed). Both have arrays `genes` (the offspring) and `parent`, in
which gene g of the genotype is at the index places[g], and `slots`: for every gene a *slot*, a word with all
that a mutation needs to know about it:

    bits 0-23   the index of the gene in these arrays
    bits 24-43  the source number of the node that it belongs to, its owner
    bits 44-63  how many other valid values it has

A gene that has no other valid value is written to an index that is never read, and its owner is a source that
is never active. (If SAM ends when an active gene is *picked*, its owner is its node all the same.) So a
mutation need not check whether a gene can change, a branch that the processor could not predict.

The other fields: far: whether genes of this shape skip values (`Ranges`); skip_from, skip: which values, at
the index of the gene; kinds: for every gene whether it is a function, a connection or an output (`slots`);
inputs, nodes, outputs, arity: their numbers, and how many connections a node has.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp import large, small
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Large
from gatewalk.cgp.observers import on_change
from gatewalk.cgp.slots import gene_of, others_of
from gatewalk.cgp.small import Small
from gatewalk.native.jit import by_kind, inlined
from gatewalk.native.stream import Registers, below_from, pick

Program = Small | Large
_ZERO = np.uint64(0)


class Changes(NamedTuple):
    """What a mutation did to the offspring.

    touched: in a small program the nodes with new genes, as bits; in a large one the number of genes listed.
    hits: the same for nodes that are active in the parent; 0 if nothing that the parent uses was changed.
    steps: the elementary steps.
    """

    touched: np.uint64
    hits: np.uint64
    steps: np.uint64


# touch(program, touched, slot): note that the gene of a slot was written; returns the new `Changes.touched`.
# hit(program, hits, slot): note that this gene is active in the parent; returns the new `Changes.hits`.
touch: Any = by_kind({Small: small.touch, Large: large.touch})
hit: Any = by_kind({Small: small.touch, Large: large.hit})
# copy_changed(to, source, program, changes): copy at least the genes that the changes name.
copy_changed: Any = by_kind({Small: small.copy_changed, Large: large.copy_changed})


@inlined
def keep_child(program: Program, changes: Changes) -> None:
    """The offspring becomes the parent."""
    copy_changed(program.parent, program.genes, program, changes)


@inlined
def drop_child(program: Program, changes: Changes) -> None:
    """The offspring becomes a copy of the parent again."""
    copy_changed(program.genes, program.parent, program, changes)


@inlined
def new_value(
    program: Program, slot: np.uint64, current: np.uint64, spare: np.uint64, registers: Registers
) -> tuple[np.uint64, Registers]:
    """NewValue (Algorithm 2): uniform over the valid values other than the current one, if there are any.

    `spare` is a random half word that nothing else uses.
    """
    value, registers = below_from(registers, spare, others_of(slot))
    if program.far:
        place = gene_of(slot)
        skip_from, skip = program.skip_from[place], program.skip[place]
        if current >= skip_from:
            current -= skip
        value += np.uint64(value >= current)
        if value >= skip_from:
            value += skip
    else:
        value += np.uint64(value >= current)
    return value, registers


@inlined
def change(
    program: Program,
    touched: np.uint64,
    slot: np.uint64,
    spare: np.uint64,
    registers: Registers,
    observer: Any,
) -> tuple[np.uint64, Registers]:
    """Give the gene of a slot a new value; returns `Changes.touched`."""
    place = gene_of(slot)
    old = np.uint64(program.genes[place])
    value, registers = new_value(program, slot, old, spare, registers)
    program.genes[place] = value
    on_change(observer, place, old, value)
    return touch(program, touched, slot), registers


@inlined
def draw_program(program: Program, layout: Layout, registers: Registers) -> Registers:
    """Draw every gene of the offspring uniformly from its valid values, in order.

    A gene with one valid value takes no random number.
    """
    for gene in range(layout.choices.size):
        count, value = np.uint64(layout.choices[gene]), _ZERO
        if count > np.uint64(1):
            value, _, registers = pick(registers, count)
        if value >= np.uint64(layout.skip_from[gene]):
            value += np.uint64(layout.skip[gene])
        program.genes[program.places[gene]] = value
    return registers


@inlined
def write_program(program: Program, genes: NDArray[np.int32]) -> None:
    """Copy a program in, as the offspring."""
    for gene in range(genes.size):
        program.genes[program.places[gene]] = genes[gene]


@inlined
def read_parent(program: Program, genes: NDArray[np.int32]) -> None:
    """Copy the parent out."""
    for gene in range(genes.size):
        genes[gene] = program.parent[program.places[gene]]


@inlined
def keep_whole(program: Program) -> None:
    """Copy all genes of the offspring to the parent."""
    for place in range(program.parent.size):
        program.parent[place] = program.genes[place]


@inlined
def drop_whole(program: Program) -> None:
    """Copy all genes of the parent to the offspring."""
    for place in range(program.parent.size):
        program.genes[place] = program.parent[place]
