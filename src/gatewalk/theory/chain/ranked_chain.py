"""The chain of a search whose classes are ranked: its blocks, their fitness, and its segments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import CgpLaw
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.input_cells import Cells, cells_of
from gatewalk.theory.chain.ranked_programs import Classes, RankedSegment, Ranks, ranks_of
from gatewalk.theory.known_settings import picked_ends, tie_acceptance


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


def chain_of(settings: Settings) -> RankedChain:
    """The blocks and segments of a search that `is_ranked`."""
    law = settings.law
    assert isinstance(law, CgpLaw)
    shape = shape_of(settings)
    cells = cells_of(shape.inputs, shape.nodes)
    ranks = ranks_of(cells)
    blocks = list(_blocks(shape, cells))
    fitness = _fitness(settings, shape, blocks)
    levels = sorted({one for one in fitness if one > 0})
    number = {0: -1} | {one: place for place, one in enumerate(levels)}
    level = np.array([number[one] for one in fitness], dtype=np.int64)
    base = np.full(len(blocks), -1, dtype=np.int64)
    groups: dict[tuple[int, int, int], list[int]] = {}
    for block, one in enumerate(blocks):
        if level[block] >= 0:
            groups.setdefault((int(level[block]), one[1], one[2]), []).append(block)
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
        tie_acceptance(settings),
        picked_ends(law),
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


def _fitness(settings: Settings, shape: Shape, blocks: list[tuple[Pairs, int, int]]) -> list[int]:
    """The mismatches of every block on the complete training set."""
    training = complete(settings.wanted)
    inputs = [int.from_bytes(row.astype("<u8").tobytes(), "little") for row in training.inputs]
    wanted = int.from_bytes(training.outputs[0].astype("<u8").tobytes(), "little")
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
                for row, one in enumerate(minterms):
                    word |= one if gate >> row & 1 else 0
                words[shape.inputs + node] = word & mask
        result.append(((words[pairs[-1][0]] ^ wanted) & mask).bit_count())
    return result
