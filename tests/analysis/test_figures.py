"""Figures are drawn, labelled, and written the same each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gatewalk.analysis import figures, growth, style
from gatewalk.analysis.statistics import sample
from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory.drift import drift_report, wander_runs
from gatewalk.theory.level_report import level_report
from gatewalk.theory.watching import watch_runs


def test_growth_and_ratio(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    cells = {}
    for n in (4, 8, 16):
        times = rng.exponential(n**2, 30)
        cells[n] = sample(np.minimum(times, 300), times < 300)
    fitted = growth.growth(cells, resamples=5)
    bound = {n: float(n**3) for n in cells}
    figure = figures.growth_figure({"D = 2n": (cells, fitted)}, bounds={"D = 2n": bound})
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]  # type: ignore[union-attr]
    assert texts[0].startswith("D = 2n: $n^")
    for name in ("a.svg", "b.svg", "c.pdf", "d.png"):
        style.save(figure, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    ratios = figures.ratio_figure({"D = 2n": growth.ratios(cells, lambda n: n**3)}, bound="$n^3$")
    assert "$n^3$" in ratios.axes[0].get_ylabel()


def test_levels_and_drift(tmp_path: Path) -> None:
    made = settings("and:4", nodes=6)
    figure = figures.level_figure(level_report(made, watch_runs(made, seed=0, runs=range(20))), title="and:4")
    assert len(figure.axes) == 2
    style.save(figure, tmp_path / "levels.svg")
    flat = settings("xor:5", nodes=5, budget=500)
    drawn = figures.drift_figure(drift_report(wander_runs(flat, seed=0, runs=range(2))), estimate=0.4)
    style.save(drawn, tmp_path / "drift.svg")
    other = watch_runs(settings("maj:3", nodes=9, budget=50), seed=0, runs=range(2))
    style.save(figures.trace_figure([(item.run, item.trace) for item in other]), tmp_path / "trace.svg")
    assert all((tmp_path / f"{name}.svg").stat().st_size > 1000 for name in ("levels", "drift", "trace"))


def test_levels_that_were_never_left_are_not_drawn() -> None:
    made = settings("and:2", nodes=8)
    solved_at_once = [one for one in watch_runs(made, seed=3, runs=range(20)) if one.iterations == 0]
    figure = figures.level_figure(level_report(made, solved_at_once))
    assert [text.get_text() for text in figure.texts] == ["Every run was solved at its start."]
    stuck = settings("and:12", nodes=12, budget=40)
    left, right = figures.level_figure(level_report(stuck, watch_runs(stuck, seed=0, runs=range(5)))).axes
    assert left.get_xlim()[1] < 11
    assert right.get_xlim() == left.get_xlim()


def test_a_run_solved_at_its_start_is_a_point() -> None:
    made = settings("and:1", nodes=2)
    traces = [(item.run, item.trace) for item in watch_runs(made, seed=0, runs=range(2))]
    left, _ = figures.trace_figure(traces).axes
    points = [line for line in left.lines if line.get_marker() == "o"]
    assert [line.get_xydata().tolist() for line in points] == [[[1.0, 0.0]], [[1.0, 0.0]]]  # type: ignore[union-attr]


def test_unknown_suffix(tmp_path: Path) -> None:
    figure = figures.ratio_figure({"a": {2: 1.0, 4: 2.0}}, bound="b")
    with pytest.raises(InputError, match=r"\.svg"):
        style.save(figure, tmp_path / "x.gif")
