"""Symbolic marks against truth tables: reached inputs of conjunctions, odd paths of parities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp import plain, symbolic
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.new_value import random_program

mark_from_change = entry(symbolic.mark_from_change)
mark_from_output = entry(symbolic.mark_from_output)
NODES = 9


def program(gate: str, n: int, seed: int):
    """A layout, the lean options of the paper's law, and a random program."""
    layout = layout_of(Shape(n, 1, NODES, gate_set([gate])))
    genes = np.zeros(layout.owner.size, dtype=np.int64)
    random_program(np.array([seed, n, 3, 4], dtype=np.uint64), layout, genes)
    return layout, lean_of(PAPER, layout), genes


@given(gate=st.sampled_from(["and", "xor"]), n=st.integers(1, 6), seed=st.integers(0, 10**6))
def test_rank_tells_the_mismatches_of_the_table(gate: str, n: int, seed: int) -> None:
    layout, lean, genes = program(gate, n, seed)
    room = symbolic.room_of(layout, lean, parity=gate == "xor")
    rank = symbolic.rank(layout, room, genes)
    table = plain.plain_of(layout, complete(target(f"{gate}:{n}")), lean)
    mismatches = plain.rank(layout, table, genes)
    if gate == "and":
        assert mismatches == 2**rank - 1  # Lemma 2
    else:
        assert mismatches == rank * 2 ** (n - 1)


@given(n=st.integers(2, 6), seed=st.integers(0, 10**6), node=st.integers(0, NODES - 1))
def test_marks_from_a_changed_node_are_those_from_the_output(n: int, seed: int, node: int) -> None:
    layout, lean, genes = program("and", n, seed)
    room = symbolic.room_of(layout, lean, parity=False)
    symbolic.rank(layout, room, genes)
    if not room.draws.active[n + node]:
        return
    genes[3 * node + 1] = (genes[3 * node + 1] + 1) % (n + node)
    mark_from_change(layout, room, genes, np.uint64(n + node))
    found = room.marks[:n].copy()
    mark_from_output(layout, room.marks, False, genes)
    assert np.array_equal(found != 0, room.marks[:n] != 0)


@pytest.mark.parametrize("gate", ["and", "xor"])
def test_the_parent_is_known_by_bits_and_readers(gate: str) -> None:
    layout, lean, genes = program(gate, 4, 8)
    room = symbolic.room_of(layout, lean, parity=gate == "xor")
    symbolic.rank(layout, room, genes)
    active = np.zeros(NODES + 1, dtype=np.uint8)
    plain.mark_active(layout, genes, active)
    assert [int(room.draws.bits[0]) >> node & 1 for node in range(NODES)] == active[:NODES].tolist()
    for source in range(4 + NODES):
        readers = [4 + b for b in range(NODES) if active[b] and source in genes[3 * b + 1 : 3 * b + 3]]
        readers += [4 + NODES] * int(genes[-1] == source)
        assert room.reader[source] == max(readers, default=-1)
