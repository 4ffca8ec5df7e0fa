from __future__ import annotations

import pytest

from gatewalk.boolean.gates import gate, gate_set
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError
from gatewalk.synthesis.price import gate_prices, price, units_of

CHAIN = Circuit(
    ("a", "b", "c"),
    (Node(gate("xor"), (0, 1)), Node(gate("xor"), (3, 2)), Node(gate("and"), (0, 1))),
    (4, 5),
    ("s", "t"),
)


def test_gates_count_one_each() -> None:
    made = price("gates")
    assert units_of(made, CHAIN) == 3
    assert made.unit == 1
    assert gate_prices(made, gate_set("and,xor")) == [1, 1]


def test_weights_are_kept_exactly_in_a_common_unit() -> None:
    made = price("and=0.1,xor=0.25")
    assert made.scale == 20
    assert gate_prices(made, gate_set("and,xor")) == [2, 5]
    assert units_of(made, CHAIN) == 12
    assert units_of(made, CHAIN) / made.unit == pytest.approx(0.6)
    assert price({"and2": 1.5, "mine": 2}).weights == {"and": 3, "mine": 4}


@pytest.mark.parametrize(
    ("text", "dearer", "cheaper"),
    [("gates,depth", (4, 1), (3, 9)), ("depth,gates", (1, 5), (9, 4)), ("depth", (1, 5), (9, 4))],
)
def test_the_first_thing_decides(text: str, dearer: tuple[int, int], cheaper: tuple[int, int]) -> None:
    made = price(text)

    def units(gates_and_depth: tuple[int, int]) -> int:
        gates, depth = gates_and_depth
        return gates * made.gate_unit + depth * made.level_unit

    assert units(dearer) > units(cheaper)
    assert units((4, 4)) > units((4, 3))
    assert units((4, 4)) > units((3, 4))
    assert units_of(made, CHAIN) == units((3, 2))


@pytest.mark.parametrize(
    "text",
    ["", "speed", "nand", "nand=x", "nand=-1", "nand=nan", "nand=inf", "nand=1,nand=2", "a=1e9,b=1e-9"],
)
def test_what_is_no_price_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        price(text)
    assert "\n" not in str(caught.value)


def test_a_gate_without_a_price_is_named() -> None:
    with pytest.raises(InputError, match="for xor"):
        gate_prices(price("and=1"), gate_set("and,xor"))
    with pytest.raises(InputError, match="for xor"):
        units_of(price("and=1"), CHAIN)
