"""Plain text set for a page, for LaTeX and for a figure."""

import pytest

from gatewalk.numbers import number, probability
from gatewalk.typeset import to_html, to_latex, to_mathtext


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("n^2 and (n − 1)^4.2", "n<sup>2</sup> and (n − 1)<sup>4.2</sup>"),
        ("c b^n, n^(a + 1), 2^{-n}", "c b<sup>n</sup>, n<sup>a + 1</sup>, 2<sup>-n</sup>"),
        ("And_n, Xor_3 and s_i", "And<sub>n</sub>, Xor<sub>3</sub> and s<sub>i</sub>"),
        ("tree_terminals, log_options, ^2, a ^ b", "tree_terminals, log_options, ^2, a ^ b"),
        ("1.21e+07, p = 2.6e−34", "1.21 · 10<sup>7</sup>, p = 2.6 · 10<sup>−34</sup>"),
        ("1.2 · 10⁸, 3.4 · 10⁻⁷⁴, 2.1ⁿ", "1.2 · 10<sup>8</sup>, 3.4 · 10<sup>−74</sup>, 2.1<sup>n</sup>"),
        ("the32e+x, e+07", "the32e+x, e+07"),
        ("<b>^2</b> & n^<i>", "&lt;b&gt;^2&lt;/b&gt; &amp; n^&lt;i&gt;"),
        ('n^{"x"}', "n<sup>&quot;x&quot;</sup>"),
    ],
)
def test_html(text, markup):
    assert to_html(text) == markup


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50 % & more_", r"50 \% \& more\_"),
        ("D = n−1", "D = n$-$1"),
        ("1.2 · 10⁸", r"$1.2\cdot10^{8}$"),
        ("2.50e+09, 3.4e−74", r"$2.50\cdot10^{9}$, $3.4\cdot10^{-74}$"),
        ("10⁻³ rows, 2.1ⁿ, log₂ n", "$10^{-3}$ rows, $2.1^{n}$, log$_{2}$ n"),
        ("c n^a log n", "c n$^{a}$ log n"),
        ("made1e5", "made1e5"),  # not a number
        ("^", r"\textasciicircum{}"),
        ("\\{χ²}", r"\textbackslash{}\{$\chi$$^{2}$\}"),
        ("$5", r"\$5"),
    ],
)
def test_latex(text, latex):
    assert to_latex(text) == latex


@pytest.mark.parametrize(
    ("label", "latex"),
    [
        ("10⁻³ rows, $n^2$", "$10^{-3}$ rows, $n^2$"),
        ("{and} 95 %", r"\{and\} 95 \%"),
        ("Andₙ, n²", "And$_{n}$, n$^{2}$"),
        (r"\$5 for $x$", r"\$5 for $x$"),
        ("one\ntwo", r"one\\two"),
    ],
)
def test_latex_of_a_label_with_formulas(label, latex):
    assert to_latex(label, formulas=True) == latex


@pytest.mark.parametrize("value", [0, 436_009, -12_869.7, 1e12, 3.4e-74, float("nan"), float("inf")])
def test_every_number_can_be_set(value):
    for text in (number(value), number(value, short=True), probability(abs(value))):
        assert to_latex(text).isascii()
        assert to_mathtext(text) == text


def test_a_label_of_a_figure_has_no_formula_by_accident():
    assert to_mathtext("$5, nodes=n^2, n^(-1.5)") == r"\$5, nodes=n$^{2}$, n$^{-1.5}$"
