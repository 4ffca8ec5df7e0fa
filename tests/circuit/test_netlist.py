"""Named signals in any order become a circuit; loops, gaps and double definitions are refused."""

from __future__ import annotations

from functools import partial

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.draft import add
from gatewalk.circuit.netlist import Definition, connected, define
from gatewalk.errors import InputError


def gate(name: str, line: int, *reads: str) -> Definition:
    return Definition(line, reads, lambda draft, sources: add(draft, GATES[name], sources))


def test_signals_may_be_defined_after_they_are_read() -> None:
    definitions = {"y": gate("or", 1, "p", "c"), "p": gate("and", 2, "a", "b"), "unused": gate("not", 3, "a")}
    circuit = connected(["a", "b", "c"], ["y"], definitions)
    assert [node.gate.name for node in circuit.nodes] == ["and", "or"]
    assert [circuit(1, 1, 0), circuit(1, 0, 0), circuit(0, 0, 1)] == [1, 0, 1]


def test_an_output_may_be_an_input() -> None:
    circuit = connected(["a"], ["a"], {})
    assert (len(circuit), circuit.outputs) == (0, (0,))


def test_long_chains_need_no_recursion() -> None:
    definitions = {f"s{i}": gate("not", i, f"s{i + 1}" if i < 5000 else "a") for i in range(5001)}
    assert len(connected(["a"], ["s0"], definitions)) == 5001


@pytest.mark.parametrize(
    ("definitions", "message"),
    [
        ({"y": gate("not", 7, "y")}, "line 7: 'y' depends on itself"),
        ({"y": gate("not", 1, "p"), "p": gate("not", 2, "y")}, "depends on itself"),
        ({"y": gate("not", 4, "missing")}, "'missing' is neither an input nor defined .it is read on line 4"),
        ({}, "'y'"),
    ],
)
def test_refused(definitions: dict[str, Definition], message: str) -> None:
    with pytest.raises(InputError, match=message):
        connected(["a"], ["y"], definitions)


def test_a_signal_is_defined_once() -> None:
    definitions: dict[str, Definition] = {}
    enter = partial(define, definitions, "y")
    enter(gate("not", 1, "a"))
    with pytest.raises(InputError, match="line 2"):
        enter(gate("not", 2, "a"))
    assert definitions["y"].line == 1
