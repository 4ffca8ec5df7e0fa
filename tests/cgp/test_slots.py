from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.slots import GENE_BITS, OWNER_BITS, gene_of, others_of, owner_of, slots_of
from gatewalk.errors import InputError

gene_of, owner_of, others_of = entry(gene_of), entry(owner_of), entry(others_of)
LAYOUT = layout_of(Shape(4, 1, 6, gate_set(["and"])))  # function genes have no other value
PLACES = np.arange(19) + 100


def unpacked(layout, *, picked: bool) -> list[tuple[int, int, int]]:
    """(place, owner, other values) of all genes."""
    places = np.arange(layout.owner.size) + 100
    slots = slots_of(layout, places, layout.owner + 4, spare=500, nobody=77, picked=picked)
    return [(int(gene_of(slot)), int(owner_of(slot)), int(others_of(slot))) for slot in slots]


@pytest.mark.parametrize("picked", [False, True])
def test_a_slot_tells_place_owner_and_other_values(picked: bool) -> None:
    for gene, slot in enumerate(unpacked(LAYOUT, picked=picked)):
        if LAYOUT.choices[gene] > 1:
            assert slot == (100 + gene, 4 + LAYOUT.owner[gene], LAYOUT.choices[gene] - 1)


@pytest.mark.parametrize(("picked", "owners"), [(False, [77] * 6), (True, [4, 5, 6, 7, 8, 9])])
def test_a_gene_without_other_values_is_written_aside(picked: bool, owners: list[int]) -> None:
    assert unpacked(LAYOUT, picked=picked)[:18:3] == [(500, owner, 0) for owner in owners]


def test_the_largest_numbers_fit() -> None:
    layout = LAYOUT._replace(
        owner=np.zeros(1, dtype=np.int64), choices=np.array([1 << OWNER_BITS], dtype=np.int64)
    )
    place, owner = np.array([(1 << GENE_BITS) - 1]), np.array([(1 << OWNER_BITS) - 1])
    (slot,) = slots_of(layout, place, owner, spare=0, nobody=0, picked=False)
    assert (gene_of(slot), owner_of(slot), others_of(slot)) == (place[0], owner[0], (1 << OWNER_BITS) - 1)


def test_programs_too_large_for_a_slot_are_refused() -> None:
    def made(**fields):
        layout = LAYOUT._replace(**fields)
        return slots_of(layout, PLACES, PLACES, spare=0, nobody=0, picked=False)

    most = (1 << OWNER_BITS) - 2 - LAYOUT.inputs
    assert made(nodes=most).size == 19
    with pytest.raises(InputError, match=r"at most 1,048,574 inputs and nodes, and 16,777,214 genes"):
        made(nodes=most + 1)
    with pytest.raises(InputError, match="too large"):
        made(owner=np.broadcast_to(np.int64(0), (1 << GENE_BITS) - 1))
