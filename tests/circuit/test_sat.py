"""SAT and all rows agree on random pairs; the clauses of a gate are its table; a solver can be stopped."""

import sys
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from processes import finished

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.boolean.tables import projections, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.sat import (
    SOLVER,
    _gate_clauses,
    affine_forms,
    clauses_of,
    difference,
    joined,
    satisfied,
)
from gatewalk.errors import InputError


def holds(clauses, values):
    return all(any(values[abs(j) - 1] == (j > 0) for j in clause) for clause in clauses)


@pytest.mark.parametrize("one", GATES.values(), ids=GATES)
def test_the_clauses_of_a_gate_are_its_table(one):
    clauses = _gate_clauses(one.arity, one.table)
    for values in product((False, True), repeat=one.arity + 1):
        assert holds(clauses, values) == (one(*values[:-1]) == values[-1])


def test_the_clauses_of_any_gate():
    @settings(max_examples=60)
    @given(st.integers(0, 5), st.data())
    def check(arity, data):
        table = data.draw(st.integers(0, (1 << (1 << arity)) - 1))
        for values in product((False, True), repeat=arity + 1):
            row = sum(value << j for j, value in enumerate(values[:-1]))
            assert holds(_gate_clauses(arity, table), values) == (bool(table >> row & 1) == values[-1])

    check()


def test_few_clauses():
    assert len(_gate_clauses(2, GATES["and"].table)) == 3
    assert len(_gate_clauses(2, GATES["xor"].table)) == 4
    assert len(_gate_clauses(3, GATES["mux"].table)) == 6


def test_a_row_satisfies_the_clauses_of_a_circuit(make_circuit):
    circuit = make_circuit(3, inputs=4, gates=12)
    clauses = clauses_of(circuit)
    for bits in product((0, 1), repeat=4):
        values = list(map(bool, bits))
        for node in circuit.nodes:
            values.append(bool(node.gate(*(values[source] for source in node.sources))))
        assert holds(clauses, values)
        values[-1] = not values[-1]
        assert not holds(clauses, values)


def test_sat_and_all_rows_agree(make_circuit):
    verdicts = []

    @settings(max_examples=200)
    @given(st.integers(0, 2**32), st.integers(0, 2**32), st.integers(1, 5))
    def check(seed, other_seed, inputs):
        one = make_circuit(seed, inputs=inputs, gates=6, names=("and", "or", "not", "xor", "mux"))
        other = make_circuit(other_seed, inputs=inputs, gates=6, names=("nand", "nor", "xnor", "maj"))
        one, other = (replace(c, outputs=c.outputs[:1], output_labels=("y",)) for c in (one, other))
        row = difference(one, other)
        verdicts.append(row is None)
        assert (row is None) == (one.table() == other.table()).all()
        assert row is None or one(*row) != other(*row)

    check()
    assert {True, False} == set(verdicts)


def test_a_circuit_equals_what_it_is_rewritten_to(make_circuit):
    for seed in range(40):
        circuit = make_circuit(seed, inputs=8, gates=40)
        # Each gate as a sum of products: nothing that structural hashing sees at once.
        nodes, place = [], dict(enumerate(range(8)))
        for i, node in enumerate(circuit.nodes):
            place[8 + i] = written_out(nodes, node, [place[source] for source in node.sources], 8)
        other = replace(
            circuit, nodes=tuple(nodes), outputs=tuple(place[source] for source in circuit.outputs)
        )
        assert difference(circuit, other) is None
        # A gate changed in one row may or may not show.
        changed = circuit.nodes[0].gate
        table = changed.table ^ 1
        broken = replace(
            circuit,
            nodes=(
                replace(circuit.nodes[0], gate=Gate("own", changed.arity, table, "own")),
                *circuit.nodes[1:],
            ),
        )
        row = difference(broken, other)
        assert (row is None) == (broken.table() == circuit.table()).all()
        assert row is None or broken(*row) != circuit(*row)


def written_out(nodes, node, sources, n):
    def add(name, *read):
        nodes.append(Node(GATES[name], read))
        return n + len(nodes) - 1

    total = add("const0")
    for row in range(1 << node.gate.arity):
        if node.gate.table >> row & 1:
            term = add("const1")
            for j, source in enumerate(sources):
                term = add("and" if row >> j & 1 else "nimply", term, source)
            total = add("or", total, term)
    return total


def test_joined_circuits_read_the_same_inputs(make_circuit):
    one, other = make_circuit(1, inputs=4), make_circuit(2, inputs=4)
    both = joined(one, other).table()
    assert (both[:, : len(one.outputs)] == one.table()).all()
    assert (both[:, len(one.outputs) :] == other.table()).all()


def test_a_gate_of_too_many_inputs():
    wide = Gate("wide", 13, 1, "wide")
    with pytest.raises(InputError, match="13 inputs is too wide"):
        clauses_of(Circuit(tuple("abcdefghijklm"), (Node(wide, tuple(range(13))),), (13,), ("y",)))


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


def pigeons(count):
    """So many pigeons in one hole less, each in a hole of its own: there is no way, and it is hard to see."""
    holes = count - 1
    clauses = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(count)]
    for hole in range(holes):
        clauses += [
            [-(a * holes + hole + 1), -(b * holes + hole + 1)] for a, b in combinations(range(count), 2)
        ]
    return clauses


def test_a_model_or_none():
    model = satisfied([[1, 2], [-1, 3], [-2, 3], [-3, 4]])
    assert {3, 4} <= set(model)
    assert satisfied(pigeons(6)) is False


def test_stopped_before_the_first_slice_there_is_no_answer():
    assert satisfied([[1]], stop=lambda: True) is None


def test_it_can_be_stopped_between_two_slices():
    asked = []

    def stop():
        asked.append(len(asked))
        return len(asked) == 3

    assert satisfied(pigeons(20), stop=stop) is None
    assert asked == [0, 1, 2]


SCRIPT = """
import os, subprocess
from gatewalk.circuit.sat import satisfied

options = {options}
satisfied([[1]], **options)  # the extra is imported
# Another process, since the solver lets no other thread run.
subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {{os.getpid()}}"])
try:
    satisfied({clauses}, **options)
except KeyboardInterrupt:
    print("interrupted", satisfied([[1]]))
"""


@pytest.mark.parametrize("options", [{}, {"solver": SOLVER, "in_slices": False}], ids=["slices", "whole"])
def test_ctrl_c_ends_it(options):
    """In a process of its own, where nothing else of the tests hears of it."""
    script = SCRIPT.format(clauses=pigeons(20), options=options)
    done = finished([sys.executable, "-c", script])
    assert (done.stdout, done.stderr) == ("interrupted [1]\n", "")
