"""Numbers as JSON can write them, rounded to the digits that a reader needs."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

_DIGITS = 6


def finite(value: float | None, digits: int = _DIGITS) -> float | int | None:
    """The number to a few significant digits; None if it is missing or infinite.

    >>> finite(1234567.8), finite(0.123456789), finite(3.0), finite(float("inf"))
    (1234570, 0.123457, 3, None)
    """
    if value is None or not isfinite(value):
        return None
    short = float(f"{value:.{digits}g}")
    return int(short) if short == int(short) and abs(short) < 2**53 else short


def all_finite(values: Iterable[float | None], digits: int = _DIGITS) -> list[float | int | None]:
    """`finite` of every number."""
    return [finite(value, digits) for value in values]


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "cell"), counted(2500, "cell"), counted(0, "entry", "entries")
    ('1 cell', '2,500 cells', '0 entries')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
