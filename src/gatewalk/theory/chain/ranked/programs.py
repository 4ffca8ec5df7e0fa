"""The rank of a class: a number for every class of programs if all inputs may be exchanged, without search.

**A canonical form.** Suppose that all inputs may be exchanged for each other, and so may the two connections
of a node. Then a program is described by going through its nodes in any fixed order. The inputs that no node
has distinguished so far form *cells*; in the beginning there is one cell. A node's pair of sources, up to the
exchanges that fix all pairs before it, is a pair of cells or nodes. The exchanges that fix this pair, too,
are again the permutations within cells:

- one input that leaves a cell becomes a cell of its own;
- two inputs that leave one cell together become a cell of two equivalent inputs, as the pair has no order.

So the stabiliser is always a product of symmetric groups on cells (a Young subgroup). Orbits of programs are
sequences of such choices, and different sequences are different orbits: this is a canonical form that needs
no search. Cells are stored as intervals of labels 0..n-1. An input that leaves a cell gets its first label;
two inputs get its first two. A *token* is such a pair of labels and nodes. A *star*, whose number comes after
the last node, stands for a connection that is averaged over (`mixing`).

**Its rank.** In how many ways a sequence of tokens can continue depends only on the nodes to come and on the
division of the inputs. So the place of a sequence among all sequences, ordered by tokens, is a sum of
tabulated numbers. A program is described in two parts:

- its active part, called a *block*: the output, then the active nodes from the last to the first. Only later
  nodes read a node, so it is known in time whether a node is active;
- its inactive nodes, from the first to the last, up to the exchanges that fix the active part.

Blocks with the same fitness, active nodes and cells are a *segment*; they have the same sequences of inactive
nodes. Classes are numbered level by level, best first, then by segment, block and inactive part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Shape
from gatewalk.native.jit import Int, inlined, internal, kernel
from gatewalk.theory.assumptions import picked_ends, tie_acceptance
from gatewalk.theory.chain.sam.node_states import Ints

Small = NDArray[np.int16]


class Cells(NamedTuple):
    """The tokens of every node for every division of the inputs into cells.

    A division c is a bit set: bit i is a boundary between labels i and i + 1.

    start[c, i]: the first label of the cell of label i.
    size[c, i]: the number of inputs in this cell.
    split[c, t]: the division after token t; -1 if t is not a token.
    tokens[e, b, c]: the choices[e, b, c] tokens of node b, ascending; with stars among them if e = 1.
    low, high: the two sources of a token.
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
        u, v = (start[source] if source < inputs else source for source in (u, v))
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


Bytes = NDArray[np.uint8]


