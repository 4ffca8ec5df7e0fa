"""Single options of a law on top of its profile: `--option ties=coin`, `options={"ties": "coin"}`.

The options and their possible values are found from the fields of the law and their types (`CgpLaw`,
`TgpLaw`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from typing import Any, get_args, get_type_hints

from gatewalk.bigint import whole
from gatewalk.errors import InputError, shown, whole_number

LARGEST_OPTION = 1_000_000_000


def with_options(law: Any, options: Mapping[str, object]) -> Any:
    """A law with single options changed; values may be texts, as from a command line."""
    if not isinstance(options, Mapping):
        raise InputError(
            f"options are {shown(options)}; they must be names with values, as in {{'ties': 'coin'}}"
        )
    kind: Any = type(law)
    hints = _hints(kind)
    changed = {}
    for name, value in options.items():
        if name not in hints:
            known = ", ".join(field.name for field in fields(law))
            raise InputError(f"unknown option {shown(name)}; this algorithm knows {known}")
        changed[name] = _option_value(name, value, hints[name])
    return replace(law, **changed) if changed else law


@cache
def _hints(law: Any) -> dict[str, Any]:
    return get_type_hints(law)  # cached: it takes half a millisecond, and campaigns have many cells


def _option_value(name: str, value: object, hint: Any) -> object:
    kinds = get_args(hint) or (hint,)
    allowed: list[object] = []
    for kind in kinds:
        literals = get_args(kind)
        allowed += literals or ([kind] if not isinstance(kind, type) else [])
    if int in kinds and isinstance(value, int) and not isinstance(value, bool):
        whole_number(f"option {name}", value, least=-LARGEST_OPTION, most=LARGEST_OPTION)
        return value
    if type(None) in kinds and (value is None or str(value).lower() in ("none", "unlimited")):
        return None
    if isinstance(value, str) and value in allowed:
        return value
    if bool in kinds and str(value).lower() in ("true", "false", "yes", "no"):
        return str(value).lower() in ("true", "yes")
    if int in kinds and isinstance(value, str) and value.removeprefix("-").isdecimal():
        number = whole(value)
        whole_number(f"option {name}", number, least=-LARGEST_OPTION, most=LARGEST_OPTION)
        return number
    if str in kinds and isinstance(value, str):
        return value
    numbers = ["a number"] if int in kinds else []
    nothing = ["none"] if type(None) in kinds else []
    raise InputError(
        f"option {name} is {shown(value)}; use {', '.join([str(a) for a in allowed] + numbers + nothing)}"
    )
