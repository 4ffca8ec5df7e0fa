"""Evaluation on packed truth tables, only from the changed places to the root.

Every inner node has a row of words with its value on all training rows; the first rows hold the
terminals. A node is computed again into a fresh row and compared with its old one: if they are
equal, nothing above it has to be. A rejected offspring gives its fresh rows back, an accepted one
the rows that they replaced, so nothing is ever copied. Rows are needed for the tree and for the
longest path of an offspring; if they run out the kernel says so, and the caller makes more.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import Gate, GateSet
from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.errors import InputError
from gatewalk.jit import Int, inlined, outlined
from gatewalk.popcount import popcount
from gatewalk.tgp.law import TgpLaw
from gatewalk.tgp.terminals import TerminalSet, terminal_words
from gatewalk.tgp.tree import (
    CLEAN,
    DROPS,
    GATE,
    LEAVES,
    LEFT,
    MARK,
    NOWHERE,
    OLD_LEAVES,
    OWNED,
    PARENT,
    RIGHT,
    ROOT,
    ROW,
    TERMINAL,
    TOUCHED,
    Tree,
    marked_child,
    note_drop,
    open_journal,
    write_inner,
)

FREE, TAKEN, ROOT_ROW = range(3)  # places in `counts`
NO_ROOM = -1
LARGEST_BYTES = 4 << 30
_BLOCK = 128  # words counted before looking whether it is enough

_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
_ZERO = np.uint64(0)


class Table(NamedTuple):
    """rows: words of values. free, taken: stacks of rows not in use, and fresh in this offspring.

    counts: heights of the stacks; the row of the parent's root. gates: see `gate_words`.
    probes: see `probed_words`. hint: a word at which this offspring has changed a node, or NOWHERE.
    wanted, mask: the target's words, and which bits of the last one are training rows.
    """

    rows: NDArray[np.uint64]
    free: NDArray[np.int64]
    taken: NDArray[np.int64]
    counts: NDArray[np.int64]
    gates: NDArray[np.uint64]
    probes: NDArray[np.int64]
    hint: NDArray[np.int64]
    wanted: NDArray[np.uint64]
    mask: np.uint64
    empty_rank: int


def gate_words(gate: Gate) -> tuple[int, int, int, int]:
    """(1, x, y, z) for a gate ((a ^ x) & (b ^ y)) ^ z, (0, x, y, z) for (a & x) ^ (b & y) ^ z.

    Every function of two inputs is one of these, the first if it has an odd number of ones.
    """
    for kind, x, y, z in product((1, 0), (0, 1), (0, 1), (0, 1)):
        pairs = [(r & 1, r >> 1) for r in range(4)]
        values = [((a ^ x) & (b ^ y)) ^ z if kind else (a & x) ^ (b & y) ^ z for a, b in pairs]
        if sum(value << r for r, value in enumerate(values)) == gate.table:
            full = int(_ALL)
            return kind, x * full, y * full, z * full
    raise AssertionError(f"gate {gate.name} is not a function of two inputs")


def probed_words(words: int) -> NDArray[np.int64]:
    """Words that hold, on complete tables, the rows all ones or all zeros but for one input.

    Two different conjunctions differ on one of the former rows, two disjunctions on the latter.
    """
    last = words - 1
    powers = [1 << j for j in range(last.bit_length())]
    probes = [last, *(last - power for power in powers), 0, *powers]
    return np.array([word for word in dict.fromkeys(probes) if 0 <= word < words], dtype=np.int64)


def table_of(
    training: TrainingSet, gates: GateSet, terminals: TerminalSet, law: TgpLaw, *, nodes: int
) -> Table:
    """Room for the values of so many inner nodes on a training set."""
    leaves = terminal_words(terminals, training.inputs)
    rows = _aligned(len(terminals) + nodes, leaves.shape[1])
    rows[: len(terminals)] = leaves
    ones = int(np.bitwise_count(training.outputs).sum())
    table = Table(
        rows,
        np.zeros(rows.shape[0], dtype=np.int64),
        np.zeros(rows.shape[0], dtype=np.int64),
        np.zeros(3, dtype=np.int64),
        np.array([gate_words(gate) for gate in gates.gates], dtype=np.uint64),
        probed_words(leaves.shape[1]),
        np.full(1, NOWHERE, dtype=np.int64),
        training.outputs[0],
        np.uint64(last_mask(training.rows)),
        training.rows - ones if law.empty == "true" else ones,
    )
    release_all(table, len(terminals))
    return table


def _aligned(rows: int, words: int) -> NDArray[np.uint64]:
    """Rows that begin at a line of the processor's cache, which makes reading them a tenth faster."""
    line = 64 // 8
    memory = np.empty(rows * words + line, dtype=np.uint64)
    first = -(memory.ctypes.data // 8) % line
    return memory[first : first + rows * words].reshape(rows, words)


def with_more_rows(table: Table) -> Table:
    """The same values with twice the rows."""
    had = table.rows.shape[0]
    if 2 * table.rows.nbytes > LARGEST_BYTES:
        raise InputError(
            f"the tree has grown to about {had:,} gates, and the tables of twice as many would take over "
            f"{LARGEST_BYTES >> 30} GiB: limit it by the tree option size_limit, or use --training sample"
        )
    rows = _aligned(2 * had, table.rows.shape[1])
    rows[:had] = table.rows
    free = np.zeros(2 * had, dtype=np.int64)
    free[:had] = table.free
    height = int(table.counts[FREE])
    free[height : height + had] = np.arange(2 * had - 1, had - 1, -1)
    table.counts[FREE] += had
    return table._replace(rows=rows, free=free, taken=np.zeros(2 * had, dtype=np.int64))


def release_all(table: Table, terminals: int) -> None:
    """Make every row free but those of the terminals, low ones first in use."""
    height = table.rows.shape[0] - terminals
    table.free[:height] = np.arange(table.rows.shape[0] - 1, terminals - 1, -1)
    table.counts[:] = (height, 0, NOWHERE)


@inlined
def _value(gate: NDArray[np.uint64], a: np.uint64, b: np.uint64) -> np.uint64:
    if gate[0] == _ZERO:
        return np.uint64((a & gate[1]) ^ (b & gate[2]) ^ gate[3])
    return np.uint64(((a ^ gate[1]) & (b ^ gate[2])) ^ gate[3])


@outlined
def _compute(rows: NDArray[np.uint64], left: Int, right: Int, gate: NDArray[np.uint64], fresh: Int) -> None:
    """Compute a gate on two rows into a third."""
    a, b, new = rows[left], rows[right], rows[fresh]
    x, y, z = gate[1], gate[2], gate[3]
    if gate[0] == _ZERO:
        for w in range(new.size):
            new[w] = (a[w] & x) ^ (b[w] & y) ^ z
    else:
        for w in range(new.size):
            new[w] = ((a[w] ^ x) & (b[w] ^ y)) ^ z


@outlined
def _differs(
    rows: NDArray[np.uint64],
    left: Int,
    right: Int,
    gate: NDArray[np.uint64],
    former: Int,
    probes: NDArray[np.int64],
) -> Int:
    """A word at which a gate's value is not the former; NOWHERE if it is equal. The probes mostly tell."""
    a, b, old = rows[left], rows[right], rows[former]
    for probe in range(probes.size):
        w = probes[probe]
        if _value(gate, a[w], b[w]) != old[w]:
            return np.int64(w)
    x, y, z = gate[1], gate[2], gate[3]
    difference = _ZERO
    if gate[0] == _ZERO:
        for w in range(old.size):
            difference |= (a[w] & x) ^ (b[w] & y) ^ z ^ old[w]
    else:
        for w in range(old.size):
            difference |= ((a[w] ^ x) & (b[w] ^ y)) ^ z ^ old[w]
    return np.int64(0) if difference != _ZERO else np.int64(NOWHERE)


@outlined
def _mismatches(value: NDArray[np.uint64], wanted: NDArray[np.uint64], mask: np.uint64) -> Int:
    wrong: Int = 0
    last = wanted.size - 1
    for w in range(last):
        wrong += popcount(value[w] ^ wanted[w])
    return wrong + popcount((value[last] ^ wanted[last]) & mask)


@outlined
def _block_mismatches(
    a: NDArray[np.uint64], b: NDArray[np.uint64], gate: NDArray[np.uint64], wanted: NDArray[np.uint64]
) -> Int:
    x, y, z = gate[1], gate[2], gate[3]
    wrong: Int = 0
    if gate[0] == _ZERO:
        for w in range(wanted.size):
            wrong += popcount((a[w] & x) ^ (b[w] & y) ^ z ^ wanted[w])
    else:
        for w in range(wanted.size):
            wrong += popcount(((a[w] ^ x) & (b[w] ^ y)) ^ z ^ wanted[w])
    return wrong


@inlined
def _gate_mismatches(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    gate: NDArray[np.uint64],
    wanted: NDArray[np.uint64],
    mask: np.uint64,
    limit: Int,
) -> Int:
    """Mismatches of a gate's value, which is not stored; counting ends soon after the limit is passed."""
    high = wanted.size - 1
    wrong: Int = popcount((_value(gate, a[high], b[high]) ^ wanted[high]) & mask)
    while high > 0 and wrong <= limit:
        low = max(0, high - _BLOCK)
        wrong += _block_mismatches(a[low:high], b[low:high], gate, wanted[low:high])
        high = low
    return wrong


@inlined
def row_of(tree: Tree, child: Int) -> Int:
    """Where the value of a child is."""
    return np.int64(tree.inner[child, ROW]) if child >= 0 else np.int64(tree.leaf[-1 - child, TERMINAL])


@inlined
def _has_changed(tree: Tree, table: Table, node: Int) -> bool:
    """Whether the value of a touched node is not the one that its parent has last read.

    Where one node has changed, those above it mostly have too: that word becomes the only probe.
    """
    probes = table.probes if table.hint[0] == NOWHERE else table.hint
    word = _differs(
        table.rows,
        row_of(tree, np.int64(tree.inner[node, LEFT])),
        row_of(tree, np.int64(tree.inner[node, RIGHT])),
        table.gates[np.int64(tree.inner[node, GATE])],
        np.int64(tree.inner[node, ROW]),
        probes,
    )
    if word != NOWHERE:
        table.hint[0] = word
    return bool(word != NOWHERE)


@inlined
def _compute_node(tree: Tree, table: Table, node: Int) -> None:
    """Compute a node into a fresh row, of which there must be one."""
    if tree.inner[node, OWNED]:
        note_drop(tree, np.int64(tree.inner[node, ROW]))
    table.counts[FREE] -= 1
    fresh = table.free[table.counts[FREE]]
    table.taken[table.counts[TAKEN]] = fresh
    table.counts[TAKEN] += 1
    _compute(
        table.rows,
        row_of(tree, np.int64(tree.inner[node, LEFT])),
        row_of(tree, np.int64(tree.inner[node, RIGHT])),
        table.gates[np.int64(tree.inner[node, GATE])],
        fresh,
    )
    write_inner(tree, node, ROW, fresh)
    write_inner(tree, node, OWNED, 1)


@inlined
def _root_mismatches(tree: Tree, table: Table, limit: Int) -> Int:
    """Mismatches of a root that is an inner node and not computed yet."""
    root = tree.info[ROOT]
    return _gate_mismatches(
        table.rows[row_of(tree, np.int64(tree.inner[root, LEFT]))],
        table.rows[row_of(tree, np.int64(tree.inner[root, RIGHT]))],
        table.gates[np.int64(tree.inner[root, GATE])],
        table.wanted,
        table.mask,
        limit,
    )


@inlined
def _compute_below_root(tree: Tree, table: Table) -> bool:
    """Compute what is touched below the root and clear all marks but the root's. False: out of rows."""
    root = tree.info[ROOT]
    node = root
    while True:
        below = marked_child(tree, node)
        if below != NOWHERE:
            node = below
            continue
        if node == root:
            return True
        changed = False
        if tree.inner[node, MARK] == TOUCHED:
            if table.counts[FREE] == 0:
                return False
            changed = _has_changed(tree, table, node)
            if changed or not tree.inner[node, OWNED]:
                _compute_node(tree, table, node)
        tree.inner[node, MARK] = CLEAN
        node = np.int64(tree.inner[node, PARENT])
        if changed:
            tree.inner[node, MARK] = TOUCHED


@inlined
def evaluate(tree: Tree, table: Table, parent_rank: Int, limit: Int) -> Int:
    """The mismatches of the offspring, all its marks cleared; NO_ROOM if rows ran out half-way.

    If there are more than the limit, it is only known that there are, and the root has no value.
    """
    if tree.info[LEAVES] == 0:
        return table.empty_rank
    table.hint[0] = NOWHERE
    root = tree.info[ROOT]
    same = tree.info[OLD_LEAVES] > 0 and row_of(tree, root) == table.counts[ROOT_ROW]
    if root >= 0 and tree.inner[root, MARK] != CLEAN:
        if not _compute_below_root(tree, table) or table.counts[FREE] == 0:
            return NO_ROOM
        touched = tree.inner[root, MARK] == TOUCHED
        tree.inner[root, MARK] = CLEAN
        if touched:
            changed = _has_changed(tree, table, root)
            rank = parent_rank if same and not changed else _root_mismatches(tree, table, limit)
            if rank <= limit and (changed or not tree.inner[root, OWNED]):
                _compute_node(tree, table, root)
            return rank
    if same:
        return parent_rank
    return _mismatches(table.rows[row_of(tree, root)], table.wanted, table.mask)


@inlined
def keep_rows(tree: Tree, table: Table) -> None:
    """The offspring was accepted: free the rows that it replaced."""
    height = table.counts[FREE]
    for place in range(tree.info[DROPS]):
        table.free[height + place] = tree.drops[place]
    table.counts[FREE] = height + tree.info[DROPS]
    table.counts[TAKEN] = 0
    table.counts[ROOT_ROW] = row_of(tree, tree.info[ROOT]) if tree.info[LEAVES] > 0 else NOWHERE


@inlined
def drop_rows(table: Table) -> None:
    """The offspring was rejected: free the rows that it took."""
    height = table.counts[FREE]
    for place in range(table.counts[TAKEN]):
        table.free[height + place] = table.taken[place]
    table.counts[FREE] = height + table.counts[TAKEN]
    table.counts[TAKEN] = 0


@outlined
def compute_all(tree: Tree, table: Table) -> Int:
    """The mismatches of a tree none of whose nodes has a value yet; NO_ROOM if rows ran out."""
    open_journal(tree)
    tree.info[OLD_LEAVES] = 0
    for node in range(tree.info[LEAVES] - 1):
        tree.inner[node, ROW] = 0
        tree.inner[node, OWNED] = 0
        tree.inner[node, MARK] = TOUCHED
    rank = evaluate(tree, table, 0, np.iinfo(np.int64).max)
    keep_rows(tree, table)
    return rank
