"""Columns of data about runs: what each holds, and whether values from outside can be values of it.

The table of options and the fields of `Run` say which columns there are. `--json`, the tables of a store,
CSV, Parquet and IOHprofiler follow from that: none of them has a list of columns of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import ne
from sys import float_info
from typing import Any, Literal

from gatewalk.errors import InputError, shown
from gatewalk.numbers import MOST_DIGITS, whole

Kind = Literal["text", "count", "total", "real", "truth", "number", "bytes"]

LARGEST_COUNT = 2**63 - 1
LARGEST_REAL = 1e12  # seconds: of a run, and since 1970; shares are smaller
LONGEST_TEXT = 1 << 26  # characters; the longest texts are the genes of a start


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of data about runs.

    name: in Python, JSON, stores, CSV and Parquet.
    kind: "text"; "count", a whole number from 0 to 2^63 - 1; "total", a sum of counts, rounded if it is
        larger; "real", a number from 0 to 10^12; "truth"; "number", a whole number of any size from 0 on; or
        "bytes".
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

    All values are checked together, their types as a set and numbers by the least and the largest of them;
    that makes the check cheap.
    """
    types, given = set(map(type, values)), values
    if column.optional and type(None) in types:
        types.discard(type(None))
        given = [value for value in values if value is not None]
    if types <= _TYPES[column.kind] and _RIGHT[column.kind](given):
        return
    wrong = next(
        value for value in given if not (type(value) in _TYPES[column.kind] and _RIGHT[column.kind]([value]))
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
    "real": "a number from 0 to 10^12",
    "truth": "true or false",
    "number": "a whole number of at least 0",
    "bytes": "bytes",
}


def _within(most: float) -> Callable[[Sequence[Any]], bool]:
    """Whether all numbers are from 0 to `most`; no NaN is."""

    def check(numbers: Sequence[Any]) -> bool:
        if not numbers or (min(numbers) >= 0 and max(numbers) <= most):
            return not any(map(ne, numbers, numbers))
        return False

    return check


def _are_numbers(values: Sequence[Any]) -> bool:
    return all(value >= 0 if isinstance(value, int) else _is_decimal(value) for value in values)


def _is_decimal(text: str) -> bool:
    return len(text) <= MOST_DIGITS and text.isascii() and text.isdecimal()


# Whether all of these values, of right types, are in the range of their kind.
_RIGHT: dict[Kind, Callable[[Sequence[Any]], bool]] = {
    "text": lambda texts: max(map(len, texts), default=0) <= LONGEST_TEXT,
    "count": _within(LARGEST_COUNT),
    "total": _within(float_info.max),
    "real": _within(LARGEST_REAL),
    "truth": _within(1),
    "number": _are_numbers,
    "bytes": lambda values: True,
}
