"""Single active-gene mutation: SAM (Algorithm 3; Goldman and Punch 2013), and its parts for `lean`.

Genes are drawn from the last `kinds` genes of each node, and from the outputs: all genes if `kinds`
is as many as a node has.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import STEPS, Core, change
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.lean import kind_and_rank
from gatewalk.cgp.new_value import new_value
from gatewalk.jit import Int, internal
from gatewalk.stream import pick

Active = NDArray[np.uint8]


@internal
def gene_at(layout: Layout, kinds: Int, node: Int, kind: Int) -> Int:
    """The gene of that kind of a node."""
    return (node + 1) * layout.block - kinds + kind


@internal
def sam(core: Core, layout: Layout, active: Active, kinds: Int, picked_ends: bool) -> Int:
    """Change random genes of the child until one active in the parent has changed.

    `picked_ends`: an active gene ends the loop when picked, changed or not. Returns the number
    of touched genes; every turn of the loop counts as an elementary step.
    """
    touched: Int = np.int64(0)
    while True:
        gene, value, ends = _step(core, layout, active, kinds, picked_ends)
        if value != core.child[gene]:
            touched = change(core, touched, gene, value)
        if ends:
            return touched


@internal
def drift(core: Core, layout: Layout, active: Active, kinds: Int, picked_ends: bool, touched: Int) -> Int:
    """As `sam`, but without the change that ends the loop."""
    while True:
        gene, value, ends = _step(core, layout, active, kinds, picked_ends)
        if ends:
            return touched
        if value != core.child[gene]:
            touched = change(core, touched, gene, value)


@internal
def _step(core: Core, layout: Layout, active: Active, kinds: Int, picked_ends: bool) -> tuple[Int, Int, bool]:
    """A gene, a new value for it, and whether that ends the loop."""
    gene, spare = picked_gene(core, layout, kinds)
    value = new_value(core.stream, layout, core.child, gene, spare)
    return gene, value, ends_loop(layout, active, gene, picked_ends)


@internal
def picked_gene(core: Core, layout: Layout, kinds: Int) -> tuple[Int, np.uint64]:
    """A uniform gene of those drawn from, and a random half word to spend on its new value."""
    of_nodes = layout.nodes * kinds
    choice, spare = pick(core.stream, np.uint64(of_nodes + layout.outputs))
    core.counters[STEPS] += 1
    gene: Int = np.int64(choice) - of_nodes + layout.nodes * layout.block
    if choice < np.uint64(of_nodes):
        gene = gene_at(layout, kinds, np.int64(choice) // kinds, np.int64(choice) % kinds)
    return gene, spare


@internal
def ends_loop(layout: Layout, active: Active, gene: Int, picked_ends: bool) -> bool:
    """Does the loop end when this gene is picked?"""
    return active[layout.owner[gene]] != 0 and (picked_ends or layout.choices[gene] > 1)


@internal
def _count_active(layout: Layout, active: Active) -> np.uint64:
    count = np.uint64(0)
    for node in range(layout.nodes):
        count += np.uint64(active[node])
    return count


@internal
def drawn_and_active(layout: Layout, active: Active, kinds: Int) -> tuple[np.uint64, np.uint64]:
    """How many genes are drawn from, and how many of these are active."""
    drawn = np.uint64(layout.nodes * kinds + layout.outputs)
    return drawn, np.uint64(kinds) * _count_active(layout, active) + np.uint64(layout.outputs)


@internal
def active_change(
    core: Core, layout: Layout, active: Active, kinds: Int, picked_ends: bool
) -> tuple[Int, Int]:
    """Change one uniform active gene; returns which, and the number of touched genes."""
    count = _count_active(layout, active)
    while True:
        choice, spare = pick(core.stream, np.uint64(kinds) * count + np.uint64(layout.outputs))
        gene: Int = np.int64(choice - np.uint64(kinds) * count) + layout.nodes * layout.block
        if choice < np.uint64(kinds) * count:
            kind, rank = kind_and_rank(np.uint64(kinds), choice, count)
            gene = gene_at(layout, kinds, _nth_active(active, np.int64(rank)), np.int64(kind))
        if picked_ends or layout.choices[gene] > 1:
            break
    value = new_value(core.stream, layout, core.child, gene, spare)
    if value == core.child[gene]:
        return gene, 0
    return gene, change(core, np.int64(0), gene, value)


@internal
def _nth_active(active: Active, rank: Int) -> Int:
    """The active node with so many active ones before it."""
    node = 0
    while active[node] == 0 or rank > 0:
        rank -= np.int64(active[node])
        node += 1
    return node


@internal
def leads_to_inactive(core: Core, layout: Layout, active: Active, gene: Int) -> bool:
    """Does the gene, or any connection of its node, lead to an inactive node?"""
    first, end = gene, gene + 1
    if gene < layout.nodes * layout.block:
        first = gene - gene % layout.block + 1
        end = first + layout.block - 1
    for place in range(first, end):
        source = core.child[place]
        if source >= layout.inputs and active[source - layout.inputs] == 0:
            return True
    return False


@internal
def ending_genes(layout: Layout, active: Active, kinds: Int, picked_ends: bool) -> Int:
    """How many genes end SAM's loop when picked."""
    ending: Int = 0
    for gene in range(layout.owner.size):
        is_drawn = gene >= layout.nodes * layout.block or gene % layout.block >= layout.block - kinds
        ending += np.int64(is_drawn and ends_loop(layout, active, gene, picked_ends))
    return ending
