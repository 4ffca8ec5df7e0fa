"""Plain text set for a page (HTML), for LaTeX and for a figure (Matplotlib's mathtext).

Plain text is what people type and what `gatewalk.numbers` writes: n^2, 10⁸, And_n, ≤. Powers are raised,
indices lowered, and every other character is shown as it is: text is never taken for markup.
"""

from __future__ import annotations

import html
import re

_RAISED = dict(zip("⁻⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ", "-0123456789n", strict=True))
_LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉ₙ", "0123456789n", strict=True))

_RAISED_SIGNS = re.compile(f"[{''.join(_RAISED)}]+")
_POWER = re.compile(r"(?<=[\w)\]])\^(?:\{([^{}]{1,30})\}|\(([^()]{1,30})\)|([-−]?\w+(?:\.\d+)?))")  # n^1.3
_NUMERIC_POWER = re.compile(r"\^\(?(-?\d+(?:\.\d+)?)\)?")
_E_NOTATION = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)e([+\-−])0*(\d+)\b")  # as programs write: 3.4e-74
_SUBSCRIPT = re.compile(r"\b(And|Or|Xor|Maj|Nand|Nor|Xnor|[a-zA-Z])_(\w)\b")

_LATEX_MATHS = re.compile(
    rf"(?P<number>\d[\d,.]*) · 10(?P<ten>[{''.join(_RAISED)}]+)"
    r"|(?<![\w.])(?P<factor>\d+(?:\.\d+)?)e(?P<sign>[+−-]?)0*(?P<exponent>\d+)\b"
    rf"|(?P<base>(?:\d+(?:\.\d+)?)?)(?P<raised>[{''.join(_RAISED)}]+)"
    rf"|(?P<lowered>[{''.join(_LOWERED)}]+)"
    r"|(?<=\w)\^(?P<power>\w+)"
)
_LATEX_SIGNS = {
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
    "′": "$'$",
    "∞": r"$\infty$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "±": r"$\pm$",
    "→": r"$\to$",
    "⌈": r"$\lceil$",
    "⌉": r"$\rceil$",
    "½": r"$\frac12$",
    "χ": r"$\chi$",
    "λ": r"$\lambda$",
    "ℓ": r"$\ell$",
}


def to_html(text: str) -> str:
    """Text as HTML: n^2 and 10⁸ with real superscripts, And_n with a real subscript, 2e+07 as a power of ten.

    >>> to_html("⌈n^1.3⌉ < n^2 rows of And_n, 1.2 · 10⁸ iterations")
    '⌈n<sup>1.3</sup>⌉ &lt; n<sup>2</sup> rows of And<sub>n</sub>, 1.2 · 10<sup>8</sup> iterations'
    """
    escaped = html.escape(text)
    raised = _POWER.sub(lambda match: f"<sup>{match[1] or match[2] or match[3]}</sup>", escaped)
    lowered = _SUBSCRIPT.sub(r"\1<sub>\2</sub>", raised)
    tens = _E_NOTATION.sub(
        lambda match: f"{match[1]} · 10<sup>{match[2].strip('+').replace('-', '−')}{match[3]}</sup>", lowered
    )
    return _RAISED_SIGNS.sub(lambda match: f"<sup>{_read(_RAISED, match[0]).replace('-', '−')}</sup>", tens)


def to_latex(text: str, *, formulas: bool = False) -> str:
    """Text as LaTeX: powers as formulas, signs as commands.

    formulas: the text is a label of a figure, in which what stands between dollar signs is a formula already
    and a line may end.

    >>> print(to_latex("1.2 · 10⁸ in 95 % of n^a"))
    $1.2\\cdot10^{8}$ in 95 \\% of n$^{a}$
    >>> print(to_latex("$n^2$ rows for \\\\$5", formulas=True))
    $n^2$ rows for \\$5
    """
    if not formulas:
        return _latex(text)
    parts = text.replace(r"\$", "\0").split("$")
    parts[::2] = map(_latex, parts[::2])
    return "$".join(parts).replace("\0", r"\$").replace("\n", r"\\")


def to_mathtext(text: str) -> str:
    r"""Text as a label of a Matplotlib figure: no dollar sign begins a formula, powers are raised.

    The raised signs of numbers, as in 10⁸, stay: the font of the figures has them.

    >>> print(to_mathtext("$5, nodes=n^2"))
    \$5, nodes=n$^{2}$
    """
    return _NUMERIC_POWER.sub(r"$^{\1}$", text.replace("$", r"\$"))


def _latex(text: str) -> str:
    parts: list[str] = []
    end = 0
    for match in _LATEX_MATHS.finditer(text):
        parts += [_latex_signs(text[end : match.start()]), f"${_formula(match)}$"]
        end = match.end()
    return "".join(parts) + _latex_signs(text[end:])


def _formula(match: re.Match[str]) -> str:
    if match["number"]:
        return rf"{match['number']}\cdot10^{{{_read(_RAISED, match['ten'])}}}"
    if match["factor"]:
        minus = "-" if match["sign"] in ("−", "-") else ""
        return rf"{match['factor']}\cdot10^{{{minus}{match['exponent']}}}"
    if match["raised"]:
        return f"{match['base']}^{{{_read(_RAISED, match['raised'])}}}"
    if match["lowered"]:
        return f"_{{{_read(_LOWERED, match['lowered'])}}}"
    return f"^{{{match['power']}}}"


def _latex_signs(text: str) -> str:
    return "".join(_LATEX_SIGNS.get(sign, sign) for sign in text)


def _read(letters: dict[str, str], text: str) -> str:
    return "".join(letters[sign] for sign in text)
