"""Text for a page: escaped, with superscripts and subscripts as in print."""

from __future__ import annotations

import html
import re

_POWER = re.compile(r"(?<=[\w)\]])\^(?:\{([^{}]{1,30})\}|\(([^()]{1,30})\)|([-−]?\w+(?:\.\d+)?))")
_TENS = re.compile(r"(?<=\d)e([+\-−])0*(\d+)\b")
_INDEX = re.compile(r"\b(And|Or|Xor|Maj|Nand|Nor|Xnor|[a-zA-Z])_(\w)\b")


def prose(words: str) -> str:
    """Text as markup: n^2 has a real superscript, And_n a real subscript, 2e+07 is 2·10 to the power 7.

    Nothing else is markup.

    Parameters
    ----------
    words
        Any text; all other characters are shown as they are.

    Examples
    --------
    >>> prose("⌈n^1.3⌉ < n^2 rows of And_n")
    '⌈n<sup>1.3</sup>⌉ &lt; n<sup>2</sup> rows of And<sub>n</sub>'
    """
    escaped = html.escape(words)
    raised = _POWER.sub(lambda found: f"<sup>{found[1] or found[2] or found[3]}</sup>", escaped)
    lowered = _INDEX.sub(r"\1<sub>\2</sub>", raised)
    return _TENS.sub(lambda found: f"·10<sup>{found[1].strip('+')}{found[2]}</sup>", lowered)
