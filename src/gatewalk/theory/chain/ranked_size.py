"""Which searches have a chain whose classes are ranked, and how large it would be.

All inputs can be exchanged for each other: the target depends on the number of ones only, and every
connection reaches all inputs and all nodes before. There is one output and one gate, which is commutative.
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

BASIS_BYTES = 1_500_000_000  # of GMRES; if it needs more, it is kept short, and restarts sooner
STRICT_BYTES, TIE_BYTES = 65, 95  # a class, as measured
COUNTED = 1 << 62  # genotypes whose classes are counted in 64 bits
MOST_INPUTS = 9  # divisions of the inputs are bytes
MOST_SOURCES = 20  # tokens are bytes, and so are kinds of moves


def is_ranked(settings: Settings) -> bool:
    """Is the search of the kind that this solver knows?"""
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
        return False  # a connection does not reach all that comes before
    return _is_symmetric(settings)


def _is_symmetric(settings: Settings) -> bool:
    """Does the value wanted depend on the number of ones only?"""
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
    """How many classes there are, solved ones included; about, if there are more than can be solved."""
    if genotype_count(shape) >= COUNTED:
        return estimated_classes(shape, factorial(shape.inputs))
    cells = cells_of(shape.inputs, shape.nodes)
    nodes = np.arange(shape.nodes)
    ways = count_sequences(cells, nodes, np.zeros_like(nodes))[0][0]
    # The output is an input, which is then told from the others, or a node.
    return int(ways[cells.split[0, 0]] + shape.nodes * ways[0])


def ranked_bytes(shape: Shape, *, ties: bool) -> int:
    """About the memory that solving takes: measured a class, and the basis of GMRES."""
    classes = ranked_classes(shape)
    if not ties:
        return 200_000_000 + STRICT_BYTES * classes
    return 200_000_000 + TIE_BYTES * classes + min(BASIS_BYTES, 8 * RESTART * classes)


def check_ranked_size(settings: Settings, *, memory: int) -> None:
    """Refuse what would take more memory, saying how much it takes and what is possible."""
    assert settings.nodes is not None
    ties = tie_acceptance(settings) > 0
    needed = ranked_bytes(shape_of(settings), ties=ties)
    if needed <= memory:
        return
    fewer = range(settings.nodes - 1, 0, -1)
    fit = (one for one in fewer if ranked_bytes(shape_of(replace(settings, nodes=one)), ties=ties) <= memory)
    shape = shape_of(settings)
    raise too_large(settings, genotype_count(shape), ranked_classes(shape), needed, memory, next(fit, 0))
