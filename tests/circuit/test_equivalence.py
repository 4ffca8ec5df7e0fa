"""Right circuits are told from wrong ones, with a row that shows it."""

from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.gates import gate
from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import (
    Verdict,
    circuit_side,
    compare,
    equivalent,
    matches,
    target_side,
    try_rows,
)
from gatewalk.circuit.netlist_target import netlist_target
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
    verdict = matches(chain(name, n), target(f"{name}:{n}"))
    assert verdict
    assert verdict.proof
    assert verdict.rows == 1 << n
    assert str(verdict) == f"equal on all {1 << n} rows"


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [25, 64, 300])
def test_targets_beyond_are_proven_by_their_circuits(name, n):
    verdict = matches(chain(name, n), target(f"{name}:{n}"))
    assert (verdict.equal, verdict.proof, verdict.method) == (True, True, "sat")
    tried = try_rows(circuit_side(chain(name, n)), target_side(target(f"{name}:{n}")))
    assert tried.equal
    assert not tried.proof
    assert "not a proof" in str(tried)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [3, 10, 30, 300])
def test_a_missing_input_is_found(name, n):
    wanted = target(f"{name}:{n}")
    for skip in (0, n // 2, n - 1):
        circuit = chain(name, n, skip)
        verdict = matches(circuit, wanted)
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
    add = target("sum:1")
    labels = (add.input_labels, add.output_labels)
    xor, conjunction, disjunction = (Node(gate(name), (0, 1)) for name in ("xor", "and", "or"))
    assert matches(Circuit(labels[0], (xor, conjunction), (2, 3), labels[1]), add)
    wrong = matches(Circuit(labels[0], (xor, disjunction), (2, 3), labels[1]), add)
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
    one = circuit_side(chain("xor", 19))
    compare(one, one, watch=lambda done, total: seen.append((done, total)))
    assert seen == [(65536 * (i + 1), 1 << 19) for i in range(8)]


def test_circuits_of_many_gates_take_smaller_blocks(monkeypatch):
    monkeypatch.setattr("gatewalk.circuit.equivalence._LARGEST_BLOCK", 64)
    seen = []
    compare(
        circuit_side(chain("or", 10)), target_side(target("or:10")), watch=lambda *rows: seen.append(rows)
    )
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
    assert try_rows(circuit_side(rare), circuit_side(never)).equal


def test_rows_that_nobody_cares_about_do_not_count():
    wanted = target_side(target("or:3"))
    wrong = circuit_side(chain("and", 3))
    assert not compare(wanted, wrong)
    all_or_none = replace(
        wanted, cares=lambda x: np.bitwise_and.reduce(x, 0)[np.newaxis] | ~np.bitwise_or.reduce(x, 0)
    )
    assert compare(all_or_none, wrong)
    assert compare(wrong, all_or_none)


def test_other_shapes_are_refused():
    with pytest.raises(InputError, match="3 inputs and 1 outputs, and:4 has 4 and 1"):
        matches(chain("and", 3), target("and:4"))
    with pytest.raises(InputError, match="the other circuit has 4 and 1"):
        equivalent(chain("and", 3), chain("and", 4))


def test_beyond_all_rows_those_that_do_not_count_do_not_either():
    """Conjunctions of the first 29 and of all 30 inputs differ where only the last is 0."""
    n = 30
    wanted, other = chain("and", n), chain("and", n, skip=n - 1)
    last = Circuit(wanted.input_labels, (), (n - 1,), ("y",))
    assert not matches(other, netlist_target(wanted))
    assert matches(other, netlist_target(wanted, cares=last)).method == "sat"
    assert compare(target_side(netlist_target(wanted, cares=last)), circuit_side(other)).equal
    first = Circuit(wanted.input_labels, (), (0,), ("y",))
    verdict = matches(other, netlist_target(wanted, cares=first))
    assert verdict.counterexample == (1,) * (n - 1) + (0,)
