"""The house style: labels that can be read, ticks that do not merge, the same bytes every time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from gatewalk.analysis.style import (
    FILES,
    FORMATS,
    log_axis,
    log_label,
    panels,
    picture,
    save,
    save_all,
    styled,
)
from gatewalk.errors import InputError, MissingExtra


def drawn(*values: float) -> Any:
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
def test_labels_of_logarithmic_axes(value: float, low: float, high: float, label: str) -> None:
    assert log_label(value, low, high) == label


def test_minor_ticks_do_not_merge() -> None:
    assert drawn(1, 1e12).axes[0].yaxis.get_minorticklocs().size == 0
    assert drawn(1, 900).axes[0].yaxis.get_minorticklocs().size > 10


def test_every_short_axis_has_two_labels() -> None:
    for high in (3, 9, 40, 150, 1e3, 1e5):
        axes = drawn(2, high).axes[0]
        low, top = axes.get_ylim()
        ticks = [*axes.get_yticklabels(), *axes.get_yticklabels(minor=True)]
        seen = [tick for tick in ticks if tick.get_text() and low <= tick.get_position()[1] <= top]
        assert len(seen) >= 2


@pytest.mark.parametrize("kind", FORMATS)
def test_the_same_bytes_whatever_the_user_has_set(kind: str) -> None:
    import matplotlib

    first = picture(drawn(1, 100), kind)
    with matplotlib.rc_context({"font.size": 30, "svg.fonttype": "none", "figure.autolayout": True}):
        assert picture(drawn(1, 100), kind) == first


def test_a_figure_is_arranged_once_for_all_formats() -> None:
    figure = drawn(1, 100)
    first = picture(figure, "svg")
    picture(figure, "png")
    assert figure.get_layout_engine() is None
    assert picture(figure, "svg") == first


def test_characters_of_an_svg_are_drawn() -> None:
    # As text, a prime in a formula became a superscript zero.
    assert b"<text" not in picture(drawn(1, 100), "svg")


def test_saved_by_name(tmp_path: Path) -> None:
    svg = save_all(drawn(1, 100), tmp_path / "new", "figure")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {f"figure{kind}" for kind in FILES}
    save(drawn(1, 100), tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").read_bytes() == svg
    with pytest.raises(InputError, match=r"x\.gif: use one of \.svg, \.pdf, \.png, \.tex"):
        save(drawn(1, 100), tmp_path / "x.gif")


def test_matplotlib_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"gatewalk\[plot\]"):
        drawn(1, 100)
