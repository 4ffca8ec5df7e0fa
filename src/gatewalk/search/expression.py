"""Numbers written as expressions in n, the inputs of the target: `16`, `n`, `2n`, `3n+1`, `n-1`, `n^2`."""

from __future__ import annotations

import re

from gatewalk.bigint import whole
from gatewalk.errors import InputError, shown

MOST_NODES = 10_000_000
_FORM = re.compile(r"(?P<factor>\d*)\s*\*?\s*n(?P<square>\^2|²)?\s*(?P<shift>[+-]\s*\d+)?", re.IGNORECASE)


def in_n(text: str | int, n: int, *, what: str = "nodes") -> int:
    """The value of an expression for this n; raises `InputError` if it is not an expression or below 1."""
    given = shown(text)
    value = int(text) if isinstance(text, int) else _value(str(text).strip(), n)
    if value is None:
        raise InputError(f"{what} is {given}; use a number or an expression in n such as n, 2n, 3n+1, n^2")
    if value < 1:
        raise InputError(f"{what} is {given}, which is {shown(value)} for n = {n}; it must be at least 1")
    if value > MOST_NODES:
        raise InputError(
            f"{what} is {given}, which is {shown(value)} for n = {n}; at most {MOST_NODES:,} are possible"
        )
    return value


def _value(text: str, n: int) -> int | None:
    """The value of a number or an expression; None if the text is neither."""
    if text.removeprefix("-").isdecimal():
        return whole(text)
    form = _FORM.fullmatch(text)
    if form is None:
        return None
    power = n * n if form["square"] else n
    return whole(form["factor"] or "1") * power + whole((form["shift"] or "0").replace(" ", ""))
