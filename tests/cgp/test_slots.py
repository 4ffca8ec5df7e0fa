"""Slots hold what SAM asks about a gene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import PAPER, TINYVERSE
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.slots import gene_of, others_of, owner_of, slots_of
from gatewalk.cgp.workspace import FIRST, OUTPUT, PARENT, SLOTS, places_of, workspace_of

gene_of, owner_of, others_of = entry(gene_of), entry(owner_of), entry(others_of)

LAYOUT = layout_of(Shape(4, 1, 6, gate_set(["and"])))
LITERAL = lean_of(PAPER, LAYOUT)


def test_slots_of_all_genes() -> None:
    slots = slots_of(LAYOUT, LITERAL)
    for gene, record in enumerate(slots.records):
        assert gene_of(record) == gene
        assert owner_of(record) == 4 + LAYOUT.owner[gene]
        assert others_of(record) == LAYOUT.choices[gene] - 1
    assert not slots.far


def test_the_lean_stream_has_no_slots_for_the_only_gate() -> None:
    lean = lean_of(replace(PAPER, sam_stream="lean"), LAYOUT)
    genes = [int(gene_of(record)) for record in slots_of(LAYOUT, lean).records]
    assert genes == [gene for gene in range(19) if LAYOUT.choices[gene] > 1]


def test_places_of_a_workspace_tell_the_node() -> None:
    places = places_of(LAYOUT)
    assert len(set(places.tolist())) == 19
    assert places[-1] == FIRST + OUTPUT
    assert np.array_equal(places[:-1] % 64, 4 + LAYOUT.owner[:-1])
    space = workspace_of(LAYOUT, LITERAL)
    slots = space.words[int(SLOTS) : int(SLOTS) + int(space.slots)].tolist()
    assert [slot >> 32 for slot in slots] == (LAYOUT.choices - 1).tolist()
    for slot, place, choices in zip(slots, places.tolist(), LAYOUT.choices, strict=True):
        can_change = choices > 1
        assert slot & 1023 == (place if can_change else place + 2 * PARENT)
        assert slot >> 10 & 63 == (place % 64 if can_change else 0)


def test_a_fixed_gene_ends_sam_in_its_own_node_where_picking_it_does() -> None:
    space = workspace_of(LAYOUT, lean_of(TINYVERSE, LAYOUT))
    slots = space.words[int(SLOTS) : int(SLOTS) + int(space.slots)].tolist()
    assert [slot >> 10 & 63 for slot in slots] == (places_of(LAYOUT) % 64).tolist()
