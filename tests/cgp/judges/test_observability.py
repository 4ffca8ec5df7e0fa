"""Where outputs see a node, against turning its value around and evaluating everything again."""

from __future__ import annotations

import numpy as np
import pytest
from kernels import entry

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.tables import apply
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import complete
from gatewalk.cgp.genotype import Shape, active_nodes, valid_values
from gatewalk.cgp.judges import observability
from gatewalk.cgp.judges.incremental import incremental_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.layout import layout_of

hit_before, observe = entry(observability.hit_before), entry(observability.observe)
come_down, pass_upwards = entry(observability.come_down), entry(observability.pass_upwards)
adopt, differ = entry(observability.adopt), entry(observability.differ)
NODES, GATES = 25, gate_set(["and", "or", "xor", "not"])
u = np.uint64


@pytest.fixture(params=[("mul:2", 3), ("sum:5", 10), ("maj:14", 7)], ids=["mul", "sum", "maj"])
def setting(request, take_program):
    """A judge that has taken a random program, its genes, and its training set."""
    name, seed = request.param
    wanted = target(name)
    shape = Shape(wanted.inputs, wanted.outputs, NODES, GATES)
    layout, training, random = layout_of(shape), complete(wanted), np.random.default_rng(seed)
    genes = np.zeros(shape.length, dtype=np.int32)
    while active_nodes(shape, genes).sum() < 6:
        genes[:] = [random.choice(valid_values(shape, gene)) for gene in range(shape.length)]
    judge = incremental_of(layout, training)
    take_program(judge, large_of(layout, picked=False), genes)
    return judge, genes


def turned_values(rows, genes: np.ndarray, turned: int | None = None) -> np.ndarray:
    """All values, with those of one node turned around."""
    n, words = int(rows.inputs), int(rows.words)
    values = rows.values.reshape(-1, words).copy()
    for node in range(NODES):
        gate = GATES.gates[genes[3 * node]]
        sources = genes[3 * node + 1 : 3 * node + 1 + gate.arity]
        values[n + node] = apply(gate, *values[sources])
        if node == turned:
            values[n + node] = ~values[n + node]
    return values


def active_of(rows) -> list[int]:
    return [node for node in range(NODES) if rows.readers[int(rows.inputs) + node]]


def test_observability_is_where_outputs_change_with_the_node(setting) -> None:
    judge, genes = setting
    seen, rows = judge.observability, judge.rows
    outputs, words = int(rows.outputs), int(rows.words)
    before, tops = turned_values(rows, genes), genes[3 * NODES :]
    for node in active_of(rows):
        source = rows.inputs + u(node)
        assert not hit_before(seen, u(node))
        assert hit_before(seen, u(node))
        observe(seen, rows, genes, source, u(1))  # the head, then the rest
        observe(seen, rows, genes, source, rows.parts)
        expected = (before ^ turned_values(rows, genes, turned=node))[tops] & rows.used
        assert np.array_equal(seen.seen.reshape(NODES, outputs, words)[node], expected)
        assert int(seen.sees[node]) == sum(1 << o for o in range(outputs) if expected[o].any())
        assert seen.known[node] == rows.parts
        assert not seen.differs.any()


def test_another_parent_knows_nothing_of_the_last_one(setting) -> None:
    seen = setting[0].observability
    assert not hit_before(seen, u(2))
    assert hit_before(seen, u(2))
    seen.known[2] = seen.sees[2] = 1
    seen.number[0] += u(1)
    assert not hit_before(seen, u(2))
    assert seen.known[2] == seen.sees[2] == 0


@pytest.mark.parametrize("is_adopted", [False, True])
def test_turned_values_pass_upwards_and_are_adopted_or_forgotten(setting, is_adopted: bool) -> None:
    judge, genes = setting
    seen, rows = judge.observability, judge.rows
    words, before = int(rows.words), rows.values.copy()
    node = active_of(rows)[0]
    source = int(rows.inputs) + node
    expected = turned_values(rows, genes, turned=node)
    seen.turned.reshape(-1, words)[source] = expected[source]
    differ(seen, u(source), rows.parts)
    pass_upwards(seen, rows, genes, u(source), rows.parts, True)
    assert seen.passed[0] == source
    if is_adopted:
        adopt(seen, rows)
        active = int(rows.inputs) + np.array(active_of(rows))
        assert np.array_equal(rows.values.reshape(-1, words)[active], expected[active])
    else:
        come_down(seen)
        assert np.array_equal(rows.values, before)
    assert not seen.differs.any()
    assert seen.number[1] == 0
