"""The chain of CGP with SAM, on classes of genotypes: built once, and then asked about one offspring.

Classes are ordered by fitness, best first, so that accepted moves lead to smaller numbers or stay within a
level. From class x an offspring is made by mixing the inactive nodes' states (`mixing`) and then making a
move (`moves`). So with G the mixing and P(m) the probability of move m, the mean of h over offspring in a set
Y of classes is

    G[ Σ_m P(m) 1(m in Y) h(m) ](x),

which is what `solving` needs to know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import Complete, TrainingSet, complete
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Genes, Shape, check
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.errors import InputError
from gatewalk.native.jit import Int, hot_kernel, kernel
from gatewalk.search.options import Search, start_text
from gatewalk.search.scheduler import OnProgress
from gatewalk.theory.assumptions import check_taught, picked_ends, tie_acceptance
from gatewalk.theory.chain.sam.classes import (
    Blocks,
    Ids,
    Places,
    blocks_of,
    label_segment,
    measure_segment,
    smallest_image,
    unpack_block,
    unpack_inactive,
)
from gatewalk.theory.chain.sam.mixing import mixed, on_threads
from gatewalk.theory.chain.sam.moves import (
    SOLVED,
    TIE,
    changes_of,
    changes_to_inputs,
    count_ending_genes,
    fill_moves,
    free_blocks,
    move_probabilities,
)
from gatewalk.theory.chain.sam.node_states import Axis, Floats, Ints, axes_of
from gatewalk.theory.chain.sam.size import MEMORY, check_size, genotype_count
from gatewalk.theory.chain.sam.symmetries import identity_only, input_symmetries
from gatewalk.theory.chain.sam.tables import Tables, active_set, state_fitness, tables_of
from gatewalk.theory.chain.solving import Flags


@dataclass(frozen=True, eq=False)
class Segment:
    """The classes of one fitness and one set of active nodes.

    level: the position of the fitness in `SamChain.levels`.
    keys: its blocks.
    places, classes: its part of all places and of all classes.
    axes: the inactive nodes.
    ending: how many genes end SAM's loop.
    probabilities: of each move.
    example: for each class one of its places, counted from the segment's first.
    moves: where each move leads, for each class.
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
class SamChain:
    """The chain of a search with SAM; a `Chain` for the solver.

    levels: fitness values, best first.
    size: the number of genotypes of each class.
    class_of_place: the class of each place; empty without symmetries.
    genotypes: the number of all genotypes, solved ones included.
    """

    shape: Shape
    axes: list[Axis]
    tables: Tables
    segments: list[Segment]
    levels: list[int]
    size: Ints
    class_of_place: Ids
    genotypes: int

    @property
    def classes(self) -> int:
        """The number of unsolved classes."""
        return self.size.size

    @property
    def solved_states(self) -> int:
        return 1

    @cached_property
    def level_start(self) -> list[int]:
        """The first class of each level, and the number of classes at the end."""
        first = [self.classes] * (len(self.levels) + 1)
        for segment in reversed(self.segments):
            first[segment.level] = segment.classes.start
        return first

    def at_level(self, level: int) -> list[Segment]:
        """The segments of a level."""
        return self._by_level[level]

    @cached_property
    def _by_level(self) -> list[list[Segment]]:
        levels: list[list[Segment]] = [[] for _ in self.levels]
        for segment in self.segments:
            levels[segment.level].append(segment)
        return levels

    def mean(self, level: int, values: Floats, first: int, last: int) -> Floats:
        return np.concatenate(
            [mix(self, segment, _gathered(segment, values, first, last)) for segment in self.at_level(level)]
        )

    def flow(self, level: int, chances: Floats, first: int, last: int) -> Floats:
        into = np.zeros(last - first)
        start = self.level_start[level]
        for segment in self.at_level(level):
            here = chances[segment.classes.start - start : segment.classes.stop - start]
            moved = mix_transposed(self, segment, here)
            _scatter(segment.moves, segment.probabilities, moved, first, last, into)
        return into

    def solved(self, level: int) -> Floats:
        parts = []
        for segment in self.at_level(level):
            chance = np.empty(segment.moves.shape[0])
            _chance_solved(segment.moves, segment.probabilities, chance)
            parts.append(mix(self, segment, chance))
        return np.concatenate(parts)

    def leads_to(self, level: int, hopeful: Flags) -> Flags:
        """By moves, not by their probabilities.

        Mixing reaches every state of the inactive nodes with positive probability, so either all classes of a
        block are hopeful or none is.
        """
        parts = []
        for segment in self.at_level(level):
            rows = np.zeros(segment.moves.shape[0], dtype=np.bool_)
            _leads_to_hope(segment.moves, hopeful, rows)
            block = segment.example % segment.keys.size
            parts.append((np.bincount(block, weights=rows, minlength=segment.keys.size) > 0)[block])
        return np.concatenate(parts)

    def program_of(self, state: int) -> Genes:
        return program_of_class(self, state)

    def state_of(self, genes: Sequence[int] | Genes) -> int | None:
        return class_of_program(self, check(self.shape, genes))

    def has_free_connection(self, level: int) -> Flags:
        parts = []
        for segment in self.at_level(level):
            flags = np.zeros(segment.keys.size, dtype=np.bool_)
            to_inputs = changes_to_inputs(self.shape, segment.active)
            free_blocks(self.tables, segment.active, to_inputs, self.levels[level], segment.keys, flags)
            parts.append(flags[segment.example % segment.keys.size])
        return np.concatenate(parts)


