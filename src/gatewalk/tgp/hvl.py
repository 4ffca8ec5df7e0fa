"""HVL-prime: one step substitutes, inserts or deletes (O'Reilly 1995; Neumann, O'Reilly, Wagner 2011).

A step draws the following, in this order; its twin in `gatewalk.reference.tgp` draws the same:

- The operator, from a fresh word: 0 substitute, 1 insert, 2 delete (without substitution: 0 insert, 1
  delete).
- The place. If it is uniform, it comes from the spare half of that word. A descent reads a fresh word from
  its highest bit on, 0 for left; if the tree is deeper than the word is long, another word follows.
- Substitution: the new terminal or function, from a fresh word.
- Insertion: the new terminal, from a fresh word; from its spare half the function and the order. With F
  functions, r below 2F means function r // 2, with the new leaf first if r is even. If the new leaf always
  comes first, r below F is the function, and nothing is drawn for F = 1.

Where the place is a uniform node, leaves are numbered before inner nodes. A step that can have no effect
(deletion, or substitution of functions, in a tree of one leaf) draws nothing but its operator.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gatewalk.native.jit import Int, inlined
from gatewalk.native.stream import State, draw_below, draw_below_from, draw_pick, draw_word
from gatewalk.tgp.tgp_search import TgpLaw
from gatewalk.tgp.tree import (
    ABOVE,
    CLEAN,
    GATE,
    LEAVES,
    LEFT,
    MARK,
    NOWHERE,
    OWNED,
    PARENT,
    RIGHT,
    ROOT,
    ROW,
    TERMINAL,
    TOUCHED,
    Tree,
    exchange,
    mark_path,
    note_drop,
    note_edit,
    parent_of,
    set_parent,
    touch,
    write_inner,
    write_leaf,
)

_OFF, _LEAF, _INNER, _NODE, _DESCENT = range(5)  # where a step takes place
_PLACES = {"leaf": _LEAF, "node": _NODE, "descent": _DESCENT}
_SUBSTITUTIONS = {"off": _OFF, "leaves": _LEAF, "functions": _INNER, "both": _NODE}
_SUBSTITUTE, _INSERT, _DELETE = range(3)
_TOP = np.uint64(63)


class Steps(NamedTuple):
    """The law of one step as kernels read it; see `TgpLaw`.

    functions, terminals: their numbers.
    paths: whether to mark nodes that must be evaluated again; not needed where only the leaves are counted.
    """

    insert_at: int
    delete_at: int
    substitute_at: int
    random_order: bool
    may_empty: bool
    functions: int
    terminals: int
    paths: bool


def steps_of(law: TgpLaw, *, functions: int, terminals: int, paths: bool) -> Steps:
    """The steps of a law over so many functions and terminals."""
    return Steps(
        _PLACES[law.insert_at],
        _PLACES[law.delete_at],
        _SUBSTITUTIONS[law.substitution],
        law.child_order == "random",
        law.empty != "never",
        functions,
        terminals,
        paths,
    )


@inlined
def hvl_step(tree: Tree, steps: Steps, stream: State) -> bool:
    """Change the tree by one step. False: its arrays are full, and the offspring must be undone."""
    operators = 2 if steps.substitute_at == _OFF else 3
    drawn, spare = draw_pick(stream, np.uint64(operators))
    operator = np.int64(drawn) + (3 - operators)
    leaves = tree.info[LEAVES]
    if operator == _INSERT and leaves >= tree.leaf.shape[0]:
        return False
    if leaves == 0:
        if operator == _INSERT:
            _insert_first(tree, steps, stream)
        return True
    where = steps.substitute_at
    if operator == _INSERT:
        where = steps.insert_at
    elif operator == _DELETE:
        where = steps.delete_at
    if leaves == 1 and (operator == _DELETE or where == _INNER):
        if operator == _DELETE and steps.may_empty:
            _delete_last(tree)
        return True
    place = _place(tree, stream, spare, where)
    if operator == _INSERT:
        _insert(tree, steps, stream, place)
    elif operator == _DELETE:
        _delete(tree, steps, place)
    else:
        _substitute(tree, steps, stream, place)
    return True


@inlined
def _descend(tree: Tree, stream: State) -> Int:
    """The leaf that fair coins lead to from the root."""
    child = tree.info[ROOT]
    word = np.uint64(0)
    bits = 0
    while child >= 0:
        if bits == 0:
            word = draw_word(stream)
            bits = 64
        child = np.int64(tree.inner[child, LEFT + np.int64(word >> _TOP)])
        word <<= np.uint64(1)
        bits -= 1
    return np.int64(child)


@inlined
def _place(tree: Tree, stream: State, spare: np.uint64, where: Int) -> Int:
    """The place of a step: a leaf or an inner node, numbered as children are in `tree`."""
    if where == _DESCENT:
        return _descend(tree, stream)
    leaves = tree.info[LEAVES]
    if where == _LEAF:
        return -1 - np.int64(draw_below_from(stream, spare, np.uint64(leaves)))
    if where == _INNER:
        return np.int64(draw_below_from(stream, spare, np.uint64(leaves - 1)))
    drawn = np.int64(draw_below_from(stream, spare, np.uint64(2 * leaves - 1)))
    return -1 - drawn if drawn < leaves else drawn - leaves


@inlined
def _substitute(tree: Tree, steps: Steps, stream: State, place: Int) -> None:
    if place >= 0:
        gate = np.int64(draw_below(stream, np.uint64(steps.functions)))
        if gate != tree.inner[place, GATE]:
            write_inner(tree, place, GATE, gate)
            if steps.paths:
                touch(tree, place)
        return
    terminal = np.int64(draw_below(stream, np.uint64(steps.terminals)))
    leaf = -1 - place
    old = np.int64(tree.leaf[leaf, TERMINAL])
    if terminal != old:
        write_leaf(tree, leaf, TERMINAL, terminal)
        note_edit(tree, -1 - old)
        note_edit(tree, 1 + terminal)
        if steps.paths:
            touch(tree, np.int64(tree.leaf[leaf, ABOVE]))


@inlined
def _insert_first(tree: Tree, steps: Steps, stream: State) -> None:
    """Make the empty tree a leaf."""
    terminal = np.int64(draw_below(stream, np.uint64(steps.terminals)))
    write_leaf(tree, np.int64(0), ABOVE, NOWHERE)
    write_leaf(tree, np.int64(0), TERMINAL, terminal)
    tree.info[ROOT] = -1
    tree.info[LEAVES] = 1
    note_edit(tree, 1 + terminal)


@inlined
def _insert(tree: Tree, steps: Steps, stream: State, place: Int) -> None:
    drawn, half = draw_pick(stream, np.uint64(steps.terminals))
    gate: Int = 0
    new_first = True
    if steps.random_order:
        choice = np.int64(draw_below_from(stream, half, np.uint64(2 * steps.functions)))
        gate = choice // 2
        new_first = choice % 2 == 0
    elif steps.functions > 1:
        gate = np.int64(draw_below_from(stream, half, np.uint64(steps.functions)))
    _graft(tree, steps.paths, place, np.int64(drawn), gate, new_first)


@inlined
def _graft(tree: Tree, paths: bool, place: Int, terminal: Int, gate: Int, new_first: bool) -> None:
    """Insert a new inner node at a place; its children are the node that was there and a new leaf.

    Until the new node is computed, its row of values is that of the node that was there, which its parent
    read last; it does not own that row. If its value turns out to be equal, nothing above must be computed.
    """
    leaf = tree.info[LEAVES]
    node = leaf - 1
    parent = parent_of(tree, place)
    write_leaf(tree, leaf, ABOVE, node)
    write_leaf(tree, leaf, TERMINAL, terminal)
    write_inner(tree, node, LEFT, -1 - leaf if new_first else place)
    write_inner(tree, node, RIGHT, place if new_first else -1 - leaf)
    write_inner(tree, node, PARENT, parent)
    write_inner(tree, node, GATE, gate)
    if paths:
        row = np.int64(tree.inner[place, ROW]) if place >= 0 else np.int64(tree.leaf[-1 - place, TERMINAL])
        write_inner(tree, node, ROW, row)
        write_inner(tree, node, OWNED, np.int64(0))
        tree.inner[node, MARK] = TOUCHED
        mark_path(tree, parent)
    set_parent(tree, place, node)
    exchange(tree, parent, place, node)
    tree.info[LEAVES] = leaf + 1
    note_edit(tree, 1 + terminal)


@inlined
def _delete_last(tree: Tree) -> None:
    """Make the tree of one leaf empty."""
    note_edit(tree, -1 - np.int64(tree.leaf[0, TERMINAL]))
    tree.info[LEAVES] = 0
    tree.info[ROOT] = 0


@inlined
def _delete(tree: Tree, steps: Steps, place: Int) -> None:
    """Delete a leaf; its sibling takes the place of their parent."""
    leaf = -1 - place
    note_edit(tree, -1 - np.int64(tree.leaf[leaf, TERMINAL]))
    node = np.int64(tree.leaf[leaf, ABOVE])
    left = np.int64(tree.inner[node, LEFT])
    sibling = np.int64(tree.inner[node, RIGHT]) if left == -1 - leaf else left
    parent = np.int64(tree.inner[node, PARENT])
    set_parent(tree, sibling, parent)
    exchange(tree, parent, node, sibling)
    if steps.paths:
        if tree.inner[node, OWNED]:
            note_drop(tree, np.int64(tree.inner[node, ROW]))
        tree.inner[node, MARK] = CLEAN
        touch(tree, parent)
    _renumber_last_leaf(tree, leaf)
    _renumber_last_inner(tree, node)
    tree.info[LEAVES] -= 1


@inlined
def _renumber_last_leaf(tree: Tree, hole: Int) -> None:
    last = tree.info[LEAVES] - 1
    if hole == last:
        return
    above = np.int64(tree.leaf[last, ABOVE])
    write_leaf(tree, hole, ABOVE, above)
    write_leaf(tree, hole, TERMINAL, np.int64(tree.leaf[last, TERMINAL]))
    exchange(tree, above, -1 - last, -1 - hole)


@inlined
def _renumber_last_inner(tree: Tree, hole: Int) -> None:
    last = tree.info[LEAVES] - 2
    if hole == last:
        return
    for column in range(MARK):
        write_inner(tree, hole, column, np.int64(tree.inner[last, column]))
    tree.inner[hole, MARK] = tree.inner[last, MARK]
    tree.inner[last, MARK] = CLEAN
    exchange(tree, np.int64(tree.inner[hole, PARENT]), last, hole)
    set_parent(tree, np.int64(tree.inner[hole, LEFT]), hole)
    set_parent(tree, np.int64(tree.inner[hole, RIGHT]), hole)
