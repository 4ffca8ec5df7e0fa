"""The cost of a circuit: by a weight for each kind of gate, or as a price in whole numbers for the kernels.

Prices are multiples of a common unit, so nothing is lost by rounding. If both gates and depth count, the
first one decides and the second one breaks ties: one unit of the first costs more than all that a circuit can
have of the second.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from math import isfinite, lcm

from gatewalk.boolean.gates import GateSet, gate
from gatewalk.circuit.circuit import Circuit, gate_counts
from gatewalk.circuit.files import read_library
from gatewalk.circuit.library import is_library, library_areas
from gatewalk.errors import InputError, shown

MOST_SECOND = 1 << 20  # the most gates or levels that a circuit may have where they break ties
DEAREST = 1 << 20  # the highest price of a gate, in units
NAMED = ("gates", "depth", "gates,depth", "depth,gates")


def cost(circuit: Circuit, weights: str | Mapping[str, float]) -> float:
    """The sum of the weights of all gates, which are non-negative numbers by the name or alias of a gate.

    Every gate that occurs needs one; gates that do not occur may have one. weights: a dictionary, a text such
    as "nand=1,xor=2.5", or the file of a library, whose areas they are.

    >>> from gatewalk.circuit.circuit import Node
    >>> cost(Circuit(("a", "b"), (Node(gate("xor"), (0, 1)),), (2,), ("y",)), {"xor": 2.5})
    2.5
    """
    counts = gate_counts(circuit)
    by_name: dict[str, float] = {}
    for name, weight in (weights_named(weights) if isinstance(weights, str) else weights).items():
        if not (isfinite(weight) and weight >= 0):
            raise InputError(
                f"the cost of {shown(name)} is {shown(weight)}; it must be a number of at least 0"
            )
        by_name[name if name in counts else _canonical(name)] = weight
    _check_all_have(counts, by_name)
    return sum(count * by_name[name] for name, count in counts.items())


def _canonical(name: str) -> str:
    """The standard name for the name or alias of a gate; an unknown name may be a user's own gate."""
    try:
        return gate(name).name
    except InputError:
        return name


def _check_all_have(
    names: Collection[str],
    weights: Mapping[str, float],
    *,
    remedy: str = "say what each costs, as in nand=1,xor=2.5",
) -> None:
    """Raise `InputError` if one of these gates has no weight."""
    missing = [name for name in names if name not in weights]
    if missing:
        near = get_close_matches(missing[0], [name for name in weights if name not in names], 1)
        hint = f" (did you mean it by {shown(near[0])}?)" if near else ""
        raise InputError(f"no cost is given for {', '.join(missing)}{hint}: {remedy}")


def weights_named(text: str) -> dict[str, float]:
    """The costs in a list such as nand=1,xor=2.5, or the areas in a library's file."""
    return library_areas(read_library(text)) if is_library(text) else parse_weights(text)


def parse_weights(text: str) -> dict[str, float]:
    """`"nand=1,xor=2.5"` as a dictionary."""
    weights: dict[str, float] = {}
    for item in text.split(","):
        name, equals, value = item.partition("=")
        try:
            weight = float(value)
        except ValueError:
            equals = ""
        if not equals or not name.strip():
            raise InputError(f"cost {shown(item)} is not GATE=NUMBER, as in nand=1,xor=2.5")
        if name.strip() in weights:
            raise InputError(f"cost: {shown(name.strip())} is given twice")
        weights[name.strip()] = weight
    return weights


@dataclass(frozen=True)
class Cost:
    """What a circuit costs: the prices of gates and of a level of depth, in the unit in which kernels count.

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


def price(text: str | Mapping[str, float] = "gates") -> Cost:
    """Read a cost: "gates", "depth", "gates,depth", "depth,gates", or a price for each gate.

    Prices are a text such as "nand=1,xor=2.5", the same as a dictionary, or a .genlib file with its areas.
    With "gates,depth", depth breaks ties between circuits of equally many gates. With "depth" alone, gates
    break ties.

    >>> price("nand=1,xor=2.5").weights
    {'nand': 2, 'xor': 5}
    """
    if isinstance(text, str) and text.strip().lower().replace(" ", "") in NAMED:
        first = text.strip().lower().replace(" ", "")
        gates_first = first.startswith("gates")
        if first == "gates":
            return Cost(first, None, 1, 0, 1)
        units = (MOST_SECOND, 1) if gates_first else (1, MOST_SECOND)
        return Cost(first, None, *units, 1)
    if isinstance(text, str) and "=" not in text and not is_library(text.strip()):
        raise InputError(
            f"unknown cost {shown(text)}; use gates, depth, gates,depth, depth,gates or nand=1,xor=2.5"
        )
    given = weights_named(text) if isinstance(text, str) else dict(text)
    exact = {_canonical(name): _fraction(name, value) for name, value in given.items()}
    scale = lcm(*(value.denominator for value in exact.values()))
    weights = {name: int(value * scale) for name, value in exact.items()}
    if max(weights.values(), default=0) > DEAREST:
        raise InputError("costs are too large or have too many digits; use numbers such as 1, 2.5, 0.125")
    written = text if isinstance(text, str) else ",".join(f"{n}={v}" for n, v in given.items())
    return Cost(written, weights, 1, 0, scale)


def _fraction(name: str, value: float) -> Fraction:
    try:
        exact = Fraction(str(value))
    except ValueError:
        exact = Fraction(-1)
    if exact < 0:
        raise InputError(f"the cost of {shown(name)} is {shown(value)}; it must be a number of at least 0")
    return exact


def gate_prices(priced: Cost, gates: GateSet) -> list[int]:
    """What each gate of a set costs, in units."""
    if priced.weights is None:
        return [priced.gate_unit] * len(gates)
    _check_all_have(gates.names, priced.weights, remedy="give one, or leave these gates out")
    return [priced.weights[member.name] for member in gates.gates]


def cost_units(priced: Cost, circuit: Circuit) -> int:
    """What a circuit costs, in units."""
    if priced.weights is None:
        gates = len(circuit) * priced.gate_unit
    else:
        _check_all_have(sorted(gate_counts(circuit)), priced.weights)
        gates = sum(priced.weights[node.gate.name] for node in circuit.nodes)
    return gates + priced.level_unit * circuit.depth
