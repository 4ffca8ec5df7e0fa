"""Errors a user can mend: the command line shows them as one line and exits with 2."""

from __future__ import annotations

from numbers import Integral

MOST = 1 << 62  # what a kernel can count to, with room to add


class InputError(ValueError):
    """Something the user gave is wrong; the message says what, where and what to do."""


class MissingExtra(InputError):
    """An optional dependency is needed for what was asked."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'gatewalk[{extra}]'")
        self.extra = extra


def whole_number(what: str, value: object, *, least: int, most: int = MOST) -> None:
    """Refuse what is not a whole number from `least` to `most`."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise InputError(f"{what} is {value!r}; it must be a whole number")
    if int(value) < least:
        raise InputError(f"{what} is {value}; it must be at least {least}")
    if int(value) > most:
        raise InputError(f"{what} is {value}; it must be at most {most:,}")
