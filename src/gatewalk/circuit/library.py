"""Libraries of cells, and the cells as gates: what each computes, and its area as its cost.

A cell with the function of a named gate is that gate, whatever the names and the order of its pins. Any other
cell of up to `LARGEST_ARITY` inputs becomes a gate with the name of the cell. Cells of the same function,
such as an inverter in several sizes, are one gate, whose cost is the smallest of their areas. A cell with
more inputs is not a gate: in a circuit it is replaced by and, or and not gates.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gatewalk.boolean.gates import LARGEST_ARITY, Gate, GateSet, gate, gate_set
from gatewalk.circuit.covers import named_table
from gatewalk.circuit.expressions import Expression, table
from gatewalk.circuit.files import format_named, read_library
from gatewalk.errors import InputError


@dataclass(frozen=True)
class Cell:
    """A gate of a library: its name, its area, its output pin, and the expression over its input pins."""

    name: str
    area: float
    output: str
    expression: Expression


Library = dict[str, Cell]


@dataclass(frozen=True)
class CellGate:
    """The gate of a cell, and for each input of the gate the number of the cell's pin."""

    gate: Gate
    pins: tuple[int, ...]


def cell_gates(library: Library) -> dict[str, CellGate]:
    """The gates of all cells with at most `LARGEST_ARITY` inputs, by the name of the cell.

    >>> from gatewalk.circuit.formats.genlib import read_genlib
    >>> cells = read_genlib("GATE INVX1 1 Y=!A; GATE AOI22 2.5 Y=!(A*B+C*D);")
    >>> [one.gate.name for one in cell_gates(cells).values()]
    ['not', 'AOI22']
    """
    gates: dict[str, CellGate] = {}
    own: dict[tuple[int, int], Gate] = {}
    used: dict[str, int] = {}
    for cell in library.values():
        pins = cell.expression.names
        if len(pins) > LARGEST_ARITY:
            continue
        function = len(pins), table(cell.expression, pins)
        named = named_table(*function)
        if named is not None:
            gates[cell.name] = CellGate(*named)
            continue
        if function not in own:
            own[function] = _own_gate(cell, *function, used)
        gates[cell.name] = CellGate(own[function], tuple(range(len(pins))))
    return gates


def library_gates(library: Library) -> GateSet:
    """The gates of a library, to search with, in its order and each function once.

    >>> from gatewalk.circuit.formats.genlib import read_genlib
    >>> library_gates(read_genlib("GATE INVX4 3 Y=!A; GATE INVX1 1 Y=!A; GATE NAND2 2 Y=!(A*B);")).names
    ('not', 'nand')
    """
    gates = tuple(dict.fromkeys(cell.gate for cell in cell_gates(library).values()))
    if not gates:
        raise InputError(f"the library has no gate of up to {LARGEST_ARITY} inputs")
    return GateSet(gates)


def library_areas(library: Library) -> dict[str, float]:
    """The area of each gate of a library, by name, as the weights that `Circuit.cost` takes.

    Of several cells with one function the smallest counts.

    >>> from gatewalk.circuit.formats.genlib import read_genlib
    >>> library_areas(read_genlib("GATE INVX4 3 Y=!A; GATE INVX1 1 Y=!A; GATE NAND2 2 Y=!(A*B);"))
    {'not': 1.0, 'nand': 2.0}
    """
    areas: dict[str, float] = {}
    for name, cell in cell_gates(library).items():
        area = library[name].area
        areas[cell.gate.name] = min(area, areas.get(cell.gate.name, area))
    return areas


def _own_gate(cell: Cell, inputs: int, values: int, used: dict[str, int]) -> Gate:
    """A gate with the name of the cell, or with a similar name if that one is not allowed or taken.

    used: the names that are taken, each with the last number that was appended to it.
    """
    name = re.sub(r"\W", "_", cell.name, flags=re.ASCII)
    try:
        own = gate(name, inputs, values)
    except InputError:  # too short, begins with a digit, or is the name of another gate
        own = gate(f"cell_{name}", inputs, values)
    number = used.get(name, 1)
    while own.name in used:
        number += 1
        own = gate(f"cell_{name}_{number}", inputs, values)
    used[name] = number
    used[own.name] = used.get(own.name, 1)
    return own


def gates_named(text: str) -> GateSet:
    """The gates of a list such as and,or,mine=0x1b, or those of a library's file."""
    return library_gates(read_library(text)) if is_library(text) else gate_set(text)


def is_library(text: str) -> bool:
    """Whether a text is the path of a library, as cells.genlib."""
    form = format_named(text)
    return form is not None and form.read_library is not None
