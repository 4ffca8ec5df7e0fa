"""Parts of a table, sides of a source: what small programs on larger tables are computed by."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import unpack
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp import cone_table
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.new_value import random_program
from gatewalk.cgp.row_order import telling_first

NODES = 30
ACTIVE, FRESH, HEAD_SIDES, TAIL_SIDES = range(4)  # places in a room's state
compute_tail = entry(cone_table.compute_tail)


def setting(name: str, gates: list[str]):
    training = complete(target(name))
    layout = layout_of(Shape(training.inputs.shape[0], 1, NODES, gate_set(gates)))
    return layout, training, cone_table.room_of(layout, training, lean_of(PAPER, layout))


def values_of(part, sides: int, source: int) -> np.ndarray:
    return part.values.reshape(2, 64, -1)[sides >> source & 1, source]


@pytest.mark.parametrize("n", [3, 6, 9, 10, 13])
def test_head_and_tail_hold_every_row_once(n: int) -> None:
    _, training, room = setting(f"and:{n}", ["and"])
    ordered = telling_first(training)
    used = ordered.inputs.shape[1]
    parts = (room.head, room.tail)
    assert room.head.words == 8
    assert sum(int(np.bitwise_count(part.mask).sum()) for part in parts) == training.rows
    assert np.array_equal(np.concatenate([part.wanted for part in parts])[:used], ordered.outputs[0])
    for i in range(n):
        found = np.concatenate([values_of(part, 0, i) for part in parts])
        assert np.array_equal(found[:used], ordered.inputs[i])


@pytest.mark.parametrize(("name", "gate"), [("and:10", "and"), ("xor:8", "nand"), ("or:13", "nor")])
def test_active_nodes_have_their_values_on_the_side_in_use(name: str, gate: str) -> None:
    layout, training, room = setting(name, [gate])
    n, ordered = layout.inputs, telling_first(training)
    gates = {"and": np.logical_and, "nand": lambda x, y: ~(x & y), "nor": lambda x, y: ~(x | y)}
    genes = np.zeros(layout.owner.size, dtype=np.int64)
    for seed in range(5):  # again in the same room: the sides of the last program are those not in use
        random_program(np.array([seed, 2, 3, 4], dtype=np.uint64), layout, genes)
        rank = cone_table.rank(layout, room, genes)
        values = [unpack(column, training.rows) for column in ordered.inputs]
        for node in range(NODES):
            a, b = genes[3 * node + 1 : 3 * node + 3]
            values.append(gates[gate](values[a], values[b]))
        assert rank == (values[genes[-1]] != unpack(ordered.outputs[0], training.rows)).sum()
        state = [int(word) for word in room.state]
        for source in range(n, n + NODES):
            if state[ACTIVE] >> source & 1:
                head = values_of(room.head, state[HEAD_SIDES], source)
                tail = values_of(room.tail, state[TAIL_SIDES], source)
                found = unpack(np.concatenate([head, tail]), training.rows)
                assert np.array_equal(found, values[source])


def test_a_change_that_dies_out_is_not_followed() -> None:
    layout, _, room = setting("and:12", ["and"])
    n, u = layout.inputs, np.uint64
    genes = np.zeros(layout.owner.size, dtype=np.int64)
    genes[1:3] = 0, 1  # node 0: x1 x2
    genes[4:6] = n, 2  # node 1: node 0 and x3
    genes[7:9] = n + 1, 3  # node 2: node 1 and x4
    genes[-1] = n + 2
    cone_table.rank(layout, room, genes)
    active, sides = room.state[ACTIVE], room.state[TAIL_SIDES]
    above = u(7 << n)
    assert active == above | u(1 << 63)
    # Node 0 reads x2 and x1: the same value, so that no side is turned over.
    room.space.genes[64 + n], room.space.genes[128 + n] = 1, 0
    assert compute_tail(room, sides, above, active, u(n)) == sides
    # Node 0 reads x2 and x3: it changes, node 1 too.
    room.space.genes[128 + n] = 2
    assert compute_tail(room, sides, above, active, u(n)) == sides ^ above
    # Node 0 was x1 x2 and is x1 x2 x3: node 1 stays as it was, and node 2 with it.
    room.space.genes[64 + n], room.space.genes[128 + n] = 0, 1
    room.tail.values.reshape(2, 64, -1)[int(sides) >> n & 1, n] &= room.tail.values.reshape(2, 64, -1)[0, 2]
    assert compute_tail(room, sides, above, active, u(n)) == sides ^ u(1 << n)
