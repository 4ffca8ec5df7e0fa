"""Classes: the orbits of all programs under the symmetries, counted by enumeration."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from all_programs import exchanged, mismatches, programs_of

from gatewalk.theory.chain.program_classes import unpack_inactive
from gatewalk.theory.chain.program_lookup import class_of_program
from gatewalk.theory.chain.sam_search import exact


@pytest.mark.parametrize(("name", "nodes"), [("and:2", 2), ("xor:2", 2), ("and:3", 2)])
def test_classes_are_orbits_and_sizes_their_genotypes(name: str, nodes: int) -> None:
    chain = exact(name, nodes=nodes).chain
    shape = chain.shape
    orders = list(permutations(range(shape.inputs)))
    orbits: Counter[tuple[int, ...]] = Counter()
    class_of_orbit: dict[tuple[int, ...], int] = {}
    for genes in programs_of(shape):
        if mismatches(shape, name, genes) == 0:
            continue
        images = (exchanged(shape, genes, order, swaps) for order in orders for swaps in range(1 << nodes))
        least = min(images)
        orbits[least] += 1
        number = class_of_program(chain, np.array(genes))
        assert number is not None
        assert class_of_orbit.setdefault(least, number) == number
    assert len(orbits) == len(set(class_of_orbit.values())) == chain.classes
    for orbit, number in class_of_orbit.items():
        assert chain.size[number] == orbits[orbit]


def test_inactive_states_are_unpacked_in_mixed_radix() -> None:
    chain = exact("and:2", nodes=3).chain
    active = 0b010
    sizes = [int(chain.tables.states[node]) for node in (0, 2)]
    seen = set()
    for packed in range(sizes[0] * sizes[1]):
        state = np.full(3, 7, dtype=np.int64)
        unpack_inactive(chain.tables, active, packed, state)
        assert state[1] == 7  # active nodes stay as they are
        assert state[0] * sizes[1] + state[2] == packed
        seen.add((int(state[0]), int(state[2])))
    assert len(seen) == sizes[0] * sizes[1]
