"""Circuits under construction: constants, shared negations, flat trees, and a limit."""

from __future__ import annotations

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit import draft as module
from gatewalk.circuit.draft import Draft, add, balanced, constant, finished, negation
from gatewalk.errors import InputError


def test_gates_are_numbered_after_the_inputs() -> None:
    draft = Draft(2)
    both = add(draft, GATES["and"], (0, 1))
    assert (both, add(draft, GATES["or"], (both, 0))) == (2, 3)
    circuit = finished(draft, ["a", "b"], [3], ["y"])
    assert [circuit(a, b) for a in (0, 1) for b in (0, 1)] == [0, 0, 1, 1]


def test_constants() -> None:
    draft = Draft(0)
    circuit = finished(draft, [], [constant(draft, 0), constant(draft, 1)], ["no", "yes"])
    assert circuit() == (0, 1)


def test_a_negation_is_built_once() -> None:
    draft = Draft(2)
    assert negation(draft, 1) == negation(draft, 1) == 2
    assert negation(draft, 0) == 3
    assert len(draft.nodes) == 2


@pytest.mark.parametrize(("count", "depth"), [(1, 0), (2, 1), (3, 2), (5, 3), (8, 3), (9, 4)])
def test_trees_are_flat(count: int, depth: int) -> None:
    draft = Draft(count)
    root = balanced(draft, GATES["and"], range(count))
    circuit = finished(draft, [f"x{i}" for i in range(count)], [root], ["y"])
    assert (len(circuit), circuit.depth) == (count - 1, depth)
    assert circuit(*[1] * count) == 1
    assert not any(circuit(*[int(i != zero) for i in range(count)]) for zero in range(count))


def test_too_many_gates_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_GATES", 2)
    draft = Draft(1)
    negation(draft, negation(draft, 0))
    with pytest.raises(InputError, match="more than 2 gates"):
        constant(draft, 0)
