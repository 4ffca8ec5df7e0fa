"""SymPy text: its expressions have the circuit's values."""

from itertools import product

import pytest

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.formats.sympy_module import write


def test_written(figure_1):
    assert write(figure_1) == (
        "from sympy import Symbol, false, true\n\nx1 = Symbol('x1')\nx2 = Symbol('x2')\nx3 = Symbol('x3')\n"
        "inputs = [x1, x2, x3]\n\ng1 = x1 & x2\ng2 = ~(g1 | x3)\ng3 = g2 | g1\ng4 = g3 & x2\n"
        "outputs = {\n    'o1': g4,\n}\n"
    )


def test_sympy_agrees(every_gate, make_circuit, odd_labels):
    sympy = pytest.importorskip("sympy")
    for circuit in (every_gate, odd_labels, *(make_circuit(seed) for seed in range(8))):
        names = {}
        exec(compile(write(circuit), "circuit.sympy.py", "exec"), names)
        assert [symbol.name for symbol in names["inputs"]] == list(circuit.input_labels)
        n = len(circuit.input_labels)
        wanted = unpack(evaluate(circuit, projections(n)), 1 << n)
        for label, values in zip(circuit.output_labels, wanted, strict=True):
            for row, bits in enumerate(product((False, True), repeat=n)):
                given = dict(zip(names["inputs"], reversed(bits), strict=True))
                assert sympy.sympify(names["outputs"][label]).subs(given) == bool(values[row])
