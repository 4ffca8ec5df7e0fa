"""Slots hold what SAM asks about a gene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.slots import gene_of, others_of, owner_of, slots_of
from gatewalk.cgp.workspace import FIRST, OUTPUT, SLOTS, places_of, put_slots, words_of

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
    words = words_of(LAYOUT)
    assert put_slots(words, LAYOUT, LITERAL) == 19
    assert np.array_equal(
        words[int(SLOTS) : int(SLOTS) + 19] & np.uint64(0xFFFFFFFF), places.astype(np.uint64)
    )
