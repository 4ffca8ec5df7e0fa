"""Costs by kind of gate."""

import pytest

from gatewalk.circuit.cost import cost, parse_weights
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
