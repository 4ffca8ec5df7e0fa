"""Figures are drawn, labelled, and written the same each time."""

import figure_checks
import numpy as np
import pytest
from figure_checks import check

from gatewalk.analysis import growth_figures, observation_figures, style
from gatewalk.analysis.distribution_figures import (
    MOST_PANELS,
    distributions_figure,
    ecdf_figure,
    fixed_target_figure,
)
from gatewalk.analysis.growth_figures import growth_and_exponents_figure
from gatewalk.analysis.known_times import exact_time_and_law
from gatewalk.analysis.style import COLOURS, EXACT, EXACT_LINE, look_of_curve, picture
from gatewalk.analysis.time_figures import draw_curve, success_figure, times_figure
from gatewalk.errors import InputError
from gatewalk.search.options import search_for
from gatewalk.stats import success_rate
from gatewalk.stats.growth import growth, local_exponents
from gatewalk.stats.sample import sample
from gatewalk.stats.survival import TracedRun
from gatewalk.theory import conjunctions
from gatewalk.theory.observe.drift import drift_report, drift_runs
from gatewalk.theory.observe.levels import level_report, level_runs


def test_growth_and_bounds(tmp_path):
    rng = np.random.default_rng(1)
    cells = {}
    for n in (4, 8, 16):
        times = rng.exponential(n**2, 30)
        cells[n] = sample(np.minimum(times, 300), times < 300)
    fitted = growth(cells, resamples=5)
    bound = {n: float(n**3) for n in cells}
    figure = growth_figures.growth_figure({"D = 2n": (cells, fitted)}, bounds={"D = 2n": bound})
    texts = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert texts[0].startswith("D = 2n: $n^")
    for name in ("a.svg", "b.svg", "c.pdf", "d.png"):
        style.save(figure, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_levels_and_drift(tmp_path):
    search = search_for("and:4", nodes=6)
    figure = observation_figures.level_figure(
        level_report(search, level_runs(search, seed=0, runs=range(20))), title="and:4"
    )
    assert len(figure.axes) == 2
    style.save(figure, tmp_path / "levels.svg")
    flat = search_for("xor:5", nodes=5, budget=500)
    drawn = observation_figures.drift_figure(
        drift_report(drift_runs(flat, seed=0, runs=range(2))), estimate=0.4
    )
    style.save(drawn, tmp_path / "drift.svg")
    other = level_runs(search_for("maj:3", nodes=9, budget=50), seed=0, runs=range(2))
    style.save(
        observation_figures.trace_figure([(item.run, item.trace) for item in other]), tmp_path / "trace.svg"
    )
    assert all((tmp_path / f"{name}.svg").stat().st_size > 1000 for name in ("levels", "drift", "trace"))


def test_the_level_figure_has_what_the_proofs_say():
    search = search_for("and:4", nodes=6)
    levels = level_report(search, level_runs(search, seed=0, runs=range(20)))
    left, right = observation_figures.level_figure(levels).axes
    times = {str(line.get_label()): line.get_ydata() for line in left.lines}
    three = [float(1 / conjunctions.theorem3_s(4, 6, i)) for i in (1, 2, 3)]
    assert np.allclose(times["Theorem 3: at most"], three)
    assert sum(times["Theorem 6: at most"]) == pytest.approx(conjunctions.theorem6_levels(4, 6))
    labels = right.get_legend_handles_labels()[1]
    assert {"$p+q$: out of $i^-$", "$q'$ (below $p+q$)", "$s_i$ (below leave)", "leave: up"} <= set(labels)
    strict = search_for("and:4", nodes=6, selection="strict")
    drawn = observation_figures.level_figure(level_report(strict, level_runs(strict, seed=0, runs=range(20))))
    words = [str(line.get_label()) for axes in drawn.axes for line in axes.lines]
    assert any("$s_i$" in label for label in words)
    assert not any("$q'$" in label or "Theorem 6" in label for label in words)


def test_signs_are_drawn_not_left_to_a_viewer_s_font(tmp_path):
    search = search_for("and:3", nodes=4)
    figure = observation_figures.level_figure(level_report(search, level_runs(search, seed=0, runs=range(5))))
    style.save(figure, tmp_path / "levels.svg")
    drawn = (tmp_path / "levels.svg").read_text()
    assert "<text" not in drawn
    assert "DejaVuSans" in drawn  # its outlines


def test_levels_that_were_never_left_are_not_drawn():
    search = search_for("and:2", nodes=8)
    solved_at_once = [run for run in level_runs(search, seed=3, runs=range(20)) if run.iterations == 0]
    figure = observation_figures.level_figure(level_report(search, solved_at_once))
    assert [text.get_text() for text in figure.texts] == ["Every run was solved at its start."]
    stuck = search_for("and:12", nodes=12, budget=40)
    left, right = observation_figures.level_figure(
        level_report(stuck, level_runs(stuck, seed=0, runs=range(5)))
    ).axes
    assert left.get_xlim()[1] < 11
    assert right.get_xlim() == left.get_xlim()


def test_drifts_of_a_single_run_have_no_bars():
    flat = search_for("xor:5", nodes=5, budget=300)
    for runs, has_bars in ((1, False), (10, True)):
        drifts = drift_report(drift_runs(flat, seed=0, runs=range(runs)))
        left = observation_figures.drift_figure(drifts).axes[0]
        (bars,) = left.collections
        lengths = [part[1][1] - part[0][1] for part in bars.get_segments()]
        assert (max(lengths) > 0) == has_bars
        assert left.get_legend_handles_labels()[1] == ["measured, 95 % interval" if has_bars else "measured"]


def test_a_run_solved_at_its_start_is_a_point():
    search = search_for("and:1", nodes=2)
    traces = [(item.run, item.trace) for item in level_runs(search, seed=0, runs=range(2))]
    left, _ = observation_figures.trace_figure(traces).axes
    points = [line for line in left.lines if line.get_marker() == "o"]
    assert [line.get_xydata().tolist() for line in points] == [[[1.0, 0.0]], [[1.0, 0.0]]]


def test_unknown_suffix(tmp_path):
    figure = times_figure({"a": {2: GOOD}})
    with pytest.raises(InputError, match=r"\.svg"):
        style.save(figure, tmp_path / "x.gif")


GOOD = sample([3, 4, 8, 9], [True] * 4)
CUT = sample([3, 4, 8, 9], [True, True, False, False])
NEVER = sample([9, 9], [False, False])
START = sample([0, 0], [True, True])


@pytest.mark.parametrize(
    "curves",
    [
        {"a $b_c$": {4: GOOD, 5: CUT, 6: NEVER}},
        {"a": {7: GOOD}, "b": {7: CUT}},
        {"a": {2: START, 100: GOOD}},
        {"a": {2: NEVER}},
        {str(i): {2: GOOD, 3: CUT} for i in range(9)},
    ],
)
def test_times(curves):
    drawn = times_figure(curves, x="nodes", published={"a": {7: GOOD}})
    assert picture(drawn, "svg").startswith(b"<?xml")
    assert drawn.axes[0].get_yscale() == "log"


def test_values_and_legend():
    drawn = times_figure(
        {"a": {4: GOOD, 5: CUT, 6: NEVER}},
        bounds={"a": {4: 99.0}},
        bound_name="at most",
        exact={"a": {4: 6.5}},
    )
    (axes,) = drawn.axes
    assert axes.lines[0].get_xdata().tolist() == [4, 5]
    assert np.allclose(axes.lines[0].get_ydata(), [6, 12])
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        *("a", "95 % bootstrap", "some runs failed", "interval has no upper end"),
        *("no run succeeded", "at most", "exact expectation"),
    ]
    marks = {float(line.get_ydata()[0]) for line in axes.lines if len(line.get_ydata()) == 1}
    assert {99.0, 6.5, 18.0, 24.0} <= marks


