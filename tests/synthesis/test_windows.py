"""Windows are convex, within their limits, and can be replaced by what computes the same."""

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate, gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError
from gatewalk.synthesis.windows import Window, cut, put_back, replace_window, window_around
from gatewalk.synthesis.workpiece import circuit_of_work, workpiece_of

EVERY = tuple(GATES)  # also those that hand a source on, or are constant
SIZES = st.tuples(st.integers(0, 2**32), st.integers(3, 10), st.integers(1, 200))


def dependents(circuit, nodes):
    """Everything that depends on one of the nodes, by following all wires."""
    n = len(circuit.input_labels)
    found = set(nodes)
    for i, node in enumerate(circuit.nodes):
        if found & set(node.sources):
            found.add(n + i)
    return found


def test_a_window_is_convex_and_within_its_limits(make_circuit):
    @settings(max_examples=100)
    @given(SIZES, st.integers(2, 9), st.integers(1, 30))
    def check(size, most_inputs, most_gates):
        seed, inputs, gates = size
        circuit = make_circuit(seed, inputs=inputs, gates=gates)
        random = Random(seed)
        node = inputs + random.randrange(gates)
        window = window_around(circuit, node, most_inputs=most_inputs, most_gates=most_gates, random=random)
        inside = set(window.nodes)
        assert 1 <= len(window.nodes) <= most_gates
        assert len(window.inputs) <= most_inputs
        assert not dependents(circuit, inside) & set(window.inputs)
        read = {s for number in inside for s in circuit.nodes[number - inputs].sources}
        assert set(window.inputs) == read - inside
        outside = {s for i, one in enumerate(circuit.nodes) if inputs + i not in inside for s in one.sources}
        assert set(window.outputs) == inside & (outside | set(circuit.outputs))

    check()


def disguised(circuit, random):
    """The same function by other gates: what every gate computes is negated twice."""
    n = len(circuit.input_labels)
    nodes, place = [], list(range(n))
    for node in circuit.nodes:
        opposite = Gate("opposite", node.gate.arity, node.gate.table ^ (1 << (1 << node.gate.arity)) - 1, "")
        nodes.append(Node(opposite, tuple(place[source] for source in node.sources)))
        nodes.append(Node(GATES["not"], (n + len(nodes) - 1,)))
        place.append(n + len(nodes) - 1)
    outputs = tuple(place[source] for source in circuit.outputs)
    return Circuit(circuit.input_labels, tuple(nodes), outputs, circuit.output_labels)


@pytest.mark.parametrize(
    "change", [lambda part, random: part, disguised, lambda part, random: simplify(part)]
)
def test_equal_replacements_keep_the_function(change, make_circuit):
    @settings(max_examples=60)
    @given(SIZES)
    def check(size):
        seed, inputs, gates = size
        names = {} if seed % 3 else {"names": EVERY}
        circuit = make_circuit(seed, inputs=inputs, gates=gates, **names)
        random = Random(seed)
        work = workpiece_of(circuit)
        for _ in range(6):
            window = window_around(work, random.choice(sorted(work.gates)), random=random)
            part = cut(work, window)
            replacement = change(part, random)
            replace_window(work, window, replacement)
            found = circuit_of_work(work)
            assert np.array_equal(found.table(), circuit.table())
            consistent(work)
            if not work.gates:
                break

    check()


def consistent(work):
    """Everything that is kept beside the gates says what the gates say."""
    numbers = {*range(len(work.input_labels)), *work.gates}
    assert work.sources.keys() == work.gates.keys()
    assert work.readers.keys() == work.levels.keys() == numbers
    pairs = {(source, one) for one, sources in work.sources.items() for source in sources}
    assert {(number, one) for number, readers in work.readers.items() for one in readers} == pairs
    ends = {(source, j) for j, source in enumerate(work.outputs)}
    assert {(number, j) for number, places in work.ends.items() for j in places} == ends
    for number, sources in work.sources.items():
        assert work.levels[number] == 1 + max((work.levels[s] for s in sources), default=0)
    assert set(work.known.values()) <= work.gates.keys()


def test_the_same_window_put_back_is_the_same_function(make_circuit):
    circuit = make_circuit(5, inputs=6, gates=80)
    window = window_around(circuit, 40, random=Random(1))
    assert len(window.nodes) > 5
    found = put_back(circuit, window, cut(circuit, window))
    assert np.array_equal(found.table(), circuit.table())
    assert len(found) <= len(circuit)


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
    better = put_back(circuit, window, Circuit(("a", "b"), (Node(gate("and"), (0, 1)),), (2,), ("y",)))
    assert np.array_equal(better.table(), circuit.table())
    assert better.counts == {"and": 1, "or": 1, "xor": 1}


def test_the_same_seed_is_the_same_window(make_circuit):
    circuit = make_circuit(7, inputs=8, gates=300)
    assert window_around(circuit, 100, random=Random(3)) == window_around(circuit, 100, random=Random(3))


def test_what_does_not_fit_is_refused(make_circuit):
    circuit = make_circuit(5, inputs=6, gates=80)
    window = window_around(circuit, 40, random=Random(1))
    part = cut(circuit, window)
    with pytest.raises(InputError, match="what is to replace it has"):
        put_back(circuit, window, Circuit(("a",), (), (0,), ("y",)))
    with pytest.raises(InputError, match="does not fit"):
        put_back(make_circuit(6, inputs=6, gates=80), window, part)
    with pytest.raises(InputError, match="no gate 3"):
        window_around(circuit, 3, random=Random(1))
    chain = tuple(Node(gate("not"), (i,)) for i in range(3))
    hollow = Window((1, 3), (0, 2), (1, 3))
    with pytest.raises(InputError, match="does not fit"):
        put_back(Circuit(("a",), chain, (3,), ("y",)), hollow, Circuit(("a", "b"), (), (0, 1), ("y", "z")))
