"""Circuits and targets by what a user calls them: the path of a file, or a target's name."""

from __future__ import annotations

from pathlib import Path

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.equivalence import Side, circuit_side, target_side
from gatewalk.circuit.formats import read_file
from gatewalk.circuit.own_target import is_file, target
from gatewalk.errors import InputError, brief


def circuit_named(text: str) -> Circuit:
    """The circuit in the file of that path; a target has none."""
    if is_file(text):
        return read_file(text)
    name = brief(target(text).name)
    raise InputError(f"{name} is a target and has no circuit: find one, gatewalk evolve {name} --out FILE")


def side_named(text: str) -> Side:
    """The circuit in the file of that path, or the target of that name, to be compared.

    Of a PLA, rows that do not matter do not count.
    """
    if is_file(text) and Path(text).suffix.lower() != ".pla":
        return circuit_side(read_file(text), name=text)
    return target_side(target(text))
