"""Small programs on larger tables: parts of a table, sides of a source, and ranks against all rows."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.row_order import telling_first
from gatewalk.boolean.tables import pack, unpack
from gatewalk.boolean.targets import target
from gatewalk.boolean.training import TrainingSet, complete
from gatewalk.cgp.genotype import Shape
from gatewalk.cgp.judges import small_table
from gatewalk.cgp.layout import layout_of
from gatewalk.cgp.small import small_of

NODES = 30
ACTIVE, FRESH, SIDES = range(3)  # places in a judge's state


def judge_of(name: str, gate: str):
    training = complete(target(name))
    layout = layout_of(Shape(training.inputs.shape[0], 1, NODES, gate_set([gate])))
    return layout, training, small_table.small_table_of(layout, training)


def values_of(part, sides: int, source: int) -> np.ndarray:
    return part.values.reshape(2, 64, -1)[sides >> source & 1, source]


@pytest.mark.parametrize("rows", [1, 2, 64, 65, 512, 513, 5000, 20_000])
@pytest.mark.parametrize("gate", ["and", "nand", "xor"])
def test_tables_of_all_sizes(check_judge, mismatches, gate: str, rows: int) -> None:
    bits = np.random.default_rng(rows).integers(0, 2, size=(8, rows))
    training = TrainingSet("sample", rows, pack(bits[:7]), pack(bits[7:]))
    shape = Shape(7, 1, 25, gate_set([gate]))
    check_judge(
        shape,
        small_of,
        lambda layout: small_table.small_table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        seed=rows,
    )


@pytest.mark.parametrize(
    ("name", "gate", "nodes"), [("and:12", "and", 51), ("or:10", "nor", 1), ("xor:11", "imply", 30)]
)
def test_complete_tables_whose_rows_are_put_in_order(check_judge, mismatches, name, gate, nodes) -> None:
    training = complete(target(name))
    shape = Shape(training.inputs.shape[0], 1, nodes, gate_set([gate]), levels_back=4)
    check_judge(
        shape,
        small_of,
        lambda layout: small_table.small_table_of(layout, training),
        lambda genes: mismatches(shape, training, genes),
        picked=True,
    )


@pytest.mark.parametrize("n", [3, 6, 9, 10, 13])
def test_head_and_tail_hold_every_row_once(n: int) -> None:
    _, training, judge = judge_of(f"and:{n}", "and")
    ordered = telling_first(training)
    used = ordered.inputs.shape[1]
    parts = (judge.head, judge.tail)
    assert judge.head.mask.size == 8
    assert judge.tail.mask.size == judge.tail_words
    assert sum(int(np.bitwise_count(part.mask).sum()) for part in parts) == training.rows
    assert np.array_equal(np.concatenate([part.wanted for part in parts])[:used], ordered.outputs[0])
    for i in range(n):
        found = np.concatenate([values_of(part, 0, i) for part in parts])
        assert np.array_equal(found[:used], ordered.inputs[i])


@pytest.mark.parametrize(("name", "gate"), [("and:10", "and"), ("xor:8", "nand"), ("or:13", "nor")])
def test_active_nodes_have_their_values_on_the_side_in_use(take_program, name: str, gate: str) -> None:
    layout, training, judge = judge_of(name, gate)
    program, random = small_of(layout, picked=False), np.random.default_rng(3)
    n, ordered = layout.inputs, telling_first(training)
    gates = {"and": np.logical_and, "nand": lambda x, y: ~(x & y), "nor": lambda x, y: ~(x | y)}
    for _ in range(5):  # again in the same arrays: the sides of the last program are those not in use
        genes = random.integers(0, layout.choices).astype(np.int32)
        rank = take_program(judge, program, genes)
        values = [unpack(column, training.rows) for column in ordered.inputs]
        for node in range(NODES):
            a, b = genes[3 * node + 1 : 3 * node + 3]
            values.append(gates[gate](values[a], values[b]))
        assert rank == (values[genes[-1]] != unpack(ordered.outputs[0], training.rows)).sum()
        state = [int(word) for word in judge.state]
        for source in range(n, n + NODES):
            if state[ACTIVE] >> source & 1:
                head = values_of(judge.head, state[SIDES], source)
                tail = values_of(judge.tail, state[SIDES], source)
                found = unpack(np.concatenate([head, tail]), training.rows)
                assert np.array_equal(found, values[source])
