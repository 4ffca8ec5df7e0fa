"""Targets that code of the user's makes: members of families, `dnf:5`, and what a file defines, `mine.py:f`.

A member is known by the name of its family and its size. What it is, a table or a netlist, is in its text; so
seeds and stores need no code.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from gatewalk.boolean.families import LARGEST_SIZE, OWN_FAMILIES, TargetFamily
from gatewalk.boolean.table_targets import quoted
from gatewalk.boolean.targets import Target
from gatewalk.circuit.files import shown_path
from gatewalk.circuit.own_targets import kind_of, target, target_from_text
from gatewalk.errors import InputError, shown
from gatewalk.foreign import defined, reference, why


def target_from_code(text: str, name: str = "") -> Target:
    """The target of a text such as `dnf:5`, `mine.py:dnf:5`, or `mine.py:f` for what is not a family."""
    parts = reference(text)
    if parts is None:
        family, _, size = text.strip().partition(":")
        return _member(OWN_FAMILIES[family], _size(text, size, family))
    what = defined(parts.file, parts.name)
    if isinstance(what, TargetFamily):
        return _member(what, _size(text, parts.rest, f"{parts.file}:{parts.name}"))
    if parts.rest:
        raise InputError(
            f"target {shown(text)}: {parts.name} is not a family of targets; write "
            f'@gatewalk.target_family("{parts.name}") above it, or remove the size'
        )
    try:
        return target(what, name=name or parts.name)
    except InputError as error:
        raise InputError(f"target {shown(text)}: {error}") from error


def _size(text: str, size: str, family: str) -> int:
    if not (size.isascii() and size.isdigit()):
        wrong = f"{shown(size)} is not a size" if size else "it has no size"
        raise InputError(f"target {shown(text)}: {wrong}; write it as in {family}:5")
    if len(size) > 9 or not 1 <= int(size) <= LARGEST_SIZE:
        raise InputError(f"target {shown(text)}: the size must be from 1 to {LARGEST_SIZE}")
    return int(size)


@lru_cache(maxsize=256)
def _member(family: TargetFamily, size: int) -> Target:
    """The member of a user's family that has this size, under its name: what the function returns, packed."""
    called = f"{family.name}:{size}"
    function = getattr(family.members, "__name__", family.name)
    try:
        made = target(family.members(size))
    except Exception as error:  # of code that is not ours
        code = getattr(family.members, "__code__", None)
        file = "" if code is None else f" of {shown_path(Path(code.co_filename).name)}"
        reason = why(error, "" if code is None else code.co_filename)
        raise InputError(f"target {called}: {function}({size}){file} makes no target: {reason}") from error
    packed = made.name.rpartition("@")[2]
    if kind_of(packed) != "packed":
        return made  # a built-in target, which its name describes
    return target_from_text(f"{quoted(called)}@{packed}")
