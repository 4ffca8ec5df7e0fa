"""Epochs of the search for cheaper circuits: their start, their end, and gates scattered over the nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.cgp.genotype import Shape, active_nodes
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.own_target import circuit_target
from gatewalk.circuit.truth import circuit_of_tables
from gatewalk.errors import InputError
from gatewalk.search.shrinking import Epoch, Shrinking, advance_epoch, begin_epoch, scattered
from gatewalk.synthesis.mapping import mapped

GATES = "and,or,xor,not,nand,nor,xnor,nimply,ncimply,imply,cimply"


def adder() -> Circuit:
    """A full adder with more gates than it needs."""
    return mapped(circuit_of_tables((0x96, 0xE8), ("a", "b", "c"), ("s", "o")), gate_set(GATES))


def shrinking_of(start: Circuit) -> Shrinking:
    gates = gate_set(GATES)
    return Shrinking(
        wanted=circuit_target(start),
        gates=gates,
        prices=(1,) * len(gates),
        level_price=0,
        slack=2,
        goal=0,
        mutation="sam",
        offspring=1,
    )


def begun(shrinking: Shrinking, start: Circuit, *, nodes: int, seed: int) -> Epoch:
    return begin_epoch(shrinking, start, nodes=nodes, best=None, seed=seed, run=2, number=5)


def test_the_goal_ends_it() -> None:
    start = adder()
    shrinking = shrinking_of(start)
    epoch = begun(replace(shrinking, goal=6), start, nodes=30, seed=1)
    advance_epoch(epoch, 10**6)
    assert epoch.is_done
    assert epoch.best <= 6
    before = epoch.offspring
    advance_epoch(epoch, 1000)
    assert epoch.offspring == before


def test_a_start_that_is_wrong_is_refused() -> None:
    shrinking = shrinking_of(adder())
    wrong = adder()
    swapped = Circuit(wrong.input_labels, wrong.nodes, wrong.outputs[::-1], wrong.output_labels)
    with pytest.raises(InputError, match="does not compute"):
        begun(shrinking, swapped, nodes=30, seed=1)


def test_the_genes_of_scattered_circuits_are_active_exactly_where_its_gates_are() -> None:
    start = adder()
    shape = Shape(3, 2, 40, gate_set(GATES))
    seen = set()
    for seed in range(20):
        genes = scattered(start, shape, np.random.default_rng(seed)).astype(np.int64)
        active = active_nodes(shape, genes)
        assert active.sum() == len(start)
        seen.add(tuple(np.flatnonzero(active).tolist()))
    assert len(seen) == 20
