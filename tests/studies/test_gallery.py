"""The page that links the pages of several studies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gatewalk.studies.folder import read_study
from gatewalk.studies.gallery import write_gallery

Make = Callable[..., Path]


def test_every_study_has_a_card_with_its_figure(folder: Make, tmp_path: Path) -> None:
    study = read_study(folder())
    figures = tmp_path / "out" / "mine" / "figures"
    figures.mkdir(parents=True)
    index = write_gallery([study], tmp_path / "out")
    assert "<img" not in index.read_text(encoding="utf-8")
    (figures / "times.svg").write_text("<svg/>")
    text = write_gallery([study], tmp_path / "out").read_text(encoding="utf-8")
    assert index == tmp_path / "out" / "index.html"
    assert '<a href="mine/index.html">Mine &lt;b&gt;</a>' in text
    assert 'src="data:image/svg+xml;base64,' in text
