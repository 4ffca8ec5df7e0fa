"""Costs by kind of gate, and as prices in whole numbers."""

import pytest

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.cost import cost, cost_units, gate_prices, parse_weights, price
from gatewalk.errors import InputError


def test_the_sum_of_the_weights(figure_1):
    assert cost(figure_1, {"and": 1, "nor": 2.5, "or": 0}) == 4.5
    assert figure_1.cost({"and2": 1, "NOR": 1, "or": 1, "xor": 9}) == 4


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"and": 1, "or": 1}, "no cost is given for nor"),
        ({"and": -1, "or": 1, "nor": 1}, "cost of 'and' is -1"),
        ({"and": float("nan"), "or": 1, "nor": 1}, "cost of 'and' is nan"),
        ({"adn": 1, "or": 1, "nor": 1}, "no cost is given for and .did you mean it by 'adn'"),
    ],
)
def test_what_is_no_weight(figure_1, weights, words):
    with pytest.raises(InputError, match=words):
        cost(figure_1, weights)


def test_gates_that_do_not_occur_may_have_a_cost(figure_1):
    assert cost(figure_1, {"and": 1, "or": 1, "nor": 1, "AOI22": 9}) == 4


def test_weights_as_text():
    assert parse_weights("nand=1, xor=2.5") == {"nand": 1.0, "xor": 2.5}


@pytest.mark.parametrize("text", ["", "nand", "nand=", "=1", "nand=x", "nand=1,", "nand=1,nand=2"])
def test_what_is_no_text_of_weights(text):
    with pytest.raises(InputError, match=r"not GATE=NUMBER|given twice"):
        parse_weights(text)


CHAIN = Circuit(
    ("a", "b", "c"),
    (Node(gate("xor"), (0, 1)), Node(gate("xor"), (3, 2)), Node(gate("and"), (0, 1))),
    (4, 5),
    ("s", "t"),
)


def test_gates_count_one_each():
    made = price("gates")
    assert cost_units(made, CHAIN) == 3
    assert made.unit == 1
    assert gate_prices(made, gate_set("and,xor")) == [1, 1]


def test_weights_are_kept_exactly_in_a_common_unit():
    made = price("and=0.1,xor=0.25")
    assert made.scale == 20
    assert gate_prices(made, gate_set("and,xor")) == [2, 5]
    assert cost_units(made, CHAIN) == 12
    assert cost_units(made, CHAIN) / made.unit == pytest.approx(0.6)
    assert price({"and2": 1.5, "mine": 2}).weights == {"and": 3, "mine": 4}


@pytest.mark.parametrize(
    ("text", "dearer", "cheaper"),
    [("gates,depth", (4, 1), (3, 9)), ("depth,gates", (1, 5), (9, 4)), ("depth", (1, 5), (9, 4))],
)
def test_the_first_thing_decides(text, dearer, cheaper):
    made = price(text)

    def units(gates_and_depth):
        gates, depth = gates_and_depth
        return gates * made.gate_unit + depth * made.level_unit

    assert units(dearer) > units(cheaper)
    assert units((4, 4)) > units((4, 3))
    assert units((4, 4)) > units((3, 4))
    assert cost_units(made, CHAIN) == units((3, 2))


@pytest.mark.parametrize(
    "text",
    ["", "speed", "nand", "nand=x", "nand=-1", "nand=nan", "nand=inf", "nand=1,nand=2", "a=1e9,b=1e-9"],
)
def test_what_is_no_price_is_refused(text):
    with pytest.raises(InputError) as caught:
        price(text)
    assert "\n" not in str(caught.value)


def test_a_gate_without_a_price_is_named():
    with pytest.raises(InputError, match="for xor"):
        gate_prices(price("and=1"), gate_set("and,xor"))
    with pytest.raises(InputError, match="for xor"):
        cost_units(price("and=1"), CHAIN)
