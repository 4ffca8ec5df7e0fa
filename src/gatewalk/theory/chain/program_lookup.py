"""From a program to its class in the chain of SAM, and back."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.genotype import Genes
from gatewalk.native.jit import Int, hot_kernel
from gatewalk.theory.chain.active_parts import unpack_block
from gatewalk.theory.chain.kernel_tables import Tables, active_set, state_fitness
from gatewalk.theory.chain.markov_chain import Chain, Segment
from gatewalk.theory.chain.node_states import Ints
from gatewalk.theory.chain.program_classes import smallest_image, unpack_inactive


def class_of_program(chain: Chain, genes: Genes) -> int | None:
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
    if not chain.of_place.size:
        return int(segment.classes.start) + place
    return int(chain.of_place[segment.places.start + place])


@hot_kernel
def _active_wrong_image(
    tables: Tables, state: Ints, out: Ints, words: NDArray[np.uint64], images: Ints
) -> tuple[int, Int, Int]:
    """The active nodes of a program, its mismatches, and the number of the smallest of its images."""
    active = active_set(tables, state, out)
    wrong = state_fitness(tables, state, out, active, words)
    return active, wrong, smallest_image(tables, state, out, active, images)


def _segment(chain: Chain, level: int, active: int) -> Segment:
    return next(one for one in chain.segments if one.level == level and one.active == active)


def program_of_class(chain: Chain, number: int) -> Genes:
    """One program of this class."""
    segment = next(one for one in chain.segments if one.classes.start <= number < one.classes.stop)
    return _program_at(chain, segment, int(segment.example[number - segment.classes.start]))


def programs_of_segment(chain: Chain, segment: Segment) -> Iterator[Genes]:
    """One program of each class of a segment, in the order of the classes."""
    return (_program_at(chain, segment, place) for place in segment.example.tolist())


def _program_at(chain: Chain, segment: Segment, place: int) -> Genes:
    shape, tables = chain.shape, chain.tables
    state = np.zeros(shape.nodes, dtype=np.int64)
    out = np.zeros(shape.outputs, dtype=np.int64)
    unpack_block(tables, segment.active, int(segment.keys[place % segment.keys.size]), state, out)
    unpack_inactive(tables, segment.active, place // segment.keys.size, state)
    genes: list[int] = []
    for axis, c in zip(chain.axes, state.tolist(), strict=True):
        genes += [int(axis.function[c]), int(axis.first[c]), int(axis.second[c])][: shape.block]
    return np.array([*genes, *out.tolist()], dtype=np.int64)
