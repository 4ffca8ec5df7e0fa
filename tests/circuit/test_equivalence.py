"""Right circuits are told from wrong ones, with a row that shows it."""

import pytest

from gatewalk.boolean.gates import gate
from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import equivalent, matches
from gatewalk.errors import InputError


def chain(name, n, skip=None):
    """A chain of two-input gates over all inputs but one."""
    inputs = [i for i in range(n) if i != skip]
    nodes = [Node(gate(name), (inputs[0], inputs[1]))]
    for i in inputs[2:]:
        nodes.append(Node(gate(name), (n + len(nodes) - 1, i)))
    return Circuit(tuple(f"x{i + 1}" for i in range(n)), tuple(nodes), (n + len(nodes) - 1,), ("y",))


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [2, 6, 7, 13, 20])
def test_a_proof_by_all_rows(name, n):
    verdict = matches(chain(name, n), target(f"{name}:{n}"))
    assert verdict
    assert verdict.proof
    assert verdict.rows == 1 << n
    assert str(verdict) == f"equal on all {1 << n} rows"


@pytest.mark.parametrize("name", ["and", "or", "xor"])
@pytest.mark.parametrize("n", [21, 64, 300])
def test_a_trial_beyond(name, n):
    verdict = matches(chain(name, n), target(f"{name}:{n}"))
    assert verdict.equal
    assert not verdict.proof
    assert "not a proof" in str(verdict)


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


def test_other_shapes_are_refused():
    with pytest.raises(InputError, match="3 inputs and 1 outputs, and:4 has 4 and 1"):
        matches(chain("and", 3), target("and:4"))
    with pytest.raises(InputError, match="the other circuit has 4 and 1"):
        equivalent(chain("and", 3), chain("and", 4))
