"""Values and counts of readers against a plain evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp import plain, rows
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.new_value import random_program

acquire, release = entry(rows.acquire), entry(rows.release)
collect, need = entry(rows.collect), entry(rows.need)
compute_needed, forget_needed = entry(rows.compute_needed), entry(rows.forget_needed)
NODES = 80
GATES = ["and", "or", "nand", "not"]


def setting(n: int, seed: int):
    """A layout, room for its values on all rows, and a random program with some active nodes."""
    layout = layout_of(Shape(n, 1, NODES, gate_set(GATES)))
    genes = np.zeros(layout.owner.size, dtype=np.int64)
    random_program(np.array([seed, n, 3, 4], dtype=np.uint64), layout, genes)
    genes[-1] = n + NODES - 1
    return layout, rows.rows_of(layout, complete(target(f"parity:{n}"))), genes


def active_of(layout, genes) -> np.ndarray:
    active = np.zeros(NODES + 1, dtype=np.uint8)
    plain.mark_active(layout, genes, active)
    return active[:NODES]


def bits_of(words: np.ndarray) -> list[int]:
    return [int(words[node // 64]) >> (node % 64) & 1 for node in range(NODES)]


@pytest.mark.parametrize("seed", range(5))
def test_readers_and_active_nodes_follow_what_is_read(seed: int) -> None:
    layout, room, genes = setting(4, seed)
    u = np.uint64
    top = u(genes[-1])
    acquire(room, genes, top, top)
    assert bits_of(room.active) == active_of(layout, genes).tolist()
    random = np.random.default_rng(seed)
    for _ in range(30):
        other = u(random.integers(4 + NODES))
        acquire(room, genes, other, other)
        release(room, genes, top, top)
        top = genes[-1] = other
        top = u(top)
        active = active_of(layout, genes)
        assert bits_of(room.active) == active.tolist()
        assert ((room.readers[4:-1] > 0) == (active > 0)).all()
    release(room, genes, top, top)
    assert not room.readers.any()
    assert not room.active.any()


@pytest.mark.parametrize("n", [3, 10, 14])
def test_needed_nodes_get_the_values_of_the_plain_evaluation(n: int) -> None:
    layout, room, genes = setting(n, 9)
    top = np.uint64(genes[-1])
    need(room, top)
    collect(room, genes, top)
    active = active_of(layout, genes)
    assert bits_of(room.needed) == active.tolist()
    for part in range(int(room.parts).bit_count()):
        compute_needed(room, genes, top, np.uint64(part))
    table = plain.plain_of(layout, complete(target(f"parity:{n}")), lean_of(PAPER, layout))
    plain.rank(layout, table, genes)
    found = room.values.reshape(n + NODES, -1)[:, : table.table.values.shape[1]]
    nodes = n + np.flatnonzero(active)
    assert np.array_equal(found[nodes], table.table.values[nodes])
    forget_needed(room, top)
    assert not room.needed.any()
