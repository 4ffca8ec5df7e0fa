"""Filters of cells: `where(target="and:4", nodes="2n")` finds them by what the legends of figures say.

A value may be written as the store has it, or as the campaign wrote it: `nodes=8` or `nodes="2n"`,
`mutation="point:3"` or `"point:1%"`, `target="and:4"` or, for all sizes, `"and"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from gatewalk.boolean.targets import label_of
from gatewalk.campaign.store import StoredCell
from gatewalk.errors import InputError, brief, shown
from gatewalk.search.options import CELL_COLUMNS, OPTIONS
from gatewalk.search.reading import in_n

_KINDS = {column.name: column.kind for column in CELL_COLUMNS}
_SETTINGS = {option.columns[0][0].name: name for name, option in OPTIONS.items() if option.columns}
_ALIASES = {  # of columns whose options are written otherwise: lambda, gates
    word: column for column, name in _SETTINGS.items() for word in (name, OPTIONS[name].flag) if word
}
_LONGEST_COUNT = 19  # digits
_LISTED = 12  # values of a column in a message


def matching(cells: Sequence[StoredCell], values: Mapping[str, object], *, store: str) -> list[StoredCell]:
    """The cells that have these values; several values of a column are alternatives.

    Raises `InputError` if there is no such column, a value cannot be one of it, or no cell is left.
    """
    wanted: dict[str, list[object]] = {}
    for name, value in values.items():
        column = _column(name)
        listed = value if isinstance(value, Iterable) and not isinstance(value, str) else [value]
        wanted.setdefault(column, []).extend(_checked(column, one, cells) for one in listed)
    left = [
        cell
        for cell in cells
        if all(any(_has(cell, column, one) for one in ones) for column, ones in wanted.items())
    ]
    if cells and not left:
        asked = ", ".join(f"{name}={_listed(ones)}" for name, ones in wanted.items())
        there = "; ".join(f"{name} is {_listed(_words(cells, name))}" for name in wanted)
        raise InputError(f"{store}: no cell has {asked}; {there}")
    return left


def _column(name: str) -> str:
    column = name if name in _KINDS else _ALIASES.get(name)
    if column is None:
        near = get_close_matches(name, [*_KINDS, *_ALIASES], 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f"no column {shown(name)} to filter by; {hint}cells have {', '.join(_KINDS)}")
    return column


def _checked(column: str, value: object, cells: Sequence[StoredCell]) -> object:
    """The value, a number in a text as a number; an expression in n must have a value for some cell."""
    if not isinstance(value, str) or _KINDS[column] != "count":
        return value
    if value.isascii() and value.isdecimal() and len(value) <= _LONGEST_COUNT:
        return int(value)
    if column != "nodes":
        raise InputError(f"{column} is {shown(value)}; it must be a whole number")
    for n in sorted({cell.values["n"] for cell in cells}):
        if _nodes(value, n) is not None:
            return value
    raise InputError(f"nodes is {shown(value)}; use a number or an expression in n such as 2n, 3n+1, n^2")


def _has(cell: StoredCell, column: str, wanted: object) -> bool:
    value, word = cell.values[column], _word(cell, column)
    if value == wanted:
        return True
    if value is None or not isinstance(wanted, str):
        return False
    if column == "target":
        return wanted in (label_of(value), label_of(value).partition(":")[0])
    if column == "nodes":
        if word is None or str(word).isdecimal():  # written as a number, or not at all
            return bool(_nodes(wanted, cell.values["n"]) == value)
        return _plain(str(word)) == _plain(wanted)
    return word is not None and str(word) == wanted


def _word(cell: StoredCell, column: str) -> Any:
    """A setting as the campaign wrote it; None if it did not."""
    return cell.words.get(_SETTINGS.get(column, ""))


def _nodes(expression: str, n: int) -> int | None:
    try:
        return in_n(expression, n)
    except InputError:  # no expression, or below 1 for this n
        return None


def _plain(expression: str) -> str:
    """An expression in n without what may be written in more than one way."""
    plain = re.sub(r"[\s*]", "", expression).lower().replace("²", "^2")
    return re.sub(r"^1(?=n)", "", plain)


def _words(cells: Sequence[StoredCell], column: str) -> list[object]:
    """The values of a column as a filter takes them, each once, in the order of the cells."""
    found = []
    for cell in cells:
        value, word = cell.values[column], _word(cell, column)
        if value is not None:
            found.append(word if column != "target" and isinstance(word, str) else value)
    return list(dict.fromkeys(found))


def _listed(values: Sequence[object]) -> str:
    words = [brief(str(value)) for value in values[:_LISTED]]
    more = f", ... ({len(values):,} in all)" if len(values) > _LISTED else ""
    return ", ".join(words) + more
