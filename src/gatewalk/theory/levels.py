"""Levels and sub-levels of conjunctions, watched iteration by iteration (proofs of Theorems 3 and 6).

A program is at level i if its output depends on i inputs. It is at sub-level i+ if some connection
of an active node, or the output's, can be redirected to an unused input so that the level rises,
else at i-. With unlimited reach a program is at i- exactly if its i - 1 active gates form a tree:
each further active gate makes one source read twice, and one of the two readers is then free. So
i+ means a surplus of active gates that contribute nothing to fitness.

`LevelObserver` is an observer that is compiled into the loop of the search (`gatewalk.cgp.observing`), so the
run that is watched is the same run that `evolve` makes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.judges.table import mark_active
from gatewalk.cgp.large import Genes, Large
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.observing import register
from gatewalk.native.jit import Int, hot_kernel, inlined

STAY, OTHER, UP, DOWN = range(4)  # where an iteration led; OTHER: to the other sub-level of the same level
LEVEL, GATES, PLUS = range(3)  # places in `LevelObserver.place`
TRACE_ROWS = 4096
TRACE_COLUMNS = ("iteration", "rank", "level", "plus", "gates", "accepted")
Marks = NDArray[np.uint8]


class LevelTally(NamedTuple):
    """Counts over iterations, by the level and sub-level (0 is i-, 1 is i+) before each iteration.

    moves: how many iterations stayed, changed the sub-level, rose or fell. neutral: how many equally fit
    offspring were accepted. surplus: the active gates beyond level - 1, summed over iterations. first: how
    many offspring had been made when the level was first seen; -1 if it never was.
    """

    moves: NDArray[np.int64]
    neutral: NDArray[np.int64]
    surplus: NDArray[np.int64]
    first: NDArray[np.int64]


class Trace(NamedTuple):
    """Rows of TRACE_COLUMNS, and when to write one: at improvements, powers of two, or every k iterations."""

    rows: NDArray[np.int64]
    used: NDArray[np.int64]
    improvements: bool
    powers: bool
    every: int


class Workspace(NamedTuple):
    """Arrays that are used again for every program: marks of active sources (`mark_active`) and used inputs.

    scratch: marks while a connection is tried. seen, stamp: input i has been seen if seen[i] equals the
    stamp, so nothing has to be cleared.
    """

    active: Marks
    scratch: Marks
    used: Marks
    seen: NDArray[np.int64]
    stamp: NDArray[np.int64]


class LevelObserver(NamedTuple):
    """An observer of levels.

    limited: whether connections do not reach all inputs. place: the level, the number of active gates and the
    sub-level of the parent.
    """

    layout: Layout
    limited: bool
    place: NDArray[np.int64]
    workspace: Workspace
    tally: LevelTally
    trace: Trace


def level_tally_of(inputs: int) -> LevelTally:
    """Empty counts for levels 0 to n."""
    return LevelTally(
        np.zeros((inputs + 1, 2, 4), dtype=np.int64),
        np.zeros((inputs + 1, 2), dtype=np.int64),
        np.zeros((inputs + 1, 2), dtype=np.int64),
        np.full(inputs + 1, -1, dtype=np.int64),
    )


def empty_trace(*, improvements: bool = False, powers: bool = False, every: int = 0) -> Trace:
    """An empty trace that is written at these moments."""
    return Trace(
        np.zeros((TRACE_ROWS, len(TRACE_COLUMNS)), dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        improvements,
        powers,
        every,
    )


def workspace_of(layout: Layout) -> Workspace:
    """A workspace for programs of this layout."""
    active, scratch = np.zeros((2, layout.inputs + layout.nodes + 2), dtype=np.uint8)
    return Workspace(
        active,
        scratch,
        np.zeros(layout.inputs, dtype=np.uint8),
        np.zeros(layout.inputs, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
    )


def level_observer(layout: Layout, trace: Trace, *, limited: bool) -> LevelObserver:
    """An observer that has counted nothing yet. limited: whether connections do not reach all inputs."""
    place = np.zeros(3, dtype=np.int64)
    return LevelObserver(layout, limited, place, workspace_of(layout), level_tally_of(layout.inputs), trace)


def see_start(observer: LevelObserver, genes: Genes, rank: int) -> None:
    """Show the observer the first parent and its rank, which make the first row of the trace."""
    find_place(observer.layout, genes, observer.workspace, observer.limited, observer.place)
    level, gates, plus = observer.place.tolist()
    observer.tally.first[level] = 0
    observer.trace.rows[0] = (0, rank, level, plus, gates, 1)
    observer.trace.used[0] = 1


def take_rows(trace: Trace) -> NDArray[np.int64]:
    """The rows written since the last call; the trace is empty afterwards."""
    rows = trace.rows[: trace.used[0]].copy()
    trace.used[0] = 0
    return rows


@hot_kernel
def level_and_gates(layout: Layout, genes: Genes, active: Marks, workspace: Workspace) -> tuple[Int, Int]:
    """The inputs connected to an output and the active gates, counted; the inputs are stamped as seen."""
    workspace.stamp[0] += 1
    stamp = workspace.stamp[0]
    level = np.int64(0)
    gates = np.int64(0)
    for output in range(layout.outputs):
        source = genes[layout.nodes * layout.block + output]
        if source < layout.inputs and workspace.seen[source] != stamp:
            workspace.seen[source] = stamp
            level += 1
    for node in range(layout.nodes):
        if active[layout.inputs + node]:
            gates += 1
            first = node * layout.block
            for argument in range(layout.arities[genes[first]]):
                source = genes[first + 1 + argument]
                if source < layout.inputs and workspace.seen[source] != stamp:
                    workspace.seen[source] = stamp
                    level += 1
    return level, gates


@inlined
def in_reach(layout: Layout, gene: Int, source: Int) -> bool:
    """Whether this input is a valid value of the gene."""
    skip_from = layout.skip_from[gene]
    return bool(source < skip_from or source >= skip_from + layout.skip[gene])


@hot_kernel
def free_connections(layout: Layout, genes: Genes, active: Marks, workspace: Workspace, most: Int) -> Int:
    """Count, up to `most`, the connections that can be redirected to an unused input so that the level rises.

    This follows the definition: each connection of an active node and of the output is tried with the first
    unused input in its reach. The genes are restored.
    """
    level, _ = level_and_gates(layout, genes, active, workspace)
    for source in range(layout.inputs):
        workspace.used[source] = workspace.seen[source] == workspace.stamp[0]
    found = np.int64(0)
    for gene in range(layout.owner.size):
        owner = layout.owner[gene]
        if not active[layout.inputs + owner] or (owner < layout.nodes and gene % layout.block == 0):
            continue
        unused = np.int64(-1)
        for source in range(layout.inputs):
            if not workspace.used[source] and in_reach(layout, gene, source):
                unused = np.int64(source)
                break
        if unused < 0:
            continue
        old = genes[gene]
        genes[gene] = unused
        mark_active(layout, genes, workspace.scratch)
        raised, _ = level_and_gates(layout, genes, workspace.scratch, workspace)
        genes[gene] = old
        if raised > level:
            found += 1
            if found >= most:
                break
    return found


@inlined
def is_plus(
    layout: Layout, genes: Genes, active: Marks, workspace: Workspace, level: Int, gates: Int, limited: bool
) -> Int:
    """1 at i+, 0 at i-. With limited reach the definition is checked, else it is enough to count gates."""
    if gates <= level - 1 or level == layout.inputs:
        return np.int64(0)
    if not limited:
        return np.int64(1)
    return free_connections(layout, genes, active, workspace, np.int64(1))


@hot_kernel
def find_place(
    layout: Layout, genes: Genes, workspace: Workspace, limited: bool, place: NDArray[np.int64]
) -> None:
    """Write a program's level, active gates and sub-level to `place`."""
    mark_active(layout, genes, workspace.active)
    level, gates = level_and_gates(layout, genes, workspace.active, workspace)
    place[LEVEL], place[GATES] = level, gates
    place[PLUS] = is_plus(layout, genes, workspace.active, workspace, level, gates, limited)


