"""Files that hold a circuit: every module in this folder is a format, chosen by the file's suffix.

A format module has `SUFFIXES`, `write(circuit) -> str` and `read(text) -> Circuit`, which is None
if the format is only written. What `read` finds wrong it raises as InputError, naming the line.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Protocol, cast

from gatewalk.circuit.circuit import Circuit, HasCircuit, circuit_of
from gatewalk.errors import InputError, shown


class Format(Protocol):
    """What a module of this folder offers."""

    SUFFIXES: tuple[str, ...]
    write: Callable[[Circuit], str]
    read: Callable[[str], Circuit] | None


@cache
def formats() -> dict[str, Format]:
    """All formats by suffix."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [cast(Format, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return {suffix: module for module in modules for suffix in module.SUFFIXES}


def format_of(path: str | Path) -> Format:
    """The format that a file's suffix stands for."""
    suffix = Path(path).suffix.lower()
    known = formats()
    if suffix not in known:
        wrong = (
            f"the suffix {shown(suffix)} stands for no circuit format" if suffix else "the name has no suffix"
        )
        raise InputError(f"{path}: {wrong}, use one of {' '.join(known)}")
    return known[suffix]


def write_file(circuit: Circuit | HasCircuit, path: str | Path) -> None:
    """Write a circuit, or that of a run, in the format of the file's suffix."""
    text = format_of(path).write(circuit_of(circuit))
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error


def read_file(path: str | Path) -> Circuit:
    """Read the circuit that a file holds, in the format of its suffix."""
    read = format_of(path).read
    if read is None:
        readable = " ".join(suffix for suffix, one in formats().items() if one.read is not None)
        raise InputError(f"{path}: this format is only written, Gatewalk reads {readable}")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not a text file in UTF-8") from error
    try:
        return read(text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
