"""Targets against plain Python definitions, and the sets of gates that are said to express them."""

import pickle
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.boolean.tables import apply, last_mask, masked, pack, projections, unpack
from gatewalk.boolean.targets import count_ones, families, fewest_nodes, target
from gatewalk.errors import InputError

# family -> value of the outputs, read as a binary number, from the bits of the inputs
DEFINITIONS = {
    "and": lambda x: all(x),
    "or": lambda x: any(x),
    "xor": lambda x: sum(x) % 2,
    "nand": lambda x: not all(x),
    "nor": lambda x: not any(x),
    "xnor": lambda x: sum(x) % 2 == 0,
    "maj": lambda x: sum(x) > len(x) / 2,
    "parity": lambda x: sum(x) % 2,
    "epar": lambda x: sum(x) % 2 == 0,
    "add": lambda x: number(x[: len(x) // 2]) + number(x[len(x) // 2 :]),
    "mul": lambda x: number(x[: len(x) // 2]) * number(x[len(x) // 2 :]),
}
TWO_OPERANDS = {"add", "mul"}


def number(bits):
    return sum(int(bit) << place for place, bit in enumerate(bits))


def test_every_family_has_a_definition_here():
    assert set(DEFINITIONS) == set(families())
    assert all(families().values())


@pytest.mark.parametrize("family", DEFINITIONS)
@pytest.mark.parametrize("size", range(1, 10))
def test_complete_table(family, size):
    if family in TWO_OPERANDS and size > 5:
        size = 5
    wanted = target(f"{family}:{size}")
    rows = 1 << wanted.inputs
    outputs = unpack(wanted.evaluate(projections(wanted.inputs)), rows)
    assert outputs.shape == (wanted.outputs, rows)
    for row in range(rows):
        inputs = [row >> i & 1 for i in range(wanted.inputs)]
        assert number(outputs[:, row]) == int(DEFINITIONS[family](inputs))


@pytest.mark.parametrize("family", DEFINITIONS)
@pytest.mark.parametrize("size", [50, 201])
def test_any_number_of_inputs_on_any_rows(family, size):
    wanted = target(f"{family}:{size}")
    generator = np.random.default_rng(7)
    # Rows of every density, so that and, or and maj are not constant on them.
    density = np.concatenate([[0, 1], generator.random(98)])
    inputs = generator.random((wanted.inputs, 100)) < density
    outputs = unpack(wanted.evaluate(pack(inputs)), 100)
    for row in range(100):
        assert number(outputs[:, row]) == int(DEFINITIONS[family](inputs[:, row].tolist()))


@given(st.integers(1, 70), st.integers(0, 2**32))
def test_count_ones(n, seed):
    bits = np.random.default_rng(seed).integers(0, 2, (n, 30)).astype(bool)
    digits = unpack(count_ones(pack(bits)), 30)
    assert [number(digits[:, row]) for row in range(30)] == bits.sum(axis=0).tolist()


@pytest.mark.parametrize("size", range(1, 12))
def test_majority_of_an_even_number_is_strict(size):
    wanted = target(f"maj:{size}")
    ones = unpack(wanted.evaluate(projections(size)), 1 << size).sum()
    assert ones == sum(comb(size, k) for k in range(size + 1) if 2 * k > size)


def expressible(wanted, gates):
    """Whether all outputs are among the functions that the gates make of the inputs, level by level."""
    rows = 1 << wanted.inputs
    known = {pack([row >> i & 1 for row in range(rows)]).item() for i in range(wanted.inputs)}
    goal = {column.item() for column in masked(wanted.evaluate(projections(wanted.inputs)), rows)}
    while not goal <= known:
        columns = np.array(sorted(known), np.uint64)
        new = set()
        for one in map(gate, gates):
            chosen = np.meshgrid(*[columns] * one.arity)
            new |= set((apply(one, *chosen) & last_mask(rows)).ravel().tolist())
        if new <= known:
            return False
        known |= new
    return True


@pytest.mark.parametrize("family", sorted(set(DEFINITIONS) - TWO_OPERANDS))
@pytest.mark.parametrize("size", [1, 2, 3])
def test_default_gates_can_express_it(family, size):
    wanted = target(f"{family}:{size}")
    assert expressible(wanted, wanted.gates)


@pytest.mark.parametrize("family", sorted(TWO_OPERANDS))
def test_default_gates_can_express_arithmetic(family):
    # {and, or, xor, not} contains {and, not}, which expresses every function.
    assert {"and", "not"} <= set(target(f"{family}:2").gates)
    assert expressible(target(f"{family}:1"), ("and", "or", "xor", "not"))


def test_xnor_alone_is_not_enough_for_odd_sizes():
    assert not expressible(target("xnor:3"), ("xnor",))
    assert expressible(target("xnor:2"), ("xnor",))


@pytest.mark.parametrize("family", DEFINITIONS)
@pytest.mark.parametrize("size", [1, 2, 4])
def test_symmetry(family, size):
    wanted = target(f"{family}:{size}")
    if not wanted.symmetric:
        return
    inputs = projections(wanted.inputs)
    swapped = inputs[np.random.default_rng(size).permutation(wanted.inputs)]
    rows = 1 << wanted.inputs
    assert (unpack(wanted.evaluate(inputs), rows) == unpack(wanted.evaluate(swapped), rows)).all()


def test_labels():
    assert target("and:3").input_labels == ("x1", "x2", "x3")
    assert target("and:3").output_labels == ("y",)
    assert target("add:2").input_labels == ("a0", "a1", "b0", "b1")
    assert target("add:2").output_labels == ("s0", "s1", "s2")
    assert target("mul:3").outputs == 6


@pytest.mark.parametrize(
    ("name", "fewest"),
    [("and:1", 0), ("and:8", 7), ("xor:5", 4), ("nand:1", 1), ("nor:5", 4), ("add:2", 4), ("mul:1", 2)],
)
def test_fewest_nodes(name, fewest):
    assert target(name).fewest_nodes == fewest


@pytest.mark.parametrize(
    ("name", "gates", "fewest"),
    [
        ("and:8", "and", 7),
        ("and:8", "and3", 4),
        ("and:8", "and,not,maj", 4),
        ("add:2", "maj,xor3", 0),
        ("parity:5", "and,or,nand,nor", 12),
        ("epar:5", "and,or,nand,nor,xor", 4),
        ("xnor:1", "not", 1),
    ],
)
def test_fewest_nodes_with_given_gates(name, gates, fewest):
    assert fewest_nodes(target(name), gate_set(gates)) == fewest


def circuits_of(size, inputs, gates):
    """All columns that circuits of exactly so many two-input gates can have among their nodes."""
    rows = 1 << inputs
    sets = {frozenset(tuple(row >> i & 1 for row in range(rows)) for i in range(inputs))}
    for _ in range(size):
        sets = {
            known | {tuple(one(p, q) for p, q in zip(a, b, strict=True))}
            for known in sets
            for one in gates.gates
            for a in known
            for b in known
        }
    return set().union(*sets)


def test_three_gates_make_xor_without_xor_and_two_do_not():
    gates = gate_set("and,or,nand,nor,nimply,ncimply,imply,cimply")
    xor = (0, 1, 1, 0)
    assert xor in circuits_of(3, 2, gates)
    assert xor not in circuits_of(2, 2, gates)


def test_names_are_canonical():
    assert target(" AND:08 ") == target("and:8")
    assert target("and:08").name == "and:8"
    assert target("and:8").family == "and"
    assert "and:8" in repr(target("and:8"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nadn:4", "unknown target 'nadn:4': did you mean nand"),
        ("", "unknown target"),
        ("and", "no size"),
        ("and:", "not a size"),
        ("and:x", "'x' is not a size"),
        ("and:-1", "not a size"),
        ("and:²", "not a size"),
        ("and:0", "from 1 to"),
        ("and:1000001", "from 1 to"),
        ("and:" + "9" * 5000, "from 1 to"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(InputError, match=message) as error:
        target(name)
    assert "\n" not in str(error.value)


def test_a_target_travels_between_processes():
    assert pickle.loads(pickle.dumps(target("maj:5"))) == target("maj:5")
