"""Targets against plain Python definitions, and the sets of gates that are said to express them."""

import pickle
from dataclasses import replace
from math import comb, prod
from operator import eq, gt, lt

import numpy as np
import pytest

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.boolean.tables import apply, last_mask, masked, pack, projections, unpack
from gatewalk.boolean.targets import Defaults, defaults, families, fewest_nodes, target
from gatewalk.errors import InputError

LARGEST = {"icomp": 40}  # sizes that tests of all families take
SMALL = range(1, 7)


def number(bits):
    return sum(int(bit) << place for place, bit in enumerate(bits))


def halves(x, size):
    return number(x[:size]), number(x[size : 2 * size])


def one_of(size, chosen, value=1):
    """The number with that bit, if it is one of so many, else 0."""
    return value << chosen if chosen < size else 0


def difference(a, b, size):
    return (a - b) % 2 ** (size + 1)


def pairs_compared(x):
    found = [(x[i], x[j]) for i in range(len(x)) for j in range(i + 1, len(x))]
    return number([bit for a, b in found for bit in (a < b, a == b, a > b)])


def operated(x, size):
    """The ALU: carry first, then the result."""
    a, b = halves(x[3:], size)
    result = [a & b, a | b, a ^ b, a + b, *[difference(a, b, size)] * 4][number(x[:3])]
    return result % 2**size << 1 | result >> size


# family -> value of the outputs, read as a binary number, from the bits of the inputs and the size
DEFINITIONS = {
    "and": lambda x, size: all(x),
    "or": lambda x, size: any(x),
    "xor": lambda x, size: sum(x) % 2,
    "nand": lambda x, size: not all(x),
    "nor": lambda x, size: not any(x),
    "xnor": lambda x, size: sum(x) % 2 == 0,
    "maj": lambda x, size: sum(x) > len(x) / 2,
    "parity": lambda x, size: sum(x) % 2,
    "epar": lambda x, size: sum(x) % 2 == 0,
    "mux": lambda x, size: [*x[:size], *[0] * size][number(x[size:])],
    "add": lambda x, size: sum(halves(x, size)) + x[-1],
    "sum": lambda x, size: sum(halves(x, size)),
    "add_sub": lambda x, size: difference(*halves(x, size), size) if x[-1] else sum(halves(x, size)),
    "mul": lambda x, size: prod(halves(x, size)),
    "mcomp": lambda x, size: number([op(*halves(x, size)) for op in (lt, eq, gt)]),
    "icomp": lambda x, size: pairs_compared(x),
    "demux": lambda x, size: one_of(size, number(x[1:]), x[0]),
    "onehot_enc": lambda x, size: one_of(size, number(x)),
    "onescount": lambda x, size: sum(x),
    "alu": operated,
    "sort": lambda x, size: number(sorted(x)),
}


def test_every_family_has_a_definition_here():
    assert list(DEFINITIONS) == [family.name for family in families()]
    assert all(family.description.endswith((".", ")")) for family in families())


def members(size, most_inputs=1000):
    """The targets of this size, of every family that has one with so many inputs at most."""
    return [
        pytest.param(family.name, size, id=f"{family.name}:{size}")
        for family in families()
        if family.smallest <= size <= LARGEST.get(family.name, size)
        and len(family.input_labels(size)) <= most_inputs
    ]


@pytest.mark.parametrize(("family", "size"), [case for size in (*SMALL, 8, 9) for case in members(size, 13)])
def test_complete_table(family, size):
    wanted = target(f"{family}:{size}")
    rows = 1 << wanted.inputs
    outputs = unpack(wanted.evaluate(projections(wanted.inputs)), rows)
    assert outputs.shape == (wanted.outputs, rows)
    for row in range(rows):
        inputs = [row >> i & 1 for i in range(wanted.inputs)]
        assert number(outputs[:, row]) == int(DEFINITIONS[family](inputs, size))


@pytest.mark.parametrize(("family", "size"), [case for size in (40, 50, 201) for case in members(size)])
def test_any_number_of_inputs_on_any_rows(family, size):
    wanted = target(f"{family}:{size}")
    generator = np.random.default_rng(7)
    # Rows of every density, so that and, or and maj are not constant on them.
    density = np.concatenate([[0, 1], generator.random(98)])
    inputs = generator.random((wanted.inputs, 100)) < density
    outputs = unpack(wanted.evaluate(pack(inputs)), 100)
    for row in range(100):
        bits = inputs[:, row].astype(int).tolist()
        assert number(outputs[:, row]) == int(DEFINITIONS[family](bits, size))


