"""The house style: labels that can be read, ticks that do not merge, the same bytes every time."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from gatewalk.analysis import times_figure
from gatewalk.analysis.distribution_figures import ecdf_figure
from gatewalk.analysis.pgfplots import as_pgfplots
from gatewalk.analysis.style import (
    FILES,
    FORMATS,
    PURPLE,
    UNSOLVED,
    edge_mark,
    legend,
    legend_entry,
    letter_panels,
    log_axis,
    log_label,
    open_marks,
    panels,
    picture,
    save,
    save_all,
    styled,
)
from gatewalk.analysis.time_figures import success_figure
from gatewalk.errors import InputError
from gatewalk.stats import sample


def drawn(*values):
    with styled():
        figure, ((axes,),) = panels(height=2)
        axes.plot(range(len(values)), values)
        axes.set_title("$q'$")
        log_axis(axes, "iterations")
    return figure


@pytest.mark.parametrize(
    ("value", "low", "high", "label"),
    [
        (1, 1, 1e6, "1"),
        (10, 1, 1e6, "10"),
        (1e3, 1, 1e6, "10³"),
        (1e12, 1, 1e12, "10¹²"),
        (1e-3, 1e-6, 1, "10⁻³"),
        (2000, 1, 1e6, ""),
        (1e3, 20, 2e3, "1000"),
        (0.02, 0.01, 0.4, "0.02"),
        (0.03, 0.01, 0.4, ""),
        (30, 10, 70, "30"),
        (70, 10, 70, ""),
        (70, 50, 90, "70"),
        (1e7, 1e6, 2e7, "10⁷"),
        (5e6, 1e6, 2e7, "5·10⁶"),
        (2e-5, 1e-5, 9e-5, "2·10⁻⁵"),
    ],
)
def test_labels_of_logarithmic_axes(value, low, high, label):
    assert log_label(value, low, high) == label


def test_minor_ticks_do_not_merge():
    assert drawn(1, 1e12).axes[0].yaxis.get_minorticklocs().size == 0
    assert drawn(1, 900).axes[0].yaxis.get_minorticklocs().size > 10


def test_every_short_axis_has_two_labels():
    for high in (3, 9, 40, 150, 1e3, 1e5):
        axes = drawn(2, high).axes[0]
        low, top = axes.get_ylim()
        ticks = [*axes.get_yticklabels(), *axes.get_yticklabels(minor=True)]
        seen = [tick for tick in ticks if tick.get_text() and low <= tick.get_position()[1] <= top]
        assert len(seen) >= 2


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_bytes_whatever_the_user_has_set(kind):
    import matplotlib

    first = picture(drawn(1, 100), kind)
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "none", "figure.autolayout": True}):
        assert picture(drawn(1, 100), kind) == first


def test_a_figure_is_arranged_once_for_all_formats():
    figure = drawn(1, 100)
    first = picture(figure, "svg")
    picture(figure, "png")
    assert figure.get_layout_engine() is None
    assert picture(figure, "svg") == first


def test_characters_of_an_svg_are_drawn():
    # As text, a prime in a formula became a superscript zero.
    assert b"<text" not in picture(drawn(1, 100), "svg")


def test_saved_by_name(tmp_path):
    svg = save_all(drawn(1, 100), tmp_path / "new", "figure")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {f"figure{kind}" for kind in FILES}
    save(drawn(1, 100), tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes() == svg
    with pytest.raises(InputError, match=r"x\.gif; use one of \.svg, \.pdf, \.png, \.tex"):
        save(drawn(1, 100), tmp_path / "x.gif")


DOCUMENT = (
    "\\documentclass{article}\\usepackage{pgfplots}\\pgfplotsset{compat=1.16}\n"
    "\\begin{document}\\noindent\\input{figure.tex}\\end{document}\n"
)


@styled()
def every_kind_of_mark():
    figure, ((left, right),) = panels(1, 2, height=2.4, sharey=True)
    for axes in (left, right):
        axes.fill_between([1, 2], [1, 2], [10, 2000], color=PURPLE, alpha=0.2)
        axes.errorbar([1, 2], [3, 30], [[1, 2], [3, 4]], marker="s", label="bars")
        axes.step([1, 2, 3], [1, 5, 900], where="post", linestyle=(0, (6, 1.5, 1, 1.5)))
        axes.plot([1, 2], [5, 6], **open_marks(PURPLE, "v", 4))
        axes.plot(2, 2000, **edge_mark("up", PURPLE))
        axes.plot(1, 900, color=PURPLE, **UNSOLVED)
        axes.bar([3], [20], bottom=1)
        axes.axvline(2.5, linewidth=0.6)
        axes.text(1.2, 100, "Theorem 6, ⌈n⌉ ≤ 5 % {and}", ha="left", va="top")
        axes.set_title("$q'$ & ∞")
        log_axis(axes, "two lines\nof a label, 10⁻³" if axes is left else "")
    letter_panels([left, right])
    figure.text(0.5, 0.5, "beside", ha="center")
    left.legend(loc="upper left", title="a title")
    legend(
        figure,
        [legend_entry("one"), legend_entry("", linestyle="none"), legend_entry("n^2_x", marker="|")],
        columns=2,
    )
    return figure


def test_coordinates_labels_and_braces(tmp_path):
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


def test_intervals_are_segments():
    text = as_pgfplots(success_figure({"a": {3: sample([2, 4], [True, False])}}))
    assert text.count("\\addplot") >= 2


def test_open_marks_have_the_colour_of_their_edge():
    text = as_pgfplots(every_kind_of_mark())
    assert "draw={rgb,255:red,204;green,121;blue,167},fill={rgb,255:red,255;green,255;blue,255}" in text


def test_panels_that_share_an_axis_show_its_labels_once_and_its_ticks_twice():
    text = as_pgfplots(every_kind_of_mark())
    (first, second) = (line for line in text.splitlines() if line.strip().startswith("yticklabels="))
    assert "10" in first
    assert "10" not in second
    (first, second) = (line for line in text.splitlines() if line.strip().startswith("ytick="))
    assert first == second


def test_rows_of_a_legend_are_filled_as_in_the_picture():
    with styled():
        figure, _ = panels(height=2)
        legend(
            figure, [legend_entry(name) for name in "abcde"], columns=2
        )  # a b c in the first column, d e beside it
    text = as_pgfplots(figure)
    said = [part.partition("}")[0] for part in text.split("\\addlegendentry{")[1:]]
    assert said == ["a", "d", "b", "e", "c", ""]


@pytest.mark.parametrize("name", ["every mark", "a campaign's"])
def test_latex_sets_it(name, tmp_path):
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
