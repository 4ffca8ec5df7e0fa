"""What a circuit costs: a price for each gate and for each level of depth, as whole numbers for the kernels.

Prices are multiples of a common unit, so nothing is lost by rounding. If both gates and depth count, the
first one decides and the second one breaks ties: one unit of the first costs more than all that a circuit can
have of the second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from gatewalk.boolean.gates import GateSet, gate
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.named import weights_named
from gatewalk.errors import InputError, shown

MOST_SECOND = 1 << 20  # the most gates or levels that a circuit may have where they break ties
DEAREST = 1 << 20  # the highest price of a gate, in units
NAMED = ("gates", "depth", "gates,depth", "depth,gates")


@dataclass(frozen=True)
class Price:
    """The prices of gates and of a level of depth, in the unit in which kernels count.

    text: the cost as it was written. weights: the price of each gate by name; None if every gate costs 1.
    gate_unit, level_unit: what a gate of weight 1 and a level cost. scale: the weight that stands for a
    price of 1.
    """

    text: str
    weights: Mapping[str, int] | None
    gate_unit: int
    level_unit: int
    scale: int

    @property
    def unit(self) -> int:
        """How many units one gate, one level or, with weighted gates, a price of 1 is."""
        return self.scale * max(self.gate_unit, self.level_unit)


def price(text: str | Mapping[str, float] = "gates") -> Price:
    """Read a cost: "gates", "depth", "gates,depth", "depth,gates", or a price for each gate.

    Parameters
    ----------
    text
        One of these names, "nand=1,xor=2.5", the same as a dictionary, or a .genlib file, whose areas are the
        prices. With "gates,depth", depth breaks ties between circuits of equally many gates. With "depth"
        alone, gates break ties.

    Returns
    -------
    Price

    Examples
    --------
    >>> price("nand=1,xor=2.5").weights
    {'nand': 2, 'xor': 5}
    """
    if isinstance(text, str) and text.strip().lower().replace(" ", "") in NAMED:
        first = text.strip().lower().replace(" ", "")
        gates_first = first.startswith("gates")
        if first == "gates":
            return Price(first, None, 1, 0, 1)
        units = (MOST_SECOND, 1) if gates_first else (1, MOST_SECOND)
        return Price(first, None, *units, 1)
    if isinstance(text, str) and "=" not in text and not text.strip().lower().endswith(".genlib"):
        raise InputError(f"cost {shown(text)}: use gates, depth, gates,depth, depth,gates or nand=1,xor=2.5")
    given = weights_named(text) if isinstance(text, str) else dict(text)
    exact = {_name(name): _fraction(name, value) for name, value in given.items()}
    scale = lcm(*(value.denominator for value in exact.values()))
    weights = {name: int(value * scale) for name, value in exact.items()}
    if max(weights.values(), default=0) > DEAREST:
        raise InputError("costs are too large or have too many digits: use numbers such as 1, 2.5, 0.125")
    written = text if isinstance(text, str) else ",".join(f"{n}={v}" for n, v in given.items())
    return Price(written, weights, 1, 0, scale)


def _name(name: str) -> str:
    """The standard name of a known gate; the name of a user's own gate as it is."""
    try:
        return gate(name).name
    except InputError:
        return name


def _fraction(name: str, value: float) -> Fraction:
    try:
        exact = Fraction(str(value))
    except ValueError:
        exact = Fraction(-1)
    if exact < 0:
        raise InputError(f"the cost of {shown(name)} is {shown(value)}; it must be a number from 0 on")
    return exact


def gate_prices(priced: Price, gates: GateSet) -> list[int]:
    """What each gate of a set costs, in units."""
    if priced.weights is None:
        return [priced.gate_unit] * len(gates)
    missing = [one.name for one in gates.gates if one.name not in priced.weights]
    if missing:
        raise InputError(f"no cost is given for {', '.join(missing)}: give one, or leave these gates out")
    return [priced.weights[one.name] for one in gates.gates]


def units_of(priced: Price, circuit: Circuit) -> int:
    """What a circuit costs, in units."""
    weights = priced.weights
    if weights is None:
        gates = len(circuit) * priced.gate_unit
    else:
        unknown = sorted({node.gate.name for node in circuit.nodes} - set(weights))
        if unknown:
            raise InputError(f"no cost is given for {', '.join(unknown)}: say what each costs, as in nand=1")
        gates = sum(weights[node.gate.name] for node in circuit.nodes)
    return gates + priced.level_unit * circuit.depth
