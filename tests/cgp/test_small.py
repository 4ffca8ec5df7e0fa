from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp import program as programs
from gatewalk.cgp import small
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.program import Changes
from gatewalk.cgp.slots import gene_of, others_of, owner_of
from gatewalk.cgp.small import FIRST, GATE, NOBODY, OUTPUT, SECOND, SIZE, is_small, places_of, small_of

gene_of, owner_of, others_of = entry(gene_of), entry(owner_of), entry(others_of)
first_of, second_of, gate_of = entry(small.first_of), entry(small.second_of), entry(small.gate_of)
touch, hit, is_active = entry(small.touch), entry(programs.hit), entry(small.is_active)
keep_child, drop_child = entry(programs.keep_child), entry(programs.drop_child)
count_active, nodes_of = entry(small.count_active), entry(small.nodes_of)
write_program = entry(programs.write_program)
u = np.uint64
NOTHING = Changes(u(0), u(0), u(0))
LAYOUT = layout_of(Shape(4, 1, 6, gate_set(["and"])))
GENES = np.array([0, 3, 1, 0, 4, 2, 0, 5, 0, 0, 1, 6, 0, 7, 7, 0, 2, 8, 9], dtype=np.int32)


def test_which_programs_are_small() -> None:
    gates = gate_set("and,not")
    assert is_small(Shape(3, 1, 60, gates))
    assert not is_small(Shape(3, 1, 61, gates))
    assert not is_small(Shape(3, 2, 6, gates))
    assert not is_small(Shape(3, 1, 6, gate_set("and,mux")))
    assert not is_small(Shape(3, 1, 6, gate_set("not")))


def test_places_tell_the_node() -> None:
    places = places_of(LAYOUT)
    assert len(set(places.tolist())) == 19
    assert places[-1] == FIRST + OUTPUT
    assert np.array_equal(places[:-1] % 64, 4 + LAYOUT.owner[:-1])
    assert places[:3].tolist() == [GATE + u(4), FIRST + u(4), SECOND + u(4)]


@pytest.mark.parametrize("picked", [False, True])
def test_slots(picked: bool) -> None:
    program = small_of(LAYOUT, picked=picked)
    for slot, place, choices in zip(program.slots, program.places.tolist(), LAYOUT.choices, strict=True):
        can_change = choices > 1
        assert gene_of(slot) == (place if can_change else SIZE)
        assert owner_of(slot) == (place % 64 if can_change or picked else NOBODY)
        assert others_of(slot) == choices - 1


def test_genes_of_a_node_and_of_the_output() -> None:
    program = small_of(LAYOUT, picked=False)
    write_program(program, GENES)
    for node in range(6):
        source = u(4 + node)
        found = [gate_of(program, source), first_of(program, source), second_of(program, source)]
        assert found == GENES[3 * node : 3 * node + 3].tolist()
    assert first_of(program, OUTPUT) == 9


def test_an_offspring_is_kept_and_dropped_whole() -> None:
    program = small_of(LAYOUT, picked=False)
    write_program(program, GENES)
    keep_child(program, NOTHING)
    assert np.array_equal(program.genes[: program.parent.size], program.parent)
    program.genes[:] = 7  # the place behind the last gene too
    drop_child(program, NOTHING)
    assert program.genes[program.places].tolist() == GENES.tolist()
    assert np.array_equal(program.genes[: program.parent.size], program.parent)
    assert program.parent.size == SIZE < program.genes.size


@pytest.mark.parametrize("picked", [False, True])
def test_changes_are_bits_of_nodes(picked: bool) -> None:
    program = small_of(LAYOUT, picked=picked)
    of_gate, of_node, of_output = (program.slots[gene] for gene in (6, 7, 18))
    touched = u(0)
    for slot in (of_node, of_node, of_output):
        touched = u(touch(program, touched, slot))
    assert int(touched) == 1 << 6 | 1 << 63
    assert hit(program, u(0), of_node) == 1 << 6
    state = (u(1 << 6 | 1 << 63), u(0))
    found = [bool(is_active(None, program, state, slot)) for slot in (of_gate, of_node, of_output)]
    assert found == [picked, True, True]
    assert not is_active(None, program, (u(1 << 63), u(0)), of_node)


def test_nodes_of_a_set_leave_out_inputs_and_the_output() -> None:
    program = small_of(LAYOUT, picked=False)
    everything = u(2**64 - 1)
    assert nodes_of(program, everything) == u((2**63 - 1) & ~0b1111)
    assert count_active(None, program, (u(0b1010001111 | 1 << 63), u(0))) == 2
