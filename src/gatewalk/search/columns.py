"""Columns of data about runs: what each holds, and whether values from outside can be values of it.

The table of options and the fields of `Run` say which columns there are. `--json`, the tables of a store,
CSV, Parquet and IOHprofiler follow from that: none of them has a list of columns of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import Any, Literal

from gatewalk.errors import InputError, shown
from gatewalk.numbers import MOST_DIGITS, whole

Kind = Literal["text", "count", "total", "real", "truth", "number", "bytes"]

LARGEST_COUNT = 2**63 - 1
LONGEST_TEXT = 1 << 26  # characters; the longest texts are the genes of a start


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of data about runs.

    name: in Python, JSON, stores, CSV and Parquet.
    kind: "text"; "count", a whole number from 0 to 2^63 - 1; "total", a sum of counts, rounded if it is
        larger; "real", a finite number; "truth"; "number", a whole number of any size from 0 on; or "bytes".
    optional: whether a value may be missing.
    meaning: what it is, in words for the reference.
    """

    name: str
    kind: Kind
    optional: bool = False
    meaning: str = ""


def column(kind: Kind, meaning: str, *, optional: bool = False) -> dict[str, Any]:
    """Metadata for a field of a dataclass: the field is a column of the same name."""
    return {"column": {"kind": kind, "optional": optional, "meaning": meaning}}


def columns_of(record: type) -> tuple[Column, ...]:
    """The columns of a dataclass whose fields carry the metadata of `column`, in their order."""
    described = [field for field in fields(record) if "column" in field.metadata]
    return tuple(Column(name=field.name, **field.metadata["column"]) for field in described)


def check_values(column: Column, values: Sequence[object]) -> None:
    """Raise `InputError` if values, from outside, are not of the column's kind.

    All values are checked together, by their set of types first; that makes the check cheap.
    """
    types = set(map(type, values))
    if column.optional:
        types.discard(type(None))
    is_right = _RIGHT[column.kind]
    if not types <= _TYPES[column.kind] or not all(is_right(value) for value in values if value is not None):
        wrong = next(
            value
            for value in values
            if not (value is None and column.optional)
            and (type(value) not in _TYPES[column.kind] or not is_right(value))
        )
        raise InputError(f"{column.name} is {shown(wrong)}, which is not {_WORDS[column.kind]}")


def number_of(value: int | str) -> int:
    """A whole number from its stored form, which is decimal text if it exceeds 64 bits."""
    return whole(value) if isinstance(value, str) else value


_TYPES: dict[Kind, set[type]] = {
    "text": {str},
    "count": {int},
    "total": {int, float},
    "real": {float, int},
    "truth": {int, bool},
    "number": {int, str},
    "bytes": {bytes},
}
_WORDS: dict[Kind, str] = {
    "text": f"text of at most {LONGEST_TEXT:,} characters",
    "count": "a count from 0 to 2^63 - 1",
    "total": "a number of at least 0",
    "real": "a finite number",
    "truth": "true or false",
    "number": "a whole number of at least 0",
    "bytes": "bytes",
}
_RIGHT: dict[Kind, Callable[[Any], bool]] = {
    "text": lambda value: len(value) <= LONGEST_TEXT,
    "count": lambda value: 0 <= value <= LARGEST_COUNT,
    "total": lambda value: 0 <= value < float("inf"),
    "real": isfinite,
    "truth": lambda value: value in (0, 1),
    "number": lambda value: value >= 0 if isinstance(value, int) else _is_decimal(value),
    "bytes": lambda value: True,
}


def _is_decimal(text: str) -> bool:
    return len(text) <= MOST_DIGITS and text.isascii() and text.isdecimal()
