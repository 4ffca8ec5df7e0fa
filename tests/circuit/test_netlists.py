"""Named signals in any order become a circuit; loops, gaps and double definitions are refused."""

from __future__ import annotations

from functools import partial

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.netlists import Definition, connected, define, numbered_lines, whole_number_in
from gatewalk.errors import InputError


def gate(name, line, *reads):
    return Definition(line, reads, lambda draft, sources: draft.add(GATES[name], sources))


def test_signals_may_be_defined_after_they_are_read():
    definitions = {"y": gate("or", 1, "p", "c"), "p": gate("and", 2, "a", "b"), "unused": gate("not", 3, "a")}
    circuit = connected(["a", "b", "c"], ["y"], definitions)
    assert [node.gate.name for node in circuit.nodes] == ["and", "or"]
    assert [circuit(1, 1, 0), circuit(1, 0, 0), circuit(0, 0, 1)] == [1, 0, 1]


def test_an_output_may_be_an_input():
    circuit = connected(["a"], ["a"], {})
    assert (len(circuit), circuit.outputs) == (0, (0,))


def test_long_chains_need_no_recursion():
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
def test_refused(definitions, message):
    with pytest.raises(InputError, match=message):
        connected(["a"], ["y"], definitions)


def test_a_signal_is_defined_once():
    definitions = {}
    enter = partial(define, definitions, "y")
    enter(gate("not", 1, "a"))
    with pytest.raises(InputError, match="line 2"):
        enter(gate("not", 2, "a"))
    assert definitions["y"].line == 1


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\r\n\nb", ["a", "", "b"]),
        ("a\x0bb\u2028c\n", ["a\x0bb\u2028c"]),
    ],
)
def test_lines(text, lines):
    assert list(numbered_lines(text)) == list(enumerate(lines, start=1))


def test_sizes():
    assert whole_number_in("0012", "a size", 3, 12) == 12
    for word in ("", "-1", "1.0", "1e3", "١", "²", "+1", "1_0"):
        with pytest.raises(InputError, match="line 3: a size must be a whole number"):
            whole_number_in(word, "a size", 3, 12)
    for word in ("13", "9" * 5000):
        with pytest.raises(InputError, match=r"line 3: a size is .*; Gatewalk reads at most 12"):
            whole_number_in(word, "a size", 3, 12)
