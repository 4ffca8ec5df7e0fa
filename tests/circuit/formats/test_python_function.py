"""Python text: bits, integers of many rows and arrays give what the circuit gives, under any labels."""

from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import evaluate
from gatewalk.circuit.formats.python_function import write


def load(circuit):
    names = {}
    exec(compile(write(circuit), "circuit.py", "exec"), names)
    return names


def outputs_of(found, circuit):
    return list(found) if len(circuit.outputs) > 1 else [found]


def test_written(figure_1):
    assert write(figure_1) == (
        "INPUTS = ('x1', 'x2', 'x3')\nOUTPUTS = ('o1',)\n\n\ndef circuit(x1, x2, x3, *, mask=1):\n"
        '    """The outputs, bit r of each for row r; `mask` holds the bits that count."""\n'
        "    g1 = x1 & x2\n    g2 = mask ^ (g1 | x3)\n    g3 = g2 | g1\n    g4 = g3 & x2\n"
        "    return g4 & mask\n"
    )


def test_bits_integers_and_arrays(some_circuits, odd_labels):
    for circuit in [*some_circuits, odd_labels]:
        function = load(circuit)["circuit"]
        n = len(circuit.input_labels)
        rows = unpack(projections(n), 1 << n)
        wanted = unpack(evaluate(circuit, projections(n)), 1 << n)
        for kind in (int, bool):
            for row, values in zip(rows.T, wanted.T, strict=True):
                found = outputs_of(function(*map(kind, row)), circuit)
                assert [int(value) for value in found] == values.astype(int).tolist()
        numbers = [sum(int(bit) << r for r, bit in enumerate(row)) for row in rows]
        found = outputs_of(function(*numbers, mask=(1 << (1 << n)) - 1), circuit)
        assert found == [sum(int(bit) << r for r, bit in enumerate(row)) for row in wanted]
        words = outputs_of(function(*projections(n), mask=2**64 - 1), circuit)
        assert all(word.dtype == np.uint64 for word in words)
        assert (unpack(np.array(words), 1 << n) == wanted).all()
        arrays = outputs_of(function(*rows.astype(np.int8)), circuit)
        assert (np.array(arrays) == wanted).all()


def test_labels_are_kept_beside_the_parameters(odd_labels):
    names = load(odd_labels)
    assert names["INPUTS"] == odd_labels.input_labels
    assert names["OUTPUTS"] == odd_labels.output_labels
    assert names["circuit"].__code__.co_varnames[:5] == ("a_b_2", "a_b", "a_0_", "module", "_x")


@pytest.mark.parametrize("label", ["lambda", "match", "mask", "1st", "", "_", "__x", "é", "a b", "None"])
def test_any_label_is_a_parameter(label, figure_1):
    function = load(replace(figure_1, input_labels=(label, "x2", "x3")))["circuit"]
    assert function(1, 1, 1) == 1
