"""Figures as LaTeX have the data of the picture."""

from __future__ import annotations

from pathlib import Path

from gatewalk.analysis import sample, save, success_figure, times_figure
from gatewalk.analysis.pgfplots import as_pgfplots


def test_coordinates_labels_and_braces(tmp_path: Path) -> None:
    runs = {3: sample([2, 4], [True, True]), 4: sample([8, 9], [True, False])}
    drawn = times_figure({"nodes=2n_x": runs}, exact={"nodes=2n_x": {3: 2.5}})
    text = as_pgfplots(drawn)
    assert text.count("\\begin{axis}") == text.count("\\end{axis}") == 1
    assert text.count("{") == text.count("}")
    assert "(3,3) (4,17)" in text
    assert "(3,2.5)" in text
    assert "ymode=log" in text
    assert "\\addlegendentry{nodes=2n\\_x}" in text
    save(drawn, str(tmp_path / "a.tex"))
    assert (tmp_path / "a.tex").read_text() == text


def test_intervals_are_segments() -> None:
    text = as_pgfplots(success_figure({"a": {3: sample([2, 4], [True, False])}}))
    assert text.count("\\addplot") >= 2
