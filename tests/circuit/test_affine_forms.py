"""Sums of inputs: found where gates say so, and equal to what the circuit computes."""

import pytest

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.affine_forms import affine_forms
from gatewalk.circuit.circuit import evaluate

LINEAR = ("xor", "xnor", "not", "buf", "xor3", "xnor3", "const0", "const1", "buf_a", "not_b", "true")


@pytest.mark.parametrize("seed", range(20))
def test_a_sum_is_what_the_circuit_computes(make_circuit, seed):
    circuit = make_circuit(seed, names=LINEAR)
    n = len(circuit.input_labels)
    columns = unpack(projections(n), 1 << n)
    found = unpack(evaluate(circuit, projections(n)), 1 << n)
    forms = affine_forms(circuit)
    for output, source in zip(found, circuit.outputs, strict=True):
        form = forms[source]
        expected = [
            (sum(int(columns[i, row]) for i in range(n) if form >> i & 1) + (form >> n)) % 2
            for row in range(1 << n)
        ]
        assert output.astype(int).tolist() == expected


def test_what_is_no_sum(make_circuit):
    circuit = make_circuit(1, inputs=4, gates=30, names=("and", "or", "mux", "xor"))
    forms = affine_forms(circuit)
    for i, node in enumerate(circuit.nodes):
        is_sum = node.gate == GATES["xor"] and all(forms[source] is not None for source in node.sources)
        assert (forms[4 + i] is not None) == is_sum
