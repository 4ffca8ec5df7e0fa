"""Right circuits are told from wrong ones, with a row that shows it."""

import random
from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.gates import gate
from gatewalk.boolean.table_targets import Lookup, table_target
from gatewalk.boolean.targets import family_target
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import Matching, Verdict, equivalent, matching, try_rows
from gatewalk.circuit.own_targets import netlist_target
from gatewalk.errors import InputError


def chain(name, n, skip=None):
    """A chain of two-input gates over all inputs but one."""
    inputs = [i for i in range(n) if i != skip]
    if len(inputs) == 1:
        return Circuit(("x1",), (), (0,), ("y",))
    nodes = [Node(gate(name), (inputs[0], inputs[1]))]
    for i in inputs[2:]:
        nodes.append(Node(gate(name), (n + len(nodes) - 1, i)))
    return Circuit(tuple(f"x{i + 1}" for i in range(n)), tuple(nodes), (n + len(nodes) - 1,), ("y",))


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [1, 2, 6, 7, 13, 16, 17, 20, 24])
def test_a_proof_by_all_rows(name, n):
    verdict = equivalent(chain(name, n), family_target(f"{name}:{n}"))
    assert verdict
    assert verdict.proof
    assert verdict.rows == 1 << n
    assert str(verdict) == f"equal on all {1 << n} rows"


@pytest.mark.parametrize("inputs", [2, 5, 8, 17])
def test_rows_that_count_are_counted(inputs):
    cares = Lookup(2, (0b0001, 0b1001))
    given = family_target(f"and:{inputs}")
    both = replace(given, outputs=2, output_labels=("y", "z"), evaluate=lambda c: np.repeat(c[:1], 2, 0))
    free = replace(both, cares=lambda columns: cares(columns[:2]))
    wires = Circuit(both.input_labels, (), (0, 0), ("y", "z"))
    verdict = equivalent(wires, free)
    assert verdict
    assert (verdict.rows, verdict.counting) == (1 << inputs, 1 << (inputs - 1))
    assert str(verdict) == f"equal on all {1 << (inputs - 1)} rows that count"


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [25, 64, 300])
def test_targets_beyond_are_proven_by_their_circuits(name, n):
    verdict = equivalent(chain(name, n), family_target(f"{name}:{n}"))
    assert (verdict.equal, verdict.proof, verdict.method) == (True, True, "sat")
    tried = try_rows(chain(name, n), family_target(f"{name}:{n}"))
    assert tried.equal
    assert not tried.proof
    assert "not a proof" in str(tried)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [3, 10, 30, 300])
