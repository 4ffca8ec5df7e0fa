"""Targets: names, labels, defaults, fewest nodes, tables, and the gates that are said to express them."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.boolean.table_targets import parse_table, table_target
from gatewalk.boolean.tables import apply, last_mask, masked, pack, projections, unpack
from gatewalk.boolean.targets import (
    Defaults,
    defaults,
    description,
    families,
    family_member,
    family_target,
    fewest_nodes,
    tables_in_hex,
    target_tables,
    truth_table,
)
from gatewalk.errors import InputError

LARGEST = {"icomp": 40}  # sizes that tests of all families take


def members(size, most_inputs=1000):
    """The targets of this size, of every family that has one with so many inputs at most."""
    return [
        pytest.param(family.name, size, id=f"{family.name}:{size}")
        for family in families()
        if family.smallest <= size <= LARGEST.get(family.name, size)
        and len(family.input_labels(size)) <= most_inputs
    ]


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


@pytest.mark.parametrize(("family", "size"), [case for size in (1, 2, 3) for case in members(size)])
def test_default_gates_can_express_it(family, size):
    wanted = family_target(f"{family}:{size}")
    if wanted.inputs <= 3:
        assert expressible(wanted, wanted.gates)
    else:  # complete: they make nand of two inputs, which makes everything
        assert expressible(family_target("nand:2"), wanted.gates)


def test_xnor_alone_is_not_enough_for_odd_sizes():
    assert not expressible(family_target("xnor:3"), ("xnor",))
    assert expressible(family_target("xnor:2"), ("xnor",))


@pytest.mark.parametrize(("family", "size"), [case for size in (2, 3, 4) for case in members(size)])
def test_symmetry(family, size):
    wanted = family_target(f"{family}:{size}")
    if not wanted.symmetric:
        return
    inputs = projections(wanted.inputs)
    swapped = inputs[np.random.default_rng(size).permutation(wanted.inputs)]
    rows = 1 << wanted.inputs
    assert (unpack(wanted.evaluate(inputs), rows) == unpack(wanted.evaluate(swapped), rows)).all()


@pytest.mark.parametrize(
    ("name", "inputs", "outputs"),
    [
        ("and:3", "x1 x2 x3", "y"),
        ("mux:3", "D[0] D[1] D[2] ADDR[0] ADDR[1]", "O"),
        ("mux:1", "D[0]", "O"),
        ("add:2", "A[0] A[1] B[0] B[1] Ci", "O[0] O[1] O[2]"),
        ("sum:2", "A[0] A[1] B[0] B[1]", "O[0] O[1] O[2]"),
        ("add_sub:1", "A[0] B[0] T", "O[0] O[1]"),
        ("mul:2", "A[0] A[1] B[0] B[1]", "P[0] P[1] P[2] P[3]"),
        ("mcomp:1", "A[0] B[0]", "LT EQ GT"),
        ("icomp:2", "A[0] A[1]", "O[0] O[1] O[2]"),
        ("demux:3", "A ADDR[0] ADDR[1]", "OUT[0] OUT[1] OUT[2]"),
        ("onehot_enc:4", "binary[0] binary[1]", "onehot[0] onehot[1] onehot[2] onehot[3]"),
        ("onescount:4", "A[0] A[1] A[2] A[3]", "O[0] O[1] O[2]"),
        ("alu:1", "SEL[0] SEL[1] SEL[2] A[0] B[0]", "CARRY O[0]"),
    ],
)
def test_labels(name, inputs, outputs):
    assert family_target(name).input_labels == tuple(inputs.split())
    assert family_target(name).output_labels == tuple(outputs.split())


@pytest.mark.parametrize(
    ("name", "fewest"),
    [
        *[("and:1", 0), ("and:8", 7), ("xor:5", 4), ("nand:1", 1), ("nor:5", 4), ("mux:4", 5), ("mux:1", 0)],
        *[("add:2", 4), ("sum:2", 4), ("mul:1", 2), ("mcomp:1", 3), ("icomp:3", 9), ("demux:1", 0)],
        *[("demux:8", 8), ("onehot_enc:2", 1), ("onescount:1", 0), ("onescount:2", 2), ("alu:2", 6)],
    ],
)
def test_fewest_nodes(name, fewest):
    assert family_target(name).fewest_nodes == fewest


@pytest.mark.parametrize(("family", "size"), [case for size in (1, 2, 3, 4) for case in members(size)])
def test_fewest_nodes_are_needed_by_inputs_and_outputs(family, size):
    """The two reasons that hold for every circuit, from the table."""
    wanted = family_target(f"{family}:{size}")
    table = unpack(wanted.evaluate(projections(wanted.inputs)), 1 << wanted.inputs)
    inputs = {column.tobytes() for column in unpack(projections(wanted.inputs), 1 << wanted.inputs)}
    made = {column.tobytes() for column in table} - inputs
    matters = [
        sum((np.take(column, np.arange(column.size) ^ 1 << i) != column).any() for i in range(wanted.inputs))
        for column in table
    ]
    # A sum has one more: its first bit is no part of a tree that reads every input once for the carry.
    extra = 1 if family in ("add", "sum", "mul") else 0
    assert wanted.fewest_nodes <= max(len(made), max(matters) - 1 + extra)


@pytest.mark.parametrize("name", ["and:5", "or:5", "xor:5", "nand:5", "nor:5", "xnor:5"])
def test_the_targets_of_the_theorems_keep_their_defaults(name):
    wanted = family_target(name)
    assert defaults(wanted) == Defaults(gates=wanted.gates, nodes=10, offspring=1, budget=1_000_000)


def test_defaults_leave_room():
    for family in families():
        for size in (family.smallest, family.example, 40):
            wanted = family_target(f"{family.name}:{size}")
            usual = defaults(wanted)
            assert usual.nodes >= max(1, fewest_nodes(wanted, gate_set(usual.gates)))
            assert usual.offspring >= 1
    assert defaults(family_target("icomp:9")).nodes == 10 * (9 + 108)


def test_defaults_of_a_target_that_says_nothing():
    said = family_target("mul:3")
    silent = replace(said, nodes=None)
    assert defaults(silent) == defaults(said)
    assert silent.cares is None


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
    assert fewest_nodes(family_target(name), gate_set(gates)) == fewest


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
    assert family_target(" AND:08 ") == family_target("and:8")
    assert family_target("and:08").name == "and:8"
    assert family_target("and:8").family == "and"
    assert "and:8" in repr(family_target("and:8"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nadn:4", "unknown target 'nadn:4'; did you mean nand"),
        ("", "unknown target"),
        ("and", "no size"),
        ("and:", "not a size"),
        ("and:x", "'x' is not a size"),
        ("and:-1", "not a size"),
        ("and:²", "not a size"),
        ("and:0", "from 1 to"),
        ("and:1000001", "from 1 to"),
        ("icomp:1", "from 2 to 300"),
        ("icomp:301", "from 2 to 300"),
        ("onehot_enc:1", "from 2 to"),
        ("and:" + "9" * 5000, "from 1 to"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(InputError, match=message) as error:
        family_target(name)
    assert "\n" not in str(error.value)


def test_a_target_travels_between_processes():
    for name in ("maj:5", "demux:3"):
        assert pickle.loads(pickle.dumps(family_target(name))) == family_target(name)
    assert family_target("demux:3").evaluate != family_target("demux:4").evaluate


@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_every_family_is_described_in_a_sentence(family):
    first, rest = description(family_member(family, family.example))
    assert first.endswith(".")
    assert "\n" not in first + rest


def test_a_function_of_ones_own():
    assert description(parse_table("table:3:0x96")) == ("A table of your own.", "")


def test_rows_are_numbered_by_their_inputs():
    values, counted = truth_table(family_target("mul:2"))
    assert values.shape == counted.shape == (4, 16)
    assert counted.all()
    for row in range(16):
        product = (row & 3) * (row >> 2)
        assert [product >> bit & 1 for bit in range(4)] == values[:, row].tolist()


def test_tables_in_whole_numbers():
    counter = target_tables(family_target("onescount:3"))
    assert (counter.inputs, counter.values, counter.cares) == (3, (0x96, 0xE8), (0xFF, 0xFF))
    assert (counter.rows, counter.everything) == (8, 0xFF)
    assert counter.is_complete(0)


def test_values_that_do_not_count_are_0():
    partial = target_tables(parse_table("table:2:0xe/0x6"))
    assert (partial.values, partial.cares) == ((0x6,), (0x6,))
    assert not partial.is_complete(0)


def test_tables_in_hex_are_those_of_the_rows():
    assert tables_in_hex(family_target("xor:3")) == {"table": {"y": "0x96"}}
    some = table_target([0b1010], 2, cares=[0b0111])
    values, counted = truth_table(some)
    assert tables_in_hex(some) == {"table": {"y": "0x2"}, "cares": {"y": "0x7"}}
    assert np.flatnonzero(values[0] & counted[0]).tolist() == [1]
    assert counted.tolist() == [[True, True, True, False]]
    assert description(some)[0] == "A table of your own, on the rows that count."
