"""Files that hold a circuit: every module in this folder is a format, chosen by the file's suffix.

A format module has `SUFFIXES`; `BINARY`, whether its files are bytes and not text; `write`, which makes
the text or the bytes of a circuit; and `read`, which makes the circuit of them, or is None if the format
is only written. What `read` finds wrong it raises as InputError, naming the line.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from gatewalk.circuit.circuit import Circuit, HasCircuit, circuit_of
from gatewalk.errors import InputError, printable, shown

if TYPE_CHECKING:
    from gatewalk.circuit.genlib import Library

LARGEST_FILE = 64 << 20  # bytes
_LONGEST_PATH = 300  # characters


def place_of(path: str | PathLike[str]) -> str:
    """A path as a message shows it: on one line, and not longer than that."""
    text = printable(str(path))
    return text if len(text) <= _LONGEST_PATH else f"{text[:_LONGEST_PATH]}..."


class Format(Protocol):
    """What a module of this folder offers."""

    SUFFIXES: tuple[str, ...]
    BINARY: bool
    write: Callable[[Circuit], str | bytes]
    read: Callable[[Any], Circuit] | None  # of str, or of bytes if BINARY


@cache
def formats() -> dict[str, Format]:
    """All formats by suffix."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [cast(Format, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return {suffix: module for module in modules for suffix in module.SUFFIXES}


def format_of(path: str | PathLike[str]) -> Format:
    """The format that a file's suffix stands for; a suffix of two parts, as in .sympy.py, comes first."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    known = formats()
    for suffix in ("".join(suffixes[-2:]), *suffixes[-1:]):
        if suffix in known:
            return known[suffix]
    wrong = (
        f"the suffix {shown(suffixes[-1])} stands for no circuit format"
        if suffixes
        else "the name has no suffix"
    )
    raise InputError(f"{place_of(path)}: {wrong}, use one of {' '.join(known)}")


def write_file(circuit: Circuit | HasCircuit, path: str | PathLike[str]) -> None:
    """Write a circuit in the format of the file's suffix.

    Parameters
    ----------
    circuit
        A circuit, or a run, whose circuit is written.
    path
        The file: .blif, .v, .aig, .pla, .json, .svg and others.

    Examples
    --------
    >>> import gatewalk as gw
    >>> gw.write_file(gw.evolve("and:4", seed=1), "and.v")
    >>> gw.read_file("and.v").input_labels
    ('x1', 'x2', 'x3', 'x4')
    """
    try:
        data = format_of(path).write(circuit_of(circuit))
    except InputError as error:
        raise InputError(_once(path, error)) from error
    try:
        Path(path).write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise InputError(f"{place_of(path)}: cannot be written: {error.strerror}") from error
    except UnicodeEncodeError as error:
        raise InputError(f"{place_of(path)}: cannot be written: a label holds half a character") from error


def read_file(path: str | PathLike[str], *, library: str | PathLike[str] | None = None) -> Circuit:
    """Read the circuit that a file holds, in the format of its suffix.

    Parameters
    ----------
    path
        The file.
    library
        A genlib file with the cells that the .gate statements of a BLIF file use.

    Returns
    -------
    Circuit
        As it stands in the file.

    Examples
    --------
    >>> from gatewalk import circuit
    >>> write_file(circuit.circuit_named("maj:3"), "majority.blif")
    >>> print(read_file("majority.blif"))
    y = (x1 & x2) | (x3 & (x1 ^ x2))
    """
    form = format_of(path)
    read = form.read
    if read is None:
        readable = " ".join(suffix for suffix, one in formats().items() if one.read is not None)
        raise InputError(f"{place_of(path)}: this format is only written, Gatewalk reads {readable}")
    if library is not None:
        read = _with_library(path, library)
    data = read_bytes(path)
    content: Any = data if form.BINARY else decoded(path, data)
    try:
        return read(content)
    except InputError as error:
        raise InputError(f"{place_of(path)}: {error}") from error


def read_bytes(path: str | PathLike[str]) -> bytes:
    """All of a file, if it is not larger than `LARGEST_FILE`."""
    try:
        with Path(path).open("rb") as file:
            # A device or a pipe has no size to ask for: at most one byte too many is read.
            data = file.read(LARGEST_FILE + 1) if _size(path) <= LARGEST_FILE else None
    except OSError as error:
        raise InputError(f"{place_of(path)}: cannot be read: {error.strerror}") from error
    if data is None or len(data) > LARGEST_FILE:
        raise InputError(
            f"{place_of(path)}: is larger than {LARGEST_FILE >> 20} MiB, the most that Gatewalk reads"
        )
    return data


def decoded(path: str | PathLike[str], data: bytes) -> str:
    """The text of a file, a byte order mark at its start left out."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{place_of(path)}: is not a text file in UTF-8") from error


def _size(path: str | PathLike[str]) -> int:
    return Path(path).stat().st_size


def read_library(path: str | PathLike[str]) -> Library:
    """Read a library of cells, a genlib file.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Library
        The cells by name.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("cells.genlib").write_text("GATE INV 1 Y=!A; GATE NAND2 2 Y=!(A*B);")
    >>> from gatewalk.circuit import library_gates
    >>> library_gates(read_library("cells.genlib")).names
    ('not', 'nand')
    """
    from gatewalk.circuit.genlib import read_genlib

    try:
        return read_genlib(decoded(path, read_bytes(path)))
    except InputError as error:
        raise InputError(_once(path, error)) from error


def _with_library(path: str | PathLike[str], library: str | PathLike[str]) -> Callable[[str], Circuit]:
    from gatewalk.circuit.formats import blif

    if ".blif" not in format_of(path).SUFFIXES:
        raise InputError(
            f"{place_of(path)}: only a BLIF file uses a library of gates, leave out {place_of(library)}"
        )
    return partial(blif.read, library=read_library(library))


def _once(path: str | PathLike[str], error: InputError) -> str:
    """The message with the file's name in front, which it may have already."""
    return str(error) if str(error).startswith(f"{place_of(path)}: ") else f"{place_of(path)}: {error}"
