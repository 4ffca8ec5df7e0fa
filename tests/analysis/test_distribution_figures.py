"""Distributions are drawn as steps with bands, and exact curves beside them."""

from __future__ import annotations

import figure_checks
import numpy as np
import pytest

from gatewalk import settings
from gatewalk.analysis import sample
from gatewalk.analysis.distribution_figures import (
    MOST_PANELS,
    distributions_figure,
    ecdf_figure,
    fixed_target_figure,
)
from gatewalk.analysis.fixed_target import TracedRun
from gatewalk.analysis.known_times import exact_law

CUT = sample([3, 4, 8, 8], [True, True, False, False])
NEVER = sample([9, 9], [False, False])


def texts(figure) -> list[str]:  # type: ignore[no-untyped-def]
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_ecdf_gives_sizes_the_same_weight() -> None:
    (axes,) = ecdf_figure({"a": {2: CUT, 3: sample([5], [True])}, "b": {2: NEVER}}).axes
    first, second = axes.lines
    assert first.get_xdata().tolist() == [1, 4, 5, 6, 9]  # type: ignore[union-attr]
    assert first.get_ydata().tolist() == [0, 0.125, 0.25, 0.75, 0.75]  # type: ignore[union-attr]
    assert second.get_ydata().tolist() == [0, 0]  # type: ignore[union-attr]


def test_distribution_has_steps_bands_marks_and_the_law() -> None:
    law = exact_law(settings("and:3", nodes=2))
    assert law is not None
    drawn = distributions_figure({"a": {3: CUT}, "b": {3: NEVER, 4: CUT}}, laws={"a": {3: law}})
    assert texts(drawn) == ["a", "b", "95 % band", "exact", "runs given up"]
    left = drawn.axes[0]
    assert np.allclose(left.lines[0].get_ydata(), [0, 0.25, 0.5, 0.5])
    exact = left.lines[2]
    assert np.allclose(exact.get_ydata(), [law.cumulative(int(t) - 1) for t in exact.get_xdata()])  # type: ignore


@pytest.mark.parametrize("sizes", [[3], [3, 4], [3, 4, 5]])
def test_the_legend_is_never_wider_than_the_figure(sizes: list[int]) -> None:
    names = [
        f"tgp-{steps} {selection}" for steps in ("single", "multi") for selection in ("strict", "nonstrict")
    ]
    drawn = distributions_figure({name: dict.fromkeys(sizes, CUT) for name in names})
    assert texts(drawn) == [*names, "95 % band", "runs given up"]
    figure_checks.check(drawn)


def test_many_sizes_become_six_panels() -> None:
    drawn = distributions_figure({"a": dict.fromkeys(range(2, 30), CUT)})
    titles = [axes.get_title() for axes in drawn.axes]
    assert len(titles) == MOST_PANELS
    assert (titles[0], titles[-1]) == ("$n = 2$", "$n = 29$")


def test_fixed_targets() -> None:
    runs = [TracedRun([(1, 3), (5, 0)], 5), TracedRun([(1, 3), (9, 1)], 20)]
    drawn = fixed_target_figure({"a": {2: runs}})
    assert drawn.axes[0].lines[0].get_xdata().tolist() == [4, 2, 1]  # type: ignore[union-attr]
    assert drawn.axes[0].lines[0].get_ydata().tolist() == [1.0, 7.0, 25.0]  # type: ignore[union-attr]
    assert texts(drawn) == ["a"]
