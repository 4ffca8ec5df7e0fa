"""Whole numbers of any size as decimal text and back.

The fitness of `and:15000` can be 2^15000, a number of 4,516 digits. Python refuses to write or read more than
4,300 digits (`sys.set_int_max_str_digits`), because its own conversion takes time quadratic in their number.
That limit belongs to the program that uses this package, so it is left alone. Instead, a number is split in
half until its parts are short, and the converted parts are joined by fast multiplication.
"""

from __future__ import annotations

import json
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from functools import cache

from gatewalk.errors import InputError

MOST_DIGITS = 400_000  # of a number that is read; the largest fitness, of a million inputs, has 301,030
_SHORT_BITS, _SHORT_DIGITS = 8192, 2048  # numbers this short are below any limit that Python allows to set


def decimal(value: int) -> str:
    """A whole number as decimal text.

    >>> len(decimal(2**15000))
    4516
    """
    if value.bit_length() <= _SHORT_BITS:
        return str(value)
    exact = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])

    @cache
    def power_of_two(bits: int) -> Decimal:
        return exact.power(Decimal(2), Decimal(bits))

    def converted(part: int, bits: int) -> Decimal:
        if bits <= _SHORT_BITS:
            return Decimal(part)
        low = bits // 2
        high_part = converted(part >> low, bits - low)
        return exact.fma(high_part, power_of_two(low), converted(part & ((1 << low) - 1), low))

    sign = "-" if value < 0 else ""
    return f"{sign}{converted(abs(value), value.bit_length()):f}"


def whole(text: str) -> int:
    """The whole number written in a text of at most `MOST_DIGITS` digits, with or without a sign.

    >>> whole("1" + "0" * 5000) == 10**5000
    True
    """
    digits = text[1:] if text[:1] in ("-", "+") else text
    if not (digits.isascii() and digits.isdecimal()):
        raise InputError(f"{text[:40]!r} is not a whole number")
    if len(digits) > MOST_DIGITS:
        raise InputError(f"a number of {len(digits):,} digits; at most {MOST_DIGITS:,} are read")
    return -_joined(digits) if text[0] == "-" else _joined(digits)


def _joined(digits: str) -> int:
    if len(digits) <= _SHORT_DIGITS:
        return int(digits)
    low = len(digits) // 2
    ten: int = 10**low
    return _joined(digits[:-low]) * ten + _joined(digits[-low:])


def short(value: int) -> str:
    """A whole number of 0 or more for people to read: in full below 10^12, else about a power of two."""
    return f"{value:,}" if value < 10**12 else f"about 2^{value.bit_length() - 1}"


def to_json(value: object) -> str:
    """As `json.dumps`, but also for numbers with more digits than Python writes."""
    try:
        return json.dumps(value)
    except ValueError:  # Python's limit, somewhere inside
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(key)}: {to_json(one)}" for key, one in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(to_json, value)) + "]"
        if isinstance(value, int):
            return decimal(value)
        raise


def from_json(text: str | bytes) -> object:
    """As `json.loads`, but also for numbers with more digits than Python reads."""
    return json.loads(text, parse_int=whole)
