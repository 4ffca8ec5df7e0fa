"""Formulas as MathML, which browsers show themselves: no script, no fonts, no network.

Pages write `$...$` in a line and a fenced block `math` for a displayed formula, as GitHub reads them.
docutils translates LaTeX to MathML; what it does not know stops the build.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.application import Sphinx
from sphinx.errors import SphinxError

SPACE = '<mspace width="0.17em"></mspace>'
_LOGARITHM = r"(?:<mi>(?:log|ln)</mi>|<msup>\s*<mi>(?:log|ln)</mi>\s*<mn>\d</mn>\s*</msup>)"
_BEFORE = re.compile(rf"((?:</mi>|</mn>|</msup>|</msub>|\)</mo>)\s*)(?={_LOGARITHM})")
_AFTER = re.compile(rf"({_LOGARITHM}(?:\s*<mo>&ApplyFunction;</mo>)?)(?=\s*<m(?!o>|o ))")


def mathml(formula: str, *, displayed: bool) -> str:
    """A formula in MathML; browsers set no space around logarithms, so it is added.

    >>> "<mi>n</mi>" in mathml("n^2", displayed=False)
    True
    """
    try:
        translated = latex2mathml.tex2mathml(formula, as_block=displayed)
    except MathError as error:
        raise SphinxError(f"cannot translate the formula {formula!r}: {error}") from error
    return _AFTER.sub(rf"\1{SPACE}", _BEFORE.sub(rf"\1{SPACE}", translated))


def in_line(writer: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    writer.body.append(mathml(node.astext(), displayed=False))
    raise nodes.SkipNode


def displayed(writer: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    formula = mathml(node.astext(), displayed=True)
    writer.body.append(f'<div class="math">{formula}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.add_html_math_renderer("mathml", (in_line, None), (displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
