"""Post's classes against brute force: all functions of two and three inputs that gates can make."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean import expressible
from gatewalk.boolean.expressible import why_inexpressible
from gatewalk.boolean.gates import GATES, Gate, GateSet, gate_set
from gatewalk.boolean.tables import pack, unpack
from gatewalk.boolean.targets import Target, families, family_target


def closure(gates, inputs):
    """Of all tables, as numbers, whether circuits of the gates compute that function of the inputs."""
    rows = 1 << inputs
    everything = (1 << rows) - 1
    known = np.zeros(1 << rows, bool)
    known[[sum((row >> i & 1) << row for row in range(rows)) for i in range(inputs)]] = True
    while True:
        columns = np.flatnonzero(known)
        for one in gates.gates:
            operands = np.ix_(*[columns] * one.arity)
            made = np.zeros(1, int)
            for row in range(1 << one.arity):
                if one.table >> row & 1:
                    term = np.full(1, everything)
                    for j, operand in enumerate(operands):
                        term = term & (operand if row >> j & 1 else ~operand)
                    made = made | term
            known[(made & everything).ravel()] = True
        if known.sum() == columns.size:
            return known


def of_tables(tables, inputs, cares=None):
    """A target with these tables, numbers, as its outputs."""
    rows = 1 << inputs

    def columns(numbers):
        bits = np.array([[number >> row & 1 for row in range(rows)] for number in numbers], bool)

        def evaluate(x):
            index = np.zeros(64 * x.shape[1], int)
            for i, column in enumerate(unpack(x, 64 * x.shape[1])):
                index += column.astype(int) << i
            return pack(bits[:, index])

        return evaluate

    return Target(
        name="own:1",
        inputs=inputs,
        outputs=len(tables),
        input_labels=tuple(f"x{i}" for i in range(inputs)),
        output_labels=tuple(f"y{i}" for i in range(len(tables))),
        gates=("nand",),
        symmetric=False,
        fewest_nodes=0,
        family="own",
        evaluate=columns(tables),
        cares=None if cares is None else columns(cares),
    )


UNARY_AND_BINARY = [one for one in GATES.values() if one.arity <= 2 and one.name not in ("false", "true")]
SETS = [gate_set([a.name]) for a in GATES.values()] + [
    gate_set([a.name, b.name]) for a, b in combinations(UNARY_AND_BINARY, 2)
]


@pytest.mark.parametrize("gates", SETS, ids=str)
def test_exact_for_all_functions_of_two_inputs(gates):
    known = closure(gates, 2)
    for table in range(16):
        assert (why_inexpressible(of_tables([table], 2), gates) is None) == known[table], table


def random_sets():
    generator = np.random.default_rng(5)
    names = list(GATES)
    for count in [1] * 10 + [2] * 15 + [3] * 5:
        yield gate_set([names[i] for i in generator.choice(len(names), count, replace=False)])


def random_own_gates():
    """Gates of three inputs with tables that are often in some class."""
    generator = np.random.default_rng(6)
    for index in range(20):
        kept = generator.random(8) < generator.random()
        kept[0] &= generator.random() < 0.2
        yield GateSet((Gate(f"own{index}", 3, int(np.packbits(kept, bitorder="little")[0]), "?"),))


@pytest.mark.parametrize("gates", [*random_sets(), *random_own_gates()], ids=str)
def test_exact_for_all_functions_of_three_inputs(gates):
    if gates.arity == 3 and closure(gates, 2).sum() == 16:
        return  # complete for two inputs, hence for all: nothing is ever missing
    known = closure(gates, 3)
    for number in range(0, 256, 3):
        assert (why_inexpressible(of_tables([number], 3), gates) is None) == known[number], number


@given(st.sampled_from(SETS), st.integers(0, 255), st.integers(0, 255))
def test_single_rows_never_give_a_false_alarm(gates, table, cares):
    """With don't-cares the answer comes from single rows: what some completion allows is not denied."""
    known = closure(gates, 3)
    completions = [number for number in range(256) if known[number] and (number ^ table) & cares == 0]
    found = why_inexpressible(of_tables([table], 3, cares=[cares]), gates)
    assert not (completions and found)


@pytest.mark.parametrize("gates", SETS[::7], ids=str)
def test_single_rows_prove_what_whole_tables_show(gates, monkeypatch):
    """On three inputs the sampled rows are all there are many times over."""
    whole = [why_inexpressible(of_tables([number], 3), gates) is None for number in range(0, 256, 5)]
    monkeypatch.setattr(expressible, "MOST_EXACT", 0)
    sampled = [why_inexpressible(of_tables([number], 3), gates) is None for number in range(0, 256, 5)]
    assert sampled == whole


@pytest.mark.parametrize(
    ("name", "gates", "words"),
    [
        (
            "xor:3",
            "and,or",
            "{and, or} makes only monotone functions, xor:3 is not monotone: add not, xor or",
        ),
        ("or:3", "and", "{and} makes only conjunctions and constants, or:3 is neither: add not, or or"),
        (
            "and:3",
            "not",
            "{not} makes only functions of one input, and:3 depends on more: add and, or or nand",
        ),
        ("and:1000", "or", "{or} makes only disjunctions and constants, and:1000 is neither: add"),
        ("and:1000", "xor,not", "exclusive ors and their complements, and:1000 is neither"),
        ("xor:100000", "and,or", "monotone"),
        ("xor:1000000", "and", "conjunctions"),
        ("maj:101", "and,nimply", "1 only where one certain input is 1, maj:101 is none of them"),
        ("xor:2", "xnor", "functions that are 1 where all inputs are 1, xor:2 is 0 there"),
        ("nand:3", "and,or,xor", "functions that are 0 where all inputs are 0, nand:3 is 1 there: add not"),
        ("and:2", "maj,not", "self-dual functions, and:2 is not self-dual"),
        ("or:2", "nimply,and", "functions that are 1 only where one certain input is 1"),
        ("maj:4", "maj", "self-dual"),
        ("add:20", "and,or", "O[0] of add:20 is not monotone"),
        ("epar:30", "and,or,xor", "is 1 there"),
        ("onehot_enc:200", "and,xor", "onehot[0] of onehot_enc:200 is 1 there"),
    ],
)
def test_words(name, gates, words):
    found = why_inexpressible(family_target(name), gate_set(gates))
    assert found is not None
    assert words in found
    assert "\n" not in found


@pytest.mark.parametrize("size", [2, 3, 5, 40])
def test_nothing_is_missing_of_the_default_gates(size):
    for family in families():
        wanted = family_target(f"{family.name}:{size}")
        assert why_inexpressible(wanted, gate_set(wanted.gates)) is None


def test_what_is_suggested_is_enough():
    for gates in SETS[::4]:
        for name in ("and:3", "or:3", "xor:3", "epar:3", "maj:3", "mux:2"):
            found = why_inexpressible(family_target(name), gates)
            if found:
                for more in re.split(", | or ", found.rpartition(": add ")[2]):
                    assert why_inexpressible(family_target(name), gate_set([*gates.names, more])) is None
