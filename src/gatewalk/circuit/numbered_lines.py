"""Reading a text file line by line, with line numbers for error messages."""

from __future__ import annotations

from collections.abc import Iterator

from gatewalk.errors import InputError, shown

_MOST_DIGITS = 18


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Every line with its number, from 1 on; one at a time, so that a large file is not held twice."""
    number, start = 1, 0
    while (end := text.find("\n", start)) >= 0:
        yield number, text[start:end].removesuffix("\r")
        number, start = number + 1, end + 1
    if start < len(text):
        yield number, text[start:]


def whole_number_in(word: str, what: str, line: int, most: int) -> int:
    """The whole number written in a word of a line; `InputError` if it is not one or larger than `most`.

    A size that a file declares is thus checked before memory is reserved for it.
    """
    if not word.isascii() or not word.isdigit():
        raise InputError(f"line {line}: {what} must be a whole number, not {shown(word)}")
    if len(word) > _MOST_DIGITS or int(word) > most:
        raise InputError(f"line {line}: {what} is {shown(word)}, Gatewalk reads at most {most:,}")
    return int(word)
