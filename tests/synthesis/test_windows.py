"""Windows of circuits, their don't-cares, and circuits whose windows can be replaced in place."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate, gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.boolean.targets import target_tables
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError
from gatewalk.synthesis.editable_circuit import add, make_editable, replace_gates, to_circuit
from gatewalk.synthesis.windows import (
    MOST_OUTPUTS,
    Window,
    cut,
    observable_target,
    plain_target,
    values_of,
    window_around,
    window_of,
)

EVERY = tuple(GATES)  # also those that copy a source, or are constant
SIZES = st.tuples(st.integers(0, 2**32), st.integers(3, 10), st.integers(1, 200))


def with_window_replaced(circuit, window, replacement):
    work = make_editable(circuit)
    replace_gates(work, window.nodes, replacement, window.inputs, window.outputs)
    return to_circuit(work)


def dependents(circuit, nodes):
    """Everything that depends on one of the nodes, by following all wires."""
    n = len(circuit.input_labels)
    reached = set(nodes)
    for i, node in enumerate(circuit.nodes):
        if reached & set(node.sources):
            reached.add(n + i)
    return reached


def test_a_window_is_convex_and_within_its_limits(make_circuit):
    @settings(max_examples=100)
    @given(SIZES, st.integers(2, 9), st.integers(1, 30))
    def check(size, most_inputs, most_gates):
        seed, inputs, gates = size
        circuit = make_circuit(seed, inputs=inputs, gates=gates)
        random = Random(seed)
        node = inputs + random.randrange(gates)
        work = make_editable(circuit)
        window = window_around(work, node, most_inputs=most_inputs, most_gates=most_gates, random=random)
        inside = set(window.nodes)
        assert 1 <= len(window.nodes) <= most_gates
        assert len(window.inputs) <= most_inputs
        assert not dependents(circuit, inside) & set(window.inputs)
        read = {s for number in inside for s in circuit.nodes[number - inputs].sources}
        assert set(window.inputs) == read - inside
        outside = {
            s for i, node in enumerate(circuit.nodes) if inputs + i not in inside for s in node.sources
        }
        assert set(window.outputs) == inside & (outside | set(circuit.outputs))

    check()


def disguised(circuit):
    """The same function by other gates: what every gate computes is negated twice."""
    n = len(circuit.input_labels)
    nodes, new = [], list(range(n))
    for node in circuit.nodes:
        opposite = Gate("opposite", node.gate.arity, node.gate.table ^ (1 << (1 << node.gate.arity)) - 1, "")
        nodes.append(Node(opposite, tuple(new[source] for source in node.sources)))
        nodes.append(Node(GATES["not"], (n + len(nodes) - 1,)))
        new.append(n + len(nodes) - 1)
    outputs = tuple(new[source] for source in circuit.outputs)
    return Circuit(circuit.input_labels, tuple(nodes), outputs, circuit.output_labels)


@pytest.mark.parametrize("change", [lambda part: part, disguised, simplify])
def test_equal_replacements_keep_the_function(change, make_circuit):
    @settings(max_examples=60)
    @given(SIZES)
    def check(size):
        seed, inputs, gates = size
        names = {} if seed % 3 else {"names": EVERY}
        circuit = make_circuit(seed, inputs=inputs, gates=gates, **names)
        random = Random(seed)
        work = make_editable(circuit)
        for _ in range(6):
            window = window_around(work, random.choice(sorted(work.gates)), random=random)
            part = cut(work, window)
            replacement = change(part)
            replace_gates(work, window.nodes, replacement, window.inputs, window.outputs)
            assert np.array_equal(to_circuit(work).table(), circuit.table())
            consistent(work)
            if not work.gates:
                break

    check()


def consistent(work):
    """All that is derived from the gates and kept says what the gates say."""
    numbers = {*range(len(work.input_labels)), *work.gates}
    assert work.sources.keys() == work.gates.keys()
    assert work.readers.keys() == work.levels.keys() == numbers
    pairs = {(source, reader) for reader, sources in work.sources.items() for source in sources}
    assert {(number, reader) for number, readers in work.readers.items() for reader in readers} == pairs
    ends = {(source, j) for j, source in enumerate(work.outputs)}
    assert {(number, j) for number, places in work.ends.items() for j in places} == ends
    for number, sources in work.sources.items():
        assert work.levels[number] == 1 + max((work.levels[s] for s in sources), default=0)
    assert set(work.known.values()) <= work.gates.keys()


def test_gates_that_become_the_same_are_one_far_beyond_the_window():
    nodes = [
        ("and", 0, 1),
        ("or", 0, 2),
        ("xor", 3, 4),
        ("nand", 0, 1),
        ("not", 6),
        ("xor", 7, 4),
        ("or", 5, 8),
    ]
    made = tuple(Node(gate(name), tuple(sources)) for name, *sources in nodes)
    circuit = Circuit(("a", "b", "c"), made, (9,), ("y",))
    window = Window((6, 7), (0, 1), (7,))
    replacement = Circuit(("a", "b"), (Node(gate("and"), (0, 1)),), (2,), ("y",))
    better = with_window_replaced(circuit, window, replacement)
    assert np.array_equal(better.table(), circuit.table())
    assert better.counts == {"and": 1, "or": 1, "xor": 1}


def test_the_same_seed_is_the_same_window(make_circuit):
    work = make_editable(make_circuit(7, inputs=8, gates=300))
    window = window_around(work, 100, random=Random(3))
    assert window == window_around(work, 100, random=Random(3))
    assert len(window.nodes) == 5


def test_a_window_begins_with_a_gate(make_circuit):
    with pytest.raises(InputError, match="no gate 3"):
        window_around(make_editable(make_circuit(5, inputs=6, gates=80)), 3, random=Random(1))


SMALL_SIZES = st.tuples(st.integers(0, 2**32), st.integers(3, 8), st.integers(2, 120))


def small_window(work, random):
    node = len(work.input_labels) + random.randrange(len(work))
    return window_around(work, node, most_inputs=random.randint(2, 6), most_gates=12, random=random)


def rows_of_the_window(work, window, values):
    """For every row of the circuit's inputs, the row of the window's inputs."""
    rows = 1 << len(work.input_labels)
    columns = [unpack(values[source], rows) for source in window.inputs]
    return [sum(int(column[row]) << j for j, column in enumerate(columns)) for row in range(rows)]


def test_what_agrees_where_it_counts_changes_nothing(make_circuit, at_random):
    used = []

    @settings(max_examples=80)
    @given(SMALL_SIZES)
    def check(size):
        seed, inputs, gates = size
        circuit = make_circuit(seed, inputs=inputs, gates=gates, outputs=2)
        random = Random(seed)
        work = make_editable(circuit)
        values = values_of(work)
        for _ in range(4):
            window = small_window(work, random)
            if window.inputs:
                target = observable_target(work, window, values)
                assert equivalent(cut(work, window), target)
                replacement = at_random(target, random)
                used.append(not equivalent(replacement, plain_target(work, window)))
                changed = with_window_replaced(circuit, window, replacement)
                assert np.array_equal(changed.table(), circuit.table())

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
        work = make_editable(circuit)
        window = small_window(work, Random(seed))
        if len(window.outputs) != 1 or not window.inputs:
            continue
        values = values_of(work)
        of_row = rows_of_the_window(work, window, values)
        # A window's inner gates read its output too, if at all, only inside: there nothing is negated.
        must = {of_row[row] for row in range(32) if noticed(circuit, window, row, 1)}
        observable = target_tables(observable_target(work, window, values))
        assert observable.cares[0] == (sum(1 << row for row in must) or 1)
        checked += 1
    assert checked >= 10


def test_two_outputs_that_cannot_both_be_anything():
    """y = a & b with a = b = x: where x is 0, one of both may be anything, and then not the other."""
    nodes = (Node(gate("buf"), (0,)), Node(gate("buf"), (0,)), Node(gate("and"), (1, 2)))
    circuit = Circuit(("x",), nodes, (3,), ("y",))
    work = make_editable(circuit)
    target = observable_target(work, window_of(work, {1, 2}), values_of(work))
    tables = target_tables(target)
    assert tables.cares == (0b10, 0b11)


def test_with_many_outputs_every_row_counts_that_occurs(make_circuit):
    circuit = make_circuit(3, inputs=6, gates=60)
    work = make_editable(circuit)
    window = window_around(work, 30, most_inputs=8, most_gates=30, random=Random(2))
    assert len(window.outputs) > MOST_OUTPUTS
    values = values_of(work)
    target = observable_target(work, window, values)
    occur = sum(1 << row for row in set(rows_of_the_window(work, window, values)))
    cares = target_tables(target).cares
    assert cares == (occur,) * len(window.outputs)
    assert occur.bit_count() < 1 << len(window.inputs)


def test_too_many_rows_are_refused():
    labels = tuple(f"x{i}" for i in range(17))
    with pytest.raises(InputError, match="at most 16 inputs"):
        values_of(make_editable(Circuit(labels, (), (0,), ("y",))))


def test_values_are_those_of_the_circuit(make_circuit):
    circuit = make_circuit(9, inputs=7, gates=50)
    values = values_of(make_editable(circuit))
    outputs = np.array([unpack(values[source], 128) for source in circuit.outputs]).T
    assert np.array_equal(outputs, circuit.table())
    assert np.array_equal(np.array([values[j] for j in range(7)]), projections(7))


def built(labels, nodes, outputs):
    made = tuple(Node(gate(name), tuple(sources)) for name, *sources in nodes)
    return Circuit(tuple(labels), made, tuple(outputs), tuple(f"y{j}" for j in range(len(outputs))))


def test_an_unedited_circuit_is_as_it_was(make_circuit):
    @settings(max_examples=60)
    @given(st.integers(0, 2**32), st.integers(1, 8), st.integers(0, 60))
    def check(seed, inputs, gates):
        circuit = make_circuit(seed, inputs=inputs, gates=gates, names=EVERY)
        same = to_circuit(make_editable(circuit))
        assert np.array_equal(same.table(), circuit.table())
        assert len(same) == len(circuit)  # of which every gate is needed
        assert (same.input_labels, same.output_labels) == (circuit.input_labels, circuit.output_labels)

    check()


def test_gates_that_nothing_needs_are_left_out():
    circuit = built("ab", [("and", 0, 1), ("or", 0, 1), ("not", 3)], [2])
    assert to_circuit(make_editable(circuit)).counts == {"and": 1}


@pytest.mark.parametrize(
    ("name", "sources", "source"),
    [
        ("and", (1, 0), 3),  # the order does not matter
        ("nimply", (1, 0), 5),  # here it does
        ("nimply", (0, 1), 4),
        ("and", (2, 2), 2),
        ("buf", (3,), 3),
        ("mux", (0, 1, 1), 1),
        ("maj", (3, 2, 3), 3),
    ],
)
def test_a_gate_that_is_there_already(name, sources, source):
    work = make_editable(built("abc", [("and", 0, 1), ("nimply", 0, 1)], [3, 4]))
    assert add(work, gate(name), sources) == source


def test_merging_continues_upwards():
    nodes = [("and", 0, 1), ("nor", 0, 1), ("xor", 2, 0), ("xor", 3, 0), ("and", 4, 5), ("or", 4, 5)]
    work = make_editable(built("ab", nodes, [6, 7]))
    replace_gates(work, [3], built("ab", [("and", 0, 1)], [2]), (0, 1), (3,))
    merged = to_circuit(work)
    assert merged.counts == {"and": 1, "xor": 1}
    assert merged.outputs == (3, 3)


def test_outputs_may_be_exchanged():
    work = make_editable(built("ab", [("and", 0, 1), ("or", 0, 1), ("nimply", 2, 3)], [2, 3, 4]))
    before = to_circuit(work).table()
    replace_gates(work, [2, 3], built("ab", [("or", 0, 1), ("and", 0, 1)], [2, 3]), (0, 1), (2, 3))
    after = to_circuit(work).table()
    assert np.array_equal(after[:, :2], before[:, 1::-1])
    assert np.array_equal(after[:, 2], before[:, 1] & ~before[:, 0])
