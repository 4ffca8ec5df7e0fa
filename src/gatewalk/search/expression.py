"""Numbers given as expressions in n: `16`, `n`, `2n`, `3n+1`, `n-1`, `n^2`."""

from __future__ import annotations

import re

from gatewalk.errors import InputError

MOST_NODES = 10_000_000
_FORM = re.compile(r"(?P<factor>\d*)\s*\*?\s*n(?P<square>\^2|²)?\s*(?P<shift>[+-]\s*\d+)?", re.IGNORECASE)


def in_n(text: str | int, n: int, *, what: str = "nodes") -> int:
    """The value for this n; at least 1."""
    form = _FORM.fullmatch(str(text).strip())
    if isinstance(text, int) or str(text).strip().removeprefix("-").isdecimal():
        value = int(text)
    elif form:
        power = n * n if form["square"] else n
        value = int(form["factor"] or 1) * power + int((form["shift"] or "0").replace(" ", ""))
    else:
        raise InputError(f"{what} is {text!r}; use a number or an expression in n such as n, 2n, 3n+1, n^2")
    if value < 1:
        raise InputError(f"{what} is {text!r}, which is {value} for n = {n}; it must be at least 1")
    if value > MOST_NODES:
        raise InputError(
            f"{what} is {text!r}, which is {value:,} for n = {n}; at most {MOST_NODES:,} are possible"
        )
    return value
