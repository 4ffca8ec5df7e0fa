from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import large
from gatewalk.cgp import program as programs
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.program import Changes
from gatewalk.cgp.slots import gene_of, others_of, owner_of

gene_of, owner_of, others_of = entry(gene_of), entry(owner_of), entry(others_of)
touch, hit, is_active = entry(large.touch), entry(large.hit), entry(large.is_active)
keep_child, drop_child = entry(programs.keep_child), entry(programs.drop_child)
count_active = entry(large.count_active)
u = np.uint64
N, NODES = 4, 6
LAYOUT = layout_of(Shape(N, 2, NODES, gate_set(["and"])))
GENES = LAYOUT.owner.size
STATE = (u(0),)


class Marks(NamedTuple):
    """As much of a judge as tells what is active."""

    active: np.ndarray


@pytest.mark.parametrize("picked", [False, True])
def test_slots(picked: bool) -> None:
    program = large_of(LAYOUT, picked=picked)
    assert program.places.tolist() == list(range(GENES))
    for gene, slot in enumerate(program.slots):
        can_change = LAYOUT.choices[gene] > 1
        owner = N + LAYOUT.owner[gene]
        assert gene_of(slot) == (gene if can_change else GENES)
        assert owner_of(slot) == (owner if can_change or picked else N + NODES + 1)
        assert others_of(slot) == LAYOUT.choices[gene] - 1


@pytest.mark.parametrize("kind", [np.uint8, np.int32])
def test_activity_is_that_of_the_owner(kind: type) -> None:
    program, judge = large_of(LAYOUT, picked=False), Marks(np.zeros(N + NODES + 2, dtype=kind))
    judge.active[[0, N + 2, N + 4, N + NODES]] = 3  # an input and the outputs are no nodes
    found = [bool(is_active(judge, program, STATE, slot)) for slot in program.slots]
    is_wanted = np.isin(LAYOUT.owner, [2, 4, NODES]) & (LAYOUT.choices > 1)
    assert found == is_wanted.tolist()
    assert count_active(judge, program, STATE) == 2


# So many genes are written that the list is short, full, or too short.
@pytest.mark.parametrize("written", [0, 1, 5, GENES - 1, GENES, GENES + 1, 3 * GENES])
@pytest.mark.parametrize("is_kept", [False, True], ids=["dropped", "kept"])
def test_an_offspring_is_restored_or_kept_however_many_genes_are_written(written: int, is_kept: bool) -> None:
    program, random = large_of(LAYOUT, picked=False), np.random.default_rng(written)
    program.parent[:] = program.genes[:] = random.integers(0, 100, size=GENES + 1)
    before = program.parent.copy()
    touched = u(0)
    for gene in random.integers(GENES, size=written):
        slot = program.slots[gene]
        program.genes[gene_of(slot)] += 1
        touched = u(touch(program, touched, slot))
    assert touched == written
    after = program.genes.copy()
    (keep_child if is_kept else drop_child)(program, Changes(touched, u(0), u(written)))
    expected = after if is_kept else before
    assert program.genes[:GENES].tolist() == program.parent[:GENES].tolist() == expected[:GENES].tolist()


def test_only_listed_genes_are_copied() -> None:
    program = large_of(LAYOUT, picked=False)
    program.genes[:] = 5
    touched = u(touch(program, u(touch(program, u(0), program.slots[4])), program.slots[8]))
    keep_child(program, Changes(touched, u(0), u(2)))
    assert np.flatnonzero(program.parent).tolist() == [4, 8]


def test_hits_are_listed_as_far_as_there_is_room() -> None:
    program, hits = large_of(LAYOUT, picked=False), u(0)
    for number in range(GENES + 7):
        hits = u(hit(program, hits, u(1000 + number)))
    assert hits == GENES + 7
    assert program.hit.tolist() == list(range(1000, 1000 + GENES))
