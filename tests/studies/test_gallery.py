"""The page that links the pages of several studies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gatewalk.studies import Report, read_study
from gatewalk.studies.gallery import write_gallery

Make = Callable[..., Path]


def test_every_study_has_a_card_with_its_main_figure(folder: Make, tmp_path: Path) -> None:
    study, out = read_study(folder()), tmp_path / "out"
    out.mkdir()
    svg = tmp_path / "times.svg"
    svg.write_text("<svg/>")
    made = [(study, Report(out / "mine" / "index.html", ())), (study, Report(out / "b.html", (), {}, svg))]
    index = write_gallery(made, out)
    text = index.read_text(encoding="utf-8")
    assert index == out / "index.html"
    assert '<a href="mine/index.html">Mine &lt;b&gt;</a>' in text
    assert '<a href="b.html">' in text
    assert text.count('src="data:image/svg+xml;base64,') == 1
