"""The cost of a circuit, by a weight for each kind of gate."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from math import isfinite

from gatewalk.boolean.gates import gate
from gatewalk.circuit.circuit import Circuit, gate_counts
from gatewalk.errors import InputError, shown


def cost(circuit: Circuit, weights: Mapping[str, float]) -> float:
    """The sum of the weights of all gates.

    Parameters
    ----------
    circuit
        The circuit whose cost is wanted.
    weights
        A non-negative number for each name or alias of a gate. Every gate that occurs needs one; gates
        that do not occur may have one. `library_areas` takes them from a genlib library.

    Examples
    --------
    >>> from gatewalk.circuit.circuit import Node
    >>> cost(Circuit(("a", "b"), (Node(gate("xor"), (0, 1)),), (2,), ("y",)), {"xor": 2.5})
    2.5
    """
    counts = gate_counts(circuit)
    by_name: dict[str, float] = {}
    for name, weight in weights.items():
        if not (isfinite(weight) and weight >= 0):
            raise InputError(f"the cost of {shown(name)} is {shown(weight)}; it must be a number from 0 on")
        by_name[name if name in counts else _canonical(name)] = weight
    missing = [name for name in counts if name not in by_name]
    if missing:
        near = get_close_matches(missing[0], [name for name in by_name if name not in counts], 1)
        hint = f" (did you mean it by {shown(near[0])}?)" if near else ""
        raise InputError(
            f"no cost is given for {', '.join(missing)}{hint}: say what each costs, as in nand=1,xor=2.5"
        )
    return sum(count * by_name[name] for name, count in counts.items())


def _canonical(name: str) -> str:
    """The standard name for the name or alias of a gate; an unknown name may be a user's own gate."""
    try:
        return gate(name).name
    except InputError:
        return name


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
