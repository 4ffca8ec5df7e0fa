"""A circuit for a target by construction, without a search: `gatewalk circuit convert maj:5 maj5.blif`.

A named target becomes the circuit that its rule describes. A rule of `boolean/families.py` uses bitwise
operations only, and NumPy applies these to arrays of objects by the operators of the objects. So calling a
rule with a symbol for each input records its circuit, at any size: a ripple-carry adder for `add:32`, which
is too large for a table. Equal gates are built once, and constants are propagated.

A table becomes the smaller of two circuits: an irredundant sum of products, which uses rows that do not count
to make cubes wide (`covers.py`), and the decision diagram of the same function. That is Shannon's expansion
(C. E. Shannon, "The synthesis of two-terminal switching circuits", 1949) from the last input down, in which
equal parts are built once. A netlist is a circuit already. None of them is minimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.small_tables import restricted, support
from gatewalk.boolean.tables import Words
from gatewalk.boolean.targets import Target, target_tables
from gatewalk.circuit import own_targets
from gatewalk.circuit.circuit import Circuit, Draft, circuit_tables
from gatewalk.circuit.covers import isop, named_table, sum_circuit
from gatewalk.circuit.files import format_named, format_of, read_file, shown_path
from gatewalk.circuit.own_targets import Netlist, equations_circuit, is_file, kind_of
from gatewalk.circuit.simplification import balance
from gatewalk.errors import InputError

MOST_PRODUCTS = 1000  # a sum with more products is not considered
_SMALL = 4  # tables of up to so many inputs are reduced to the inputs that they depend on


def target_circuit(target: Target) -> Circuit:
    """A circuit that computes a target on all rows that count, by its rule or from its table.

    >>> from gatewalk.boolean.targets import family_target
    >>> print(target_circuit(family_target("mux:2")))
    O = (D[1] & ADDR[0]) | (D[0] & ~ADDR[0])
    """
    if isinstance(target.evaluate, Netlist):
        return target.evaluate.circuit
    return _of_table(target) if target.family == "table" else traced(target)


def sum_of_products(target: Target) -> Circuit:
    """A sum of products that computes the target on all rows that count; the target must have a table.

    For a monotone function it has no negations.

    >>> from gatewalk.boolean.targets import family_target
    >>> len(sum_of_products(family_target("sum:2")))
    33
    """
    return sum_circuit(_sums(target), target.input_labels, target.output_labels)


def _sums(target: Target) -> list[tuple[str, ...]]:
    """The cubes of every output; rows that do not count may be covered, which makes cubes wider."""
    tables = target_tables(target)
    return [
        isop(value, target.inputs, free=tables.everything ^ care)
        for value, care in zip(tables.values, tables.cares, strict=True)
    ]


def _of_table(target: Target) -> Circuit:
    labels = target.input_labels, target.output_labels
    sums = _sums(target)
    if target.cares is None:
        filled = target_tables(target).values
    else:
        filled = circuit_tables(sum_circuit(sums, *labels), most_inputs=target.inputs, purpose="a table")
    diagram = circuit_of_tables(filled, *labels).simplify()
    if sum(map(len, sums)) > MOST_PRODUCTS:
        return diagram
    return min(sum_circuit(sums, *labels).simplify(), diagram, key=len)


def traced(target: Target) -> Circuit:
    """The circuit that the rule of a named target describes.

    >>> from gatewalk.boolean.targets import family_target
    >>> traced(family_target("and:1000"))
    <Circuit: 1000 inputs, 1 outputs, 999 gates (999 and), depth 10>
    """
    trace = _Trace(Draft(target.inputs))
    columns = np.empty((target.inputs, 1), object)
    columns[:, 0] = [_Symbol(trace, i) for i in range(target.inputs)]
    values = target.evaluate(cast(Words, columns))[:, 0]
    outputs = [
        value.source if isinstance(value, _Symbol) else trace.draft.constant(int(bool(value)))
        for value in values
    ]
    return balance(trace.draft.circuit(target.input_labels, outputs, target.output_labels))


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
        return _Symbol(self.trace, self.trace.draft.negation(self.source))


def _gate(name: str, one: _Symbol, other: _Symbol) -> _Symbol:
    """The gate of that name on two symbols; their order does not matter."""
    trace = one.trace
    key = name, min(one.source, other.source), max(one.source, other.source)
    if key not in trace.known:
        trace.known[key] = trace.draft.add(GATES[name], key[1:])
    return _Symbol(trace, trace.known[key])


def circuit_of_tables(
    tables: Sequence[int], input_labels: Sequence[str], output_labels: Sequence[str]
) -> Circuit:
    """A circuit of these truth tables, one per output."""
    n = len(input_labels)
    draft = Draft(n)
    known: dict[tuple[int, int], int] = {}
    outputs = [_add_table(draft, table, n, known) for table in tables]
    return draft.circuit(input_labels, outputs, output_labels)


def _add_table(draft: Draft, table: int, n: int, known: dict[tuple[int, int], int]) -> int:
    """The source that computes a table of the first n inputs; the recursion is at most n deep."""
    while n and (halves := _halves(table, n))[0] == halves[1]:
        table, n = halves[0], n - 1  # the function does not depend on the last input
    if (n, table) not in known:
        known[n, table] = _new_table(draft, table, n, known)
    return known[n, table]


def _halves(table: int, n: int) -> tuple[int, int]:
    """The half of a table on which the last of n inputs is 0, and the half on which it is 1."""
    rows = 1 << (n - 1)
    return table & (1 << rows) - 1, table >> rows


def _new_table(draft: Draft, table: int, n: int, known: dict[tuple[int, int], int]) -> int:
    if n == 0:
        return draft.constant(table)
    inputs = support(table, n) if n <= _SMALL else ()
    if inputs:
        small = restricted(table, inputs)
        if len(inputs) == 1 and small == 0b10:
            return inputs[0]
        named = named_table(len(inputs), small)
        if named is not None:
            return draft.add(named[0], [inputs[position] for position in named[1]])
    low, high = _halves(table, n)
    everything = (1 << (1 << (n - 1))) - 1
    select = n - 1
    if low == high ^ everything:
        if low in (0, everything):
            return select if low == 0 else draft.negation(select)
        return draft.add(GATES["xor"], (select, _add_table(draft, low, n - 1, known)))
    for part, other, zero, one in ((low, high, "and", "imply"), (high, low, "ncimply", "or")):
        if part in (0, everything):
            name = zero if part == 0 else one
            return draft.add(GATES[name], (select, _add_table(draft, other, n - 1, known)))
    sources = (select, _add_table(draft, low, n - 1, known), _add_table(draft, high, n - 1, known))
    return draft.add(GATES["mux"], sources)


def circuit_named(text: str, *, library: str | None = None) -> Circuit:
    """The circuit in a file or of an expression, or one that computes the target of that name.

    If some rows of a file do not count, it is the smaller of the circuit as it is written and of one that
    makes use of those rows. library: the file with the cells that the .gate statements of a BLIF file use.

    >>> print(circuit_named("table:2:0x6"))
    y = x1 ^ x2
    """
    if kind_of(text) == "expression":
        return equations_circuit(text)
    if not is_file(text):
        return target_circuit(own_targets.target(text))
    circuit = read_file(text, library=library if uses_library(text) else None)
    if format_of(text).read_target is not None:
        target = own_targets.target(text)
        if target.family == "table" and target.cares is not None:
            return min(circuit, target_circuit(target), key=len)
    return circuit


def target_named(text: str, *, library: str | None = None) -> Target:
    """The target of that name, or what the circuit in the file of that path computes."""
    return own_targets.target(text, library=library if uses_library(text) else None)


def circuit_or_target(text: str, *, library: str | None = None) -> Circuit | Target:
    """The circuit in the file of that path, or the target of that name; a target if rows may not count."""
    if is_file(text) and format_of(text).read_target is None:
        return circuit_named(text, library=library)
    return own_targets.target(text)


def uses_library(text: str) -> bool:
    """Whether a text is the path of a file that can contain cells of a library."""
    form = format_named(text) if is_file(text) else None
    return form is not None and form.takes_library


def check_library(library: str | None, *texts: str) -> None:
    """Raise `InputError` if a library is given but none of the texts can use it."""
    if library is not None and not any(map(uses_library, texts)):
        raise InputError(f"only a BLIF file uses a library of gates; remove --library {shown_path(library)}")
