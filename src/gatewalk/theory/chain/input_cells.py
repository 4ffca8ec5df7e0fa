"""A canonical form of programs up to exchanges of inputs, built node by node from cells of equivalent inputs.

Suppose that all inputs may be exchanged for each other, and so may the two connections of a node. Then a
program is described by going through its nodes in any fixed order. The inputs that no node has distinguished
so far form *cells*; in the beginning there is one cell. A node's pair of sources, up to the exchanges that
fix all pairs before it, is a pair of cells or nodes. The exchanges that fix this pair, too, are again the
permutations within cells:

- one input that leaves a cell becomes a cell of its own;
- two inputs that leave one cell together become a cell of two equivalent inputs, as the pair has no order.

So the stabiliser is always a product of symmetric groups on cells (a Young subgroup). Orbits of programs are
sequences of such choices, and different sequences are different orbits: this is a canonical form that needs
no search. Cells are stored as intervals of labels 0..n-1. An input that leaves a cell gets its first label;
two inputs get its first two. A *token* is such a pair of labels and nodes. A *star*, whose number comes after
the last node, stands for a connection that is averaged over (`cell_mixing`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, inlined
from gatewalk.theory.chain.node_states import Ints

Small = NDArray[np.int16]


class Cells(NamedTuple):
    """The tokens of every node for every division of the inputs into cells.

    A division c is a bit set: bit i is a boundary between labels i and i + 1. start[c, i]: the first label of
    the cell of label i. size[c, i]: the number of inputs in this cell. split[c, t]: the division after token
    t; -1 if t is not a token. tokens[e, b, c]: the choices[e, b, c] tokens of node b, ascending; with stars
    among them if e = 1. low, high: the two sources of a token.
    """

    inputs: int
    nodes: int
    start: Ints
    size: Ints
    split: Ints
    tokens: Small
    choices: Ints
    low: Ints
    high: Ints


def cells_of(inputs: int, nodes: int) -> Cells:
    """All tokens of programs of this size."""
    star = inputs + nodes
    divisions = 1 << max(inputs - 1, 0)
    all_tokens = (star + 1) * (star + 2) // 2
    start = np.zeros((divisions, max(inputs, 1)), dtype=np.int64)
    size = np.zeros_like(start)
    for division in range(divisions):
        for label in range(1, inputs):
            is_first = division >> (label - 1) & 1
            start[division, label] = label if is_first else start[division, label - 1]
        for label in range(inputs):
            size[division, label] = np.count_nonzero(start[division] == start[division, label])
    high = np.array([v for v in range(star + 1) for _ in range(v + 1)], dtype=np.int64)
    low = np.array([u for v in range(star + 1) for u in range(v + 1)], dtype=np.int64)
    split = np.full((divisions, all_tokens), -1, dtype=np.int64)
    tokens = np.zeros((2, nodes, divisions, all_tokens), dtype=np.int16)
    count = np.zeros((2, nodes, divisions), dtype=np.int64)
    for division in range(divisions):
        for token, (u, v) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            if token_of(start[division].tolist(), inputs, u, v) != token:
                continue
            alike = v < inputs and u != v and start[division, u] == start[division, v]
            after = division
            for label in {v} if alike else {u, v}:
                after |= _cut_after(division, label, size, start, inputs)
            split[division, token] = after
            for node in range(nodes):
                for stars in range(2):
                    if _fits(u, inputs, node, stars, star) and _fits(v, inputs, node, stars, star):
                        tokens[stars, node, division, count[stars, node, division]] = token
                        count[stars, node, division] += 1
    return Cells(inputs, nodes, start, size, split, tokens, count, low, high)


def _fits(source: int, inputs: int, node: int, stars: int, star: int) -> bool:
    """Whether the node may read this source."""
    return source < inputs + node or (stars == 1 and source == star)


def _cut_after(division: int, label: int, size: Ints, start: Ints, inputs: int) -> int:
    """The boundary after a label that leaves its cell; 0 if no input of the cell comes after it."""
    if label >= inputs or label + 1 == start[division, label] + size[division, label]:
        return 0
    return 1 << label


def token_of(start: list[int], inputs: int, u: int, v: int) -> int:
    """The token of a pair of labels or nodes under the exchanges within cells."""
    if u < inputs and v < inputs and u != v and start[u] == start[v]:
        u, v = start[u], start[u] + 1
    else:
        u, v = (start[one] if one < inputs else one for one in (u, v))
    u, v = min(u, v), max(u, v)
    return v * (v + 1) // 2 + u


@inlined
def take(cells: Cells, division: Int, u: Int, v: Int, label: Ints, holder: Ints) -> Int:
    """The token of a pair of sources, whose inputs leave their cells.

    label[i]: the current label of input i; holder: the inverse. Both are updated.
    """
    n = cells.inputs
    if u < n:
        u = _to_front(cells.start[division, label[u]], u, label, holder)
    if v < n:
        # u now has the first label of its cell; v is the same input, or in the same cell, or in another.
        v = _to_front_or_next(cells.start[division, label[v]], v, u, label, holder)
    if u > v:
        u, v = v, u
    return v * (v + 1) // 2 + u


@inlined
def _to_front(front: Int, source: Int, label: Ints, holder: Ints) -> Int:
    other = holder[front]
    holder[label[source]] = other
    label[other] = label[source]
    holder[front] = source
    label[source] = front
    return front


@inlined
def _to_front_or_next(front: Int, source: Int, taken: Int, label: Ints, holder: Ints) -> Int:
    if label[source] == taken:
        return taken
    if front == taken:
        front += 1
    return _to_front(front, source, label, holder)
