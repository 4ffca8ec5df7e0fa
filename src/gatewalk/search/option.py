"""All about one setting in one place: how it is written, checked, stored and shown.

Every field of `Settings` has an `Option`. The options of the command line, the keys of a campaign's TOML
file, the hash that seeds a run, the columns of stores and exports, and the labels of cells follow from it. To
add a setting, add a field to `Settings`, with its `Option`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

from gatewalk.errors import InputError, shown
from gatewalk.search.column import Column

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
            raise InputError(f"{what} is {shown(written)}; it must be a text, as in {what}={shown(example)}")
        return value(written, so_far)

    return resolve
