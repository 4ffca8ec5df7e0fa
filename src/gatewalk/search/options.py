"""All about one setting in one place: how it is written, checked, stored and shown.

Every field of `Settings` has an `Option`. The options of the command line, the keys of a campaign's TOML
file, the hash that seeds a run, the columns of stores and exports, and the labels of cells follow from it. To
add a setting, add a field to `Settings`, with its `Option`.

Every field of `Settings` and `Run` also says which columns of data about runs it has, each a `Column`.
`--json`, the tables of a store, CSV, Parquet and IOHprofiler follow from that: none of them has a list of
columns of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from difflib import get_close_matches
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
    held: list[Field[Any]] = [field for field in fields(record) if "column" in field.metadata]
    return tuple(Column(name=field.name, **field.metadata["column"]) for field in held)


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


Resolve = Callable[[Any, Mapping[str, Any]], Any]


@dataclass(frozen=True, kw_only=True)
class Option:
    """A setting as users meet it.

    resolve: turns what a user wrote into the value in `Settings`, given the settings before it by name;
        raises `InputError` if it is wrong.
    default: the value to resolve if the user wrote nothing.
    types: the types that may be written in Python and TOML: a whole number, a text or both.
    flag: its name on the command line and in TOML, if it differs from the name of the field.
    keyword: its name as a keyword of `settings`, if it differs from the name of the field.
    metavar, help: its line in `--help`.
    is_of_program: whether it describes the program, so that `exact` and `bounds` take it too, or only the
        search.
    is_for_trees: whether it applies to trees; if not, its value is None for them, whatever was written.
    law: the attribute of `Settings` by which it enters the hash that seeds runs; None if it only changes how
        far a run goes, or how fast.
    columns: the columns of stores and exports, each an attribute of `Settings`.
    label: how the label of a cell shows the first of its columns, as in "nodes={}"; "" if it does not.
    """

    resolve: Resolve
    default: Any
    types: tuple[type, ...] = (str,)
    flag: str = ""
    keyword: str = ""
    metavar: str = ""
    help: str = ""
    is_of_program: bool = False
    is_for_trees: bool = True
    law: str | None = None
    columns: tuple[Column, ...] = ()
    label: str = ""


def described(option: Option) -> dict[str, Any]:
    """The metadata of a field of `Settings`."""
    return {"option": option}


def options_of(record: type) -> dict[str, Option]:
    """The options of the fields of a dataclass, by the name of the field, in their order."""
    return {field.name: field.metadata["option"] for field in fields(record)}


def one_of(what: str, known: Iterable[str]) -> Resolve:
    """A `resolve` that accepts one of these words."""
    known = tuple(known)

    def resolve(written: Any, so_far: Mapping[str, Any]) -> str:
        if not isinstance(written, str) or written not in known:
            text = str(written)
            near = [word for word in known if word.startswith(text)] if text else []
            near = near or get_close_matches(text, known, 1)
            hint = f" (did you mean {near[0]}?)" if near else ""
            raise InputError(f"unknown {what} {shown(written)}{hint}; use {', '.join(known)}")
        return written

    return resolve


def text_of(what: str, example: str, value: Callable[[str, Mapping[str, Any]], str]) -> Resolve:
    """A `resolve` that accepts a text and applies a function to it."""

    def resolve(written: Any, so_far: Mapping[str, Any]) -> str:
        if not isinstance(written, str):
            raise InputError(f"{what} is {shown(written)}; it must be text, as in {what}={shown(example)}")
        return value(written, so_far)

    return resolve
