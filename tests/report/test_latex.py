"""Tables in LaTeX: signs, powers, and columns that are broken into lines."""

from __future__ import annotations

import pytest

from gatewalk.report.latex import escaped, longtable


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("50 % & more_", r"50 \% \& more\_"),
        ("D = n−1", "D = n$-$1"),
        ("< 1e−300", r"$<$ $1\cdot10^{-300}$"),
        ("2.50e+09", r"$2.50\cdot10^{9}$"),
        ("c n^a log n", "c n$^{a}$ log n"),
        ("made1e5", "made1e5"),  # not a number
        ("^", r"\textasciicircum{}"),
        ("\\{χ²}", r"\textbackslash{}\{$\chi$$^2$\}"),
    ],
)
def test_a_text_as_latex_writes_it(text: str, latex: str) -> None:
    assert escaped(text) == latex


def test_short_words_to_the_left_numbers_to_the_right() -> None:
    lines = longtable(
        caption="Times", columns=("model", "mean"), rows=(("CGP", "3.5"),), texts=1
    ).splitlines()
    assert lines[2:5] == [r"\begin{longtable}{lr}", r"\caption{Times}\\", r"\toprule"]
    assert r"CGP & 3.5 \\" in lines
    assert r"\footnotesize" in lines[1]


def test_long_words_are_broken_and_share_the_page() -> None:
    row = ("a claim of many words, " * 4, "3", "another of half as many, " * 2)
    latex = longtable(caption="Claims", columns=("claim", "n", "why"), rows=(row,), texts=3)
    widths = [float(part.split(r"\linewidth")[0]) for part in latex.split("p{")[1:]]
    assert len(widths) == 2
    assert 0.9 < sum(widths) < 1.0
    assert widths[0] > 1.5 * widths[1]


def test_many_columns_take_a_smaller_print() -> None:
    columns = tuple(f"column {i}" for i in range(12))
    assert r"\scriptsize" in longtable(caption="Many", columns=columns, rows=(columns,), texts=0)
