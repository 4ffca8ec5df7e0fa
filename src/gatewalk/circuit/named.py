"""Circuits, targets, gates and costs by what a user calls them: the path of a file, or a name.

A library, a genlib file, is for the .gate statements of BLIF files; other files and names do without it.
"""

from __future__ import annotations

from pathlib import Path

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.targets import Target
from gatewalk.circuit import own_target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import parse_weights
from gatewalk.circuit.equivalence import Side, circuit_side, target_side
from gatewalk.circuit.formats import place_of, read_file, read_library
from gatewalk.circuit.library import library_areas, library_gates
from gatewalk.circuit.own_target import is_file
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError


def circuit_named(text: str, *, library: str | None = None) -> Circuit:
    """The circuit in a file, or one that computes a target.

    If some rows of a PLA do not count, it is the smaller of the sum as it is written and of one that makes
    use of those rows.

    Parameters
    ----------
    text
        The path of a file, or the name of a target.
    library
        A genlib file with the cells that the .gate statements of a BLIF file use.

    Returns
    -------
    Circuit
        Not minimal in general.

    Examples
    --------
    >>> print(circuit_named("table:2:0x6"))
    y = x1 ^ x2
    """
    if not is_file(text):
        return target_circuit(own_target.target(text))
    circuit = read_file(text, library=library if uses_library(text) else None)
    if Path(text).suffix.lower() == ".pla":
        wanted = own_target.target(text)
        if wanted.family == "table" and wanted.cares is not None:
            return min(circuit, target_circuit(wanted), key=len)
    return circuit


def side_named(text: str, *, library: str | None = None) -> Side:
    """The circuit in the file of that path, or the target of that name, to be compared.

    Of a PLA, rows that do not matter do not count.
    """
    if is_file(text) and Path(text).suffix.lower() != ".pla":
        return circuit_side(circuit_named(text, library=library), name=text)
    return target_side(own_target.target(text))


def target_named(text: str, *, library: str | None = None) -> Target:
    """The target of that name, or what the circuit in the file of that path computes."""
    return own_target.target(text, library=library if uses_library(text) else None)


def uses_library(text: str) -> bool:
    """Is it the path of a file in which gates of a library can be?"""
    return is_file(text) and Path(text).suffix.lower() == ".blif"


def check_library(library: str | None, *texts: str) -> None:
    """Refuse a library that none of the texts can use."""
    if library is not None and not any(map(uses_library, texts)):
        raise InputError(f"only a BLIF file uses a library of gates: leave out --library {place_of(library)}")


def gates_named(text: str) -> GateSet:
    """The gates of a list such as and,or,mine=0x1b, or those of a genlib file."""
    return library_gates(read_library(text)) if _is_library(text) else gate_set(text)


def weights_named(text: str) -> dict[str, float]:
    """The costs in a list such as nand=1,xor=2.5, or the areas in a genlib file."""
    return library_areas(read_library(text)) if _is_library(text) else parse_weights(text)


def _is_library(text: str) -> bool:
    return text.lower().endswith(".genlib")
