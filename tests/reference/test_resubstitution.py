"""The literal walk through circuits of the same function: parts by hand, steps by their definition."""

from __future__ import annotations

from itertools import islice

from gatewalk.boolean.gates import GATES
from gatewalk.reference.resubstitution import (
    Task,
    Wires,
    columns,
    cost,
    dependents,
    fitting,
    levels,
    order,
    seen,
    walk,
)
from gatewalk.reference.stream import Stream

A, B = 0b1010, 0b1100  # the columns of two inputs
TASK = Task(
    gates=[GATES["and"], GATES["not"]],
    prices=[3, 1],
    level_price=10,
    inputs=[A, B],
    cares=[0b1111],
    rows=4,
    capacity=5,
    slack=4,
)
NAND = Wires(functions=(0, 1, 0, 0, 0), sources=((0, 1), (2, 2), (0, 0), (0, 0), (0, 0)), outputs=(3,))


def test_order_levels_and_cost() -> None:
    assert order(TASK, NAND) == [0, 1]
    assert [levels(TASK, NAND)[source] for source in range(4)] == [0, 0, 1, 2]
    assert cost(TASK, NAND) == 3 + 1 + 2 * 10


def test_columns_and_what_outputs_see() -> None:
    assert columns(TASK, NAND)[2] == A & B
    assert columns(TASK, NAND)[3] == 0b0111
    assert columns(TASK, NAND, negated=0)[3] == 0b1000
    assert dependents(TASK, NAND, 0) >= {2, 3}
    assert seen(TASK, NAND, 0) == 0b1111
    some = Task(**{**vars(TASK), "cares": [0b0011]})
    assert seen(some, NAND, 0) == 0b0011


def test_gates_that_fit() -> None:
    assert (0, False) in fitting(TASK, 0b1000, 0b0111, A, B)  # and(a, b)
    assert (1, False) in fitting(TASK, 0b0101, 0b1010, A, B)  # not(a)
    assert (1, True) in fitting(TASK, 0b0011, 0b1100, A, B)  # not(b): the sources exchanged
    assert fitting(TASK, 0b0110, 0b1001, A, B) == []


def test_every_circuit_on_the_way_is_right_and_cheap_enough() -> None:
    places = list(islice(walk(TASK, NAND, Stream([3, 1, 4, 1])), 60))
    for place in places:
        assert columns(TASK, place.now)[place.now.outputs[0]] == 0b0111
        assert cost(TASK, place.now) == place.cost <= place.least + TASK.slack
        assert cost(TASK, place.best) == place.least
    assert len({place.now for place in places}) > 3
