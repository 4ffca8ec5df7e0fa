"""Values and counts of readers against a plain evaluation."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import unpack
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, active_nodes, valid_values
from gatewalk.cgp.judges import rows
from gatewalk.cgp.judges.table import plain_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of

count_reader = entry(rows.count_reader)
collect, need = entry(rows.collect), entry(rows.need)
compute_needed, forget = entry(rows.compute_needed), entry(rows.forget)
bounds_of, span_of, sources_of = entry(rows.bounds_of), entry(rows.span_of), entry(rows.sources_of)
NODES = 80
u = np.uint64


def setting(n: int, seed: int):
    """A shape, room for its values on all rows of parity, and a random program with some active nodes."""
    shape = Shape(n, 1, NODES, gate_set(["and", "or", "nand", "not"]))
    random = np.random.default_rng(seed)
    values = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
    genes = np.array(values, dtype=np.int32)
    genes[-1] = n + NODES - 1
    return shape, rows.rows_of(layout_of(shape), complete(target(f"parity:{n}"))), genes


def bits_of(words: np.ndarray) -> list[bool]:
    return [bool(int(words[node // 64]) >> (node % 64) & 1) for node in range(NODES)]


@pytest.mark.parametrize("seed", range(5))
def test_readers_and_active_nodes_follow_what_is_read(seed: int) -> None:
    shape, room, genes = setting(4, seed)
    top = u(genes[-1])
    count_reader(room, genes, top, top, 1)
    assert bits_of(room.active) == active_nodes(shape, genes).tolist()
    random = np.random.default_rng(seed)
    for other in random.integers(4 + NODES, size=30).astype(u):
        count_reader(room, genes, other, other, 1)
        count_reader(room, genes, top, top, -1)
        top, genes[-1] = other, other
        active = active_nodes(shape, genes)
        assert bits_of(room.active) == active.tolist()
        assert ((room.readers[4:-2] > 0) == active).all()
    count_reader(room, genes, top, top, -1)
    assert not room.readers.any()
    assert not room.active.any()


def test_a_node_that_reads_a_source_twice_is_one_reader() -> None:
    _, room, genes = setting(4, 0)
    genes[:3] = 0, 2, 2
    count_reader(room, genes, u(4), u(4), 1)
    assert room.readers[:5].tolist() == [0, 0, 1, 0, 1]


def test_a_gate_of_one_input_reads_its_first_source_only() -> None:
    _, room, genes = setting(4, 0)
    genes[:6] = 0, 1, 2, 3, 1, 2
    assert sources_of(room, genes, u(4)) == (1, 2)
    assert sources_of(room, genes, u(5)) == (1, 1)


@pytest.mark.parametrize("n", [3, 10, 14])
def test_needed_nodes_get_the_values_of_the_plain_evaluation(n: int, take_program) -> None:
    shape, room, genes = setting(n, 9)
    layout, top = layout_of(shape), u(genes[-1])
    need(room, top)
    low = collect(room, genes, top)
    active = active_nodes(shape, genes)
    assert active.sum() > 5
    assert bits_of(room.needed) == active.tolist()
    assert low == n + np.flatnonzero(active)[0]
    compute_needed(room, genes, top, room.parts)
    plain = plain_of(layout, complete(target(f"parity:{n}")))
    take_program(plain, large_of(layout, picked=False), genes)
    found = room.values.reshape(n + NODES, -1)[:, : plain.values.shape[1]]
    nodes = n + np.flatnonzero(active)
    assert np.array_equal(unpack(found[nodes], 1 << n), unpack(plain.values[nodes], 1 << n))
    forget(room, top)
    assert not room.needed.any()


@pytest.mark.parametrize(("n", "words", "head"), [(3, 1, 1), (7, 8, 8), (13, 128, 128), (14, 256, 64)])
def test_head_and_tail_are_all_words(n: int, words: int, head: int) -> None:
    _, room, _ = setting(n, 0)
    assert (room.words, room.head) == (words, head)
    assert bounds_of(room, u(0)) == (0, head)
    assert span_of(room, room.parts) == (0, words)
    if head < words:
        assert bounds_of(room, u(1)) == (head, words)
    assert np.bitwise_count(room.used).sum() == 1 << n