def build_chain(
    search: Search,
    *,
    training: TrainingSet | None = None,
    lump: bool = True,
    memory: int = MEMORY,
    on_progress: OnProgress = lambda share, words: None,
) -> SamChain:
    """The chain of a search, not solved yet.

    training: the rows of a sampled set.
    lump: treat programs alike that a symmetry exchanges; without it, every genotype is a class.
    """
    check_taught(search)
    if not isinstance(search, CgpSearch):
        raise InputError(f"the chain of genotypes is for cgp, not {search.algorithm}: trees have their own")
    if search.start is not None:
        raise InputError(f"exact times are for random starts, not --start {start_text(search)}")
    if isinstance(search.training, Complete) != (training is None):
        raise InputError(
            "a sampled training set is part of the chain; for the complete set remove --training, "
            "for sampled ones use gatewalk.theory.exact_sets or gatewalk exact --sets"
        )
    if not isinstance(search.mutation, Sam):
        raise InputError(f"levels, quantiles and single starts are available for sam, not {search.mutation}")
    check_size(search, training=training, lump=lump, memory=memory)
    return chain_on(
        search.shape,
        complete(search.target) if training is None else training,
        strict=tie_acceptance(search) == 0.0,
        picked_ends=picked_ends(search.law),
        lump=lump,
        on_progress=on_progress,
    )


