"""Machine code on disk that is never older than its sources.

Numba stores what it compiled and takes it again if the file of the function is unchanged. But kernels are
merged from functions of many files. So the folder of the cache is named after a hash of all sources of the
package in which kernels are made: after an upgrade, or an edit anywhere among them, everything is compiled
afresh. Folders of other sources are deleted when nobody has used them for a month: a search that began before
an upgrade may still be running.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import numba

_NAME = "gatewalk-kernels-"
KEPT_SECONDS = 30 * 24 * 3600
PACKAGE = Path(__file__).resolve().parent.parent
_MARKS = (b"native.jit", b"numba.extending")  # what a source with kernels, or with parts of them, has in it


def sources(package: Path) -> list[Path]:
    """The files of a package that kernels are made from: of every folder with a mark in one of its files.

    For a file without one may hold a constant that is compiled into a kernel of its neighbour.
    """
    files = sorted(package.rglob("*.py"))
    folders = {path.parent for path in files if any(mark in path.read_bytes() for mark in _MARKS)}
    return [path for path in files if path.parent in folders]


def stamp_of(package: Path) -> str:
    """A hash of these files, of their names and contents."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def places() -> list[Path]:
    """Where the cache may be: where the user says (NUMBA_CACHE_DIR), beside the sources, or at home."""
    if numba.config.CACHE_DIR:
        return [Path(numba.config.CACHE_DIR)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [PACKAGE / "__pycache__", Path(home) / "gatewalk"]


@cache
def place() -> Path | None:
    """The folder of these sources' machine code, ready to be written to; None if there cannot be one."""
    stamp = stamp_of(PACKAGE)
    for base in places():
        wanted = base / f"{_NAME}{stamp}"
        try:
            wanted.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(wanted, os.W_OK):
            os.utime(wanted)
            _delete_unused(base)
            return wanted
    return None


def _delete_unused(base: Path) -> None:
    for folder in base.glob(f"{_NAME}{'[0-9a-f]' * 16}"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > KEPT_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def folder() -> Iterator[bool]:
    """What is compiled with `cache=True` meanwhile is kept in our folder; is there one?

    The setting is Numba's for the whole process, so it is put back at once: kernels of others stay theirs.
    """
    chosen, usual = place(), numba.config.CACHE_DIR
    if chosen is not None:
        numba.config.CACHE_DIR = str(chosen)
    try:
        yield chosen is not None
    finally:
        numba.config.CACHE_DIR = usual
