"""The rank of a class: a number for every class of programs if all inputs may be exchanged, without search.

The canonical forms of `input_cells` are sequences of tokens. In how many ways a sequence can continue depends
only on the nodes to come and on the division of the inputs. So the place of a sequence among all sequences,
ordered by tokens, is a sum of tabulated numbers. A program is described in two parts:

- its active part, called a *block*: the output, then the active nodes from the last to the first. Only later
  nodes read a node, so it is known in time whether a node is active;
- its inactive nodes, from the first to the last, up to the exchanges that fix the active part.

Blocks with the same fitness, active nodes and cells are a *segment*; they have the same sequences of inactive
nodes. Classes are numbered level by level, best first, then by segment, block and inactive part.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.jit import Int, internal, kernel
from gatewalk.theory.chain.input_cells import Cells, take
from gatewalk.theory.chain.node_states import Ints

Bytes = NDArray[np.uint8]


class Ranks(NamedTuple):
    """What each token adds to the number of a block or of an inactive part.

    blocks[need, c, t]: for token t of the last of the nodes `need`, a bit set, with division c.
    inactive[nodes, c, t]: for token t of the first of the inactive nodes to come. first_block[b]: the first
    block whose output is node b; in block 0 the output is an input. ways[nodes, c]: the number of inactive
    parts.
    """

    blocks: Ints
    inactive: Ints
    first_block: Ints
    ways: Ints


class Classes(NamedTuple):
    """For each block its level, -1 if it is solved, and its first class."""

    level: Ints
    base: Ints


@dataclass(frozen=True, eq=False)
class RankedSegment:
    """Blocks with the same level, active nodes and division.

    first: its first class. ways: the number of classes per block. pairs[i, b]: the two sources of active node
    b of block i, with the output in the row after the nodes. doubled: for each block, how many of its active
    nodes have two different sources.
    """

    level: int
    active: int
    division: int
    first: int
    ways: int
    pairs: NDArray[np.int64]
    doubled: Ints

    @property
    def classes(self) -> slice:
        return slice(self.first, self.first + self.ways * len(self.pairs))


def ranks_of(cells: Cells) -> Ranks:
    """The tables of all programs."""
    masks, divisions, all_tokens = 1 << cells.nodes, cells.split.shape[0], cells.split.shape[1]
    blocks = np.zeros((masks, divisions, all_tokens), dtype=np.int64)
    inactive = np.zeros_like(blocks)
    ways = np.ones((masks, divisions), dtype=np.int64)
    parts = np.ones((masks, divisions), dtype=np.int64)
    _fill_ranks(cells, blocks, inactive, parts, ways)
    whole = parts[1 << np.arange(cells.nodes), 0]
    return Ranks(blocks, inactive, 1 + np.cumsum(whole) - whole, ways)


@kernel
def _fill_ranks(cells: Cells, blocks: Ints, inactive: Ints, parts: Ints, ways: Ints) -> None:
    n = cells.inputs
    for mask in range(1, ways.shape[0]):
        last = 0
        first = -1
        for node in range(cells.nodes):
            if mask >> node & 1:
                last = node
                first = node if first < 0 else first
        for division in range(ways.shape[1]):
            total = 0
            for index in range(cells.choices[0, last, division]):
                token = cells.tokens[0, last, division, index]
                need = mask & ~(1 << last)
                for source in (cells.low[token], cells.high[token]):
                    if source >= n:
                        need |= 1 << (source - n)
                blocks[mask, division, token] = total
                total += parts[need, cells.split[division, token]]
            parts[mask, division] = total
            total = 0
            for index in range(cells.choices[0, first, division]):
                token = cells.tokens[0, first, division, index]
                inactive[mask, division, token] = total
                total += ways[mask & ~(1 << first), cells.split[division, token]]
            ways[mask, division] = total


@internal
def block_of(
    cells: Cells, ranks: Ranks, pairs: Ints, out: Int, label: Ints, holder: Ints, found: Ints
) -> Int:
    """The block of a program. Its active nodes and division are written to `found`, the labels to `label`."""
    n = cells.inputs
    for i in range(n):
        label[i] = i
        holder[i] = i
    division = np.int64(0)
    if out < n:
        token = take(cells, division, out, out, label, holder)
        found[0] = 0
        found[1] = cells.split[division, token]
        return np.int64(0)
    need = np.int64(1) << (out - n)
    active = need
    block = np.int64(ranks.first_block[out - n])
    for node in range(out - n, -1, -1):
        if not need >> node & 1:
            continue
        u, v = pairs[node, 0], pairs[node, 1]
        token = take(cells, division, u, v, label, holder)
        block += ranks.blocks[need, division, token]
        division = cells.split[division, token]
        need &= ~(np.int64(1) << node)
        if u >= n:
            need |= np.int64(1) << (u - n)
        if v >= n:
            need |= np.int64(1) << (v - n)
        active |= need
    found[0] = active
    found[1] = division
    return block


@internal
def inactive_rank(
    cells: Cells, ranks: Ranks, pairs: Ints, active: Int, division: Int, label: Ints, holder: Ints
) -> Int:
    """The number of the inactive part of a program, for which `block_of` was called just before."""
    rest = ((np.int64(1) << cells.nodes) - 1) & ~active
    total = np.int64(0)
    for node in range(cells.nodes):
        if rest >> node & 1:
            token = take(cells, division, pairs[node, 0], pairs[node, 1], label, holder)
            total += ranks.inactive[rest, division, token]
            division = cells.split[division, token]
            rest &= ~(np.int64(1) << node)
    return total


@kernel
def sequences(
    cells: Cells, nodes: Ints, stars: Ints, division: int, count: int, tokens: Bytes, after: Bytes
) -> None:
    """List all token sequences of some nodes in order, and the division after each.

    stars[i]: whether node i of the sequence may have stars.
    """
    length = nodes.size
    index = np.zeros(length + 1, dtype=np.int64)  # the next token to try at each node
    divisions = np.zeros(length + 1, dtype=np.int64)
    divisions[0] = division
    now = np.zeros(length, dtype=np.uint8)
    depth = 0
    row = 0
    while depth >= 0:
        if depth == length:
            for place in range(length):  # an assignment of slices takes Numba seconds to compile
                tokens[row, place] = now[place]
            after[row] = divisions[length]
            row += 1
            depth -= 1
            continue
        at = divisions[depth]
        if index[depth] >= cells.choices[stars[depth], nodes[depth], at]:
            index[depth] = 0
            depth -= 1
            continue
        token = cells.tokens[stars[depth], nodes[depth], at, index[depth]]
        index[depth] += 1
        now[depth] = token
        divisions[depth + 1] = cells.split[at, token]
        depth += 1


@kernel
def count_sequences(cells: Cells, nodes: Ints, stars: Ints) -> tuple[Ints, Ints]:
    """How many sequences there are from each node on, and what each token adds to their number."""
    divisions, all_tokens = cells.split.shape
    ways = np.ones((nodes.size + 1, divisions), dtype=np.int64)
    offset = np.zeros((nodes.size, divisions, all_tokens), dtype=np.int64)
    for place in range(nodes.size - 1, -1, -1):
        for division in range(divisions):
            total = 0
            for index in range(cells.choices[stars[place], nodes[place], division]):
                token = cells.tokens[stars[place], nodes[place], division, index]
                offset[place, division, token] = total
                total += ways[place + 1, cells.split[division, token]]
            ways[place, division] = total
    return ways, offset


def genotypes_of(cells: Cells, tokens: Bytes, after: Bytes) -> NDArray[np.int32]:
    """How many genotypes each class has, from the tokens of its inactive nodes and the division after them.

    This is the number of arrangements of the inputs, divided by those within cells, times two for each
    inactive node with two different sources. The two orders of active nodes are not included.
    """
    within = np.array([_arrangements(row) for row in cells.size.tolist()], dtype=np.int32)
    result = (_arrangements([cells.inputs] * cells.inputs) // within)[after]
    for column in range(tokens.shape[1]):
        result[(cells.low != cells.high)[tokens[:, column]]] *= 2
    return np.asarray(result)


def _arrangements(sizes: list[int]) -> int:
    """The product of the factorials of the sizes of all cells; sizes[i] is that of the cell of label i."""
    total, label = 1, 0
    while label < len(sizes):
        total *= factorial(sizes[label])
        label += sizes[label]
    return total
