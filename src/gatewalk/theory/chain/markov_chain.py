"""The (1+1) CGP as a Markov chain on classes of genotypes, ready to be solved.

Classes are ordered by fitness, best first, so that accepted moves lead to smaller numbers or stay
within a level. From class x the search makes an offspring by mixing the inactive nodes' states
(`inactive_mixing`) and then making a move (`moves`); a rejected offspring leaves x as it was. With
A(m) the probability that a move m is accepted (1 if better; 1, 1/2 or 0 for a tie),

    (Q h)(x) = G[ Σ_m P(m) A(m) h(m) ](x) + (1 - G[ Σ_m P(m) A(m) ](x)) h(x)

is the transition operator on functions that vanish on solved programs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.genotype import Shape
from gatewalk.theory.chain.active_parts import Blocks, blocks_of
from gatewalk.theory.chain.kernel_tables import Tables, tables_of
from gatewalk.theory.chain.moves import count_ending_genes, fill_moves, move_probabilities
from gatewalk.theory.chain.node_states import Axis, Floats, Ints, axes_of
from gatewalk.theory.chain.program_classes import Ids, Places, label_segment, measure_segment
from gatewalk.theory.chain.progress import TellProgress
from gatewalk.theory.chain.symmetries import identity_only, input_symmetries
from gatewalk.theory.chain.threads import each


@dataclass(frozen=True, eq=False)
class Segment:
    """The classes of one fitness and one set of active nodes.

    level: the position of the fitness in `Chain.levels`. keys: its blocks. places, classes: its part of all
    places and of all classes. axes: the inactive nodes. ending: how many genes end SAM's loop. probabilities:
    of each move. example: for each class one of its places, counted from the segment's first. moves: where
    each move leads, for each class.
    """

    level: int
    active: int
    keys: Ints
    places: slice
    classes: slice
    axes: tuple[int, ...]
    ending: int
    probabilities: Floats
    example: Ints
    moves: Ids


@dataclass(frozen=True, eq=False)
class Chain:
    """The chain of a search with SAM.

    levels: fitness values, best first. size: the number of genotypes of each class. of_place: the class of
    each place. genotypes: the number of all genotypes, solved ones included. tie: the probability that a
    single equally fit offspring is accepted. offspring: λ, the offspring of one parent in a generation.
    """

    shape: Shape
    axes: list[Axis]
    tables: Tables
    segments: list[Segment]
    levels: list[int]
    size: Ints
    of_place: Ids
    genotypes: int
    tie: float
    offspring: int

    @property
    def classes(self) -> int:
        """The number of unsolved classes."""
        return self.size.size

    @cached_property
    def level_start(self) -> list[int]:
        """The first class of each level, and the number of classes at the end."""
        first = [self.classes] * (len(self.levels) + 1)
        for segment in reversed(self.segments):
            first[segment.level] = segment.classes.start
        return first

    def at_level(self, level: int) -> list[Segment]:
        """The segments of a level."""
        return [segment for segment in self.segments if segment.level == level]


def genotype_count(shape: Shape) -> int:
    """How many programs there are."""
    total = 1
    for count in shape.ranges.count.tolist():
        total *= count
    return total


@dataclass(frozen=True, eq=False)
class Frame:
    """A chain before its classes are numbered: its axes, constant tables and blocks."""

    shape: Shape
    axes: list[Axis]
    tables: Tables
    blocks: list[Blocks]

    @property
    def symmetries(self) -> int:
        return int(self.tables.moved_source.shape[0])

    def inactive(self, active: int) -> int:
        """The number of states of all inactive nodes together."""
        total = 1
        for node in inactive_nodes(self.shape, active):
            total *= len(self.axes[node])
        return total


def inactive_nodes(shape: Shape, active: int) -> tuple[int, ...]:
    """The nodes that are not in a set of active ones."""
    return tuple(node for node in range(shape.nodes) if not active >> node & 1)


def frame_of(
    shape: Shape, training: TrainingSet, *, lump: bool = True, watch: TellProgress | None = None
) -> Frame:
    """Generate the blocks of a chain on at most 64 rows; `lump=False` keeps every genotype apart."""
    axes = axes_of(shape, swaps=lump)
    symmetries = input_symmetries(shape, training) if lump else identity_only(shape)
    tables = tables_of(shape, axes, symmetries, training)
    blocks = []
    for active in range(1 << shape.nodes):
        blocks.append(blocks_of(tables, active))
        if watch:
            watch("active parts", (active + 1) / (1 << shape.nodes))
    return Frame(shape, axes, tables, blocks)


def build(
    frame: Frame, *, tie: float, picked_ends: bool, offspring: int = 1, watch: TellProgress | None = None
) -> Chain:
    """Number the classes and find all moves.

    tie: the probability that one equally fit offspring is accepted. picked_ends: whether SAM ends as soon as
    an active gene is picked.
    """
    strict = tie == 0.0
    tables, shape = frame.tables, frame.shape
    levels = sorted({int(f) for one in frame.blocks for f in np.unique(one.fitness)})
    parts = list(_parts(frame, levels))
    of_place, class_counts = _labels(frame, parts)
    places = _places(frame, parts, of_place)
    weight = np.stack([np.pad(axis.weight, (0, tables.moved.shape[2] - len(axis))) for axis in frame.axes])
    size = np.zeros(sum(class_counts), dtype=np.int64)
    segments: list[Segment] = []
    base = first = 0
    for (level, one), count in zip(parts, class_counts, strict=True):
        span = one.key.size * frame.inactive(one.active)
        here = of_place[base : base + span]
        example = np.zeros(count, dtype=np.int64)
        part = size[first : first + count]
        measure_segment(tables, one.active, one.key, one.orbit, weight, here, first, example, part)
        probabilities = move_probabilities(shape, one.active, picked_ends=picked_ends)
        moves = np.empty((count, probabilities.size), dtype=np.int32)
        idles = picked_ends and _changes(shape, one.active) < probabilities.size
        _fill(tables, places, one, levels[level], example, first, strict, idles, moves)
        segments.append(
            Segment(
                level,
                one.active,
                one.key,
                slice(base, base + span),
                slice(first, first + count),
                inactive_nodes(shape, one.active),
                count_ending_genes(shape, one.active, picked_ends=picked_ends),
                probabilities,
                example,
                moves,
            )
        )
        base += span
        first += count
        if watch:
            watch("moves", first / max(size.size, 1))
    return Chain(
        shape, frame.axes, tables, segments, levels, size, of_place, genotype_count(shape), tie, offspring
    )


def _changes(shape: Shape, active: int) -> int:
    return move_probabilities(shape, active, picked_ends=False).size


def _parts(frame: Frame, levels: list[int]) -> Iterator[tuple[int, Blocks]]:
    """Segments in the order of the classes: by level, then by active nodes."""
    for level, fitness in enumerate(levels):
        for one in frame.blocks:
            here = one.fitness == fitness
            if here.any():
                yield level, Blocks(one.active, one.key[here], one.fitness[here], one.orbit[here])


def _labels(frame: Frame, parts: list[tuple[int, Blocks]]) -> tuple[Ids, list[int]]:
    spans = [one.key.size * frame.inactive(one.active) for _, one in parts]
    if frame.symmetries == 1:
        return np.zeros(0, dtype=np.int32), spans
    of_place = np.full(sum(spans), -1, dtype=np.int32)
    counts = []
    base = first = 0
    for (_, one), span in zip(parts, spans, strict=True):
        after = label_segment(frame.tables, one.active, one.key, of_place[base : base + span], first)
        counts.append(after - first)
        base, first = base + span, after
    return of_place, counts


def _places(frame: Frame, parts: list[tuple[int, Blocks]], of_place: Ids) -> Places:
    """An index of all blocks, ordered by active nodes and then by key."""
    active, key, base, stride = [], [], [], []
    at = 0
    for _, one in parts:
        count = one.key.size
        active.append(np.full(count, one.active))
        key.append(one.key)
        base.append(at + np.arange(count))
        stride.append(np.full(count, count))
        at += count * frame.inactive(one.active)
    actives, keys = _joined(active), _joined(key)
    order = np.lexsort((keys, actives))
    start = np.searchsorted(actives[order], np.arange((1 << frame.shape.nodes) + 1))
    return Places(
        start.astype(np.int64),
        keys[order],
        _joined(base)[order],
        _joined(stride)[order],
        of_place,
    )


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _fill(
    tables: Tables,
    places: Places,
    blocks: Blocks,
    fitness: int,
    example: Ints,
    first: int,
    strict: bool,
    idles: bool,
    moves: Ids,
) -> None:
    """Find all moves of a segment; large segments are shared by threads."""

    def rows(part: slice) -> None:
        fill_moves(
            tables,
            places,
            blocks.active,
            fitness,
            blocks.key,
            example[part],
            first + part.start,
            strict,
            idles,
            moves[part],
        )

    each(rows, moves.shape[0])
