"""Formulas of the documentation: the site translates them, and GitHub's Markdown leaves them as they are."""

import importlib.util
import re

import pytest
from documents import PAGES, ROOT

_BLOCK = re.compile(r"^```math\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1$", re.DOTALL | re.MULTILINE)
_IN_LINE = re.compile(r"\$([^$]+)\$")


def formulas_of(page):
    """The formulas of a page: displayed ones, and those in lines, which are outside of code."""
    text = PAGES[page].read_text(encoding="utf-8")
    lines = re.sub(r"`[^`]*`", "", _FENCED.sub("", text))
    return _BLOCK.findall(text), _IN_LINE.findall(lines)


WITH_FORMULAS = [page for page in PAGES if page.endswith(".md") and any(formulas_of(page))]


@pytest.fixture(scope="module")
def mathml():
    spec = importlib.util.spec_from_file_location("mathml", ROOT / "docs" / "_ext" / "mathml.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.mathml


def test_pages_have_formulas():
    assert {"docs/theory/results.md", "docs/theory/many-nodes.md"} <= set(WITH_FORMULAS)


@pytest.mark.parametrize("page", WITH_FORMULAS)
def test_formulas(page, mathml):
    displayed, in_line = formulas_of(page)
    for formula in displayed:
        assert "<math" in mathml(formula, displayed=True)
    for formula in in_line:
        assert "<math" in mathml(formula, displayed=False), formula
        # GitHub reads escapes and emphasis before formulas, and knows no formula over two lines.
        assert not re.search(r"\\[^A-Za-z ]|\}_|\*|\n|^\s|\s$", formula), formula
        assert not re.search(
            rf"\w\${re.escape(formula)}\$|\${re.escape(formula)}\$\w", PAGES[page].read_text()
        )


def test_an_unknown_command_is_an_error(mathml):
    with pytest.raises(Exception, match="cannot translate"):
        mathml(r"\nonsense{x}", displayed=False)


def test_logarithms_stand_apart(mathml):
    shown = re.sub(r"\s+", "", mathml(r"n^3 \log n + 2\ln(n) + \ln^2 n", displayed=False))
    assert shown.count("<mspace") == 4
    assert '<mspacewidth="0.17em"></mspace><mi>log</mi>' in shown
