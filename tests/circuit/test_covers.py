"""Cubes to gates and back, covers with rows that do not count, irredundant sums of products."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import pack, projections, unpack
from gatewalk.circuit import covers
from gatewalk.circuit.circuit import Circuit, Draft, evaluate
from gatewalk.circuit.covers import (
    Cover,
    Cubes,
    add_cubes,
    cares,
    cares_circuit,
    check_consistency,
    complete_tables,
    cubes_of,
    holds,
    isop,
    named_gate,
    ones,
    ones_circuit,
    sum_circuit,
    table_of,
)
from gatewalk.errors import InputError


@pytest.mark.parametrize("name", GATES)
def test_a_gates_cubes_are_the_gate(name):
    listed = cubes_of(GATES[name])
    assert table_of(listed) == GATES[name].table
    for cube in listed.cubes:
        rest = replace(listed, cubes=tuple(other for other in listed.cubes if other != cube))
        assert table_of(rest) != GATES[name].table
    named = named_gate(listed)
    assert named is not None
    assert named[0] == GATES[name]
    assert named[1] == tuple(range(listed.inputs))


@pytest.mark.parametrize(
    ("name", "cubes"),
    [
        ("nand", ("-0", "0-")),
        ("maj", ("-11", "1-1", "11-")),
        ("mux", ("01-", "1-1")),
        ("const0", ()),
        ("const1", ("",)),
    ],
)
def test_lists_are_short(name, cubes):
    assert cubes_of(GATES[name]).cubes == cubes


@st.composite
def lists_of_cubes(draw):
    inputs = draw(st.integers(0, 6))
    cube = st.text("01-", min_size=inputs, max_size=inputs)
    return Cubes(inputs, tuple(draw(st.lists(cube, max_size=6))), draw(st.integers(0, 1)))


@given(lists_of_cubes())
def test_cubes_in_a_circuit_are_the_function(listed):
    n = max(1, listed.inputs)
    draft = Draft(n)
    result = add_cubes(draft, listed, range(listed.inputs))
    circuit = Circuit(tuple(f"x{i}" for i in range(n)), tuple(draft.nodes), (result,), ("y",))
    outputs = unpack(evaluate(circuit, projections(n)), 1 << n)[0]
    for row in range(1 << n):
        inside = any(holds(cube, row) for cube in listed.cubes)
        assert outputs[row] == (inside == bool(listed.value))


def test_inputs_in_another_order_are_still_the_gate():
    # select is the last signal here: y = c ? b : a
    named = named_gate(Cubes(3, ("1-0", "-11")))
    assert named == (GATES["mux"], (2, 0, 1))


def test_negations_are_shared():
    draft = Draft(4)
    add_cubes(draft, Cubes(4, ("0110", "0001")), range(4))
    assert [node.gate.name for node in draft.nodes].count("not") == 4


def bits(words, rows):
    return unpack(words, rows).astype(int).tolist()


def test_a_row_that_is_on_and_free_does_not_count():
    cover = Cover(("a", "b"), ("y",), (("1-", "1"), ("11", "-")))
    assert bits(ones(cover, projections(2)), 4) == [[0, 1, 0, 0]]
    assert bits(cares(cover, projections(2)), 4) == [[1, 1, 1, 0]]


def test_a_hundred_inputs_on_a_few_rows():
    cover = Cover(tuple(f"x{i}" for i in range(100)), ("y",), (("1" * 100, "1"),))
    inputs = pack([[1, 1, 0]] * 99 + [[1, 0, 0]])
    assert bits(ones(cover, inputs), 3) == [[1, 0, 0]]
    assert bits(cares(cover, inputs), 3) == [[1, 1, 1]]


def test_without_cubes_every_row_is_0_or_none_counts():
    for kind, counted in (("f", 1), ("fd", 1), ("fr", 0), ("fdr", 0)):
        cover = Cover(("a",), ("y", "z"), (), kind)
        assert bits(ones(cover, projections(1)), 2) == [[0, 0]] * 2
        assert bits(cares(cover, projections(1)), 2) == [[counted] * 2] * 2


def test_0_and_1_on_one_row_is_refused():
    products = (("1-", "~1"), ("-1", "~0"))
    for kind in ("fr", "fdr"):
        cover = Cover(("a", "b"), ("y", "z"), products, kind)
        for check in (check_consistency, lambda cover: ones(cover, projections(2))):
            with pytest.raises(InputError, match=r"contradicts itself: .* output 'z'"):
                check(cover)
    for kind in ("f", "fd"):  # zeros are not listed
        check_consistency(Cover(("a", "b"), ("y", "z"), products, kind))
    check_consistency(Cover(("a", "b"), ("y", "z"), (("1-", "~1"), ("01", "~0"), ("11", "0~")), "fr"))
    # Where it does not matter, it does not matter.
    free = (*products, ("11", "~-"))
    assert bits(ones(Cover(("a", "b"), ("y", "z"), free, "fdr"), projections(2)), 4)[1] == [0, 1, 0, 0]


def test_single_rows_contradict_each_other_only_if_they_are_equal(monkeypatch):
    monkeypatch.setattr(covers, "MOST_PAIRS", 0)
    rows = (("10", "1~-"), ("11", "001"), ("10", "~10"), ("10", "11~"))
    check_consistency(Cover(("a", "b"), ("x", "y", "z"), rows, "fdr"))
    for sign, label in (("0~~", "x"), ("~0~", "y"), ("~~1", "z")):
        wrong = Cover(("a", "b"), ("x", "y", "z"), (*rows, ("10", sign)), "fr")
        with pytest.raises(InputError, match=f"on one row output '{label}' is both 0 and 1"):
            check_consistency(wrong)


def test_unknown_types_and_other_columns():
    with pytest.raises(InputError, match="'dr'; the types are f, fd, fr, fdr"):
        Cover(("a",), ("y",), (), "dr")
    with pytest.raises(ValueError, match="1 inputs, 2 columns"):
        ones(Cover(("a",), ("y",), ()), projections(2))


def some_cover(seed, kind, n=5):
    """Random products in which no output is both 0 and 1 on a row, since zeros have the first input 0."""
    generator = random.Random(seed)
    products = []
    for _ in range(6):
        first = generator.choice("01")
        rest = "".join(generator.choice("01-") for _ in range(n - 1))
        signs = "".join(generator.choice({"0": "0-~", "1": "1-~"}[first]) for _ in range(2))
        products.append((first + rest, signs))
    labels = tuple(f"x{i}" for i in range(n))
    return Cover(labels, ("y", "z"), tuple(products), kind)


def table(words, n):
    return unpack(words, 1 << n).tolist()


@pytest.mark.parametrize("kind", ["f", "fd", "fr", "fdr"])
@pytest.mark.parametrize("seed", range(8))
def test_the_circuits_agree_with_the_cover(seed, kind):
    cover, inputs = some_cover(seed, kind), projections(5)
    counted, found = cares(cover, inputs), cares_circuit(cover)
    if found is None:
        assert all(map(all, table(counted, 5)))
    else:
        assert table(evaluate(found, inputs), 5) == table(counted, 5)
    on = ones(cover, inputs) & counted
    assert table(evaluate(ones_circuit(cover), inputs) & counted, 5) == table(on, 5)


def test_cubes_that_outputs_share_are_built_once():
    labels = ["a", "b", "c", "d"]
    shared = sum_circuit([["11--", "--11"], ["11--"]], labels, ["y", "z"])
    assert len(shared) == 3
    assert shared(1, 1, 0, 0) == (1, 1)
    assert shared(0, 1, 1, 1) == (1, 0)


def test_an_empty_sum_is_the_constant_0():
    assert [sum_circuit([[]], ["a"], ["y"])(bit) for bit in (0, 1)] == [0, 0]


def rows_of(cubes, n):
    return sum(1 << row for row in range(1 << n) if any(holds(cube, row) for cube in cubes))


@given(st.data())
def test_the_cubes_are_the_table_and_none_can_be_left_out(data):
    n = data.draw(st.integers(0, 5))
    table = data.draw(st.integers(0, (1 << (1 << n)) - 1))
    cubes = isop(table, n)
    assert rows_of(cubes, n) == table
    for cube in cubes:
        assert rows_of([other for other in cubes if other != cube], n) != table


@given(st.data())
def test_free_rows_are_covered_or_not(data):
    n = data.draw(st.integers(0, 5))
    table, free = (data.draw(st.integers(0, (1 << (1 << n)) - 1)) for _ in range(2))
    cubes = isop(table, n, free=free)
    assert rows_of(cubes, n) & ~free == table & ~free
    for cube in cubes:
        assert rows_of([other for other in cubes if other != cube], n) & ~free != table & ~free
    assert isop(table | free, n, free=free) == cubes


@pytest.mark.parametrize("n", [3, 12])
def test_parity_needs_every_row(n):
    table = sum((row.bit_count() & 1) << row for row in range(1 << n))
    assert len(isop(table, n)) == 1 << (n - 1)


@pytest.mark.parametrize("kind", ["f", "fd", "fr", "fdr"])
@pytest.mark.parametrize("n", [1, 5, 6, 7, 9, 13])
def test_complete_tables_are_ones_and_cares_on_all_rows(n, kind):
    cover, inputs = some_cover(n, kind, n), projections(n)
    expected = table(ones(cover, inputs), n), table(cares(cover, inputs), n)
    assert tuple(table(words, n) for words in complete_tables(cover)) == expected


def test_complete_tables_without_products():
    labels = Cover(("a", "b"), ("y", "z"), (), "f")
    assert [bits(words, 4) for words in complete_tables(labels)] == [[[0] * 4] * 2, [[1] * 4] * 2]
