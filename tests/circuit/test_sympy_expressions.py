"""SymPy finds the values that the circuit has."""

import sys
from itertools import product

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import MissingExtra


def check(circuit):
    expressions = circuit.to_sympy()
    assert list(expressions) == list(circuit.output_labels)
    for bits in product((0, 1), repeat=len(circuit.input_labels)):
        values = dict(zip(circuit.input_labels, map(bool, bits), strict=True))
        wanted = circuit(values)
        assert {label: int(bool(found.subs(values))) for label, found in expressions.items()} == wanted


def test_every_gate():
    nodes = tuple(Node(one, (0, 1, 2)[: one.arity]) for one in GATES.values())
    check(
        Circuit(("x", "y", "z"), nodes, tuple(range(3, 3 + len(nodes))), tuple(f"o_{name}" for name in GATES))
    )


def test_random_circuits(make_circuit):
    for seed in range(8):
        check(make_circuit(seed, inputs=3, gates=8))


def test_it_reads_as_the_gates_do(figure_1):
    assert str(figure_1.to_sympy()["o1"]) == "x2 & ((x1 & x2) | ~(x3 | (x1 & x2)))"


def test_the_extra_is_named(figure_1, monkeypatch):
    monkeypatch.setitem(sys.modules, "sympy", None)
    with pytest.raises(MissingExtra, match=r"gatewalk\[sympy\]"):
        figure_1.to_sympy()