class Ranks(NamedTuple):
    """What each token adds to the number of a block or of an inactive part.

    blocks[need, c, t]: for token t of the last of the nodes `need`, a bit set, with division c.
    inactive[nodes, c, t]: for token t of the first of the inactive nodes to come.
    first_block[b]: the first block whose output is node b; in block 0 the output is an input.
    ways[nodes, c]: the number of inactive parts.
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

    first: its first class.
    ways: the number of classes per block.
    pairs[i, b]: the two sources of active node b of block i, with the output in the row after the nodes.
    doubled: for each block, how many of its active nodes have two different sources.
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
    cells: Cells, ranks: Ranks, pairs: Ints, out: Int, label: Ints, holder: Ints, facts: Ints
) -> Int:
    """The block of a program. Its active nodes and division are written to `facts`, the labels to `label`."""
    n = cells.inputs
    for i in range(n):
        label[i] = i
        holder[i] = i
    division = np.int64(0)
    if out < n:
        token = take(cells, division, out, out, label, holder)
        facts[0] = 0
        facts[1] = cells.split[division, token]
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
    facts[0] = active
    facts[1] = division
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
            for node in range(length):  # an assignment of slices takes Numba seconds to compile
                tokens[row, node] = now[node]
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
    for step in range(nodes.size - 1, -1, -1):
        for division in range(divisions):
            total = 0
            for index in range(cells.choices[stars[step], nodes[step], division]):
                token = cells.tokens[stars[step], nodes[step], division, index]
                offset[step, division, token] = total
                total += ways[step + 1, cells.split[division, token]]
            ways[step, division] = total
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


@dataclass(frozen=True, eq=False)
class RankedChain:
    """A chain whose classes are ranked. levels: fitness values, best first; segments: in order of classes."""

    shape: Shape
    cells: Cells
    ranks: Ranks
    classes: Classes
    levels: list[int]
    segments: list[RankedSegment]
    count: int
    tie: float
    ends_when_picked: bool


def chain_of(search: CgpSearch) -> RankedChain:
    """The blocks and segments of a search that `is_ranked`."""
    shape = search.shape
    cells = cells_of(shape.inputs, shape.nodes)
    ranks = ranks_of(cells)
    blocks = list(_blocks(shape, cells))
    fitness = _fitness(shape, complete(search.target), blocks)
    levels = sorted({wrong for wrong in fitness if wrong > 0})
    number = {0: -1} | {wrong: level for level, wrong in enumerate(levels)}
    level = np.array([number[wrong] for wrong in fitness], dtype=np.int64)
    base = np.full(len(blocks), -1, dtype=np.int64)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for block, (_, active, division) in enumerate(blocks):
        if level[block] >= 0:
            groups.setdefault((int(level[block]), active, division), []).append(block)
    segments = []
    first = 0
    everything = (1 << shape.nodes) - 1
    for (at, active, division), members in sorted(groups.items()):
        ways = int(ranks.ways[everything & ~active, division])
        base[members] = first + ways * np.arange(len(members))
        pairs = np.array([blocks[block][0] for block in members], dtype=np.int64)
        doubled = np.array([_doubled(blocks[block][0][:-1]) for block in members], dtype=np.int64)
        segments.append(RankedSegment(at, active, division, first, ways, pairs, doubled))
        first += ways * len(members)
    return RankedChain(
        shape,
        cells,
        ranks,
        Classes(level, base),
        levels,
        segments,
        first,
        tie_acceptance(search),
        picked_ends(search.law),
    )


Pairs = tuple[tuple[int, int], ...]


def _blocks(shape: Shape, cells: Cells) -> Iterator[tuple[Pairs, int, int]]:
    """All blocks by number: the pairs of all nodes and the output, the active nodes, and the division."""
    n = shape.inputs
    none: list[tuple[int, int]] = [(0, 0)] * shape.nodes
    yield (*none, (0, 0)), 0, int(cells.split[0, 0])

    def further(need: int, active: int, division: int) -> Iterator[tuple[Pairs, int, int]]:
        if not need:
            yield (*none, (out, out)), active, division
            return
        node = need.bit_length() - 1
        for token in cells.tokens[0, node, division, : cells.choices[0, node, division]].tolist():
            none[node] = (int(cells.low[token]), int(cells.high[token]))
            rest = need & ~(1 << node)
            for source in none[node]:
                if source >= n:
                    rest |= 1 << source - n
            yield from further(rest, active | rest, int(cells.split[division, token]))
        none[node] = (0, 0)

    for last in range(shape.nodes):
        out = n + last
        yield from further(1 << last, 1 << last, 0)


def _doubled(pairs: Pairs) -> int:
    return sum(u != v for u, v in pairs)


def _fitness(shape: Shape, training: TrainingSet, blocks: list[tuple[Pairs, int, int]]) -> list[int]:
    """The mismatches of every block on the complete training set."""
    inputs = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in training.inputs]
    target = int.from_bytes(training.outputs[0].astype("<u8").tobytes(), "little")
    mask = (1 << training.rows) - 1
    gate = shape.gates.gates[0].table
    result = []
    for pairs, active, _ in blocks:
        words = [*inputs, *([0] * shape.nodes)]
        for node in range(shape.nodes):
            if active >> node & 1:
                a, b = (words[source] for source in pairs[node])
                minterms = (~a & ~b, a & ~b, ~a & b, a & b)
                word = 0
                for row, minterm in enumerate(minterms):
                    word |= minterm if gate >> row & 1 else 0
                words[shape.inputs + node] = word & mask
        result.append(((words[pairs[-1][0]] ^ target) & mask).bit_count())
    return result
