"""Simplified and balanced circuits compute the same, are never larger or deeper, and stay as they are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES, Gate, gate, gate_set
from gatewalk.circuit.circuit import Circuit, Node, needed
from gatewalk.circuit.equivalence import equivalent
from gatewalk.circuit.simplification import balance, simplify
from gatewalk.errors import InputError

SETS = {
    "every gate": tuple(GATES),
    "two inputs": tuple(name for name in GATES if GATES[name].arity == 2),
    "with negations": ("and", "or", "xor", "not"),
    "nand": ("nand",),
    "nor": ("nor", "not"),
    "with constants": ("and", "or", "const0", "const1", "buf", "not"),
    "mux": ("mux", "not"),
    "majority": ("maj", "not"),
}


def built(n, nodes, outputs):
    """A circuit of nodes given as `("and", 0, 1)`."""
    made = tuple(Node(gate(name), tuple(sources)) for name, *sources in nodes)
    labels = tuple(f"y{j}" for j in range(len(outputs)))
    return Circuit(tuple(f"x{i}" for i in range(n)), made, tuple(outputs), labels)


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
def test_the_same_function_no_larger_and_no_further(names, make_circuit):
    @settings(max_examples=150)
    @given(st.integers(0, 2**32), st.integers(0, 60))
    def check(seed, size):
        circuit = make_circuit(seed, gates=size, names=names)
        simple = simplify(circuit)
        assert (simple.table() == circuit.table()).all()
        assert len(simple) <= len(circuit)
        assert simplify(simple) == simple
        assert (simple.input_labels, simple.output_labels) == (circuit.input_labels, circuit.output_labels)

    check()


@pytest.mark.parametrize("names", SETS.values(), ids=SETS)
def test_only_the_gates_that_are_allowed(names, make_circuit):
    allowed = gate_set(names)

    @settings(max_examples=100)
    @given(st.integers(0, 2**32), st.integers(0, 60))
    def check(seed, size):
        circuit = make_circuit(seed, gates=size, names=names)
        simple = simplify(circuit, gates=allowed)
        assert {node.gate for node in simple.nodes} <= set(allowed.gates)
        assert (simple.table() == circuit.table()).all()
        assert len(simple) <= len(circuit)
        assert simplify(simple, gates=allowed) == simple

    check()


def test_without_gates_given_none_of_two_inputs_are_new(make_circuit):
    for seed in range(200):
        circuit = make_circuit(seed, gates=30, names=("and", "or", "not"))
        assert set(simplify(circuit).counts) <= {"and", "or", "not", "const0", "const1"}


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        ([("const1",), ("and", 0, 3)], "y0 = x0"),
        ([("const0",), ("and", 0, 3)], "y0 = 0"),
        ([("const1",), ("xor", 0, 3)], "y0 = ~x0"),
        ([("buf", 0), ("buf", 3)], "y0 = x0"),
        ([("not", 0), ("not", 3)], "y0 = x0"),
        ([("nand", 0, 0), ("nand", 3, 3)], "y0 = x0"),
        ([("and", 0, 0)], "y0 = x0"),
        ([("xor", 0, 0)], "y0 = 0"),
        ([("nand", 0, 0)], "y0 = ~x0"),
        ([("not", 0), ("and", 0, 3)], "y0 = 0"),
        ([("not", 0), ("or", 3, 0)], "y0 = 1"),
        ([("not_b", 0, 1)], "y0 = ~x1"),
        ([("buf_a", 0, 1)], "y0 = x0"),
        ([("or", 0, 1), ("and", 0, 3)], "y0 = x0"),
        ([("and", 1, 0), ("or", 3, 1)], "y0 = x1"),
        ([("not", 0), ("or", 3, 1), ("and", 4, 0)], "y0 = x0 & x1"),
        ([("xor", 0, 1), ("xor", 3, 1)], "y0 = x0"),
        ([("and", 0, 1), ("nand", 1, 0), ("or", 3, 4)], "y0 = 1"),
        ([("and", 0, 1), ("and", 1, 0), ("xor", 3, 4)], "y0 = 0"),
        ([("not", 0), ("not", 1), ("nor", 0, 1), ("and", 3, 4), ("xor", 5, 6)], "y0 = 0"),
        ([("mux", 0, 1, 1)], "y0 = x1"),
        ([("const0",), ("mux", 0, 3, 1)], "y0 = x0 & x1"),
        ([("maj", 0, 1, 0)], "y0 = x0"),
        ([("and3", 0, 1, 1)], "y0 = x0 & x1"),
        ([("and", 0, 1), ("or", 0, 1)], "y0 = x0 | x1"),
    ],
)
def test_what_is_simplified(nodes, text):
    assert str(simplify(built(3, nodes, [2 + len(nodes)]))) == text


def test_gates_that_compute_the_same_are_one_and_keep_all_their_readers():
    circuit = built(2, [("and", 0, 1), ("and", 1, 0), ("xor", 0, 2), ("xor", 3, 1)], [4, 5, 2, 3])
    assert simplify(circuit) == built(2, [("and", 0, 1), ("xor", 0, 2), ("xor", 1, 2)], [3, 4, 2, 2])


def test_a_negation_is_absorbed_by_a_gate_that_the_circuit_has_already():
    nodes = [("not", 0), ("not", 1), ("and", 3, 4)]
    assert simplify(built(3, nodes, [5])).counts == {"not": 2, "and": 1}
    assert simplify(built(3, [*nodes, ("nor", 1, 2)], [5, 6])).counts == {"nor": 2}
    assert simplify(built(3, nodes, [5]), gates="nor") == built(3, [("nor", 0, 1)], [3])


def test_gates_that_are_not_allowed_are_replaced_or_refused():
    assert simplify(built(2, [("not", 0)], [2]), gates="nand") == built(2, [("nand", 0, 0)], [2])
    assert simplify(built(2, [("const0",)], [2]), gates="xor") == built(2, [("xor", 0, 0)], [2])
    with pytest.raises(InputError, match="no gate of and,or does what 'xor' does"):
        simplify(built(2, [("xor", 0, 1)], [2]), gates="and,or")


def test_what_is_simple_is_left_alone(figure_1):
    assert simplify(built(2, [("xor", 1, 0)], [2])) == built(2, [("xor", 1, 0)], [2])
    assert str(simplify(figure_1)) == str(figure_1)


def test_wide_gates_of_ones_own():
    wide = Gate("wide", 8, int("1011010011" * 26, 2) & (1 << 256) - 1, "wide")
    constant, negation = Node(gate("const1"), ()), Node(gate("not"), (0,))
    reads = Node(wide, tuple(range(8)))
    nodes = (
        reads,
        reads,
        Node(gate("xor"), (8, 9)),
        constant,
        Node(wide, (0, 0, 1, 11, 2, 11, 3, 3)),
        negation,
    )
    circuit = Circuit(tuple("abcdefgh"), nodes, (8, 9, 10, 12, 13), tuple("pqrst"))
    simple = simplify(circuit)
    assert (simple.table() == circuit.table()).all()
    assert simple.counts["wide"] == 2
    assert "xor" not in simple.counts


def test_many_gates(make_circuit):
    circuit = make_circuit(5, inputs=12, gates=1500, names=("and", "xor", "nor"))
    simple = simplify(circuit)
    assert len(simple) <= 1500
    assert (simple.table() == circuit.table()).all()


def test_a_balanced_circuit_computes_the_same(make_circuit):
    @given(st.integers(0, 2**32), st.integers(0, 60))
    def check(seed, size):
        names = ("and", "or", "xor", "and", "or", "xor", "not", "nand", "mux")
        circuit = make_circuit(seed, gates=size, names=names)
        made = balance(circuit)
        assert equivalent(made, circuit)
        assert len(made) == sum(needed(circuit)[len(circuit.input_labels) :])
        assert made.depth <= circuit.depth
        assert (made.input_labels, made.output_labels) == (circuit.input_labels, circuit.output_labels)

    check()


def chain(n, outputs):
    nodes = tuple(Node(gate("and"), (i if i == 0 else n + i - 1, i + 1)) for i in range(n - 1))
    return Circuit(tuple(f"x{i}" for i in range(n)), nodes, outputs, tuple(f"y{j}" for j in outputs))


def test_a_long_chain_is_flat():
    assert balance(chain(1000, (1998,))).depth == 10


def test_what_something_else_reads_ends_a_chain():
    made = balance(chain(8, (14, 10)))
    assert len(made) == 7
    assert made.depth == 3


def test_a_gate_that_nothing_needs_reads_nothing():
    """The conjunction of a and b is read once by what is needed; the dead and gate does not count."""
    nodes = (Node(gate("and"), (0, 1)), Node(gate("and"), (2, 0)), Node(gate("not"), (2,)))
    made = balance(Circuit(("a", "b"), nodes, (4,), ("y",)))
    assert [node.gate.name for node in made.nodes] == ["and", "not"]
