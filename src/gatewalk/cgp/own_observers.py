"""Observers that users write, in kernels: what the function is told, and where its columns are kept.

The function is merged into the loop. It gets its columns and what else it names (`operators.TOLD`), and
returns the columns; what it does not name is not computed. It is pure, so nothing that it does can change a
run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.extending import overload

from gatewalk.cgp import observers
from gatewalk.cgp.evaluators import count_active
from gatewalk.cgp.observers import Selected
from gatewalk.native.bits import popcount
from gatewalk.native.jit import MERGED, inlined


@inlined
def _iteration(observer: Any, program: Any, evaluator: Any, state: Any, selected: Selected) -> np.int64:
    return selected.offspring


@inlined
def _parent(observer: Any, program: Any, evaluator: Any, state: Any, selected: Selected) -> np.int64:
    return selected.before


@inlined
def _offspring(observer: Any, program: Any, evaluator: Any, state: Any, selected: Selected) -> np.int64:
    return selected.best


@inlined
def _accepted(observer: Any, program: Any, evaluator: Any, state: Any, selected: Selected) -> bool:
    return selected.accepted


@inlined
def _gates(observer: Any, program: Any, evaluator: Any, state: Any, selected: Selected) -> np.int64:
    return np.int64(count_active(evaluator, program, state))


@inlined
def _level(observer: Any, program: Any, evaluator: Any, state: Any, selected: Selected) -> np.int64:
    """Inputs less those that are missing: the rank or, on a table, where it is 2^missing - 1, its ones."""
    rank = selected.after
    missing = rank if observer.is_symbolic else np.int64(popcount(np.uint64(rank)))
    return np.int64(program.inputs) - missing


_TOLD = {
    "iteration": _iteration,
    "parent": _parent,
    "offspring": _offspring,
    "accepted": _accepted,
    "gates": _gates,
    "level": _level,
}


def _column(place: int) -> Any:
    @inlined
    def column(observer, program, evaluator, state, selected):  # type: ignore[no-untyped-def]
        return observer.columns[selected.position, place]

    return column


def _arguments(parts: Sequence[Any]) -> Any:
    """A part that returns what these return, as a tuple."""
    *before, last = parts
    if not before:

        @inlined
        def first(observer, program, evaluator, state, selected):  # type: ignore[no-untyped-def]
            return (last(observer, program, evaluator, state, selected),)

        return first
    rest = _arguments(before)

    @inlined
    def arguments(observer, program, evaluator, state, selected):  # type: ignore[no-untyped-def]
        one = last(observer, program, evaluator, state, selected)
        return rest(observer, program, evaluator, state, selected) + (one,)  # noqa: RUF005

    return arguments


def _put(columns: Any, position: Any, values: Any) -> Any:
    raise TypeError("a part of kernels: call it from a kernel")


@overload(_put, jit_options=MERGED)
def _put_in_kernels(columns, position, values):  # type: ignore[no-untyped-def]
    if isinstance(values, types.Integer):

        def put_one(columns, position, values):  # type: ignore[no-untyped-def]
            columns[position, 0] = values

        return put_one
    if not isinstance(values, types.UniTuple) or not isinstance(values.dtype, types.Integer):
        raise TypingError(f"an observer must return whole numbers, not {values}")

    def put(columns, position, values):  # type: ignore[no-untyped-def]
        for place in range(len(values)):
            columns[position, place] = values[place]

    return put


def register(kind: type, function: Any, parameters: Sequence[str], columns: Sequence[str]) -> None:
    """Register the type of an observer with its function, a part that takes and returns its columns.

    The named tuple has the columns, as an array with a row for each run, and `is_symbolic`: how the search is
    evaluated.
    """
    told = [_TOLD[name] if name in _TOLD else _column(columns.index(name)) for name in parameters]
    arguments = _arguments(told)

    @inlined
    def on_selection(observer, program, evaluator, state, selected):  # type: ignore[no-untyped-def]
        values = function(*arguments(observer, program, evaluator, state, selected))
        _put(observer.columns, selected.position, values)
        return True

    observers.register(kind, on_selection=on_selection)
