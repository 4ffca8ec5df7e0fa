"""A window may be replaced by anything that agrees with it on the rows that count."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import matches
from gatewalk.errors import InputError
from gatewalk.synthesis.dont_cares import (
    MOST_OUTPUTS,
    observable_target,
    plain_target,
    reachable_target,
    values_of,
)
from gatewalk.synthesis.target_tables import target_tables
from gatewalk.synthesis.windows import cut, put_back, window_around, window_of
from gatewalk.synthesis.workpiece import workpiece_of

SIZES = st.tuples(st.integers(0, 2**32), st.integers(3, 8), st.integers(2, 120))


def small_window(circuit, random):
    n = len(circuit.input_labels)
    node = n + random.randrange(len(circuit))
    return window_around(circuit, node, most_inputs=random.randint(2, 6), most_gates=12, random=random)


@pytest.mark.parametrize("freedom", [reachable_target, observable_target])
def test_what_agrees_where_it_counts_changes_nothing(freedom, make_circuit, at_random):
    used = []

    @settings(max_examples=80)
    @given(SIZES)
    def check(size):
        seed, inputs, gates = size
        circuit = make_circuit(seed, inputs=inputs, gates=gates, outputs=2)
        random = Random(seed)
        work = workpiece_of(circuit)
        values = values_of(work)
        for _ in range(4):
            window = small_window(circuit, random)
            if window.inputs:
                wanted = freedom(work, window, values)
                assert matches(cut(circuit, window), wanted)
                replacement = at_random(wanted, random)
                used.append(not matches(replacement, plain_target(work, window)))
                found = put_back(circuit, window, replacement)
                assert np.array_equal(found.table(), circuit.table())

    check()
    assert sum(used) > 20  # replacements that are really different


def noticed(circuit, window, row, flipped):
    """Whether the outputs change on a row if some of the window's are negated, gate by gate."""
    n = len(circuit.input_labels)
    results = []
    for flips in (0, flipped):
        values = [row >> j & 1 for j in range(n)]
        for i, node in enumerate(circuit.nodes):
            value = node.gate(*(values[source] for source in node.sources))
            values.append(value)
            if n + i in window.outputs and flips >> window.outputs.index(n + i) & 1:
                values[-1] ^= 1
        results.append([values[source] for source in circuit.outputs])
    return results[0] != results[1]


def test_rows_count_exactly_if_they_must(make_circuit):
    """With one output, a row counts if it occurs and the output's negation is noticed somewhere."""
    checked = 0
    for seed in range(120):
        circuit = make_circuit(seed, inputs=5, gates=25, outputs=1)
        window = small_window(circuit, Random(seed))
        if len(window.outputs) != 1 or not window.inputs:
            continue
        work = workpiece_of(circuit)
        values = values_of(work)
        of_row = [
            sum(int(unpack(values[s], 32)[row]) << j for j, s in enumerate(window.inputs))
            for row in range(32)
        ]
        reachable = target_tables(reachable_target(work, window, values), most_inputs=16, purpose="a test")
        assert reachable.cares[0] == sum(1 << row for row in set(of_row))
        # A window's inner gates read its output too, if at all, only inside: there nothing is negated.
        must = {of_row[row] for row in range(32) if noticed(circuit, window, row, 1)}
        observable = target_tables(observable_target(work, window, values), most_inputs=16, purpose="a test")
        assert observable.cares[0] == (sum(1 << row for row in must) or 1)
        checked += 1
    assert checked >= 10


def test_two_outputs_that_cannot_both_be_anything():
    """y = a & b with a = b = x: where x is 0, one of both may be anything, and then not the other."""
    nodes = (Node(gate("buf"), (0,)), Node(gate("buf"), (0,)), Node(gate("and"), (1, 2)))
    circuit = Circuit(("x",), nodes, (3,), ("y",))
    work = workpiece_of(circuit)
    target = observable_target(work, window_of(work, {1, 2}), values_of(work))
    wanted = target_tables(target, most_inputs=16, purpose="a test")
    assert wanted.cares == (0b10, 0b11)


def test_more_outputs_than_are_tried_in_all_sets(make_circuit):
    circuit = make_circuit(3, inputs=6, gates=60)
    work = workpiece_of(circuit)
    window = window_around(work, 30, most_inputs=8, most_gates=30, random=Random(2))
    assert len(window.outputs) > MOST_OUTPUTS
    values = values_of(work)
    assert observable_target(work, window, values) == reachable_target(work, window, values)


def test_too_many_rows_are_refused():
    labels = tuple(f"x{i}" for i in range(17))
    with pytest.raises(InputError, match="at most 16 inputs"):
        values_of(workpiece_of(Circuit(labels, (), (0,), ("y",))))


def test_values_are_those_of_the_circuit(make_circuit):
    circuit = make_circuit(9, inputs=7, gates=50)
    values = values_of(workpiece_of(circuit))
    found = np.array([unpack(values[source], 128) for source in circuit.outputs]).T
    assert np.array_equal(found, circuit.table())
    assert np.array_equal(np.array([values[j] for j in range(7)]), projections(7))
