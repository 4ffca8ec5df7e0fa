"""A table of texts in LaTeX, with booktabs rules.

A long table continues over several pages, the print is small enough for the width of a page, and long texts
are broken into lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

PACKAGES = "array,booktabs,longtable"
_LONG = 24  # letters: longer texts are broken into lines
_LEAST = 19  # letters per line of such a text, on average
_MANY = 10  # columns: with more, the print is smaller still
_PAGE = 112  # letters in a line of a page

_SIGNS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "$": r"\$",
    "{": r"\{",
    "}": r"\}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": "$<$",
    ">": "$>$",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "×": r"$\times$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "±": r"$\pm$",
}
_TEN = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+−-]?)0*(\d+)")  # as in 3.4e−74
_POWER = re.compile(r"(?<=\w)\^(\w+)")  # as in n^a
_MATHS = re.compile(f"{_TEN.pattern}|{_POWER.pattern}")


def longtable(*, caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]], texts: int) -> str:
    """The table in LaTeX. Its first `texts` columns hold words and are aligned left, the others right."""
    head = " & ".join(map(escaped, columns)) + r" \\"
    widths = _widths(columns, rows)
    size = r"\scriptsize" if len(columns) > _MANY else r"\footnotesize"
    lines = [
        f"% \\usepackage{{{PACKAGES}}}",
        rf"\begingroup{size}\setlength{{\tabcolsep}}{{2pt}}\setlength{{\LTcapwidth}}{{\linewidth}}",
        rf"\begin{{longtable}}{{{_layout(widths, texts)}}}",
        rf"\caption{{{escaped(caption)}}}\\",
        r"\toprule",
        head,
        r"\midrule",
        r"\endfirsthead",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *(" & ".join(map(escaped, row)) + r" \\" for row in rows),
        r"\end{longtable}",
        r"\endgroup",
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """A text as LaTeX writes it: 3.4e−74 as a power of ten, n^a as a power."""
    parts: list[str] = []
    end = 0
    for match in _MATHS.finditer(text):
        factor, sign, ten, power = match.groups()
        minus = "-" if sign in ("−", "-") else ""
        maths = f"^{{{power}}}" if power else rf"{factor}\cdot10^{{{minus}{ten}}}"
        parts += [_plain(text[end : match.start()]), f"${maths}$"]
        end = match.end()
    return "".join(parts) + _plain(text[end:])


def _plain(text: str) -> str:
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """The width of each column in letters: its longest text and the space beside it."""
    return [max(map(len, column)) + 2 for column in zip(columns, *rows, strict=True)]


def _is_long(place: int, width: int, texts: int) -> bool:
    return place < texts and width > _LONG


def _layout(widths: Sequence[int], texts: int) -> str:
    """The column specification for LaTeX. Columns of long texts share the width that the others leave."""
    long = [width for place, width in enumerate(widths) if _is_long(place, width, texts)]
    left = max(_PAGE - (sum(widths) - sum(long)), _LEAST * len(long))
    share = min(1.0, left / sum(long)) / _PAGE if long else 0.0
    return "".join(
        rf">{{\raggedright\arraybackslash}}p{{{share * width:.3f}\linewidth}}"
        if _is_long(place, width, texts)
        else "lr"[place >= texts]
        for place, width in enumerate(widths)
    )
