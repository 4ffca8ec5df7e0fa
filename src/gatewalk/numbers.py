"""Numbers as text: for people, for JSON, and whole numbers of any size.

For people there is one way to write each kind of number, the same on the terminal, on pages, in tables and in
figures (`gatewalk.typeset` sets it for HTML, LaTeX and Matplotlib). `store_parts.js` is a twin of these
functions, and a test compares the two:

    counts                       436,009
    estimates                    12,870    0.0336    3.412 · 10⁻⁷     at most four significant digits
    where space is short         1.2 · 10⁸                            from a million on
    p-values                     0.034     3.4 · 10⁻⁷⁴
    shares                       95 %      92.9 %
    unknown                      –
    a running time, none solved  not solved
    an exact value, infinite     ∞

Halves are rounded away from zero. Files for programs (CSV, JSON, stores) keep full precision instead.

Whole numbers of any size: the fitness of `and:15000` can be 2^15000, a number of 4,516 digits. Python refuses
to write or read more than 4,300 digits (`sys.set_int_max_str_digits`), because its own conversion takes time
quadratic in their number. That limit belongs to the program that uses this package, so it is left alone.
Instead, a number is split in half until its parts are short, and the converted parts are joined by fast
multiplication.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_HALF_UP, Context, Decimal, Inexact
from functools import cache
from math import floor, inf, isfinite, isinf
from numbers import Integral
from typing import Any

from gatewalk.errors import InputError

__all__ = [  # what studies may import
    "INFINITE",
    "MINUS",
    "NOT_SOLVED",
    "UNKNOWN",
    "as_programs_read",
    "counted",
    "decimal",
    "duration",
    "fixed",
    "for_json",
    "from_json",
    "number",
    "probability",
    "running_time",
    "share",
    "to_json",
    "whole",
]
UNKNOWN = "–"
INFINITE = "∞"
NOT_SOLVED = "not solved"
MINUS = "−"

_LEAST_POWER = -4  # estimates below 10^-4 are written as powers of ten,
_MOST_POWER = 9  # and from 10^9 on; counts from 10^12 on; where space is short, both from 10^6 on
_MOST_POWER_OF_COUNTS = 12
_MOST_POWER_IF_SHORT = 6
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number(value: float | None, *, digits: int = 4, short: bool = False) -> str:
    """A number for people: an integer as a count, in full, and a float as an estimate, to a few digits.

    short: space is short, as in a figure or a wide table, so that from a million on only a power of ten with
    two digits is shown.

    >>> number(436009), number(12869.7), number(0.0336), number(-2.0), number(None)
    ('436,009', '12,870', '0.0336', '−2', '–')
    >>> number(123456789), number(123456789.0), number(123456789, short=True), number(3.4121e-7)
    ('123,456,789', '123,500,000', '1.2 · 10⁸', '3.412 · 10⁻⁷')
    """
    if value is None or value != value:
        return UNKNOWN
    if value < 0:
        return MINUS + number(-value, digits=digits, short=short)
    if value == inf:
        return INFINITE
    if value == 0:
        return "0"
    if isinstance(value, Integral):
        exact = shown = Decimal(int(value))
        most = _MOST_POWER_OF_COUNTS
    else:
        exact = Decimal(float(value))
        shown = _to_digits(exact, digits)
        most = _MOST_POWER
    if short:
        digits, most = min(digits, 2), _MOST_POWER_IF_SHORT
    if shown.adjusted() < _LEAST_POWER or shown.adjusted() >= most:
        return _power_of_ten(_to_digits(exact, digits))
    return _without_zeros(f"{shown:,f}")


def running_time(value: float | None, *, short: bool = False) -> str:
    """A measured running time, which is infinite if no run was solved.

    >>> running_time(12869.7), running_time(float("inf"))
    ('12,870', 'not solved')
    """
    return NOT_SOLVED if value == inf else number(value, short=short)


def probability(p: float | None) -> str:
    """A p-value: three decimals, the smallest ones as powers of ten.

    >>> probability(0.0336), probability(3.41e-74), probability(0.0)
    ('0.034', '3.4 · 10⁻⁷⁴', '< 10⁻³⁰⁰')
    """
    if p is None or p != p:
        return UNKNOWN
    if p < 1e-300:
        return "< 10⁻³⁰⁰"
    return fixed(p, 3) if p >= 0.001 else _power_of_ten(_to_digits(Decimal(p), 2))


def share(value: float | None) -> str:
    """A share as a percentage; one that is only almost 0 or 1 is not written as 0 % or 100 %.

    >>> share(0.95), share(0.92857), share(1.0), share(0.99999), share(0.0001)
    ('95 %', '92.9 %', '100 %', '> 99.9 %', '< 0.1 %')
    """
    if value is None or value != value:
        return UNKNOWN
    percent = fixed(100 * value, 1)
    if percent == "100.0" and value < 1:
        return "> 99.9 %"
    if percent == "0.0" and value > 0:
        return "< 0.1 %"
    return f"{percent.removesuffix('.0')} %"


def fixed(value: float | None, decimals: int) -> str:
    """A number with so many decimals, for columns of numbers of the same size.

    >>> fixed(2.5, 2), fixed(-0.0004, 3), fixed(-1.25, 1), fixed(float("inf"), 2)
    ('2.50', '0.000', '−1.3', '∞')
    """
    if value is None or value != value:
        return UNKNOWN
    if isinf(value):
        return INFINITE if value > 0 else MINUS + INFINITE
    rounded = Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _CONTEXT)
    return f"{abs(rounded):,f}" if rounded >= 0 else f"{MINUS}{-rounded:,f}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its noun.

    >>> counted(1, "cell"), counted(2500, "cell"), counted(0, "entry", "entries")
    ('1 cell', '2,500 cells', '0 entries')
    """
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"


