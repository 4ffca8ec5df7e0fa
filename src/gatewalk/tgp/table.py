"""Evaluation of trees on packed truth tables, only from the changed nodes up to the root.

Every inner node has a row of words with its value on all rows of the training set; the first rows hold the
terminals. A changed node is computed into a fresh row and compared with its old one: if they are equal,
nothing above must be computed. A rejected offspring frees its fresh rows, an accepted one those that it
replaced, so nothing is ever copied. The tree and the changed paths of an offspring need rows; if they run
out, the kernel returns `NO_SPACE` and the caller provides more.

The words of a row are ordered such that the last few, its tail, mostly suffice to tell two functions apart.
Tails are computed first. If they differ, so do the rows; and an offspring whose root has too many mismatches
in the tail is rejected before the rest of its rows is computed. Only where tails are equal must the rest be
compared.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import Gate, GateSet
from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.errors import InputError
from gatewalk.native.bits import popcount
from gatewalk.native.jit import Int, inlined, internal
from gatewalk.tgp.tgp_search import TerminalSet, TgpLaw, terminal_words
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

FREE, TAKEN, COMPLETE, ROOT_ROW = range(4)  # indices into `Table.counts`
NO_SPACE = -1
LARGEST_BYTES = 4 << 30
_TAIL = 64  # words computed before the rest of a row
_BLOCK = 128  # words counted between two checks whether the limit is exceeded
_ZERO, _ALL = np.uint64(0), np.uint64(0xFFFF_FFFF_FFFF_FFFF)


class Table(NamedTuple):
    """The values of terminals and inner nodes on a training set.

    rows: a row of words for each value, in the order of `telling_order`.
    free, taken: stacks of the rows not in use, and of those that are fresh in this offspring.
    nodes: the node of each row in `taken`.
    counts: FREE and TAKEN, the heights of the stacks; COMPLETE, how many of the rows taken have more than
        their tail; ROOT_ROW, the row of the parent's root.
    gates: see `gate_words`.
    wanted, mask: the words of the target, and the bits of the last one that are rows of the training set.
    empty_rank: the mismatches of the empty program.
    """

    rows: NDArray[np.uint64]
    free: NDArray[np.int64]
    taken: NDArray[np.int64]
    nodes: NDArray[np.int64]
    counts: NDArray[np.int64]
    gates: NDArray[np.uint64]
    wanted: NDArray[np.uint64]
    mask: np.uint64
    empty_rank: int


@cache
def gate_words(gate: Gate) -> tuple[int, int, int, int]:
    """A gate as four words: (1, x, y, z) for ((a ^ x) & (b ^ y)) ^ z, (0, x, y, z) for (a & x) ^ (b & y) ^ z.

    Every function of two inputs has one of these forms, the first if it has an odd number of ones.
    """
    for kind, x, y, z in product((1, 0), (0, 1), (0, 1), (0, 1)):
        pairs = [(r & 1, r >> 1) for r in range(4)]
        values = [((a ^ x) & (b ^ y)) ^ z if kind else (a & x) ^ (b & y) ^ z for a, b in pairs]
        if sum(value << r for r, value in enumerate(values)) == gate.table:
            full = int(_ALL)
            return kind, x * full, y * full, z * full
    raise AssertionError(f"gate {gate.name} is not a function of two inputs")


def telling_order(words: int, mostly_ones: bool) -> NDArray[np.int64]:
    """An order of the words of a row, the most informative at the end; the last word stays the last.

    On complete tables any two different conjunctions differ on a row in which all inputs but one are 1, and
    conjunctions that are seldom true differ mostly where few inputs are 0; for disjunctions it is the
    reverse.
    """
    last = words - 1
    ones = np.bitwise_count(np.arange(last)).astype(np.int64)
    return np.append(np.argsort(-ones if mostly_ones else ones, kind="stable"), last)


def table_of(
    training: TrainingSet, gates: GateSet, terminals: TerminalSet, law: TgpLaw, *, nodes: int
) -> Table:
    """A table for the values of up to `nodes` inner nodes on a training set, with the terminals filled in."""
    leaves = terminal_words(terminals, training.inputs)
    rows = _aligned(len(terminals) + nodes, leaves.shape[1])
    ones = int(np.bitwise_count(training.outputs).sum())
    order = telling_order(leaves.shape[1], 2 * ones > training.rows)
    rows[: len(terminals)] = leaves[:, order]
    table = Table(
        rows,
        np.zeros(rows.shape[0], dtype=np.int64),
        np.zeros(rows.shape[0], dtype=np.int64),
        np.zeros(rows.shape[0], dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.array([gate_words(gate) for gate in gates.gates], dtype=np.uint64),
        training.outputs[0][order],
        np.uint64(last_mask(training.rows)),
        training.rows - ones if law.empty == "true" else ones,
    )
    release_all(table, len(terminals))
    return table


def _aligned(rows: int, words: int) -> NDArray[np.uint64]:
    """Rows of zeros that begin at a line of the processor's cache, which makes reading a tenth faster."""
    line = 64 // 8
    memory = np.empty(rows * words + line, dtype=np.uint64)
    first = -(memory.ctypes.data // 8) % line
    return memory[first : first + rows * words].reshape(rows, words)


def with_more_rows(table: Table) -> Table:
    """A table with the same values and twice as many rows."""
    had = table.rows.shape[0]
    if 2 * table.rows.nbytes > LARGEST_BYTES:
        raise InputError(
            f"the tree has grown to about {had:,} gates, and the tables of twice as many would take over "
            f"{LARGEST_BYTES >> 30} GiB; limit it by the tree option size_limit, or use --training sample"
        )
    rows = _aligned(2 * had, table.rows.shape[1])
    rows[:had] = table.rows
    free = np.zeros(2 * had, dtype=np.int64)
    free[:had] = table.free
    height = int(table.counts[FREE])
    free[height : height + had] = np.arange(2 * had - 1, had - 1, -1)
    table.counts[FREE] += had
    taken, nodes = np.zeros((2, 2 * had), dtype=np.int64)
    return table._replace(rows=rows, free=free, taken=taken, nodes=nodes)


def release_all(table: Table, terminals: int) -> None:
    """Make every row free but those of the terminals; rows with low numbers are taken first."""
    height = table.rows.shape[0] - terminals
    table.free[:height] = np.arange(table.rows.shape[0] - 1, terminals - 1, -1)
    table.counts[:] = (height, 0, 0, NOWHERE)


# Gates on rows of words, or on parts of them; a gate is given by its four words (`gate_words`).


@inlined
def tail_start(words: Int) -> Int:
    """The index at which the tail of a row of so many words begins."""
    return max(0, words - _TAIL)


@internal
def compute(
    a: NDArray[np.uint64], b: NDArray[np.uint64], gate: NDArray[np.uint64], new: NDArray[np.uint64]
) -> None:
    """new = gate(a, b)."""
    x, y, z = gate[1], gate[2], gate[3]
    if gate[0] == _ZERO:
        for w in range(new.size):
            new[w] = (a[w] & x) ^ (b[w] & y) ^ z
    else:
        for w in range(new.size):
            new[w] = ((a[w] ^ x) & (b[w] ^ y)) ^ z


@internal
def compute_tail(
    rows: NDArray[np.uint64], left: Int, right: Int, gate: NDArray[np.uint64], old: Int, fresh: Int
) -> bool:
    """Compute the tail of a gate on two rows into a fresh row; returns whether it differs from the old."""
    start = tail_start(rows.shape[1])
    a, b, former, new = rows[left, start:], rows[right, start:], rows[old, start:], rows[fresh, start:]
    x, y, z = gate[1], gate[2], gate[3]
    difference = _ZERO
    if gate[0] == _ZERO:
        for w in range(new.size):
            value = (a[w] & x) ^ (b[w] & y) ^ z
            difference |= value ^ former[w]
            new[w] = value
    else:
        for w in range(new.size):
            value = ((a[w] ^ x) & (b[w] ^ y)) ^ z
            difference |= value ^ former[w]
            new[w] = value
    return bool(difference != _ZERO)


@internal
def differs(
    a: NDArray[np.uint64], b: NDArray[np.uint64], gate: NDArray[np.uint64], old: NDArray[np.uint64]
) -> bool:
    """Whether gate(a, b), which is not stored, differs from the old words."""
    x, y, z = gate[1], gate[2], gate[3]
    difference = _ZERO
    if gate[0] == _ZERO:
        for w in range(old.size):
            difference |= (a[w] & x) ^ (b[w] & y) ^ z ^ old[w]
    else:
        for w in range(old.size):
            difference |= ((a[w] ^ x) & (b[w] ^ y)) ^ z ^ old[w]
    return bool(difference != _ZERO)


@internal
def mismatches(value: NDArray[np.uint64], wanted: NDArray[np.uint64], mask: np.uint64) -> Int:
    """The number of bits on which two rows differ; in the last word only those of the mask count."""
    wrong: Int = 0
    last = wanted.size - 1
    for w in range(last):
        wrong += popcount(value[w] ^ wanted[w])
    return wrong + popcount((value[last] ^ wanted[last]) & mask)


@internal
def compute_and_count(
    a: NDArray[np.uint64],
    b: NDArray[np.uint64],
    gate: NDArray[np.uint64],
    new: NDArray[np.uint64],
    wanted: NDArray[np.uint64],
) -> Int:
    """new = gate(a, b); returns the number of bits on which it differs from the wanted words."""
    x, y, z = gate[1], gate[2], gate[3]
    wrong: Int = 0
    if gate[0] == _ZERO:
        for w in range(wanted.size):
            value = (a[w] & x) ^ (b[w] & y) ^ z
            new[w] = value
            wrong += popcount(value ^ wanted[w])
    else:
        for w in range(wanted.size):
            value = ((a[w] ^ x) & (b[w] ^ y)) ^ z
            new[w] = value
            wrong += popcount(value ^ wanted[w])
    return wrong


# A tree and its rows.


@inlined
def row_of(tree: Tree, child: Int) -> Int:
    """The row with the value of a child."""
    return np.int64(tree.inner[child, ROW]) if child >= 0 else np.int64(tree.leaf[-1 - child, TERMINAL])


@inlined
def _inputs(tree: Tree, node: Int) -> tuple[Int, Int, Int]:
    """The rows of the children of a node, and its gate."""
    left = row_of(tree, np.int64(tree.inner[node, LEFT]))
    right = row_of(tree, np.int64(tree.inner[node, RIGHT]))
    return left, right, np.int64(tree.inner[node, GATE])


@internal
def _compute_heads(tree: Tree, table: Table, start: Int) -> None:
    """Compute the words before `start` of the fresh rows that have tails only, children before parents."""
    rows = table.rows
    for place in range(table.counts[COMPLETE], table.counts[TAKEN]):
        left, right, gate = _inputs(tree, table.nodes[place])
        compute(rows[left, :start], rows[right, :start], table.gates[gate], rows[table.taken[place], :start])
    table.counts[COMPLETE] = table.counts[TAKEN]


@inlined
def _complete_rows(tree: Tree, table: Table) -> None:
    """Complete the fresh rows that have only their tails."""
    start = tail_start(table.rows.shape[1])
    if start > 0 and table.counts[COMPLETE] < table.counts[TAKEN]:
        _compute_heads(tree, table, start)


@inlined
def _has_changed(tree: Tree, table: Table, node: Int) -> bool:
    """Whether the value of a touched node differs from the one that its parent read last.

    Writes the tail of the value to the next free row; there must be one.
    """
    rows = table.rows
    left, right, gate = _inputs(tree, node)
    old = np.int64(tree.inner[node, ROW])
    fresh = table.free[table.counts[FREE] - 1]
    if compute_tail(rows, left, right, table.gates[gate], old, fresh):
        return True
    start = tail_start(rows.shape[1])
    if start == 0:
        return False
    _complete_rows(tree, table)
    return differs(rows[left, :start], rows[right, :start], table.gates[gate], rows[old, :start])


@inlined
def _take_row(tree: Tree, table: Table, node: Int) -> None:
    """Give a node the row to which `_has_changed` wrote its tail."""
    if tree.inner[node, OWNED]:
        note_drop(tree, np.int64(tree.inner[node, ROW]))
    table.counts[FREE] -= 1
    fresh = table.free[table.counts[FREE]]
    table.taken[table.counts[TAKEN]] = fresh
    table.nodes[table.counts[TAKEN]] = node
    table.counts[TAKEN] += 1
    write_inner(tree, node, ROW, fresh)
    write_inner(tree, node, OWNED, np.int64(1))


@inlined
def _root_mismatches(tree: Tree, table: Table, limit: Int) -> Int:
    """The mismatches of a root that is an inner node and has its tail in the next free row.

    Counting ends soon after the limit is exceeded; otherwise the whole value of the root is then in that row.
    """
    left, right, place = _inputs(tree, tree.info[ROOT])
    a, b, gate, wanted = table.rows[left], table.rows[right], table.gates[place], table.wanted
    new = table.rows[table.free[table.counts[FREE] - 1]]
    high = tail_start(wanted.size)
    wrong = mismatches(new[high:], wanted[high:], table.mask)
    if wrong <= limit:
        _complete_rows(tree, table)
    while high > 0 and wrong <= limit:
        low = max(0, high - _BLOCK)
        wrong += compute_and_count(a[low:high], b[low:high], gate, new[low:high], wanted[low:high])
        high = low
    return wrong


@inlined
def _compute_below_root(tree: Tree, table: Table) -> bool:
    """Compute the touched nodes below the root and clear all marks but the root's. False: out of rows."""
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
                _take_row(tree, table, node)
        tree.inner[node, MARK] = CLEAN
        node = np.int64(tree.inner[node, PARENT])
        if changed:
            tree.inner[node, MARK] = TOUCHED


@inlined
def evaluate(tree: Tree, table: Table, parent_rank: Int, limit: Int) -> Int:
    """The mismatches of the offspring, or NO_SPACE if rows ran out half-way; clears all marks.

    If there are more mismatches than the limit, the result is only some number above it, and rows may be
    incomplete.
    """
    if tree.info[LEAVES] == 0:
        return table.empty_rank
    root = tree.info[ROOT]
    same = tree.info[OLD_LEAVES] > 0 and row_of(tree, root) == table.counts[ROOT_ROW]
    if root >= 0 and tree.inner[root, MARK] != CLEAN:
        if not _compute_below_root(tree, table) or table.counts[FREE] == 0:
            return NO_SPACE
        touched = tree.inner[root, MARK] == TOUCHED
        tree.inner[root, MARK] = CLEAN
        if touched:
            changed = _has_changed(tree, table, root)
            known = same and not changed
            rank = parent_rank if known else _root_mismatches(tree, table, limit)
            if rank <= limit and (changed or not tree.inner[root, OWNED]):
                _take_row(tree, table, root)
                if known:
                    _complete_rows(tree, table)
            return rank
    _complete_rows(tree, table)
    if same:
        return parent_rank
    return mismatches(table.rows[row_of(tree, root)], table.wanted, table.mask)


@inlined
def keep_rows(tree: Tree, table: Table) -> None:
    """After the offspring was accepted, free the rows that it replaced."""
    height = table.counts[FREE]
    for place in range(tree.info[DROPS]):
        table.free[height + place] = tree.drops[place]
    table.counts[FREE] = height + tree.info[DROPS]
    table.counts[TAKEN] = table.counts[COMPLETE] = 0
    table.counts[ROOT_ROW] = row_of(tree, tree.info[ROOT]) if tree.info[LEAVES] > 0 else NOWHERE


@inlined
def drop_rows(table: Table) -> None:
    """After the offspring was rejected, free the rows that it took."""
    height = table.counts[FREE]
    for place in range(table.counts[TAKEN]):
        table.free[height + place] = table.taken[place]
    table.counts[FREE] = height + table.counts[TAKEN]
    table.counts[TAKEN] = table.counts[COMPLETE] = 0


@internal
def compute_leaf(tree: Tree, table: Table) -> Int:
    """As `compute_all`, for a tree of one leaf."""
    open_journal(tree)
    keep_rows(tree, table)
    return mismatches(table.rows[row_of(tree, tree.info[ROOT])], table.wanted, table.mask)


@internal
def compute_all(tree: Tree, table: Table) -> Int:
    """The mismatches of a tree whose nodes have no values yet, or NO_SPACE if rows ran out."""
    open_journal(tree)
    tree.info[OLD_LEAVES] = 0
    for node in range(tree.info[LEAVES] - 1):
        tree.inner[node, ROW] = 0
        tree.inner[node, OWNED] = 0
        tree.inner[node, MARK] = TOUCHED
    rank = evaluate(tree, table, np.int64(0), np.int64(np.iinfo(np.int64).max))
    keep_rows(tree, table)
    return rank