def test_a_missing_input_is_found(name, n):
    wanted = family_target(f"{name}:{n}")
    for skip in (0, n // 2, n - 1):
        circuit = chain(name, n, skip)
        verdict = equivalent(circuit, wanted)
        assert not verdict
        row = verdict.counterexample
        assert row is not None
        assert len(row) == n
        value = {"and": all, "or": any, "xor": lambda bits: sum(bits) % 2}[name]
        assert bool(value(row)) != bool(value([bit for i, bit in enumerate(row) if i != skip]))
        assert str(verdict).startswith("different: on inputs ")


def test_unused_bits_make_no_difference():
    # not x and nand(x, x) differ from nor in the unused bits of their words only if those counted
    one = Circuit(("x",), (Node(gate("not"), (0,)),), (1,), ("y",))
    other = Circuit(("x",), (Node(gate("const1"), ()), Node(gate("xor"), (0, 1))), (2,), ("y",))
    assert equivalent(one, other)


def test_any_output_may_differ():
    add = family_target("sum:1")
    labels = (add.input_labels, add.output_labels)
    xor, conjunction, disjunction = (Node(gate(name), (0, 1)) for name in ("xor", "and", "or"))
    assert equivalent(Circuit(labels[0], (xor, conjunction), (2, 3), labels[1]), add)
    wrong = equivalent(Circuit(labels[0], (xor, disjunction), (2, 3), labels[1]), add)
    assert wrong.counterexample in [(0, 1), (1, 0)]


def multiplier(size, *, columns):
    """Two multipliers of different structure: by rows of partial products, or from the last row up."""
    n = 2 * size
    nodes = []

    def add(name, *sources):
        nodes.append(Node(gate(name), sources))
        return n + len(nodes) - 1

    zero = add("const0")
    product = [zero] * (2 * size)
    for shift in reversed(range(size)) if columns else range(size):
        carry = zero
        for i in range(2 * size - shift):
            term = add("and", i, size + shift) if i < size else zero
            place = product[shift + i]
            half = add("xor", place, term)
            product[shift + i] = add("xor", half, carry)
            carry = add("or", add("and", place, term), add("and", half, carry))
    labels = tuple(f"a{i}" for i in range(size)) + tuple(f"b{i}" for i in range(size))
    return Circuit(labels, tuple(nodes), tuple(product), tuple(f"p{j}" for j in range(2 * size)))


def test_blocks_are_as_good_as_one_table():
    wanted = multiplier(9, columns=False)
    assert equivalent(wanted, multiplier(9, columns=True)) == Verdict(True, "all rows", 1 << 18)
    broken = replace(wanted, outputs=(*wanted.outputs[:-1], wanted.outputs[-2]))
    verdict = equivalent(wanted, broken)
    assert verdict.method == "all rows"
    row = verdict.counterexample
    assert (wanted(*row), broken(*row)) == verdict.values
    assert wanted(*row) != broken(*row)


def test_progress_is_told_block_by_block():
    seen = []
    one = chain("xor", 19)
    equivalent(one, one, watch=lambda done, total: seen.append((done, total)))
    assert seen == [(65536 * (i + 1), 1 << 19) for i in range(8)]


def test_circuits_of_many_gates_take_smaller_blocks(monkeypatch):
    monkeypatch.setattr("gatewalk.circuit.equivalence._LARGEST_BLOCK", 64)
    seen = []
    equivalent(chain("or", 10), family_target("or:10"), watch=lambda *rows: seen.append(rows))
    assert seen == [(128 * (i + 1), 1024) for i in range(8)]


def test_beyond_some_inputs_circuits_are_compared_by_sat():
    names = ["and", "or", "xor"]
    for name in names:
        forward, n = chain(name, 30), 30
        backward = Circuit(
            forward.input_labels,
            tuple(
                Node(gate(name), tuple(n - 1 - s if s < n else s for s in node.sources))
                for node in forward.nodes
            ),
            forward.outputs,
            ("y",),
        )
        assert equivalent(forward, backward) == Verdict(True, "sat", 0)
        assert str(equivalent(forward, backward)) == "equal, proven by SAT"


def test_a_difference_on_one_row_of_millions_is_found_by_sat():
    n = 40
    labels = tuple(f"x{i}" for i in range(n))
    secret = [i * 7 % 5 % 2 for i in range(n)]
    nodes = [Node(gate("not"), (i,)) for i in range(n)]
    last = n
    nodes.append(Node(gate("const1"), ()))
    last = n + len(nodes) - 1
    for i in range(n):
        nodes.append(Node(gate("and"), (last, i if secret[i] else n + i)))
        last = n + len(nodes) - 1
    rare = Circuit(labels, tuple(nodes), (last,), ("y",))
    never = Circuit(labels, (Node(gate("const0"), ()),), (n,), ("y",))
    verdict = equivalent(rare, never)
    assert verdict == Verdict(False, "sat", 0, tuple(secret), ((1,), (0,)))
    assert try_rows(rare, never).equal


def test_rows_that_nobody_cares_about_do_not_count():
    wanted, wrong = family_target("or:3"), chain("and", 3)
    assert not equivalent(wanted, wrong)
    all_or_none = replace(
        wanted, cares=lambda x: np.bitwise_and.reduce(x, 0)[np.newaxis] | ~np.bitwise_or.reduce(x, 0)
    )
    assert equivalent(all_or_none, wrong)
    assert equivalent(wrong, all_or_none)


def test_other_shapes_are_refused():
    with pytest.raises(InputError, match="3 inputs and 1 outputs, and:4 has 4 and 1"):
        equivalent(chain("and", 3), family_target("and:4"))
    with pytest.raises(InputError, match="the other circuit has 4 and 1"):
        equivalent(chain("and", 3), chain("and", 4))
    with pytest.raises(InputError, match=r"a\.v has 3 inputs and 1 outputs, b\.v has 4 and 1"):
        try_rows(chain("and", 3), chain("and", 4), names=("a.v", "b.v"))


def test_beyond_all_rows_those_that_do_not_count_do_not_either():
    """Conjunctions of the first 29 and of all 30 inputs differ where only the last is 0."""
    n = 30
    wanted, other = chain("and", n), chain("and", n, skip=n - 1)
    last = Circuit(wanted.input_labels, (), (n - 1,), ("y",))
    assert not equivalent(other, netlist_target(wanted))
    assert equivalent(other, netlist_target(wanted, cares=last)).method == "sat"
    assert equivalent(netlist_target(wanted, cares=last), other).equal
    first = Circuit(wanted.input_labels, (), (0,), ("y",))
    verdict = equivalent(other, netlist_target(wanted, cares=first))
    assert verdict.counterexample == (1,) * (n - 1) + (0,)


def selection(labels, *, sources):
    """`s ? y : x`, and s itself, with the inputs in some order."""
    return Circuit(labels, (Node(gate("mux"), sources),), (3, sources[0]), ("m", "s_out"))


ONE = selection(("s", "x", "y"), sources=(0, 1, 2))


def test_the_same_names_in_another_order():
    other = selection(("y", "s", "x"), sources=(1, 2, 0))
    assert matching(ONE, other) == Matching("name", "name")
    assert equivalent(ONE, other, by_name=True)
    assert not equivalent(ONE, other)
    assert try_rows(ONE, other, by_name=True)
    assert not try_rows(ONE, other)


def test_outputs_by_name():
    other = replace(ONE, outputs=ONE.outputs[::-1], output_labels=ONE.output_labels[::-1])
    assert equivalent(ONE, other, by_name=True)
    assert not equivalent(ONE, other)


def test_other_names_are_matched_by_position():
    other = selection(("a", "b", "c"), sources=(0, 1, 2))
    assert matching(ONE, other) == Matching("position", "name")
    assert equivalent(ONE, other, by_name=True)


def test_a_difference_is_shown_in_the_order_of_the_first():
    """Of the same names, those that differ in what they do: s and y are exchanged, and so are the outputs."""
    other = Circuit(("y", "s", "x"), (Node(gate("mux"), (0, 2, 1)),), (1, 3), ("s_out", "m"))
    verdict = equivalent(ONE, other, by_name=True)
    row = dict(zip(ONE.input_labels, verdict.counterexample, strict=True))
    first, second = (dict(zip(ONE.output_labels, values, strict=True)) for values in verdict.values)
    assert (first, second) == (ONE(row), other(row))
    assert first != second


def test_a_target_is_reordered_too_with_the_rows_that_count():
    """`p & ~q`, of which only the rows with p = 1 count, and q."""
    wanted = table_target(
        [0b0010, 0b1100],
        2,
        cares=[0b1010, 0b1111],
        input_labels=["p", "q"],
        output_labels=["less", "second"],
    )
    right_where_it_counts = Circuit(("q", "p"), (Node(gate("not"), (0,)),), (0, 2), ("second", "less"))
    assert matching(right_where_it_counts, wanted) == Matching("name", "name")
    assert equivalent(right_where_it_counts, wanted, by_name=True)
    assert equivalent(wanted, right_where_it_counts, by_name=True)
    assert not equivalent(right_where_it_counts, replace(wanted, cares=None), by_name=True)


@pytest.mark.parametrize("inputs", [5, 30])
def test_random_orders(make_circuit, inputs):
    """By all rows and by SAT; what is right where the first input is 1 is right if only these rows count."""
    for seed in range(15):
        circuit = make_circuit(seed, inputs=inputs, gates=15, outputs=3)
        assert equivalent(circuit, shuffled(circuit, seed), by_name=True)
        half_right = replace(
            circuit,
            nodes=circuit.nodes + tuple(Node(gate("xnor"), (0, source)) for source in circuit.outputs),
            outputs=tuple(inputs + len(circuit) + j for j in range(len(circuit.outputs))),
        )
        first = replace(circuit, nodes=(), outputs=(0,) * len(circuit.outputs))
        target = netlist_target(shuffled(circuit, seed), cares=shuffled(first, seed))
        assert equivalent(half_right, target, by_name=True)
        assert equivalent(target, half_right, by_name=True)
        assert not equivalent(half_right, shuffled(circuit, seed), by_name=True)


def shuffled(circuit, seed):
    """The same circuit with its inputs and outputs in another order."""
    n = len(circuit.input_labels)
    inputs, outputs = list(range(n)), list(range(len(circuit.outputs)))
    random.Random(seed).shuffle(inputs)
    random.Random(seed).shuffle(outputs)
    place = {old: new for new, old in enumerate(inputs)}
    return Circuit(
        tuple(circuit.input_labels[i] for i in inputs),
        tuple(Node(node.gate, tuple(place.get(s, s) for s in node.sources)) for node in circuit.nodes),
        tuple(place.get(circuit.outputs[j], circuit.outputs[j]) for j in outputs),
        tuple(circuit.output_labels[j] for j in outputs),
    )
