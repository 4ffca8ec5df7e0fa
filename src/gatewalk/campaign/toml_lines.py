"""The line of a key in a TOML text, for error messages; tomllib does not keep line numbers.

The lines are scanned for table headers, keys and values that span several lines. The text must be valid TOML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

MOST_PARTS = 32
_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=(.*)", re.DOTALL
)
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL
)


_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+"""
_LONG_KEY = re.compile(rf"(?<![\w\"'\\-])(?:{_PART}){{{MOST_PARTS}}}")


def has_long_key(text: str) -> bool:
    """Whether a key has more dotted parts than campaigns need; tomllib's memory grows with their square."""
    return _LONG_KEY.search(text) is not None


def line_of(text: str, path: Sequence[str | int]) -> int | None:
    """The line (from 1) of a key such as ("grid", "nodes"); numbers count repeated [[tables]].

    If the key itself is not found, the result is the line of the longest part of its path that is.
    """
    wanted = tuple(path)
    places = key_lines(text)
    while wanted:
        for candidate in (wanted, tuple(part for part in wanted if isinstance(part, str))):
            if candidate in places:
                return places[candidate]
        wanted = wanted[:-1]
    return None


@lru_cache(maxsize=1)  # the same text is searched for many keys
def key_lines(text: str) -> Mapping[tuple[str | int, ...], int]:
    """The first line of every key and table header, by path."""
    lines = _without_strings(text).split("\n")
    originals = text.split("\n")
    places: dict[tuple[str | int, ...], int] = {}
    repeats: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    depth = 0  # open brackets of an array or inline table
    for number, line in enumerate(lines, 1):
        if depth > 0:
            depth += _opened(line)
            continue
        if header := _HEADER.match(line):
            name = _parts(header[2])
            if header[1] == "[[":
                index = repeats[name] = repeats.get(name, -1) + 1
                table = (*name, index)
            else:
                table = (name[0], repeats[name[:1]], *name[1:]) if name[:1] in repeats else name
            places.setdefault(table, number)
            places.setdefault(name, number)
        elif key := _KEY.match(line):
            written = _KEY.match(originals[number - 1])
            places.setdefault((*table, *_parts((written or key)[1])), number)
            depth = max(0, _opened(key[2]))
    return places


def _parts(name: str) -> tuple[str | int, ...]:
    return tuple(part.strip().strip("\"'") for part in name.split("."))


def _opened(line: str) -> int:
    return sum(line.count(c) for c in "[{") - sum(line.count(c) for c in "]}")


def _without_strings(text: str) -> str:
    """The text with strings and comments blanked; line breaks and quoted keys are kept."""

    def blank(match: re.Match[str]) -> str:
        found = match[0]
        if found.startswith("#"):
            return ""
        return found[0] + re.sub(r"[^\n]", "_", found[1:-1]) + found[-1]

    return _STRING.sub(blank, text)