def chain_on(
    shape: Shape,
    training: TrainingSet,
    *,
    strict: bool,
    picked_ends: bool,
    lump: bool = True,
    on_progress: OnProgress = lambda share, words: None,
) -> SamChain:
    """Generate the blocks of a chain on at most 64 rows, number the classes and find all moves.

    strict: whether ties are rejected, and need not be found.
    picked_ends: whether SAM ends as soon as an active gene is picked.
    """
    axes = axes_of(shape, swaps=lump)
    symmetries = input_symmetries(shape, training) if lump else identity_only(shape)
    tables = tables_of(shape, axes, symmetries, training)
    blocks = []
    for active in range(1 << shape.nodes):
        blocks.append(blocks_of(tables, active))
        on_progress(0.3 * (active + 1) / (1 << shape.nodes), "active parts")
    levels = sorted({int(f) for some in blocks for f in np.unique(some.fitness)})
    parts = list(_parts(blocks, levels))
    spans = [
        part.key.size * prod(len(axes[node]) for node in inactive_nodes(shape, part.active))
        for _, part in parts
    ]
    class_of_place, class_counts = _labels(tables, parts, spans)
    places = _places(shape, parts, spans, class_of_place)
    weight = np.stack([np.pad(axis.weight, (0, tables.moved.shape[2] - len(axis))) for axis in axes])
    size = np.zeros(sum(class_counts), dtype=np.int64)
    segments: list[Segment] = []
    base = first = 0
    for (level, part), span, count in zip(parts, spans, class_counts, strict=True):
        here = class_of_place[base : base + span]
        example = np.zeros(count, dtype=np.int64)
        measure_segment(
            tables,
            part.active,
            part.key,
            part.orbit,
            weight,
            here,
            first,
            example,
            size[first : first + count],
        )
        changes = changes_of(shape, part.active)
        probabilities = move_probabilities(shape, part.active, picked_ends=picked_ends)
        moves = np.empty((count, probabilities.size), dtype=np.int32)
        idles = picked_ends and _made_changes(shape, part.active) < probabilities.size
        _fill(tables, places, part, changes, levels[level], example, first, strict, idles, moves)
        segments.append(
            Segment(
                level,
                part.active,
                part.key,
                slice(base, base + span),
                slice(first, first + count),
                inactive_nodes(shape, part.active),
                count_ending_genes(shape, part.active, picked_ends=picked_ends),
                probabilities,
                example,
                moves,
            )
        )
        base += span
        first += count
        on_progress(0.3 + 0.7 * first / max(size.size, 1), "moves")
    return SamChain(shape, axes, tables, segments, levels, size, class_of_place, genotype_count(shape))


def inactive_nodes(shape: Shape, active: int) -> tuple[int, ...]:
    """The nodes that are not in a set of active ones."""
    return tuple(node for node in range(shape.nodes) if not active >> node & 1)


def _made_changes(shape: Shape, active: int) -> int:
    return move_probabilities(shape, active, picked_ends=False).size


def _parts(blocks: list[Blocks], levels: list[int]) -> Iterator[tuple[int, Blocks]]:
    """Segments in the order of the classes: by level, then by active nodes."""
    for level, fitness in enumerate(levels):
        for some in blocks:
            here = some.fitness == fitness
            if here.any():
                yield level, Blocks(some.active, some.key[here], some.fitness[here], some.orbit[here])


def _labels(tables: Tables, parts: list[tuple[int, Blocks]], spans: list[int]) -> tuple[Ids, list[int]]:
    """The class of every place, and how many classes each segment has."""
    if tables.moved_source.shape[0] == 1:
        return np.zeros(0, dtype=np.int32), spans
    class_of_place = np.full(sum(spans), -1, dtype=np.int32)
    counts = []
    base = first = 0
    for (_, part), span in zip(parts, spans, strict=True):
        after = label_segment(tables, part.active, part.key, class_of_place[base : base + span], first)
        counts.append(after - first)
        base, first = base + span, after
    return class_of_place, counts


def _places(shape: Shape, parts: list[tuple[int, Blocks]], spans: list[int], class_of_place: Ids) -> Places:
    """An index of all blocks, ordered by active nodes and then by key."""
    active, key, base, stride = [], [], [], []
    at = 0
    for (_, part), span in zip(parts, spans, strict=True):
        count = part.key.size
        active.append(np.full(count, part.active))
        key.append(part.key)
        base.append(at + np.arange(count))
        stride.append(np.full(count, count))
        at += span
    actives, keys = _joined(active), _joined(key)
    order = np.lexsort((keys, actives))
    start = np.searchsorted(actives[order], np.arange((1 << shape.nodes) + 1))
    return Places(
        start.astype(np.int64), keys[order], _joined(base)[order], _joined(stride)[order], class_of_place
    )