def test_a_figure_without_failures_explains_none():
    legend = times_figure({"a": {4: GOOD, 5: GOOD}}).axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["a", "95 % bootstrap"]


def test_intervals_without_an_end_have_a_triangle_at_their_value():
    _, ((axes,),) = style.panels(height=2)
    intervals = [(1.0, 3.0), (1.0, np.inf), (-np.inf, np.inf)]
    assert style.draw_intervals(axes, [1, 2, 3], [2.0, 2.0, 2.0], intervals, colour="black") == {"up", "down"}
    triangles = [(line.get_marker(), line.get_xdata()[0]) for line in axes.lines if line.get_marker() in "^v"]
    assert triangles == [("^", 2), ("^", 3), ("v", 3)]
    (bars,) = axes.collections
    assert [segment[:, 1].tolist() for segment in bars.get_segments()] == [[1, 3], [1, 2], [2, 2]]


@pytest.mark.parametrize("bars", [False, True])
def test_a_curve_is_drawn_to_a_ceiling_and_beside_each_other(bars):
    _, ((axes,),) = style.panels(height=2)
    look = look_of_curve(0)
    marks = draw_curve(
        axes,
        {4: GOOD, 5: CUT, 6: NEVER},
        look,
        bars=bars,
        hollow=False,
        ceiling=500.0,
        place=lambda n: n + 0.5,
        arrow_place=float,
    )
    assert marks == {"endless", "unsolved"}
    curve = next(line for line in axes.lines if len(line.get_xdata()) == 2)
    assert curve.get_xdata().tolist() == [4.5, 5.5]
    assert curve.get_markerfacecolor() == look.colour
    single = [line for line in axes.lines if len(line.get_xdata()) == 1]
    assert {(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in single} == {
        (5.5, 500.0),
        (6.0, 18.0),
    }


@pytest.mark.parametrize(
    ("sizes", "options", "ticks", "scale"),
    [
        ([4, 5, 6, 8], {}, [4, 5, 6, 8], "linear"),
        (list(range(3, 17)), {"log": False}, [3, 5, 7, 9, 11, 13, 15], "linear"),
        (list(range(3, 51)), {"log": False}, [3, 10, 20, 30, 40, 50], "linear"),
        ([4, 8, 16, 32], {}, [4, 8, 16, 32], "log"),
        ([2, 3, 100, 101], {}, [2, 3, 101], "log"),  # labels that would touch are left out
        ([7], {}, [7], "linear"),
        ([0, 9], {}, [0, 9], "linear"),
    ],
)
def test_an_axis_of_sizes(sizes, options, ticks, scale):
    _, ((axes,),) = style.panels(height=2)
    style.size_axis(axes, sizes, x="nodes", **options)
    assert sorted(axes.get_xticks().tolist()) == ticks
    assert axes.get_xscale() == scale
    assert axes.get_xlabel() == "number of nodes $D$"
    if scale == "linear":
        low, high = axes.get_xlim()
        assert low <= sizes[0] - 0.5
        assert high >= sizes[-1] + 0.5


def test_rates_and_intervals():
    half = sample([1, 9], [True, False])
    (axes,) = success_figure({"a": {3: half, 5: sample([1, 2], [True, True])}}).axes
    assert axes.lines[0].get_ydata().tolist() == [0.5, 1.0]
    assert axes.lines[0].get_xdata().tolist() == [3, 5]
    segment = axes.collections[0].get_segments()[0]
    interval = success_rate(half).interval
    assert np.allclose(segment[:, 1], [interval.low, interval.high])


def legend_texts(axes):
    (legend,) = axes.figure.legends
    return [text.get_text() for text in legend.get_texts()]


def test_local_exponents_stand_beside_the_fit():
    rng = np.random.default_rng(3)
    cells = {n: sample(rng.exponential(n**2.0, 60), [True] * 60) for n in (4, 8, 16)}
    fitted = growth(cells, resamples=20)
    left, right = growth_and_exponents_figure({"square": (cells, fitted)}).axes
    assert left.get_yscale() == left.get_xscale() == right.get_xscale() == "log"
    (points,) = [bars.lines[0] for bars in right.containers]
    assert list(points.get_ydata()) == pytest.approx([step.exponent for step in local_exponents(cells)])
    rate = next(item.fit.rate for item in fitted.estimates if item.fit.model.name == "power")
    assert any(list(line.get_ydata()) == pytest.approx([rate, rate]) for line in right.lines)
    entries = legend_texts(right)
    assert "(b) fitted to all sizes" in entries
    assert not any("has no" in entry for entry in entries)


def test_curves_without_a_fit_and_with_single_runs():
    single = {n: sample([n**2], [True]) for n in (4, 8, 16)}
    _, right = growth_and_exponents_figure({"one": (single, None), "other": (single, None)}).axes
    assert len(right.containers) == 2
    first, second = (bars.lines[0].get_xdata() for bars in right.containers)
    assert (np.asarray(first) < np.asarray(second)).all()  # side by side
    assert "(b) fitted to all sizes" not in legend_texts(right)


HALF = sample([3, 4, 8, 8], [True, True, False, False])


def texts(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def test_ecdf_gives_sizes_the_same_weight():
    (axes,) = ecdf_figure({"a": {2: HALF, 3: sample([5], [True])}, "b": {2: NEVER}}).axes
    first, second = axes.lines
    assert first.get_xdata().tolist() == [1, 4, 5, 6, 9]
    assert first.get_ydata().tolist() == [0, 0.125, 0.25, 0.75, 0.75]
    assert second.get_ydata().tolist() == [0, 0]


def test_distribution_has_steps_bands_marks_and_the_law():
    _, law = exact_time_and_law(search_for("and:3", nodes=2))
    assert law is not None
    drawn = distributions_figure(
        {"a": {3: HALF}, "b": {3: NEVER, 4: HALF}},
        laws={"a": {3: law}},
    )
    assert texts(drawn) == ["a", "b", "95 % pointwise band", "exact", "runs given up"]
    left = drawn.axes[0]
    assert np.allclose(left.lines[0].get_ydata(), [0, 0.25, 0.5, 0.5])
    exact = left.lines[2]
    assert np.allclose(exact.get_ydata(), [law.cumulative(int(t) - 1) for t in exact.get_xdata()])


@pytest.mark.parametrize("sizes", [[3], [3, 4], [3, 4, 5]])
def test_the_legend_is_never_wider_than_the_figure(sizes):
    names = [
        f"tgp-{steps} {selection}" for steps in ("single", "multi") for selection in ("strict", "nonstrict")
    ]
    drawn = distributions_figure({name: dict.fromkeys(sizes, HALF) for name in names})
    assert texts(drawn) == [*names, "95 % pointwise band", "runs given up"]
    figure_checks.check(drawn)


def test_many_sizes_become_six_panels():
    drawn = distributions_figure({"a": dict.fromkeys(range(2, 30), HALF)})
    titles = [axes.get_title() for axes in drawn.axes]
    assert len(titles) == MOST_PANELS
    assert (titles[0], titles[-1]) == ("$n = 2$", "$n = 29$")


def test_fixed_targets():
    runs = [TracedRun([(1, 3), (5, 0)], 5), TracedRun([(1, 3), (9, 1)], 20)]
    drawn = fixed_target_figure({"a": {2: runs}})
    assert drawn.axes[0].lines[0].get_xdata().tolist() == [4, 2, 1]
    assert drawn.axes[0].lines[0].get_ydata().tolist() == [1.0, 7.0, 25.0]
    assert texts(drawn) == ["a"]


SIZES = (3, 4, 6, 8, 12, 16)
CURVES = {
    f"nodes={nodes} {selection}": {
        n: sample(
            [scale * n**3 + 17 * k for k in range(12)],
            [not (selection == "strict" and (n > 6 and k > 16 - n)) for k in range(12)],
        )
        for n in SIZES
    }
    for scale, nodes in enumerate(("n", "2n", "n^2"), 1)
    for selection in ("nonstrict", "strict")
}
CURVES_AND_ONE_NEVER_SOLVED = {
    **CURVES,
    "never": {
        3: sample([5, 5], [False, False]),
        8: sample([9, 9], [True, False]),
    },
}


def fitted():
    return {name: (along, growth(along, resamples=5)) for name, along in list(CURVES.items())[:2]}


FIGURES = {
    "time": lambda: times_figure(
        CURVES_AND_ONE_NEVER_SOLVED,
        bounds={name: {n: 1e4 * 10.0**n for n in SIZES} for name in CURVES},
        exact={"nodes=n nonstrict": {3: 40.0}},
        published={"nodes=n strict": {3: 30.0}},
    ),
    "ecdf": lambda: ecdf_figure(CURVES),
    "distribution": lambda: distributions_figure(CURVES_AND_ONE_NEVER_SOLVED),
    "success": lambda: success_figure(CURVES_AND_ONE_NEVER_SOLVED),
    "growth": lambda: growth_and_exponents_figure(fitted()),
}


@pytest.mark.parametrize("kind", FIGURES)
def test_a_journal_takes_it(kind):
    check(FIGURES[kind]())


def test_as_many_curves_as_a_figure_may_have_look_different():
    looks = [look_of_curve(index) for index in range(42)]
    assert len({(look.colour, str(look.dashes), look.marker) for look in looks}) == 42


def test_exact_values_have_a_colour_of_their_own():
    assert EXACT["color"] == EXACT_LINE["color"]
    assert EXACT["color"] not in COLOURS


def test_powers_in_names_are_raised():
    texts = [text.get_text() for text in ecdf_figure(CURVES).axes[0].get_legend().get_texts()]
    assert "nodes=n$^{2}$ strict (72 runs)" in texts
