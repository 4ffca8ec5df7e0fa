"""Errors that a user can correct: the command line shows each as one line and exits with code 2."""

from __future__ import annotations

import hashlib
from numbers import Integral

MOST = 1 << 62  # the largest count of a kernel: sums of two still fit into 64 bits with a sign
_LONGEST_WORD = 40
_LONG = 200  # the most bits or characters of a value that a message shows


class InputError(ValueError):
    """Something that the user gave is wrong; the message says in one line what, where, and what to do.

    Examples
    --------
    >>> from gatewalk import InputError, search_for
    >>> try:
    ...     search_for("and:8", selection="lax")
    ... except InputError as error:
    ...     print(error)
    unknown selection 'lax'; use nonstrict, strict, ties:P, FILE:NAME
    """

    def __init__(self, message: str, *, option: str = "") -> None:
        super().__init__(message)
        self.option = option  # the setting that is wrong, such as nodes or law.ties, if a single one is


class MissingExtra(InputError):
    """An optional dependency is needed for what was asked."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'gatewalk[{extra}]'")
        self.extra = extra


def printable(text: str) -> str:
    """The text with control characters and lone surrogates as escapes, so that any terminal can show it."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def shown(value: object) -> str:
    """A value from the user as an error message shows it: printable, and shortened if it is long."""
    if isinstance(value, int) and value.bit_length() > _LONG:
        return f"{'-' if value < 0 else ''}2^{value.bit_length() - 1} or more"
    text = repr(value)
    return text if len(text) <= _LONG else f"{text[: _LONG // 2]} ... ({len(text):,} characters)"


def brief(text: str) -> str:
    """The text itself if it is short; otherwise its beginning and a hash of all of it.

    Long texts occur where a setting holds a whole program, such as the genes of a start.
    """
    if len(text) <= _LONGEST_WORD:
        return text
    return f"{text[: _LONGEST_WORD // 2]}...{hashlib.blake2b(text.encode(), digest_size=4).hexdigest()}"


def whole_number(what: str, value: object, *, least: int, most: int = MOST) -> None:
    """Raise `InputError` unless the value is a whole number from `least` to `most`; `what` names it."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise InputError(f"{what} must be a whole number, not {shown(value)}")
    if int(value) < least:
        raise InputError(f"{what} is {shown(int(value))}; it must be at least {least}")
    if int(value) > most:
        raise InputError(f"{what} is {shown(int(value))}; it must be at most {most:,}")
