"""A library's cells as gates: what each computes, and what it costs by its area.

A cell that computes what a named gate does is that gate, whatever its pins are called and in whatever
order; any other of up to `LARGEST_ARITY` inputs is a gate of its own under the cell's name. Cells of one
function, such as an inverter in several sizes, are one gate, and the smallest of their areas is its cost. A
cell of more inputs is no gate: in a circuit it stands as and, or and not gates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gatewalk.boolean.gates import LARGEST_ARITY, Gate, GateSet, gate
from gatewalk.circuit.cubes import named_table
from gatewalk.circuit.expression import table
from gatewalk.circuit.genlib import Cell, Library
from gatewalk.errors import InputError


@dataclass(frozen=True)
class CellGate:
    """The gate that a cell is, and for each of the gate's inputs which of the cell's pins it is."""

    gate: Gate
    pins: tuple[int, ...]


def cell_gates(library: Library) -> dict[str, CellGate]:
    """The gate of every cell that is one, by the cell's name.

    Examples
    --------
    >>> from gatewalk.circuit.genlib import read_genlib
    >>> cells = read_genlib("GATE INVX1 1 Y=!A; GATE AOI22 2.5 Y=!(A*B+C*D);")
    >>> [one.gate.name for one in cell_gates(cells).values()]
    ['not', 'AOI22']
    """
    found: dict[str, CellGate] = {}
    own: dict[tuple[int, int], Gate] = {}
    for cell in library.values():
        pins = cell.expression.names
        if len(pins) > LARGEST_ARITY:
            continue
        function = len(pins), table(cell.expression, pins)
        named = named_table(*function)
        if named is not None:
            found[cell.name] = CellGate(*named)
            continue
        if function not in own:
            own[function] = _own_gate(cell, *function, {one.name for one in own.values()})
        found[cell.name] = CellGate(own[function], tuple(range(len(pins))))
    return found


def library_gates(library: Library) -> GateSet:
    """The gates of a library, to search with.

    Parameters
    ----------
    library
        The cells, from `read_library`.

    Returns
    -------
    GateSet
        In the order of the library, each function once.

    Examples
    --------
    >>> from gatewalk.circuit.genlib import read_genlib
    >>> library_gates(read_genlib("GATE INVX4 3 Y=!A; GATE INVX1 1 Y=!A; GATE NAND2 2 Y=!(A*B);")).names
    ('not', 'nand')
    """
    gates = tuple(dict.fromkeys(one.gate for one in cell_gates(library).values()))
    if not gates:
        raise InputError(f"the library has no gate of up to {LARGEST_ARITY} inputs")
    return GateSet(gates)


def library_areas(library: Library) -> dict[str, float]:
    """The area of each gate of a library, as the weights that `Circuit.cost` takes.

    Parameters
    ----------
    library
        The cells, from `read_library`.

    Returns
    -------
    dict
        Areas by the names of gates; of several cells with one function the smallest counts.

    Examples
    --------
    >>> from gatewalk.circuit.genlib import read_genlib
    >>> library_areas(read_genlib("GATE INVX4 3 Y=!A; GATE INVX1 1 Y=!A; GATE NAND2 2 Y=!(A*B);"))
    {'not': 1.0, 'nand': 2.0}
    """
    areas: dict[str, float] = {}
    for name, one in cell_gates(library).items():
        area = library[name].area
        areas[one.gate.name] = min(area, areas.get(one.gate.name, area))
    return areas


def _own_gate(cell: Cell, inputs: int, values: int, used: set[str]) -> Gate:
    """A gate under the cell's name, or one as much like it as gates' names allow."""
    name = re.sub(r"\W", "_", cell.name, flags=re.ASCII)
    try:
        made = gate(name, inputs, values)
    except InputError:  # too short, begins with a digit, or is the name of another gate
        made = gate(f"cell_{name}", inputs, values)
    number = 2
    while made.name in used:
        made = gate(f"cell_{name}_{number}", inputs, values)
        number += 1
    return made
