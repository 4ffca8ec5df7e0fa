"""The circuit that a rule describes computes the target, at sizes that tables reach and beyond."""

import numpy as np
import pytest

from gatewalk.boolean.tables import pack
from gatewalk.boolean.targets import families, member, target
from gatewalk.circuit.circuit import evaluate, reached
from gatewalk.circuit.equivalence import circuit_side, compare, target_side
from gatewalk.circuit.tracing import traced

SIZES = {"small": (1, 2, 3, 4, 5, 6), "large": (33, 40)}


def members(kind, most_inputs):
    return [
        member(family, size)
        for family in families()
        for size in SIZES[kind]
        if family.smallest <= size <= family.largest and len(family.input_labels(size)) <= most_inputs
    ]


@pytest.mark.parametrize("wanted", members("small", 16), ids=lambda wanted: wanted.name)
def test_all_rows(wanted):
    circuit = traced(wanted)
    assert compare(circuit_side(circuit), target_side(wanted)).method == "all rows"
    assert compare(circuit_side(circuit), target_side(wanted))
    assert (circuit.input_labels, circuit.output_labels) == (wanted.input_labels, wanted.output_labels)
    assert all(reached(circuit)[wanted.inputs :])
    assert set(circuit.counts) <= {"and", "or", "xor", "not", "const0", "const1"}


@pytest.mark.parametrize("wanted", members("large", 200), ids=lambda wanted: wanted.name)
def test_random_rows_of_many_inputs(wanted):
    generator = np.random.default_rng(3)
    # Rows of every density, so that and, or and maj are not constant on them.
    density = np.concatenate([[0, 1], generator.random(62)])
    inputs = pack(generator.random((wanted.inputs, 64)) < density)
    assert (evaluate(traced(wanted), inputs) == wanted.evaluate(inputs)).all()


def test_sizes_are_those_of_the_textbook():
    assert traced(target("xor:1000")).depth == 10
    assert traced(target("add:8")).counts == {"xor": 16, "and": 16, "or": 8}  # a chain of full adders
    assert traced(target("sort:8")).counts == {"and": 19, "or": 19}  # Batcher's network has 19 comparators
    assert traced(target("sort:16")).counts == {"and": 63, "or": 63}
