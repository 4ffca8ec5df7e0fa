"""Where outputs see a node, against turning its value around and evaluating everything again."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp import incremental, observability
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.lean import lean_of
from gatewalk.cgp.new_value import random_program

hit_before, observe = entry(observability.hit_before), entry(observability.observe)
NODES, GATES = 25, ["and", "or", "xor", "not"]
TABLES = {"and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b}


def values_of(n: int, genes: np.ndarray, inputs: np.ndarray, turned: int | None = None) -> np.ndarray:
    """All values, with those of one node turned around."""
    values = np.zeros((n + NODES, inputs.shape[1]), dtype=np.uint64)
    values[:n] = inputs
    for node in range(NODES):
        gate, a, b = genes[3 * node : 3 * node + 3]
        name = GATES[gate]
        values[n + node] = ~values[a] if name == "not" else TABLES[name](values[a], values[b])
        if node == turned:
            values[n + node] = ~values[n + node]
    return values


@pytest.mark.parametrize(("name", "n"), [("mul:2", 4), ("add:5", 10)])
def test_observability_is_where_outputs_change_with_the_node(name: str, n: int) -> None:
    wanted = target(name)
    layout = layout_of(Shape(n, wanted.outputs, NODES, gate_set(GATES)))
    genes = np.zeros(layout.owner.size, dtype=np.int64)
    random_program(np.array([n, 2, 3, 4], dtype=np.uint64), layout, genes)
    training = complete(wanted)
    room = incremental.room_of(layout, training, lean_of(PAPER, layout))
    incremental.rank(layout, room, genes)
    seen, rows = room.observability, room.rows
    before = values_of(n, genes, training.inputs)
    words = int(rows.words)
    mask = rows.mask[: before.shape[1]]
    tops = genes[3 * NODES :]
    active = [node for node in range(NODES) if rows.readers[n + node]]
    assert len(active) > 5
    for node in active:
        assert not hit_before(seen, np.uint64(node))
        assert hit_before(seen, np.uint64(node))
        observe(seen, rows, genes, np.uint64(n + node), rows.parts)
        after = values_of(n, genes, training.inputs, turned=node)
        expected = (before ^ after)[tops] & mask
        found = seen.seen.reshape(NODES, wanted.outputs, words)[node, :, : before.shape[1]]
        assert np.array_equal(found, expected)
        assert int(seen.sees[node]) == sum(1 << o for o in range(wanted.outputs) if expected[o].any())
        assert not seen.differs.any()
