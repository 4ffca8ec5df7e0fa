"""Figures are drawn, labelled, and written the same each time."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from gatewalk.analysis import figures, style
from gatewalk.analysis.statistics import sample
from gatewalk.errors import InputError
from gatewalk.search.settings import settings
from gatewalk.theory import bounds
from gatewalk.theory.drift import drift_report, wander_runs
from gatewalk.theory.level_report import level_report
from gatewalk.theory.watching import watch_runs

growth = import_module("gatewalk.analysis.growth")  # the room exports the function of that name


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


def test_the_level_figure_has_what_the_proofs_say() -> None:
    made = settings("and:4", nodes=6)
    found = level_report(made, watch_runs(made, seed=0, runs=range(20)))
    left, right = figures.level_figure(found).axes
    times = {str(line.get_label()): line.get_ydata() for line in left.lines}
    three = [float(1 / bounds.leave_level(4, 6, i)) for i in (1, 2, 3)]
    assert np.allclose(times["Theorem 3: at most"], three)
    assert sum(times["Theorem 6: at most"]) == pytest.approx(bounds.theorem6_levels(4, 6))  # type: ignore[arg-type]
    labels = right.get_legend_handles_labels()[1]
    assert {"$p+q$: out of $i^-$", "$q'$ (below $p+q$)", "$s_i$ (below leave)", "leave: up"} <= set(labels)
    strict = settings("and:4", nodes=6, selection="strict")
    drawn = figures.level_figure(level_report(strict, watch_runs(strict, seed=0, runs=range(20))))
    words = [str(line.get_label()) for axes in drawn.axes for line in axes.lines]
    assert any("$s_i$" in one for one in words)
    assert not any("$q'$" in one or "Theorem 6" in one for one in words)


def test_signs_are_drawn_not_left_to_a_viewer_s_font(tmp_path: Path) -> None:
    made = settings("and:3", nodes=4)
    figure = figures.level_figure(level_report(made, watch_runs(made, seed=0, runs=range(5))))
    style.save(figure, tmp_path / "levels.svg")
    drawn = (tmp_path / "levels.svg").read_text()
    assert "<text" not in drawn
    assert "DejaVuSans" in drawn  # its outlines


def test_levels_that_were_never_left_are_not_drawn() -> None:
    made = settings("and:2", nodes=8)
    solved_at_once = [one for one in watch_runs(made, seed=3, runs=range(20)) if one.iterations == 0]
    figure = figures.level_figure(level_report(made, solved_at_once))
    assert [text.get_text() for text in figure.texts] == ["Every run was solved at its start."]
    stuck = settings("and:12", nodes=12, budget=40)
    left, right = figures.level_figure(level_report(stuck, watch_runs(stuck, seed=0, runs=range(5)))).axes
    assert left.get_xlim()[1] < 11
    assert right.get_xlim() == left.get_xlim()


def test_drifts_of_a_single_run_have_no_bars() -> None:
    flat = settings("xor:5", nodes=5, budget=300)
    for runs, has_bars in ((1, False), (10, True)):
        drifts = drift_report(wander_runs(flat, seed=0, runs=range(runs)))
        left = figures.drift_figure(drifts).axes[0]
        (bars,) = left.collections
        lengths = [part[1][1] - part[0][1] for part in bars.get_segments()]  # type: ignore[attr-defined]
        assert (max(lengths) > 0) == has_bars
        assert left.get_legend_handles_labels()[1] == ["measured, 95 % interval" if has_bars else "measured"]


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
