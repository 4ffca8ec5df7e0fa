"""The circuit at which a minimisation begins, from a file, a target or a circuit, and the function it has."""

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
    """The circuit as it was given, and the function that all smaller circuits must compute.

    wanted: this function; None if it has too many inputs for a table. Then the circuit itself defines it.
    """

    name: str
    circuit: Circuit
    wanted: Target | None

    @property
    def side(self) -> Side:
        """The side of an equivalence check with which results are compared."""
        return circuit_side(self.circuit, name=self.name) if self.wanted is None else target_side(self.wanted)


def start_of(what: str | PathLike[str] | Circuit | Target, *, library: str | None = None) -> Start:
    """The start for the file of a circuit, the name of a target, a circuit or a target.

    A built-in target begins with the circuit of its rule, any other function with a sum of products.
    Don't-care rows of a PLA do not count. library: a genlib file with the cells of a BLIF file.
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
    """The start rewritten with these gates.

    If a gate of the circuit cannot be expressed in them, such as xor in {and, or}, its function perhaps still
    can: then a sum of products is rewritten instead.
    """
    try:
        return mapped(start.circuit, gates)
    except InputError:
        if start.wanted is None:
            raise
        return mapped(sum_of_products(start.wanted), gates)