@inlined
def is_moment(trace: Trace, iteration: np.int64, improved: bool, solved: bool) -> bool:
    """Whether to write a row now; the last iteration of a solved run is always written."""
    if solved or (trace.improvements and improved):
        return True
    if trace.powers and iteration & (iteration - 1) == 0:
        return True
    return bool(trace.every > 0 and iteration % trace.every == 0)


@inlined
def on_selection(
    observer: LevelObserver,
    program: Large,
    accepted: bool,
    before: np.int64,
    after: np.int64,
    offspring: np.int64,
) -> bool:
    """Count an iteration and write it to the trace if it is due; false if the trace is nearly full.

    One more row still fits then, because the loop may run one more generation before it stops.
    """
    place, tally, trace = observer.place, observer.tally, observer.trace
    level, gates, plus = place[LEVEL], place[GATES], place[PLUS]
    tally.surplus[level, plus] += gates - max(0, level - 1)
    move = STAY
    if accepted:
        if before == after:
            tally.neutral[level, plus] += 1
        find_place(observer.layout, program.parent, observer.workspace, observer.limited, place)
        if place[LEVEL] > level:
            move = UP
        elif place[LEVEL] < level:
            move = DOWN
        elif place[PLUS] != plus:
            move = OTHER
        if tally.first[place[LEVEL]] < 0:
            tally.first[place[LEVEL]] = offspring
    tally.moves[level, plus, move] += 1
    used = trace.used[0]
    if is_moment(trace, offspring, bool(after < before), bool(after == 0)):
        row = trace.rows[used]
        row[0], row[1], row[2], row[3] = offspring, after, place[LEVEL], place[PLUS]
        row[4], row[5] = place[GATES], np.int64(accepted)
        used += 1
        trace.used[0] = used
    return bool(used < trace.rows.shape[0] - 1)


register(LevelObserver, on_selection=on_selection)
