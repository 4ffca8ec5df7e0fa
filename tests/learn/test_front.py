from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError
from gatewalk.learn.front import FrontMember, chosen, non_dominated, outputs_on, repaired, size, without_gates

WIRE = Circuit(("a", "b"), (), (0,), ("y",))
BOTH = Circuit(("a", "b"), (Node(GATES["and"], (0, 1)), Node(GATES["or"], (0, 1))), (2, 3), ("y", "z"))
ROWS = np.array([[0, 1, 0, 1], [0, 0, 1, 1]], dtype=bool)


def member(
    gates: int, mismatches: int, accuracy: float | None = None, held_out: float | None = None
) -> FrontMember:
    return FrontMember(
        gates, mismatches, 1 - mismatches / 100 if accuracy is None else accuracy, held_out, WIRE
    )


def sizes(members) -> list[tuple[int, int]]:
    return [(one.gates, one.mismatches) for one in members]


def test_a_front_grows_and_falls() -> None:
    given = [member(*pair) for pair in [(5, 3), (2, 9), (2, 7), (3, 7), (9, 0), (7, 3), (6, 2), (9, 4)]]
    assert sizes(non_dominated(given)) == [(2, 7), (5, 3), (6, 2), (9, 0)]
    random = np.random.default_rng(1)
    for _ in range(200):
        pairs = [tuple(pair) for pair in random.integers(0, 8, (10, 2)).tolist()]
        kept = sizes(non_dominated(member(*pair) for pair in pairs))
        dominated = {p for p in pairs for q in pairs if q != p and q[0] <= p[0] and q[1] <= p[1]}
        assert kept == sorted(set(pairs) - dominated)


def test_the_most_accurate_is_chosen_and_of_equal_ones_the_smallest() -> None:
    front = [member(1, 30), member(4, 10), member(9, 0)]
    assert chosen(front, "accuracy").gates == 9
    assert chosen(front, "gates<=8").gates == 4
    assert chosen(front, "gates <= 1").gates == 1
    assert chosen(front, "gates<=0").gates == 1  # none is so small: the smallest there is
    held_out = [member(1, 30, held_out=0.6), member(4, 10, held_out=0.9), member(9, 0, held_out=0.9)]
    assert chosen(held_out, "accuracy").gates == 4


def test_the_knee_is_where_the_front_bends() -> None:
    front = [member(0, 50), member(2, 8), member(10, 4), member(20, 0)]
    assert chosen(front, "knee").gates == 2
    straight = [member(0, 40), member(10, 20), member(20, 0)]
    assert chosen(straight, "knee").gates == 20
    outward = [member(0, 40), member(10, 39), member(20, 0)]
    assert chosen(outward, "knee").gates == 20
    assert chosen(front[:1], "knee").gates == 0
    overfitted = [member(0, 50, held_out=0.5), member(2, 8, held_out=0.9), member(20, 0, held_out=0.7)]
    assert chosen(overfitted, "knee").gates == 2


@pytest.mark.parametrize("choose", ["best", "gates<", "gates<=-1", None, 3])
def test_other_choices_are_refused(choose: object) -> None:
    with pytest.raises(InputError, match="use 'accuracy', 'knee' or 'gates<=K'"):
        chosen([member(1, 1)], choose)


def test_an_output_no_better_than_a_constant_is_that_constant() -> None:
    wanted = np.array([[0, 0, 0, 1], [0, 0, 0, 1]], dtype=bool)  # the second output is or: wrong on two
    mended = repaired(BOTH, ROWS, wanted)
    assert outputs_on(mended, ROWS).astype(int).tolist() == [[0, 0, 0, 1], [0, 0, 0, 0]]
    assert size(mended) == 1
    ones = repaired(BOTH, ROWS, ~np.array([[0, 0, 0, 1], [0, 0, 0, 0]], dtype=bool))
    assert outputs_on(ones, ROWS).all()
    assert size(ones) == 0


def test_outputs_that_are_better_stay_and_are_simplified() -> None:
    nodes = (Node(GATES["and"], (0, 1)), Node(GATES["or"], (2, 2)))
    circuit = Circuit(("a", "b"), nodes, (3,), ("y",))
    mended = repaired(circuit, ROWS, np.array([[0, 0, 1, 1]], dtype=bool))
    assert str(mended) == "y = a & b"


def test_no_examples_have_no_outputs() -> None:
    assert outputs_on(BOTH, ROWS[:, :0]).shape == (2, 0)


def test_of_circuits_without_gates_the_fittest() -> None:
    wanted = np.array([[0, 0, 1, 1], [0, 0, 0, 1]], dtype=bool)  # the second input, and a constant is as good
    circuit = repaired(without_gates(ROWS, wanted, (("a", "b"), ("y", "z"))), ROWS, wanted)
    assert str(circuit) == "y = b\nz = 0"
    assert size(circuit) == 0
