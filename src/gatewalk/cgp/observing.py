"""What may watch a search, as a part of its loop.

An observer is a named tuple of arrays, registered with two parts of kernels: `on_change` is told every change
of a gene while an offspring is made, `on_selection` the outcome of every generation. The loop is compiled
anew for each kind of observer; for `Nobody` nothing of it is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gatewalk.native.jit import by_kind, inlined


class Nobody(NamedTuple):
    """Nobody watches."""

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
    """Make a kind of observer known.

    on_change(observer, gene, old, value): a gene of an offspring gets a value; in a large program. Of a gene
    with one valid value it is told as of the number past the last gene.
    on_selection(observer, program, accepted, before, after, offspring) -> bool: after a generation; was an
    offspring accepted, the parent's rank before and after, offspring made so far. False ends the slice.
    """
    _ON_CHANGE[kind], _ON_SELECTION[kind] = on_change, on_selection


on_change: Callable[[Any, np.uint64, np.uint64, np.uint64], None] = by_kind(_ON_CHANGE)
on_selection: Callable[[Any, Any, bool, np.int64, np.int64, np.int64], bool] = by_kind(_ON_SELECTION)