def _joined(parts: list[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])


def _fill(
    tables: Tables,
    places: Places,
    blocks: Blocks,
    changes: Ints,
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
            changes,
            fitness,
            blocks.key,
            example[part],
            first + part.start,
            strict,
            idles,
            moves[part],
        )

    on_threads(rows, moves.shape[0])


def mix(chain: SamChain, segment: Segment, values: Floats) -> Floats:
    """Apply G to the values of a segment, one per class."""
    axes = [chain.axes[node] for node in segment.axes]
    if not axes:
        return values
    shape = [*(len(axis) for axis in axes), segment.keys.size]
    if not chain.class_of_place.size:
        return mixed(values.reshape(shape), axes, segment.ending).reshape(-1)
    tensor = _expanded(chain, segment, values)
    return np.take(mixed(tensor.reshape(shape), axes, segment.ending).reshape(-1), segment.example)


def mix_transposed(chain: SamChain, segment: Segment, flow: Floats) -> Floats:
    """The transpose of `mix`: it moves probabilities of classes."""
    axes = [chain.axes[node] for node in segment.axes]
    if not axes:
        return flow
    shape = [*(len(axis) for axis in axes), segment.keys.size]
    if not chain.class_of_place.size:
        return mixed(flow.reshape(shape), axes, segment.ending, transposed=True).reshape(-1)
    tensor = np.zeros(segment.places.stop - segment.places.start)
    tensor[segment.example] = flow
    tensor = mixed(tensor.reshape(shape), axes, segment.ending, transposed=True).reshape(-1)
    return _collected(
        chain.class_of_place[segment.places], segment.classes.start, tensor, np.zeros(flow.size)
    )


def _expanded(chain: SamChain, segment: Segment, values: Floats) -> Floats:
    tensor = np.empty(segment.places.stop - segment.places.start)
    here = chain.class_of_place[segment.places]

    def part(rows: slice) -> None:
        _spread(here[rows], segment.classes.start, values, tensor[rows])

    on_threads(part, tensor.size, alone=1_000_000)
    return tensor


def _gathered(segment: Segment, values: Floats, first: int, last: int) -> Floats:
    """Σ_m P(m) values[m - first] over moves to classes in [first, last)."""
    result = np.empty(segment.moves.shape[0])

    def rows(part: slice) -> None:
        _gather(segment.moves[part], segment.probabilities, values, first, last, result[part])

    on_threads(rows, result.size)
    return result


@kernel
def _gather(moves: Ids, chances: Floats, values: Floats, first: int, last: int, result: Floats) -> None:
    for row in range(moves.shape[0]):
        total = 0.0
        for move in range(moves.shape[1]):
            to = np.int64(moves[row, move])
            if to <= TIE:
                to = TIE - to
            if first <= to < last:
                total += chances[move] * values[to - first]
        result[row] = total


@kernel
def _scatter(moves: Ids, chances: Floats, flow: Floats, first: int, last: int, into: Floats) -> None:
    """The transpose of `_gather`, added to `into`."""
    for row in range(moves.shape[0]):
        for move in range(moves.shape[1]):
            to = np.int64(moves[row, move])
            if to <= TIE:
                to = TIE - to
            if first <= to < last:
                into[to - first] += chances[move] * flow[row]


@kernel
def _chance_solved(moves: Ids, chances: Floats, result: Floats) -> None:
    for row in range(moves.shape[0]):
        result[row] = 0.0
        for move in range(moves.shape[1]):
            if moves[row, move] == SOLVED:
                result[row] += chances[move]


@kernel
def _leads_to_hope(moves: Ids, hopeful: Flags, rows: Flags) -> None:
    for row in range(moves.shape[0]):
        for move in range(moves.shape[1]):
            to = np.int64(moves[row, move])
            if to <= TIE:
                to = TIE - to
            if to == SOLVED or (0 <= to < hopeful.size and hopeful[to]):
                rows[row] = True
                break


