"""Machine code on disk that is never older than its sources.

Numba stores compiled functions and reuses them while the file of the function is unchanged. But a kernel is
merged from functions of many files. So the cache folder is named after a hash of all files that kernels are
compiled from: after an upgrade, or an edit of any of these files, everything is compiled afresh. Folders of
other versions are deleted a month after their last use, not at once: a search that began before an upgrade
may still be running.
"""

from __future__ import annotations

import hashlib
import os
import re
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
# A file with kernels or parts of kernels imports one of these at its top.
_MARK = re.compile(rb"^from (gatewalk\.native\.jit|numba\.extending) import", re.MULTILINE)


def sources(package: Path) -> list[Path]:
    """The files that kernels are compiled from: all files of every folder in which some file has kernels.

    Files without kernels count too, since a constant of theirs may be compiled into a kernel next to them.
    """
    files = sorted(package.rglob("*.py"))
    folders = {path.parent for path in files if _MARK.search(path.read_bytes())}
    return [path for path in files if path.parent in folders]


def stamp_of(package: Path) -> str:
    """A hash of the names and contents of the files that kernels are compiled from."""
    digest = hashlib.blake2b(digest_size=8)
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


def places() -> list[Path]:
    """The folders to try for the cache: NUMBA_CACHE_DIR if set, else next to the sources, then at home."""
    if numba.config.CACHE_DIR:
        return [Path(numba.config.CACHE_DIR)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return [PACKAGE / "__pycache__", Path(home) / "gatewalk"]


@cache
def place() -> Path | None:
    """The cache folder of the present sources, created if need be; None if no folder can be written to."""
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
    """Within this context, functions with `cache=True` are cached in our folder; yields whether there is one.

    Numba's setting holds for the whole process, so it is restored at the end: other packages keep their own.
    """
    chosen, usual = place(), numba.config.CACHE_DIR
    if chosen is not None:
        numba.config.CACHE_DIR = str(chosen)
    try:
        yield chosen is not None
    finally:
        numba.config.CACHE_DIR = usual