def fitness_text(fitness: int) -> str:
    """A fitness: in full below 10^12, else as the power of two below it, because Lemma 2's are 2^(n-i) - 1.

    >>> fitness_text(1_234_567), fitness_text(2**15000)
    ('1,234,567', 'about 2^15000')
    """
    return number(fitness) if fitness < 10**12 else f"about 2^{fitness.bit_length() - 1}"


def duration(seconds: float | None) -> str:
    """A length of time: 3 ms, 1.2 s, 12 s, 3 min 20 s, 5 h 10 min, 2 d 4 h.

    >>> duration(0.0031), duration(1.24), duration(200), duration(86400 * 2.25), duration(None)
    ('3 ms', '1.2 s', '3 min 20 s', '2 d 6 h', '–')
    """
    if seconds is None or not isfinite(seconds):
        return UNKNOWN
    if seconds < 0.1:
        return "< 1 ms" if seconds < 0.0005 else f"{fixed(1000 * seconds, 0)} ms"
    if seconds < 9.95:
        return f"{fixed(seconds, 1)} s"
    minutes, rest = divmod(floor(seconds + 0.5), 60)
    if minutes == 0:
        return f"{rest} s"
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} d {hours % 24} h"


_WRITTEN = re.compile(r"(<? ?)(−?)(?:(\d[\d,]*(?:\.\d+)?)(?: · 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?|10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))( %)?")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def as_programs_read(text: str) -> str:
    """A cell of a table as CSV has it: a number written for people as programs read it, other text as it is.

    >>> [as_programs_read(text) for text in ("12,870", "−1.2 · 10⁸", "92.9 %", "–", "not solved", "n^2 rows")]
    ['12870', '-1.2e8', '0.929', '', 'inf', 'n^2 rows']
    """
    if text == UNKNOWN:
        return ""
    if text in (INFINITE, MINUS + INFINITE, NOT_SOLVED):
        return "-inf" if text.startswith(MINUS) else "inf"
    match = _WRITTEN.fullmatch(text)
    if match is None:
        return text.replace(MINUS, "-")
    below, minus, factor, power, bare_power, percent = match.groups()
    digits = (factor or "1").replace(",", "")
    if percent:
        digits = f"{Decimal(digits).scaleb(-2):f}"
    exponent = (power or bare_power or "").translate(_LOWERED)
    return f"{below}{'-' if minus else ''}{digits}{'e' if exponent else ''}{exponent}"


# Large enough for every float in full, 1.8 · 10^308 with its decimals, and for counts of 400,000 digits.
_CONTEXT = Context(prec=2000, rounding=ROUND_HALF_UP, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _to_digits(exact: Decimal, digits: int) -> Decimal:
    return Context(prec=digits, rounding=ROUND_HALF_UP, Emax=MAX_EMAX, Emin=MIN_EMIN).plus(exact)


def _power_of_ten(rounded: Decimal) -> str:
    power = rounded.adjusted()
    factor = _without_zeros(f"{rounded.scaleb(-power, _CONTEXT):f}")
    return f"{factor} · 10{str(power).translate(_RAISED)}"


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


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
        raise InputError(f"the number has {len(digits):,} digits; at most {MOST_DIGITS:,} are allowed")
    return -_joined(digits) if text[0] == "-" else _joined(digits)


def _joined(digits: str) -> int:
    if len(digits) <= _SHORT_DIGITS:
        return int(digits)
    low = len(digits) // 2
    ten: int = 10**low
    return _joined(digits[:-low]) * ten + _joined(digits[-low:])


def to_json(value: object) -> str:
    """As `json.dumps`, but also for numbers with more digits than Python writes."""
    try:
        return json.dumps(value)
    except ValueError:  # Python's limit, somewhere inside
        if isinstance(value, dict):
            return "{" + ", ".join(f"{json.dumps(key)}: {to_json(item)}" for key, item in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(to_json, value)) + "]"
        if isinstance(value, int):
            return decimal(value)
        raise


def from_json(text: str | bytes) -> object:
    """As `json.loads`, but also for numbers with more digits than Python reads."""
    return json.loads(text, parse_int=whole)


def for_json(value: Any, *, infinite: str | None = "inf") -> Any:
    """A value, or a record of values, as JSON can hold it: NaN as None (null), infinity as a string.

    >>> for_json({"mean": float("inf"), "error": float("nan"), "times": (1, 2.5)})
    {'mean': 'inf', 'error': None, 'times': [1, 2.5]}
    """
    if isinstance(value, dict):
        return {key: for_json(item, infinite=infinite) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [for_json(item, infinite=infinite) for item in value]
    if not isinstance(value, float) or isfinite(value):
        return value
    if value != value or infinite is None:
        return None
    return infinite if value > 0 else f"-{infinite}"


_DIGITS = 6  # of the numbers in a page's data: more than a chart can show


def finite(value: float | None, digits: int = _DIGITS) -> float | int | None:
    """The number to a few significant digits, for the data of a page; None if it is missing or infinite.

    >>> finite(1234567.8), finite(0.123456789), finite(3.0), finite(float("inf"))
    (1234570, 0.123457, 3, None)
    """
    if value is None or not isfinite(value):
        return None
    rounded = float(f"{value:.{digits}g}")
    return int(rounded) if rounded == int(rounded) and abs(rounded) < 2**53 else rounded


def all_finite(values: Iterable[float | None], digits: int = _DIGITS) -> list[float | int | None]:
    """`finite` of every number."""
    return [finite(value, digits) for value in values]
