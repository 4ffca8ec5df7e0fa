"""Figures as LaTeX have the data of the picture, and LaTeX sets them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gatewalk.analysis import ecdf_figure, sample, save, success_figure, times_figure
from gatewalk.analysis.pgfplots import _tex, as_pgfplots
from gatewalk.analysis.style import (
    PURPLE,
    UNSOLVED,
    beyond,
    key,
    legend,
    letters,
    log_axis,
    open_marks,
    panels,
    styled,
)

DOCUMENT = (
    "\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\n"
    "\\begin{document}\\noindent\\input{figure.tex}\\end{document}\n"
)


@styled()
def every_kind_of_mark() -> Any:
    figure, ((left, right),) = panels(1, 2, height=2.4, sharey=True)
    for axes in (left, right):
        axes.fill_between([1, 2], [1, 2], [10, 2000], color=PURPLE, alpha=0.2)
        axes.errorbar([1, 2], [3, 30], [[1, 2], [3, 4]], marker="s", label="bars")
        axes.step([1, 2, 3], [1, 5, 900], where="post", linestyle=(0, (6, 1.5, 1, 1.5)))
        axes.plot([1, 2], [5, 6], **open_marks(PURPLE, "v", 4))
        axes.plot(2, 2000, **beyond("up", PURPLE))
        axes.plot(1, 900, color=PURPLE, **UNSOLVED)
        axes.bar([3], [20], bottom=1)
        axes.axvline(2.5, linewidth=0.6)
        axes.text(1.2, 100, "Theorem 6, ⌈n⌉ ≤ 5 % {and}", ha="left", va="top")
        axes.set_title("$q'$ & ∞")
        log_axis(axes, "two lines\nof a label, 10⁻³" if axes is left else "")
    letters([left, right])
    figure.text(0.5, 0.5, "beside", ha="center")
    left.legend(loc="upper left", title="a title")
    legend(figure, [key("one"), key("", linestyle="none"), key("n^2_x", marker="|")], columns=2)
    return figure


def test_coordinates_labels_and_braces(tmp_path: Path) -> None:
    runs = {3: sample([2, 4], [True, True]), 4: sample([8, 9], [True, False])}
    drawn = times_figure({"nodes=2n_x": runs}, exact={"nodes=2n_x": {3: 2.5}})
    save(drawn, str(tmp_path / "a.tex"))
    text = (tmp_path / "a.tex").read_text()
    assert text == as_pgfplots(drawn)  # as it was arranged for the file
    assert text.count("\\begin{axis}") == text.count("\\end{axis}") == 1
    assert text.count("{") == text.count("}")
    assert "(3,3) (4,17)" in text
    assert "(3,2.5)" in text
    assert "ymode=log" in text
    assert "\\addlegendentry{nodes=2n\\_x}" in text


def test_intervals_are_segments() -> None:
    text = as_pgfplots(success_figure({"a": {3: sample([2, 4], [True, False])}}))
    assert text.count("\\addplot") >= 2


def test_open_marks_have_the_colour_of_their_edge() -> None:
    text = as_pgfplots(every_kind_of_mark())
    assert "draw={rgb,255:red,204;green,121;blue,167},fill={rgb,255:red,255;green,255;blue,255}" in text


def test_panels_that_share_an_axis_show_its_labels_once_and_its_ticks_twice() -> None:
    text = as_pgfplots(every_kind_of_mark())
    (first, second) = (line for line in text.splitlines() if line.strip().startswith("yticklabels="))
    assert "10" in first
    assert "10" not in second
    (first, second) = (line for line in text.splitlines() if line.strip().startswith("ytick="))
    assert first == second


def test_rows_of_a_legend_are_filled_as_in_the_picture() -> None:
    with styled():
        figure, _ = panels(height=2)
        legend(figure, [key(name) for name in "abcde"], columns=2)  # a b c in the first column, d e beside it
    text = as_pgfplots(figure)
    said = [part.partition("}")[0] for part in text.split("\\addlegendentry{")[1:]]
    assert said == ["a", "d", "b", "e", "c", ""]


@pytest.mark.parametrize(
    ("label", "latex"),
    [
        ("10⁻³", "$10^{-3}$"),
        ("Andₙ, n²", "And$_{n}$, n$^{2}$"),
        ("95 % of \\$5", "95 \\% of \\$5"),
        ("$n^2$ and {and}", "$n^2$ and \\{and\\}"),
        ("a\nb", "a\\\\b"),
    ],
)
def test_labels_become_latex(label: str, latex: str) -> None:
    assert _tex(label) == latex


@pytest.mark.parametrize("name", ["every mark", "a campaign's"])
def test_latex_sets_it(name: str, tmp_path: Path) -> None:
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("pdflatex is not installed (apt-get install texlive-latex-base texlive-pictures)")
    runs = {"nodes=n^2": {3: sample([2, 4], [True, True]), 4: sample([8, 9], [True, False])}}
    save(every_kind_of_mark() if name == "every mark" else ecdf_figure(runs), tmp_path / "figure.tex")
    (tmp_path / "paper.tex").write_text(DOCUMENT)
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in (tmp_path / "paper.log").read_text(errors="replace")
