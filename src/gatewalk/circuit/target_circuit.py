"""A circuit for a target, made and not searched for: what `gatewalk circuit convert maj:5 maj5.blif` writes.

A named target is what its rule describes (`tracing.py`), a netlist is itself, and a table becomes the
smaller of two circuits: an irredundant sum of products, in which rows that do not count help to make cubes
wide (`isop.py`), and the decision diagram of the same function (`truth.py`). None of them is minimal.
"""

from __future__ import annotations

from gatewalk.boolean.tables import projections, table_numbers
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cover_circuit import sum_circuit
from gatewalk.circuit.isop import isop
from gatewalk.circuit.netlist_target import Netlist
from gatewalk.circuit.tracing import traced
from gatewalk.circuit.truth import circuit_of_tables, tables_of

MOST_PRODUCTS = 1000  # of a sum that may be the smaller circuit


def target_circuit(wanted: Target) -> Circuit:
    """A circuit that computes a target on all rows that count.

    Parameters
    ----------
    wanted
        The target.

    Returns
    -------
    Circuit
        By the rule of the target, or from its table; not minimal in general.

    Examples
    --------
    >>> from gatewalk.boolean.targets import target
    >>> print(target_circuit(target("mux:2")))
    O = (D[1] & ADDR[0]) | (D[0] & ~ADDR[0])
    """
    if isinstance(wanted.evaluate, Netlist):
        return wanted.evaluate.circuit
    return _of_table(wanted) if wanted.family == "table" else traced(wanted)


def sum_of_products(wanted: Target) -> Circuit:
    """A sum of products that computes the target, which has a table, on all rows that count.

    Of a monotone function it has no negations.

    Examples
    --------
    >>> from gatewalk.boolean.targets import target
    >>> len(sum_of_products(target("sum:2")))
    33
    """
    return sum_circuit(_sums(wanted), wanted.input_labels, wanted.output_labels)


def _sums(wanted: Target) -> list[tuple[str, ...]]:
    """The cubes of every output; rows that do not count help to make them wide."""
    n, columns = wanted.inputs, projections(wanted.inputs)
    rows = 1 << n
    ones = table_numbers(wanted.evaluate(columns), rows)
    cares = None if wanted.cares is None else table_numbers(wanted.cares(columns), rows)
    every = (1 << rows) - 1
    free = [0] * len(ones) if cares is None else [every ^ care for care in cares]
    return [isop(table, n, free=unknown) for table, unknown in zip(ones, free, strict=True)]


def _of_table(wanted: Target) -> Circuit:
    n, labels = wanted.inputs, (wanted.input_labels, wanted.output_labels)
    sums = _sums(wanted)
    if wanted.cares is None:
        filled = table_numbers(wanted.evaluate(projections(n)), 1 << n)
    else:
        filled = list(tables_of(sum_circuit(sums, *labels), most_inputs=n, purpose="a table"))
    diagram = circuit_of_tables(filled, *labels).simplify()
    if sum(map(len, sums)) > MOST_PRODUCTS:
        return diagram
    return min(sum_circuit(sums, *labels).simplify(), diagram, key=len)
