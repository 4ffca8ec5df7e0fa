"""Gates against their definitions, names and errors."""

import pytest

from gatewalk.boolean.gates import GATES, Gate, GateSet, anf, gate, gate_set, is_symmetric
from gatewalk.errors import InputError

DEFINITIONS = {
    "const0": lambda: 0,
    "const1": lambda: 1,
    "buf": lambda a: a,
    "not": lambda a: not a,
    "false": lambda a, b: 0,
    "true": lambda a, b: 1,
    "buf_a": lambda a, b: a,
    "buf_b": lambda a, b: b,
    "not_a": lambda a, b: not a,
    "not_b": lambda a, b: not b,
    "and": lambda a, b: a and b,
    "nand": lambda a, b: not (a and b),
    "or": lambda a, b: a or b,
    "nor": lambda a, b: not (a or b),
    "xor": lambda a, b: a != b,
    "xnor": lambda a, b: a == b,
    "imply": lambda a, b: a <= b,
    "cimply": lambda a, b: b <= a,
    "nimply": lambda a, b: a > b,
    "ncimply": lambda a, b: b > a,
    "mux": lambda s, a, b: b if s else a,
    "maj": lambda a, b, c: a + b + c >= 2,
    "minority": lambda a, b, c: a + b + c < 2,
    "and3": lambda a, b, c: a and b and c,
    "nand3": lambda a, b, c: not (a and b and c),
    "or3": lambda a, b, c: a or b or c,
    "nor3": lambda a, b, c: not (a or b or c),
    "xor3": lambda a, b, c: (a + b + c) % 2,
    "xnor3": lambda a, b, c: (a + b + c) % 2 == 0,
    "aoi21": lambda a, b, c: not ((a and b) or c),
    "oai21": lambda a, b, c: not ((a or b) and c),
}


def rows(one):
    return [tuple(row >> j & 1 for j in range(one.arity)) for row in range(1 << one.arity)]


def test_every_gate_has_a_definition_here():
    assert set(DEFINITIONS) == set(GATES)


@pytest.mark.parametrize("name", GATES)
def test_table_is_the_definition(name):
    one = gate(name)
    assert [one(*row) for row in rows(one)] == [int(bool(DEFINITIONS[name](*row))) for row in rows(one)]


def test_all_sixteen_functions_of_two_inputs():
    assert sorted(one.table for one in GATES.values() if one.arity == 2) == list(range(16))


def test_no_two_names_for_one_function():
    assert len({(one.arity, one.table) for one in GATES.values()}) == len(GATES)


@pytest.mark.parametrize("name", GATES)
def test_algebraic_normal_form(name):
    one = gate(name)
    coefficients = anf(one)
    assert len(coefficients) == 1 << one.arity
    for index, row in enumerate(rows(one)):
        terms = [c for monomial, c in enumerate(coefficients) if monomial & index == monomial]
        assert sum(terms) % 2 == one(*row)


@pytest.mark.parametrize("name", GATES)
def test_symmetry(name):
    one = gate(name)
    by_definition = all(one(*row) == one(*sorted(row)) for row in rows(one))
    assert is_symmetric(one) == by_definition


def test_aliases_and_case():
    assert gate("ANDN") is gate("nimply")
    assert gate(" implies ") is gate("imply")
    assert gate("0").arity == 0


def test_a_call_with_too_few_inputs():
    with pytest.raises(TypeError, match="takes 2 inputs"):
        gate("and")(1)


def test_a_table_that_is_too_long():
    with pytest.raises(ValueError, match="does not fit"):
        Gate("wide", 1, 4, "a")


def test_unknown_gate_names_near_ones():
    with pytest.raises(InputError, match="unknown gate 'nadn'; did you mean nand") as error:
        gate("nadn")
    assert "the gates are const0" in str(error.value)
    assert "\n" not in str(error.value)


def test_set_keeps_the_order():
    assert gate_set("or, and,not").names == ("or", "and", "not")
    assert gate_set(["or", "and"]) == gate_set("or,and") != gate_set("and,or")
    assert len(gate_set("or,and")) == 2
    assert str(gate_set("or,andn")) == "or,nimply"


@pytest.mark.parametrize(("names", "arity"), [("const1", 1), ("not", 1), ("not,and", 2), ("maj", 3)])
def test_arity_of_a_set(names, arity):
    assert gate_set(names).arity == arity


@pytest.mark.parametrize("names", ["and,and", "nimply,andn"])
def test_set_refuses_doubles(names):
    with pytest.raises(InputError, match="twice"):
        gate_set(names)


@pytest.mark.parametrize("names", ["", ",", []])
def test_set_refuses_nothing(names):
    with pytest.raises(InputError, match="at least one gate"):
        gate_set(names)


def test_set_of_gates():
    assert GateSet((gate("and"),)).arity == 2


def test_a_gate_of_ones_own_is_its_table():
    mine = gate("mine", 3, 0x1B)
    assert mine == gate("mine=0x1b") == gate("mine=00011011") == gate(mine.text)
    assert [mine(a, b, c) for c in (0, 1) for b in (0, 1) for a in (0, 1)] == [1, 1, 0, 1, 1, 0, 0, 0]
    assert (mine.is_own, mine.text, mine.content) == (True, "mine=0x1b", "=0x1b")
    assert gate("other=0x1b").content == mine.content
    assert (gate("and").is_own, gate("and").text, gate("and").content) == (False, "and", "and")
    for name in GATES:
        assert gate(gate(name).text) == gate(name)


def test_a_gate_that_does_what_a_known_one_does_under_its_name_is_that_one():
    assert gate("AND", 2, 0b1000) is gate("and")
    assert gate("and=0x8") is gate("and")


def test_sets_with_gates_of_ones_own():
    mixed = gate_set(["and", gate("mine", 3, 0x1B)])
    assert mixed == gate_set("and,mine=0x1b") == gate_set(mixed.texts) == gate_set(str(mixed))
    assert (mixed.names, mixed.arity) == (("and", "mine"), 3)
    with pytest.raises(InputError, match="two different gates are called 'mine'"):
        gate_set("mine=0x1b,mine=0x1c")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("and=0x7",), "choose another name"),
        (("mine",), "one of your own needs its table"),
        (("mine", 3), "one of your own needs its table"),
        (("mine=0x",), "a digit for each row"),
        (("mine=012",), "a digit for each row"),
        (("mine=011",), "a digit for each row"),
        (("mine=" + "0" * 128,), "up to 6 inputs"),
        (("mine", 3, 256), "its table is 256; it must be at most 255"),
        (("mine", -1, 0), "at least 0"),
        (("mine", 7, 0), "at most 6"),
        (("mine", 2.0, 0), "whole number"),
        (("a", 2, 6), "a name has at least two letters"),
        (("1st", 2, 6), "no digit at the beginning"),
        (("m;ne=0x6",), "a name has at least two letters"),
        ((5,), "must be a name"),
    ],
)
def test_wrong_gates_of_ones_own(arguments, words):
    with pytest.raises(InputError, match=words):
        gate(*arguments)
