"""Where a minimisation begins: the circuit and the function of a file, a target or a circuit at hand."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.boolean.truth_table import MOST_INPUTS
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import Side, circuit_side, target_side
from gatewalk.circuit.formats import read_file
from gatewalk.circuit.own_target import circuit_target, is_file, target
from gatewalk.circuit.target_circuit import sum_of_products, target_circuit
from gatewalk.errors import InputError, brief
from gatewalk.synthesis.mapping import mapped


@dataclass(frozen=True)
class Start:
    """A circuit to begin from, as it was given, and what it must go on computing.

    wanted: its function; None if it has too many inputs for a table, and then the circuit itself says it.
    """

    name: str
    circuit: Circuit
    wanted: Target | None

    @property
    def side(self) -> Side:
        """What results are compared with."""
        return circuit_side(self.circuit, name=self.name) if self.wanted is None else target_side(self.wanted)


def start_of(what: str | PathLike[str] | Circuit | Target, *, library: str | None = None) -> Start:
    """The start that is meant: a circuit's file, a target by its name, a circuit or a target.

    A built-in target begins with the circuit of its rule, another function with a sum of products. Of a PLA,
    rows that do not matter do not count. library: a genlib file with the cells of a BLIF file.
    """
    if isinstance(what, Circuit):
        return _of_circuit(what, "the circuit")
    if isinstance(what, Target) or (isinstance(what, str) and not is_file(what)):
        return _of_target(target(what))
    path = Path(what)
    if path.suffix.lower() == ".pla":
        return Start(str(path), read_file(path), target(str(path)))
    return _of_circuit(read_file(path, library=library), str(path))


def _of_circuit(circuit: Circuit, name: str) -> Start:
    if not circuit.outputs or not circuit.input_labels:
        raise InputError(f"{name} has no inputs or no outputs: there is nothing to minimise")
    is_table = len(circuit.input_labels) <= MOST_INPUTS
    return Start(name, circuit, circuit_target(circuit) if is_table else None)


def _of_target(wanted: Target) -> Start:
    return Start(brief(wanted.name), target_circuit(wanted), wanted if wanted.inputs <= MOST_INPUTS else None)


def in_gates(start: Start, gates: GateSet) -> Circuit:
    """The start written with these gates.

    Where a gate of the circuit cannot be spelled in them, as xor in {and, or}, the function still may: then a
    sum of products is written.
    """
    try:
        return mapped(start.circuit, gates)
    except InputError:
        if start.wanted is None:
            raise
        return mapped(sum_of_products(start.wanted), gates)