@kernel
def _spread(class_of_place: Ids, first: int, values: Floats, tensor: Floats) -> None:
    for place in range(class_of_place.size):
        tensor[place] = values[class_of_place[place] - first]


@kernel
def _collected(class_of_place: Ids, first: int, tensor: Floats, result: Floats) -> Floats:
    for place in range(class_of_place.size):
        result[class_of_place[place] - first] += tensor[place]
    return result


def class_of_program(chain: SamChain, genes: Genes) -> int | None:
    """The class of a program; None if it is solved."""
    shape, tables = chain.shape, chain.tables
    blocks = genes[: shape.nodes * shape.block].reshape(shape.nodes, shape.block)
    state = np.zeros(shape.nodes, dtype=np.int64)
    for node, (function, first, *rest) in enumerate(blocks.tolist()):
        state[node] = chain.axes[node].lookup[function, first, rest[0] if rest else 0]
    out = genes[shape.nodes * shape.block :].copy()
    words = np.zeros(shape.inputs + shape.nodes, dtype=np.uint64)
    images = np.zeros(len(tables.moved_source), dtype=np.int64)
    active, wrong, g = _active_wrong_image(tables, state, out, words, images)
    if wrong == 0:
        return None
    moved = [int(tables.moved[node, g, state[node]]) for node in range(shape.nodes)]
    key = inactive = 0
    for node in range(shape.nodes):
        if active >> node & 1:
            key = key * int(tables.states[node]) + moved[node]
        else:
            inactive = inactive * int(tables.states[node]) + moved[node]
    for source in tables.moved_source[g, out].tolist():
        key = key * (shape.inputs + shape.nodes) + source
    segment = _segment(chain, chain.levels.index(int(wrong)), active)
    place = inactive * segment.keys.size + int(np.searchsorted(segment.keys, key))
    if not chain.class_of_place.size:
        return int(segment.classes.start) + place
    return int(chain.class_of_place[segment.places.start + place])


@hot_kernel
def _active_wrong_image(
    tables: Tables, state: Ints, out: Ints, words: NDArray[np.uint64], images: Ints
) -> tuple[int, Int, Int]:
    """The active nodes of a program, its mismatches, and the number of the smallest of its images."""
    active = active_set(tables, state, out)
    wrong = state_fitness(tables, state, out, active, words)
    return active, wrong, smallest_image(tables, state, out, active, images)


def _segment(chain: SamChain, level: int, active: int) -> Segment:
    return next(segment for segment in chain.at_level(level) if segment.active == active)


def program_of_class(chain: SamChain, number: int) -> Genes:
    """One program of this class."""
    spans = ((segment.classes, segment) for segment in chain.segments)
    segment = next(segment for classes, segment in spans if classes.start <= number < classes.stop)
    return _program_at(chain, segment, int(segment.example[number - segment.classes.start]))


def programs_of_segment(chain: SamChain, segment: Segment) -> Iterator[Genes]:
    """One program of each class of a segment, in the order of the classes."""
    return (_program_at(chain, segment, place) for place in segment.example.tolist())


def _program_at(chain: SamChain, segment: Segment, place: int) -> Genes:
    shape, tables = chain.shape, chain.tables
    state = np.zeros(shape.nodes, dtype=np.int64)
    out = np.zeros(shape.outputs, dtype=np.int64)
    unpack_block(tables, segment.active, int(segment.keys[place % segment.keys.size]), state, out)
    unpack_inactive(tables, segment.active, place // segment.keys.size, state)
    genes: list[int] = []
    for axis, c in zip(chain.axes, state.tolist(), strict=True):
        genes += [int(axis.function[c]), int(axis.first[c]), int(axis.second[c])][: shape.block]
    return np.array([*genes, *out.tolist()], dtype=np.int64)
