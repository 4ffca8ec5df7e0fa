"""Which searches have a chain with ranked classes (`ranked_search`), and how large it would be.

All inputs must be exchangeable: the target depends only on the number of ones, and every connection reaches
all inputs and all earlier nodes. There must be one output and one gate, which is commutative.
"""

from __future__ import annotations

from dataclasses import replace
from math import factorial

import numpy as np

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import CgpLaw
from gatewalk.search.cgp_search import shape_of
from gatewalk.search.settings import Settings
from gatewalk.theory.chain.input_cells import cells_of
from gatewalk.theory.chain.level_solver import RESTART
from gatewalk.theory.chain.markov_chain import genotype_count
from gatewalk.theory.chain.node_states import swapped_gates
from gatewalk.theory.chain.ranked_programs import count_sequences
from gatewalk.theory.chain.size_check import estimated_classes, too_large
from gatewalk.theory.known_settings import tie_acceptance

BASIS_BYTES = 1_500_000_000  # for the basis of GMRES; if that is not enough, single precision and restarts
STRICT_BYTES, TIE_BYTES = 65, 95  # memory per class, as measured
COUNTED = 1 << 62  # with more genotypes than this, classes cannot be counted in 64 bits
MOST_INPUTS = 9  # because divisions of the inputs are bytes
MOST_SOURCES = 20  # because tokens and kinds of moves are bytes


def is_ranked(settings: Settings) -> bool:
    """Whether `ranked_search` can solve this search."""
    law, wanted = settings.law, settings.wanted
    if (
        not isinstance(law, CgpLaw)
        or settings.algorithm != "cgp"
        or settings.mutation != "sam"
        or settings.nodes is None
    ):
        return False
    if (
        settings.offspring != 1
        or law.uncounted > 1
        or settings.training != "complete"
        or settings.start != "random"
    ):
        return False
    if not 2 <= wanted.inputs <= MOST_INPUTS or wanted.inputs + settings.nodes > MOST_SOURCES:
        return False
    shape = shape_of(settings)
    if shape.outputs != 1 or len(shape.gates) != 1 or swapped_gates(shape.gates) is None:
        return False
    connections = [count for gene, count in enumerate(shape.ranges.count[:-1].tolist()) if gene % 3]
    if connections != [shape.inputs + node for node in range(shape.nodes) for _ in range(2)]:
        return False  # some connection does not reach everything before it
    return _is_symmetric(settings)


def _is_symmetric(settings: Settings) -> bool:
    """Whether the target depends only on the number of ones."""
    training = complete(settings.wanted)
    if training.rows != 1 << settings.wanted.inputs:
        return False
    ones = unpack(training.inputs, training.rows).astype(np.int64).sum(axis=0)
    wanted = unpack(training.outputs, training.rows)[0]
    return all(np.unique(wanted[ones == count]).size == 1 for count in range(settings.wanted.inputs + 1))


def about_classes(settings: Settings) -> int:
    """About how many classes there are, without counting them."""
    return estimated_classes(shape_of(settings), factorial(settings.wanted.inputs))


def ranked_classes(shape: Shape) -> int:
    """How many classes there are, solved ones included; an estimate if there are too many to be solved."""
    if genotype_count(shape) >= COUNTED:
        return estimated_classes(shape, factorial(shape.inputs))
    cells = cells_of(shape.inputs, shape.nodes)
    nodes = np.arange(shape.nodes)
    ways = count_sequences(cells, nodes, np.zeros_like(nodes))[0][0]
    # The output is either an input, which is then distinguished from the others, or a node.
    return int(ways[cells.split[0, 0]] + shape.nodes * ways[0])


def ranked_bytes(shape: Shape, *, ties: bool) -> int:
    """About how many bytes solving takes: a measured amount per class, and the basis of GMRES."""
    classes = ranked_classes(shape)
    if not ties:
        return 200_000_000 + STRICT_BYTES * classes
    return 200_000_000 + TIE_BYTES * classes + min(BASIS_BYTES, 8 * RESTART * classes)


def check_ranked_size(settings: Settings, *, memory: int) -> None:
    """Raise `InputError` if solving would take more memory, saying how much, and what is possible."""
    assert settings.nodes is not None
    ties = tie_acceptance(settings) > 0
    needed = ranked_bytes(shape_of(settings), ties=ties)
    if needed <= memory:
        return
    fewer = range(settings.nodes - 1, 0, -1)
    fit = (one for one in fewer if ranked_bytes(shape_of(replace(settings, nodes=one)), ties=ties) <= memory)
    shape = shape_of(settings)
    raise too_large(settings, genotype_count(shape), ranked_classes(shape), needed, memory, next(fit, 0))
