"""Machine code on disk that is never older than its sources.

Numba stores what it compiled beside the source, or in the user's cache folder, and takes it again if
the file of the function is unchanged. But kernels are merged from functions of many files. So here
the stamp of every kernel is a hash of all sources of the package in which kernels are made: after
an upgrade, or an edit anywhere among them, everything is compiled afresh.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

PACKAGE = Path(__file__).resolve().parent
# What a source with kernels, with parts of them, or with the tuples that they take has in it.
_MARKS = (b"gatewalk.jit", b"numba", b"NamedTuple")


def sources(package: Path) -> list[Path]:
    """The files of a package that kernels are made from."""
    return [path for path in sorted(package.rglob("*.py")) if any(m in path.read_bytes() for m in _MARKS)]


def stamp_of(package: Path) -> str:
    """A hash of these files, of their names and contents."""
    digest = hashlib.blake2b(digest_size=16)
    for path in sources(package):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0")
        digest.update(path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _stamp() -> str:
    return stamp_of(PACKAGE)


class PackageCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function, with the stamp of the package."""

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path, filename_base=self._impl.filename_base, source_stamp=_stamp()
        )


def enable(dispatcher: Any) -> None:
    """Give a compiled function its cache; where no folder can be written, it does without one."""
    try:
        dispatcher._cache = PackageCache(dispatcher.py_func)
    except RuntimeError:
        return
