"""A tree in flat arrays that kernels change in place, and its form as a program, one array of integers.

A tree of L leaves has L - 1 inner nodes, because every gate has two inputs. Leaves are numbered 0 .. L-1 and
inner nodes 0 .. L-2, without gaps, so that a uniform leaf or node takes one draw. A new leaf and its inner
node get the next numbers; when a leaf and its parent are deleted, the last leaf and the last inner node take
their numbers. A child is one integer: i for inner node i, -1 - k for leaf k.

Every write is noted in a journal, which is played backwards to undo an offspring. `circuit` gives the circuit
that a program computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import Gate, GateSet, gate, is_symmetric
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError
from gatewalk.native.draws import MOST_STEPS
from gatewalk.native.jit import Int, inlined, internal
from gatewalk.tgp.tgp_search import TerminalSet

Program = NDArray[np.int32]

# numpy integers, since Numba would compile a function anew for every plain integer constant that it is given.
LEFT, RIGHT, PARENT, GATE, ROW, OWNED, MARK = np.arange(7)  # columns of an inner node
ABOVE, TERMINAL = np.arange(2)  # columns of a leaf
LEAVES, ROOT, WRITES, EDITS, DROPS, OLD_LEAVES, OLD_ROOT = range(7)  # indices into `Tree.info`

NOWHERE = np.int64(-1)  # the parent of the root
INNER_WIDTH = 8
LEAF_WIDTH = 2
_WRITES_PER_STEP = 24
CLEAN, PATH, TOUCHED = np.arange(3)  # values of MARK


class Tree(NamedTuple):
    """A tree, and what the offspring under way has changed in it.

    inner, leaf: a row for each inner node and each leaf; the columns are named above. ROW of an inner node is
        the row of its value (see `table`), OWNED whether no other node uses that row. MARK says whether its
        value must be computed again (TOUCHED), or that of a node below it (PATH); the parent of a marked node
        is always marked.
    info: numbers, see LEAVES to OLD_ROOT.
    journal: for each write, the place and the old value.
    edits: the terminals that this offspring gained, as t + 1, or lost, as -t - 1, in order.
    drops: rows of values that the tree no longer needs if the offspring is accepted.
    """

    inner: NDArray[np.int32]
    leaf: NDArray[np.int32]
    info: NDArray[np.int64]
    journal: NDArray[np.int64]
    edits: NDArray[np.int64]
    drops: NDArray[np.int64]


def empty_tree(leaves: int) -> Tree:
    """An empty tree whose arrays hold up to so many leaves."""
    writes = MOST_STEPS * _WRITES_PER_STEP + 2 * leaves
    return Tree(
        np.zeros((leaves, INNER_WIDTH), dtype=np.int32),
        np.zeros((leaves, LEAF_WIDTH), dtype=np.int32),
        np.zeros(7, dtype=np.int64),
        np.zeros((writes, 2), dtype=np.int64),
        np.zeros(2 * MOST_STEPS, dtype=np.int64),
        np.zeros(MOST_STEPS + leaves, dtype=np.int64),
    )


def grown(tree: Tree) -> Tree:
    """The same tree in arrays for twice as many leaves."""
    larger = empty_tree(2 * tree.leaf.shape[0])
    larger.inner[: tree.inner.shape[0]] = tree.inner
    larger.leaf[: tree.leaf.shape[0]] = tree.leaf
    larger.info[:] = tree.info
    return larger


def program_of(tree: Tree) -> Program:
    """The tree as an array of 4L - 2 integers; the empty program is an empty array.

    They are the root, the terminal of every leaf, then gate, left child and right child of every inner node.
    """
    leaves = int(tree.info[LEAVES])
    if leaves == 0:
        return np.empty(0, dtype=np.int32)
    root = np.array([tree.info[ROOT]], dtype=np.int32)
    nodes = tree.inner[: leaves - 1, [GATE, LEFT, RIGHT]]
    return np.concatenate([root, tree.leaf[:leaves, TERMINAL], nodes.ravel()])


def leaves_of(program: Program) -> int:
    """The number of leaves of a program."""
    return (program.size + 2) // 4 if program.size else 0


def check(program: Program, *, terminals: int, gates: int, may_be_empty: bool) -> None:
    """Raise `InputError` if an array is not a program with so many terminals and gates."""
    if program.size == 0 and may_be_empty:
        return
    leaves = leaves_of(program)
    if program.size != 4 * leaves - 2 or leaves < 1:
        raise InputError(f"a tree has 2, 6, 10, ... numbers, not {program.size}")
    nodes = program[1 + leaves :].reshape(leaves - 1, 3)
    for what, numbers, count in (
        ("terminal", program[1 : 1 + leaves], terminals),
        ("gate", nodes[:, 0], gates),
    ):
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < count:
            raise InputError(f"a {what} of the tree is none of the {count} there are")
    # Every node but the root must be the child of exactly one other, and all of them must be below the root.
    named = np.concatenate([program[:1], nodes[:, 1], nodes[:, 2]])
    if not np.array_equal(np.sort(named), np.arange(-leaves, leaves - 1)) or _reached(program) != named.size:
        raise InputError("its nodes do not form a tree")


def _reached(program: Program) -> int:
    """How many nodes are reached from the root, itself included, if no node is the child of two others."""
    leaves = leaves_of(program)
    children = program[1 + leaves :].reshape(leaves - 1, 3)[:, 1:].tolist()
    count, stack = 0, [int(program[0])]
    while stack:
        node = stack.pop()
        count += 1
        if node >= 0:
            stack += children[node]
    return count


def load(tree: Tree, program: Program) -> None:
    """Make the tree that of a program, which must fit its arrays; its inner nodes have no values yet."""
    leaves = leaves_of(program)
    tree.info[:] = 0
    tree.info[LEAVES] = leaves
    if leaves == 0:
        return
    tree.info[ROOT] = program[0]
    tree.leaf[:leaves, TERMINAL] = program[1 : 1 + leaves]
    tree.leaf[:leaves, ABOVE] = NOWHERE
    nodes = program[1 + leaves :].reshape(leaves - 1, 3)
    live = tree.inner[: leaves - 1]
    live[:] = 0
    live[:, [GATE, LEFT, RIGHT]] = nodes
    live[:, PARENT] = NOWHERE
    for children in (nodes[:, 1], nodes[:, 2]):
        owner = np.arange(leaves - 1, dtype=np.int32)
        inner = children >= 0
        live[children[inner], PARENT] = owner[inner]
        tree.leaf[-1 - children[~inner], ABOVE] = owner[~inner]


@inlined
def plant_leaf(tree: Tree, terminal: Int) -> None:
    """Make the tree one leaf."""
    tree.leaf[0, ABOVE] = NOWHERE
    tree.leaf[0, TERMINAL] = terminal
    tree.info[LEAVES] = 1
    tree.info[ROOT] = -1


@inlined
def write_inner(tree: Tree, node: Int, column: Int, value: Int) -> None:
    """Set a field of an inner node, and note the old value in the journal."""
    place = tree.info[WRITES]
    tree.journal[place, 0] = node * INNER_WIDTH + column
    tree.journal[place, 1] = tree.inner[node, column]
    tree.info[WRITES] = place + 1
    tree.inner[node, column] = value


@inlined
def write_leaf(tree: Tree, leaf: Int, column: Int, value: Int) -> None:
    """Set a field of a leaf, and note the old value in the journal."""
    place = tree.info[WRITES]
    tree.journal[place, 0] = -1 - (leaf * LEAF_WIDTH + column)
    tree.journal[place, 1] = tree.leaf[leaf, column]
    tree.info[WRITES] = place + 1
    tree.leaf[leaf, column] = value


@inlined
def open_journal(tree: Tree) -> None:
    """Begin a new offspring: empty the journal and the lists."""
    tree.info[WRITES] = 0
    tree.info[EDITS] = 0
    tree.info[DROPS] = 0
    tree.info[OLD_LEAVES] = tree.info[LEAVES]
    tree.info[OLD_ROOT] = tree.info[ROOT]


@inlined
def undo(tree: Tree) -> None:
    """Turn the tree from the offspring back into its parent."""
    for place in range(tree.info[WRITES] - 1, -1, -1):
        field = tree.journal[place, 0]
        if field >= 0:
            tree.inner[field // INNER_WIDTH, field % INNER_WIDTH] = tree.journal[place, 1]
        else:
            field = -1 - field
            tree.leaf[field // LEAF_WIDTH, field % LEAF_WIDTH] = tree.journal[place, 1]
    tree.info[LEAVES] = tree.info[OLD_LEAVES]
    tree.info[ROOT] = tree.info[OLD_ROOT]


@inlined
def note_edit(tree: Tree, edit: Int) -> None:
    """Note a terminal gained (t + 1) or lost (-t - 1)."""
    place = tree.info[EDITS]
    tree.edits[place] = edit
    tree.info[EDITS] = place + 1


@inlined
def note_drop(tree: Tree, row: Int) -> None:
    """Note a row that becomes free if the offspring is accepted."""
    place = tree.info[DROPS]
    tree.drops[place] = row
    tree.info[DROPS] = place + 1


@inlined
def parent_of(tree: Tree, child: Int) -> Int:
    """The inner node above a child, or NOWHERE for the root."""
    return np.int64(tree.inner[child, PARENT]) if child >= 0 else np.int64(tree.leaf[-1 - child, ABOVE])


@inlined
def set_parent(tree: Tree, child: Int, parent: Int) -> None:
    """Set the inner node above a child."""
    if child >= 0:
        write_inner(tree, child, PARENT, parent)
    else:
        write_leaf(tree, -1 - child, ABOVE, parent)


@inlined
def exchange(tree: Tree, parent: Int, child: Int, other: Int) -> None:
    """Replace a child of a parent by another node, or the root if the parent is NOWHERE."""
    if parent == NOWHERE:
        tree.info[ROOT] = other
    else:
        write_inner(tree, parent, LEFT if tree.inner[parent, LEFT] == child else RIGHT, other)


@inlined
def touch(tree: Tree, node: Int) -> None:
    """Mark a node to be computed again, and the path above it; NOWHERE is ignored."""
    if node == NOWHERE:
        return
    if tree.inner[node, MARK] == CLEAN:
        mark_path(tree, np.int64(tree.inner[node, PARENT]))
    tree.inner[node, MARK] = TOUCHED


@inlined
def mark_path(tree: Tree, node: Int) -> None:
    """Mark the unmarked nodes from a node up to the root."""
    while node != NOWHERE and tree.inner[node, MARK] == CLEAN:
        tree.inner[node, MARK] = PATH
        node = np.int64(tree.inner[node, PARENT])


@inlined
def marked_child(tree: Tree, node: Int) -> Int:
    """A marked child of an inner node, left before right, or NOWHERE."""
    left = np.int64(tree.inner[node, LEFT])
    if left >= 0 and tree.inner[left, MARK] != CLEAN:
        return left
    right = np.int64(tree.inner[node, RIGHT])
    if right >= 0 and tree.inner[right, MARK] != CLEAN:
        return right
    return np.int64(NOWHERE)


@internal
def clear_marks(tree: Tree) -> None:
    """Clear all marks, children before parents."""
    node = tree.info[ROOT]
    if tree.info[LEAVES] < 2 or tree.inner[node, MARK] == CLEAN:
        return
    while node != NOWHERE:
        below = marked_child(tree, node)
        if below != NOWHERE:
            node = below
        else:
            tree.inner[node, MARK] = CLEAN
            node = np.int64(tree.inner[node, PARENT])


def circuit(
    program: Program,
    *,
    gates: GateSet,
    terminals: TerminalSet,
    input_labels: Sequence[str],
    output_labels: Sequence[str],
    empty: str = "never",
    merge: bool = False,
) -> Circuit:
    """The circuit of a tree, children before parents, left before right.

    A negated leaf becomes a `not` gate, and the empty program a constant.
    merge: make equal subexpressions one node; symmetric gates are equal whatever the order of their inputs.
    """
    nodes: list[Node] = []
    known: dict[tuple[str, tuple[int, ...]], int] = {}

    def add(function: Gate, sources: tuple[int, ...]) -> int:
        if not merge:
            nodes.append(Node(function, sources))
            return terminals.inputs + len(nodes) - 1
        key = (function.name, tuple(sorted(sources)) if is_symmetric(function) else sources)
        if key not in known:
            known[key] = terminals.inputs + len(nodes)
            nodes.append(Node(function, sources))
        return known[key]

    def read(terminal: int) -> int:
        if terminal < terminals.inputs:
            return terminal
        return add(gate("not"), (terminal - terminals.inputs,))

    if program.size:
        output = _in_order(program, gates, read, add)
    else:
        output = add(gate("const1" if empty == "true" else "const0"), ())
    return Circuit(tuple(input_labels), tuple(nodes), (output,), tuple(output_labels))


def _in_order(
    program: Program,
    gates: GateSet,
    read: Callable[[int], int],
    add: Callable[[Gate, tuple[int, ...]], int],
) -> int:
    """Add all nodes; returns the source of the root. There is no recursion, because trees can be deep."""
    leaves = leaves_of(program)
    terminals = program[1 : 1 + leaves].tolist()
    inner = program[1 + leaves :].reshape(leaves - 1, 3).tolist()
    done: list[int] = []
    stack = [(int(program[0]), False)]
    while stack:
        child, ready = stack.pop()
        if child < 0:
            done.append(read(terminals[-1 - child]))
        elif ready:
            right, left = done.pop(), done.pop()
            done.append(add(gates.gates[inner[child][0]], (left, right)))
        else:
            stack += [(child, True), (inner[child][2], False), (inner[child][1], False)]
    return done[0]
