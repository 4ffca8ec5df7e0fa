"""Observers of one's own: a Python function counts what happens in runs, in columns of whole numbers.

As an operator is, the function is compiled into the loop, and interpreted as its own literal twin. It has no
state but its columns: it takes their values and what it wants to know of a selection, by name, and returns
their new values. So it needs no objects with attributes, which the compiler could not take, nor can it change
a run. An observer is no part of a search, of its identity or of what is saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from types import FunctionType
from typing import TYPE_CHECKING

from gatewalk.cgp import operators
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.engines import is_conjunction
from gatewalk.cgp.operators import TOLD, OwnObserver
from gatewalk.errors import InputError, shown
from gatewalk.native.frozen import Frozen, frozen
from gatewalk.reference.operators import counted
from gatewalk.search.own_operators import attempt, check_ranks
from gatewalk.search.runs import COLUMNS

if TYPE_CHECKING:
    from gatewalk.search.options import Search

_RANKS = ("parent", "offspring")
_MOST_COLUMNS = 64
_TRIALS = (((1, 1), False), ((1, 1), True), ((2, 1), True), ((1, 2), False))  # ranks, and if it was accepted


def observer(*, columns: Sequence[str]) -> Callable[[FunctionType], OwnObserver]:
    """Make a function an observer of runs by Cartesian GP, which counts in these columns.

    After each selection the function is called with the columns, in this order, and with what else it names;
    it returns their new values, also in this order: a tuple or, of one column, the value. It may name

    - iteration, the offspring made so far, and accepted, whether an offspring became the parent
    - parent, offspring: the ranks that were compared, of the parent before the selection and of the best
      offspring; the smaller the better. They may only be compared with each other
    - gates, the active gates of the parent from now on
    - level, the inputs that this parent depends on, for conjunctions and disjunctions on all rows

    columns: the names of whole numbers, which are 0 at the start of a run. Beyond 64 bits they wrap around.

    >>> import gatewalk as gw
    >>> @gw.observer(columns=("ties", "taken"))
    ... def ties_seen(ties, taken, parent, offspring, accepted):
    ...     if offspring == parent:
    ...         ties += 1
    ...         taken += accepted
    ...     return ties, taken
    >>> gw.evolve("and:4", nodes=8, seed=1, evaluation="reference", observer=ties_seen).observed
    {'ties': 4, 'taken': 4}
    """
    names = _checked(columns)

    def register(function: FunctionType) -> OwnObserver:
        made = frozen(function, methods=frozenset())
        name = made.name
        _check_parameters(name, made, names)
        check_ranks("observer", name, made, _RANKS)
        attempt("observer", name, made, lambda: _try(made, names))
        own: OwnObserver = operators.registered("observer", name, made)
        return own

    return register


def _checked(columns: Sequence[str]) -> tuple[str, ...]:
    if not isinstance(columns, Sequence):
        raise InputError(
            f'columns is {shown(columns)}; list their names, as in columns=("ties", "longest_wait")'
        )
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not 1 <= len(names) <= _MOST_COLUMNS:
        raise InputError(f"an observer has 1 to {_MOST_COLUMNS} columns, not {len(names)}")
    known = {column.name for column in COLUMNS}
    for name in names:
        if not str(name).isidentifier():
            raise InputError(f"{shown(name)} cannot be the name of a column; use one such as longest_wait")
        if name in known or name in TOLD:
            raise InputError(f"{name} has a meaning of its own; choose another name for the column")
        if names.count(name) > 1:
            raise InputError(f"the column {name} is there twice")
    return names


def _check_parameters(name: str, made: Frozen, columns: tuple[str, ...]) -> None:
    """The function must take the columns first, so that its text says what they are."""
    taken = tuple(argument.arg for argument in made.tree.args.args)
    if taken[: len(columns)] != columns:
        raise InputError(f"observer {name}: it must take {', '.join(columns)} first, in this order")
    for other in taken[len(columns) :]:
        if other not in TOLD:
            raise InputError(f"observer {name}: there is no {other}; choose from {', '.join(TOLD)}")


def _try(made: Frozen, columns: tuple[str, ...]) -> None:
    taken = [argument.arg for argument in made.tree.args.args]
    known = dict.fromkeys(columns, 0)
    for iteration, (gates, level, ((parent, best), accepted)) in enumerate(
        product((0, 5), (0, 3), _TRIALS), start=1
    ):
        told = dict(zip(TOLD, (iteration, parent, best, accepted, gates, level), strict=True))
        known = counted(columns, made.function(*(({**known, **told})[one] for one in taken)))


def check_watchable(observer: OwnObserver, search: Search) -> None:
    """Raise `InputError` if this is no observer, or runs of the search cannot be watched by it."""
    if not isinstance(observer, OwnObserver):
        raise InputError(
            f"{shown(observer)} is no observer; write a function under @gatewalk.observer(columns=...)"
        )
    if not isinstance(search, CgpSearch):
        raise InputError(f"observers watch Cartesian GP, not {search.algorithm}; remove the observer")
    if search.law.waiting != "walked":
        raise InputError("observers see every offspring; use waiting=walked, not drawn")
    is_complete = search.rows is None
    if "level" in observer.parameters and not (is_complete and is_conjunction(search, None)):
        raise InputError(
            f"observer {observer}: only and from the gate and, and or from or, on all rows, have a level; "
            f"{search.target.label} has none here"
        )
