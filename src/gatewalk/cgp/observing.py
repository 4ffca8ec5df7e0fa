"""Observers: named tuples that watch a search from within its loop.

An observer is a named tuple of arrays, registered with two parts of kernels: `on_change` is called for every
change of a gene while an offspring is made, `on_selection` after every generation. The loop is compiled anew
for each kind of observer; for `Nobody` the compiler removes the calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gatewalk.native.jit import by_kind, inlined


class Nobody(NamedTuple):
    """The observer of a search that nobody watches."""

    absent: bool = True


@inlined
def _no_change(observer: Nobody, gene: np.uint64, old: np.uint64, value: np.uint64) -> None:
    """Nothing to do."""


@inlined
def _no_selection(
    observer: Nobody, program: Any, accepted: bool, before: np.int64, after: np.int64, offspring: np.int64
) -> bool:
    """Go on."""
    return True


_ON_CHANGE: dict[type, Any] = {Nobody: _no_change}
_ON_SELECTION: dict[type, Any] = {Nobody: _no_selection}


def register(kind: type, *, on_change: Any = _no_change, on_selection: Any = _no_selection) -> None:
    """Register a kind of observer, with the parts of kernels that the loop calls.

    on_change(observer, gene, old, value): a gene of an offspring gets a value, in a large program. A gene
    with a single valid value is reported as the number after the last gene. on_selection(observer, program,
    accepted, before, after, offspring) -> bool: a generation is over. The arguments are the program, whether
    an offspring was accepted, the rank of the parent before and after, and the offspring made so far. The
    result False ends the slice.
    """
    _ON_CHANGE[kind], _ON_SELECTION[kind] = on_change, on_selection


on_change: Callable[[Any, np.uint64, np.uint64, np.uint64], None] = by_kind(_ON_CHANGE)
on_selection: Callable[[Any, Any, bool, np.int64, np.int64, np.int64], bool] = by_kind(_ON_SELECTION)
