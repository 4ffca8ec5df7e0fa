"""What a circuit costs: its gates, by a price each, and its depth, in whole numbers that a kernel can add.

Prices are kept as multiples of a common unit, so that nothing is lost by rounding. Where two things
count, the first one decides and the second one breaks ties: a unit of the first is dearer than all that a
circuit can have of the second.
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

MOST_SECOND = 1 << 20  # what a circuit has of the second thing that counts, at most
DEAREST = 1 << 20  # the price of a gate, in units, at most
NAMED = ("gates", "depth", "gates,depth", "depth,gates")


@dataclass(frozen=True)
class Price:
    """Prices of gates by name, of a level of depth, and the unit in which slack and reports count.

    text: how it was written. weights: None stands for 1, whatever the gate.
    """

    text: str
    weights: Mapping[str, int] | None
    gate_unit: int
    level_unit: int
    scale: int

    @property
    def unit(self) -> int:
        """One gate, one level or, of weighted gates, a price of 1."""
        return self.scale * max(self.gate_unit, self.level_unit)


def price(text: str | Mapping[str, float] = "gates") -> Price:
    """What counts: "gates", "depth", "gates,depth", "depth,gates", or a price for each gate.

    Parameters
    ----------
    text
        One of these names, "nand=1,xor=2.5", the same as a dictionary, or a .genlib file, whose areas count.
        With "gates,depth" depth breaks ties between circuits of as many gates; "depth" alone lets gates
        break ties as well.

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
    """The name of a known gate; one of the user's own keeps what it is called."""
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
    """The price of each gate of a set, in the unit of the kernel."""
    if priced.weights is None:
        return [priced.gate_unit] * len(gates)
    missing = [one.name for one in gates.gates if one.name not in priced.weights]
    if missing:
        raise InputError(f"no cost is given for {', '.join(missing)}: give one, or leave these gates out")
    return [priced.weights[one.name] for one in gates.gates]


def units_of(priced: Price, circuit: Circuit) -> int:
    """What a circuit costs, in the unit of the kernel."""
    weights = priced.weights
    if weights is None:
        gates = len(circuit) * priced.gate_unit
    else:
        unknown = sorted({node.gate.name for node in circuit.nodes} - set(weights))
        if unknown:
            raise InputError(f"no cost is given for {', '.join(unknown)}: say what each costs, as in nand=1")
        gates = sum(weights[node.gate.name] for node in circuit.nodes)
    return gates + priced.level_unit * circuit.depth
