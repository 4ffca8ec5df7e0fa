"""Circuits and targets by what a user calls them: the path of a file, or a target's name."""

from __future__ import annotations

from pathlib import Path

from gatewalk.boolean.targets import target
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import Side, circuit_side, target_side
from gatewalk.circuit.formats import read_file
from gatewalk.errors import InputError


def is_file_name(text: str) -> bool:
    """Whether the text is the path of a file, there or not, rather than the name of a target."""
    return Path(text).suffix != "" or Path(text).is_file()


def circuit_named(text: str) -> Circuit:
    """The circuit in the file of that path; a target has none."""
    if is_file_name(text):
        return read_file(text)
    name = target(text).name
    raise InputError(f"{name} is a target and has no circuit: find one, gatewalk evolve {name} --out FILE")


def side_named(text: str) -> Side:
    """The circuit in the file of that path, or the target of that name, to be compared."""
    if is_file_name(text):
        return circuit_side(read_file(text), name=text)
    return target_side(target(text))