@pytest.mark.parametrize(
    ("name", "inputs", "outputs"),
    [
        ("add_sub:3", "000 100 1", "1111"),
        ("add_sub:3", "100 010 1", "1111"),
        ("add_sub:3", "111 111 0", "0111"),
        ("demux:8", "1 001", "00001000"),
        ("demux:8", "0 001", "00000000"),
        ("alu:3", "001 100 101", "1001"),
        ("alu:3", "110 100 101", "0011"),
        ("alu:3", "110 111 111", "1011"),
        ("mcomp:3", "011 101", "001"),
        ("icomp:6", "010000", "100 010 010 010 010 001 001 001 001 010 010 010 010 010 010"),
    ],
)
def test_rows_of_the_published_suite(name, inputs, outputs):
    """Rows of its files, in the order of its labels; our alu:3 has no O[3], which is always 0 there."""
    wanted = target(name)
    columns = pack([[int(bit)] for bit in inputs.replace(" ", "")])
    found = unpack(wanted.evaluate(columns), 1)[:, 0]
    assert "".join(str(int(bit)) for bit in found) == outputs.replace(" ", "")


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


@pytest.mark.parametrize(("family", "size"), [case for size in (1, 2, 3) for case in members(size)])
def test_default_gates_can_express_it(family, size):
    wanted = target(f"{family}:{size}")
    if wanted.inputs <= 3:
        assert expressible(wanted, wanted.gates)
    else:  # complete: they make nand of two inputs, which makes everything
        assert expressible(target("nand:2"), wanted.gates)


def test_xnor_alone_is_not_enough_for_odd_sizes():
    assert not expressible(target("xnor:3"), ("xnor",))
    assert expressible(target("xnor:2"), ("xnor",))


@pytest.mark.parametrize(("family", "size"), [case for size in (2, 3, 4) for case in members(size)])
def test_symmetry(family, size):
    wanted = target(f"{family}:{size}")
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
    assert target(name).input_labels == tuple(inputs.split())
    assert target(name).output_labels == tuple(outputs.split())


@pytest.mark.parametrize(
    ("name", "fewest"),
    [
        *[("and:1", 0), ("and:8", 7), ("xor:5", 4), ("nand:1", 1), ("nor:5", 4), ("mux:4", 5), ("mux:1", 0)],
        *[("add:2", 4), ("sum:2", 4), ("mul:1", 2), ("mcomp:1", 3), ("icomp:3", 9), ("demux:1", 0)],
        *[("demux:8", 8), ("onehot_enc:2", 1), ("onescount:1", 0), ("onescount:2", 2), ("alu:2", 6)],
    ],
)
def test_fewest_nodes(name, fewest):
    assert target(name).fewest_nodes == fewest


@pytest.mark.parametrize(("family", "size"), [case for size in (1, 2, 3, 4) for case in members(size)])
def test_fewest_nodes_are_needed_by_inputs_and_outputs(family, size):
    """The two reasons that hold for every circuit, from the table."""
    wanted = target(f"{family}:{size}")
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
    wanted = target(name)
    assert defaults(wanted) == Defaults(gates=wanted.gates, nodes=10, offspring=1, budget=1_000_000)


def test_defaults_leave_room():
    for family in families():
        for size in (family.smallest, family.example, 40):
            wanted = target(f"{family.name}:{size}")
            usual = defaults(wanted)
            assert usual.nodes >= max(1, fewest_nodes(wanted, gate_set(usual.gates)))
            assert usual.offspring >= 1
    assert defaults(target("icomp:9")).nodes == 10 * (9 + 108)


def test_defaults_of_a_target_that_says_nothing():
    said = target("mul:3")
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
        ("icomp:1", "from 2 to 300"),
        ("icomp:301", "from 2 to 300"),
        ("onehot_enc:1", "from 2 to"),
        ("and:" + "9" * 5000, "from 1 to"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(InputError, match=message) as error:
        target(name)
    assert "\n" not in str(error.value)


def test_a_target_travels_between_processes():
    for name in ("maj:5", "demux:3"):
        assert pickle.loads(pickle.dumps(target(name))) == target(name)
    assert target("demux:3").evaluate != target("demux:4").evaluate
