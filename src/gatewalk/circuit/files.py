"""Files that hold a circuit or a library of cells, read and written in the format of their suffix.

A format is a value: what its suffixes are, and how it reads and writes. The modules of `formats/` and
`drawing/` list theirs in `FORMATS`; both folders are scanned, so a new module is all that a new format needs.
"""

from __future__ import annotations

import importlib
import pkgutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gatewalk.circuit.circuit import Circuit, HasCircuit, circuit_of
from gatewalk.errors import InputError, printable, shown

if TYPE_CHECKING:
    from gatewalk.boolean.targets import Target
    from gatewalk.circuit.library import Library

LARGEST_FILE = 64 << 20  # bytes
_FOLDERS = ("formats", "drawing")
_LONGEST_PATH = 300  # characters

OnProgress = Callable[[float, str], None]  # the share done, from 0 to 1, and words
_watch: ContextVar[OnProgress | None] = ContextVar("watch", default=None)


@dataclass(frozen=True, kw_only=True)
class Format:
    """A file format; what it cannot do is None.

    suffixes: in lower case; one may have two parts, as .sympy.py.
    write: turns a circuit into text or bytes.
    read: turns the text, or the bytes if `is_binary`, into a circuit; with `takes_library` it also takes the
        cells that the file uses, by the keyword `library`. For bad input it raises `InputError` and names the
        line.
    read_target: turns the text or the bytes, and a name, into a target, if the file can say that rows do not
        count.
    read_library: turns the text into cells.
    """

    suffixes: tuple[str, ...]
    write: Callable[[Circuit], str | bytes] | None = None
    read: Callable[..., Circuit] | None = None
    read_target: Callable[[Any, str], Target] | None = None
    read_library: Callable[[str], Library] | None = None
    is_binary: bool = False
    takes_library: bool = False

    @property
    def is_of_circuits(self) -> bool:
        return self.write is not None or self.read is not None


@cache
def formats() -> dict[str, Format]:
    """All formats by suffix, sorted."""
    by_suffix: dict[str, Format] = {}
    for folder in _FOLDERS:
        package = importlib.import_module(f"gatewalk.circuit.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            listed = getattr(importlib.import_module(f"{package.__name__}.{module.name}"), "FORMATS", ())
            by_suffix |= {suffix: form for form in listed for suffix in form.suffixes}
    return dict(sorted(by_suffix.items()))


def format_named(path: str | PathLike[str]) -> Format | None:
    """The format that a file's suffix stands for, if any; one of two parts, as .sympy.py, comes first."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if not suffixes:
        return None
    return formats().get("".join(suffixes[-2:])) or formats().get(suffixes[-1])


def format_of(path: str | PathLike[str]) -> Format:
    """The format of a file that holds a circuit, or shall hold one."""
    form = format_named(path)
    if form is not None and form.is_of_circuits:
        return form
    suffix = Path(path).suffix.lower()
    wrong = (
        f"the suffix {shown(suffix)} is not that of a circuit format" if suffix else "the name has no suffix"
    )
    usable = " ".join(suffix for suffix, form in formats().items() if form.is_of_circuits)
    raise InputError(f"{shown_path(path)}: {wrong}; use one of {usable}")


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
    write = format_of(path).write
    if write is None:
        written = " ".join(suffix for suffix, form in formats().items() if form.write is not None)
        raise InputError(f"{shown_path(path)}: this format is only read, Gatewalk writes {written}")
    try:
        data = write(circuit_of(circuit))
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from error
    try:
        Path(path).write_bytes(data.encode() if isinstance(data, str) else data)
    except OSError as error:
        raise InputError(f"{shown_path(path)}: cannot be written: {error.strerror}") from error
    except UnicodeEncodeError as error:
        raise InputError(f"{shown_path(path)}: cannot be written: a label is not valid Unicode") from error


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
    if form.read is None:
        readable = " ".join(suffix for suffix, form in formats().items() if form.read is not None)
        raise InputError(f"{shown_path(path)}: this format can only be written; Gatewalk reads {readable}")
    if library is not None and not form.takes_library:
        raise InputError(
            f"{shown_path(path)}: only a BLIF file uses a library of gates; remove {shown_path(library)}"
        )
    cells = {} if library is None else {"library": read_library(library)}
    data = read_bytes(path)
    content: Any = data if form.is_binary else decoded(path, data)
    try:
        return form.read(content, **cells)
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from error


def read_library(path: str | PathLike[str]) -> Library:
    """Read a library of cells; a file whose suffix stands for no other format is taken for genlib.

    >>> _ = Path("cells.genlib").write_text("GATE INV 1 Y=!A; GATE NAND2 2 Y=!(A*B);")
    >>> list(read_library("cells.genlib"))
    ['INV', 'NAND2']
    """
    from gatewalk.circuit.formats.genlib import read_genlib

    form = format_named(path)
    read = read_genlib if form is None or form.read_library is None else form.read_library
    text = decoded(path, read_bytes(path))
    try:
        return read(text)
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from error


def read_bytes(path: str | PathLike[str]) -> bytes:
    """All of a file, if it is not larger than `LARGEST_FILE`."""
    try:
        check_regular(path)
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except OSError as error:
        raise InputError(f"{shown_path(path)}: cannot be read: {error.strerror}") from error
    if len(data) > LARGEST_FILE:
        raise InputError(
            f"{shown_path(path)}: is larger than {LARGEST_FILE >> 20} MiB, the most that Gatewalk reads"
        )
    return data


def check_regular(path: str | PathLike[str]) -> None:
    """Raise `InputError` for a pipe or a device, which may never end or wait for ever before it begins.

    What does not exist or is a folder is left to the one who opens it.
    """
    mode = Path(path).stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise InputError(f"{shown_path(path)}: is a pipe or a device; copy what it holds into a file")


@contextmanager
def watched(on_progress: OnProgress) -> Iterator[None]:
    """Within the block, what reads a file tells how far it has come."""
    token = _watch.set(on_progress)
    try:
        yield
    finally:
        _watch.reset(token)


def reached(at: int, size: int, words: str) -> None:
    """Tell who watches how far a file has been read; for readers, from time to time."""
    on_progress = _watch.get()
    if on_progress is not None:
        on_progress(at / size, words)


def decoded(path: str | PathLike[str], data: bytes) -> str:
    """The text of a file, a byte order mark at its start left out."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{shown_path(path)}: not a UTF-8 text file") from error


def shown_path(path: str | PathLike[str]) -> str:
    """A path as an error message shows it: printable, and shortened if it is long."""
    text = printable(str(path))
    return text if len(text) <= _LONGEST_PATH else f"{text[:_LONGEST_PATH]}..."
