"""Errors a user can mend: the command line shows them as one line and exits with 2."""

from __future__ import annotations

import hashlib
from numbers import Integral

MOST = 1 << 62  # what a kernel can count to, with room to add
_LONGEST_WORD = 40
_LONG = 200  # bits or characters that a message shows


class InputError(ValueError):
    """Something that the user gave is wrong; the message says in one line what, where, and what to do.

    Examples
    --------
    >>> from gatewalk import InputError, settings
    >>> try:
    ...     settings("and:8", selection="lax")
    ... except InputError as error:
    ...     print(error)
    unknown selection 'lax'; use nonstrict, strict
    """


class MissingExtra(InputError):
    """An optional dependency is needed for what was asked."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'gatewalk[{extra}]'")
        self.extra = extra


def printable(text: str) -> str:
    """A text that any terminal can show: control characters and half characters are written as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(value: object) -> str:
    """A value that somebody gave, as a message shows it: printable and no longer than a line."""
    if isinstance(value, int) and value.bit_length() > _LONG:
        return f"{'-' if value < 0 else ''}2^{value.bit_length() - 1} or more"
    text = repr(value)
    return text if len(text) <= _LONG else f"{text[: _LONG // 2]} ... ({len(text):,} characters)"


def brief(text: str) -> str:
    """A text as a word; of one that is too long, such as a start's genes, its beginning and a hash."""
    if len(text) <= _LONGEST_WORD:
        return text
    return f"{text[: _LONGEST_WORD // 2]}...{hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}"


def whole_number(what: str, value: object, *, least: int, most: int = MOST) -> None:
    """Refuse what is not a whole number from `least` to `most`."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise InputError(f"{what} is {shown(value)}; it must be a whole number")
    if int(value) < least:
        raise InputError(f"{what} is {shown(int(value))}; it must be at least {least}")
    if int(value) > most:
        raise InputError(f"{what} is {shown(int(value))}; it must be at most {most:,}")
