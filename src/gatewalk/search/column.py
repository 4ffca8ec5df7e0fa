"""What a column of data about runs is: its name, what kind of values it holds, and how these are checked.

`Settings` and `Run` say of each of their fields which columns it makes. From there follow `--json`, the
tables of a store, CSV, Parquet and IOHprofiler: none of them lists columns of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import Field, dataclass, fields
from math import isfinite
from typing import Any, Literal

from gatewalk.bigint import MOST_DIGITS, whole
from gatewalk.errors import InputError, shown

Kind = Literal["text", "count", "total", "real", "truth", "number", "bytes"]

LARGEST_COUNT = 2**63 - 1
LONGEST_TEXT = 1 << 26  # characters: the genes of a start are the longest there are


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of data about runs.

    name: in Python, JSON, stores, CSV and Parquet.
    kind: "text"; "count", a whole number from 0 to 2^63 - 1; "total", a sum of counts, rounded if it is
        larger; "real", a finite number; "truth"; "number", a whole number of any size from 0 on; or "bytes".
    optional: may there be no value?
    meaning: what it is, in words for the reference.
    """

    name: str
    kind: Kind
    optional: bool = False
    meaning: str = ""


def column(kind: Kind, meaning: str, *, optional: bool = False) -> dict[str, Any]:
    """The metadata of a dataclass's field that is a column of its own name."""
    return {"column": {"kind": kind, "optional": optional, "meaning": meaning}}


def columns_of(record: type) -> tuple[Column, ...]:
    """The columns of a dataclass whose fields carry the metadata of `column`, in their order."""
    found: list[Field[Any]] = [field for field in fields(record) if "column" in field.metadata]
    return tuple(Column(name=field.name, **field.metadata["column"]) for field in found)


def check_values(column: Column, values: Sequence[object]) -> None:
    """Refuse values, as they came from outside, that are not of the column's kind.

    Many are looked at together, by their types first: that is what makes it cheap.
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
        raise InputError(f"{column.name} is {shown(wrong)}, which is no {_WORDS[column.kind]}")


def number_of(value: int | str) -> int:
    """A whole number as it may be stored: decimal text beyond 64 bits."""
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
    "text": "text of a possible length",
    "count": "count from 0 to 2^63 - 1",
    "total": "number from 0 on",
    "real": "finite number",
    "truth": "truth value",
    "number": "whole number from 0 on",
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
