"""The rule of a target as a circuit: the rule is called with symbols instead of words.

A rule of `boolean/rules.py` uses bitwise operations only, and NumPy applies these to arrays of objects by the
operators of the objects. So calling a rule with a symbol for each input records the circuit that it
describes, at any size: a ripple-carry adder for `add:32`, which is too large for a table. Equal gates are
built once, and constants are propagated.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import Words
from gatewalk.boolean.targets import Target
from gatewalk.circuit.balancing import balance
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.draft import Draft, add, constant, finished, negation


@dataclass
class _Trace:
    """The gates recorded so far, and for each kind of gate and two sources the gate that reads them."""

    draft: Draft
    known: dict[tuple[str, int, int], int] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Symbol:
    """A source of the circuit; bitwise operators on it add gates. Constants are plain numbers."""

    trace: _Trace
    source: int

    __array_ufunc__ = None  # makes NumPy's numbers leave the operation to the symbol

    def __and__(self, other: Any) -> Any:
        if not isinstance(other, _Symbol):
            return self if other else 0
        return self if other.source == self.source else _gate("and", self, other)

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, _Symbol):
            return -1 if other else self
        return self if other.source == self.source else _gate("or", self, other)

    def __xor__(self, other: Any) -> Any:
        if not isinstance(other, _Symbol):
            return ~self if other else self
        return 0 if other.source == self.source else _gate("xor", self, other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __invert__(self) -> _Symbol:
        return _Symbol(self.trace, negation(self.trace.draft, self.source))


def _gate(name: str, one: _Symbol, other: _Symbol) -> _Symbol:
    """The gate of that name on two symbols; their order does not matter."""
    trace = one.trace
    key = name, min(one.source, other.source), max(one.source, other.source)
    if key not in trace.known:
        trace.known[key] = add(trace.draft, GATES[name], key[1:])
    return _Symbol(trace, trace.known[key])


def traced(wanted: Target) -> Circuit:
    """The circuit that the rule of a named target describes.

    Examples
    --------
    >>> from gatewalk.boolean.targets import target
    >>> traced(target("and:1000"))
    <Circuit: 1000 inputs, 1 outputs, 999 gates (999 and), depth 10>
    """
    trace = _Trace(Draft(wanted.inputs))
    columns = np.empty((wanted.inputs, 1), object)
    columns[:, 0] = [_Symbol(trace, i) for i in range(wanted.inputs)]
    values = wanted.evaluate(cast(Words, columns))[:, 0]
    outputs = [
        value.source if isinstance(value, _Symbol) else constant(trace.draft, int(bool(value)))
        for value in values
    ]
    return balance(finished(trace.draft, wanted.input_labels, outputs, wanted.output_labels))
