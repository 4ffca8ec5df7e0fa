"""What runs of a search can be: numbers from outside must fit the search and each other.

`columns.check_values` says whether a value can be one of its column at all. Here columns are compared with
the search (no run makes more iterations than its budget) and with each other (a run is solved if and only if
no mismatch is left). They are checked as arrays, so a million rows take less than a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.errors import InputError
from gatewalk.search.columns import number_of
from gatewalk.search.options import Search

_ARRAYS = ("iterations", "evaluations", "elementary_steps", "solved", "gates")
# Columns, whether their values are possible, and what is wrong if they are not.
Rule = tuple[tuple[str, ...], Callable[..., Any], str]


def most_fitness(search: Search) -> int:
    """The most mismatches that a program can have on the training set."""
    rows = search.rows or 1 << search.trained_on.inputs
    return rows * search.trained_on.outputs


def fewest_steps(search: Search, offspring: Any) -> Any:
    """The fewest elementary steps that make so many offspring."""
    may_be_none = isinstance(search, CgpSearch) and search.mutation.name not in ("sam", "point")
    return 0 * offspring if may_be_none else offspring


def check_columns(search: Search, columns: Mapping[str, Sequence[Any]]) -> None:
    """Raise `InputError` if no runs of this search have these values, in some or all columns of runs.

    The values were checked by `check_values`; each column has one for each run.
    """
    arrays = {name: np.array(columns[name], dtype=np.int64) for name in _ARRAYS if name in columns}
    if "fitness" in columns:
        arrays["is_fit"] = _is_fit(search, columns["fitness"])
    if "generalisation" in columns:
        _check_generalisation(search, columns["generalisation"])
    for names, is_possible, what in _rules(search):
        if arrays.keys() >= set(names) and not np.all(is_possible(*(arrays[name] for name in names))):
            raise InputError(what)


def _rules(search: Search) -> Iterator[Rule]:
    budget, starts, uncounted = search.budget, search.starts, search.law.uncounted
    yield ("iterations",), lambda i: i <= budget, f"its iterations exceed the budget of {budget:,}"
    yield (
        ("iterations", "solved"),
        lambda i, solved: (solved == 1) | (i == budget),
        f"it was not solved, and its iterations are not the budget of {budget:,}",
    )
    yield (
        ("iterations", "evaluations"),
        lambda i, e: (e >= starts) & (i == np.maximum(0, e - starts - uncounted)),
        "its evaluations are not those of so many iterations",
    )
    yield (
        ("evaluations", "elementary_steps"),
        lambda e, steps: (steps >= fewest_steps(search, e - starts)) & ((e > starts) | (steps == 0)),
        "its elementary steps are not those of so many evaluations",
    )
    yield (
        ("solved", "is_fit"),
        lambda solved, is_fit: solved == is_fit,
        "its fitness does not fit its success",
    )
    if isinstance(search, CgpSearch):
        yield ("gates",), lambda gates: gates <= search.nodes, "it has more gates than nodes"
    else:
        yield (
            ("gates", "elementary_steps"),
            lambda gates, steps: gates <= steps,  # a step adds at most one
            "it has more gates than elementary steps",
        )


def _is_fit(search: Search, fitness: Sequence[int | str]) -> NDArray[np.int64]:
    """Whether each fitness is 0; none may exceed the most that there is."""
    most = most_fitness(search)
    digits = most.bit_length() * 30103 // 100_000 + 1
    texts = [value for value in fitness if isinstance(value, str)]
    is_long = max(map(len, texts), default=0) > digits
    numbers: Sequence[Any] = fitness
    if texts:
        numbers = [] if is_long else list(map(number_of, fitness))
    if is_long or max(numbers, default=0) > most:
        raise InputError("its fitness exceeds the mismatches that there can be")
    return np.array([number == 0 for number in numbers], dtype=np.int64)


def _check_generalisation(search: Search, values: Sequence[float | None]) -> None:
    """Only runs on samples have one, and it is a share."""
    none = sum(value is None for value in values)
    if none != (len(values) if search.rows is None else 0):
        raise InputError("it has a generalisation on a complete training set, or none on a sample")
    if search.rows is not None and max(map(float, values), default=0.0) > 1:  # type: ignore[arg-type]
        raise InputError("its generalisation exceeds 1")
