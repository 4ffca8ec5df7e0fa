"""Levels and sub-levels of conjunctions, watched iteration by iteration (proofs of Theorems 3 and 6).

A program is at level i if its output depends on i inputs. It is at sub-level i+ if some connection
of an active node, or the output's, can be redirected to an unused input so that the level rises,
else at i-. With unlimited reach a program is at i- exactly if its i - 1 active gates form a tree:
each further active gate makes one source read twice, and one of the two readers is then free. So
i+ means a surplus of active gates that contribute nothing to fitness.

The loop is the (1+1) CGP with the search's own mutation, selection and stream, so that what is
watched is the run that `evolve` makes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.core import ACCEPTED, OFFSPRING, RANK, Core, drop_child, keep_child, mark_active
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.mutation import mutate
from gatewalk.cgp.rule import Rule, accepts
from gatewalk.cgp.table import Table, evaluate
from gatewalk.jit import Int, kernel

STAY, OTHER, UP, DOWN = range(4)  # what an iteration did: other is the other sub-level of the same level
TRACE_ROOM = 4096
TRACE_COLUMNS = ("iteration", "rank", "level", "plus", "gates", "accepted")


class Tally(NamedTuple):
    """Counts over iterations, by level and sub-level (0 is i-, 1 is i+) before each iteration.

    moves: what the iteration did. neutral: equally fit offspring accepted. surplus: active gates
    beyond level - 1, summed. first: offspring made when a level was first seen, -1 if never.
    """

    moves: NDArray[np.int64]
    neutral: NDArray[np.int64]
    surplus: NDArray[np.int64]
    first: NDArray[np.int64]


class Trace(NamedTuple):
    """Rows of TRACE_COLUMNS and when to write one: at improvements, at powers of two, every k-th."""

    rows: NDArray[np.int64]
    used: NDArray[np.int64]
    improvements: bool
    powers: bool
    every: int


class Look(NamedTuple):
    """Room to look at programs: marks of active nodes, and a stamp per input instead of clearing."""

    active: NDArray[np.uint8]
    child_active: NDArray[np.uint8]
    scratch: NDArray[np.uint8]
    seen: NDArray[np.int64]
    stamp: NDArray[np.int64]


def tally_of(inputs: int) -> Tally:
    """Empty counts for levels 0 to n."""
    return Tally(
        np.zeros((inputs + 1, 2, 4), dtype=np.int64),
        np.zeros((inputs + 1, 2), dtype=np.int64),
        np.zeros((inputs + 1, 2), dtype=np.int64),
        np.full(inputs + 1, -1, dtype=np.int64),
    )


def trace_of(*, improvements: bool = False, powers: bool = False, every: int = 0) -> Trace:
    """An empty trace that records at these moments."""
    return Trace(
        np.zeros((TRACE_ROOM, len(TRACE_COLUMNS)), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        improvements,
        powers,
        every,
    )


def look_of(layout: Layout) -> Look:
    """Room for programs of this layout."""
    nodes = layout.nodes + 1
    return Look(
        np.zeros(nodes, dtype=np.uint8),
        np.zeros(nodes, dtype=np.uint8),
        np.zeros(nodes, dtype=np.uint8),
        np.zeros(layout.inputs, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


@kernel
def level_and_gates(
    layout: Layout, genes: NDArray[np.int64], active: NDArray[np.uint8], look: Look
) -> tuple[Int, Int]:
    """Inputs in reach of an output, and active gates; the inputs are stamped in `look.seen`."""
    look.stamp[0] += 1
    stamp = look.stamp[0]
    level = np.int64(0)
    gates = np.int64(0)
    for output in range(layout.outputs):
        source = genes[layout.nodes * layout.block + output]
        if source < layout.inputs and look.seen[source] != stamp:
            look.seen[source] = stamp
            level += 1
    for node in range(layout.nodes):
        if active[node]:
            gates += 1
            first = node * layout.block
            for argument in range(layout.arities[genes[first]]):
                source = genes[first + 1 + argument]
                if source < layout.inputs and look.seen[source] != stamp:
                    look.seen[source] = stamp
                    level += 1
    return level, gates


@kernel
def in_reach(layout: Layout, gene: Int, source: Int) -> bool:
    """Is this input a valid value of the gene?"""
    skip_from = layout.skip_from[gene]
    return bool(source < skip_from or source >= skip_from + layout.skip[gene])


@kernel
def free_connections(
    layout: Layout, genes: NDArray[np.int64], active: NDArray[np.uint8], look: Look, most: Int
) -> Int:
    """Connections that can be redirected to an unused input so that the level rises, counted up to `most`.

    By the definition: each connection of an active node and of the output is tried with the first
    unused input in its reach. Restores the genes.
    """
    level, _ = level_and_gates(layout, genes, active, look)
    used = look.seen == look.stamp[0]
    found = np.int64(0)
    for gene in range(genes.size):
        owner = layout.owner[gene]
        if not active[owner] or (owner < layout.nodes and gene % layout.block == 0):
            continue
        unused: Int = np.int64(-1)
        for source in range(layout.inputs):
            if not used[source] and in_reach(layout, gene, source):
                unused = source
                break
        if unused < 0:
            continue
        old = genes[gene]
        genes[gene] = unused
        mark_active(layout, genes, look.scratch)
        raised, _ = level_and_gates(layout, genes, look.scratch, look)
        genes[gene] = old
        if raised > level:
            found += 1
            if found >= most:
                break
    return found


@kernel
def is_plus(
    layout: Layout,
    genes: NDArray[np.int64],
    active: NDArray[np.uint8],
    look: Look,
    level: Int,
    gates: Int,
    limited: bool,
) -> Int:
    """1 at i+, 0 at i-; `limited` reach needs the definition, unlimited reach only a count."""
    if gates <= level - 1 or level == layout.inputs:
        return np.int64(0)
    if not limited:
        return np.int64(1)
    return free_connections(layout, genes, active, look, np.int64(1))


@kernel
def write_row(
    trace: Trace, core: Core, level: Int, plus: Int, gates: Int, accepted: bool, improved: bool, always: bool
) -> None:
    """Write a row of the trace if this is a moment to record; the caller sees to it that there is room."""
    time = core.counters[OFFSPRING]
    wanted = always or (trace.improvements and improved)
    wanted = wanted or (trace.powers and time & (time - 1) == 0)
    if wanted or (trace.every > 0 and time % trace.every == 0):
        row = trace.rows[trace.used[0]]
        row[0], row[1], row[2], row[3], row[4] = time, core.counters[RANK], level, plus, gates
        row[5] = 1 if accepted else 0
        trace.used[0] += 1


@kernel
def watch(
    core: Core,
    layout: Layout,
    rule: Rule,
    look: Look,
    table: Table,
    by_level: bool,
    limited: bool,
    tally: Tally,
    trace: Trace,
    limit: Int,
) -> None:
    """Walk as the (1+1) CGP does until solved, until `limit` offspring, or until the trace is full.

    `by_level`: the rank is n - level (conjunctions on complete sets), else the mismatches in `table`.
    """
    counters = core.counters
    mark_active(layout, core.genes, look.active)
    level, gates = level_and_gates(layout, core.genes, look.active, look)
    plus = is_plus(layout, core.genes, look.active, look, level, gates, limited)
    while counters[RANK] > 0 and counters[OFFSPRING] < limit and trace.used[0] < trace.rows.shape[0] - 1:
        touched = mutate(core, layout, look.active, rule.mutation, rule.strength)
        mark_active(layout, core.child, look.child_active)
        new_level, new_gates = level_and_gates(layout, core.child, look.child_active, look)
        if by_level:
            rank = layout.inputs - new_level
        else:
            rank = evaluate(layout, core.child, look.child_active, table)
        counters[OFFSPRING] += 1
        tally.surplus[level, plus] += gates - max(0, level - 1)
        accepted = accepts(core.stream, rule, counters[RANK], rank, 1)
        improved = False
        move = STAY
        if accepted:
            if rank == counters[RANK]:
                tally.neutral[level, plus] += 1
            improved = rank < counters[RANK]
            keep_child(core, touched)
            look.active[:] = look.child_active
            counters[RANK] = rank
            counters[ACCEPTED] += 1
            new_plus = is_plus(layout, core.genes, look.active, look, new_level, new_gates, limited)
            if new_level > level:
                move = UP
            elif new_level < level:
                move = DOWN
            elif new_plus != plus:
                move = OTHER
        else:
            drop_child(core, touched)
        tally.moves[level, plus, move] += 1
        if accepted:
            level, gates, plus = new_level, new_gates, new_plus
            if tally.first[level] < 0:
                tally.first[level] = counters[OFFSPRING]
        write_row(trace, core, level, plus, gates, accepted, improved, rank == 0 and accepted)
