"""Figures are readable without colour, carry the published points, and come out the same every time."""

from dataclasses import replace

import numpy as np
import pytest
from figure_checks import check
from matplotlib.figure import Figure
from paper_cells import TRUE, cell_of, made

from gatewalk.analysis.distribution_figures import SHOWN
from gatewalk.analysis.style import EXACT, FAILED, GREY, UNSOLVED, Look, picture, styled
from gatewalk.stats import ert, sample, success_rate
from gatewalk.theory import exact
from gatewalk_studies.paper import figures, theory
from gatewalk_studies.paper.cells import MODELS, XOR_MODELS, Place, line, plotted_means
from gatewalk_studies.paper.figures import (
    LOOKS,
    abilities,
    band_of_mean,
    ceiling,
    draw_band,
    draw_means,
    draw_points,
    draw_published,
    exact_handle,
    handle,
    times,
)
from gatewalk_studies.paper.study import crosses, measured_drawings, runs_each, theory_drawings
from gatewalk_studies.paper.theory import scalings


def test_published_points_are_drawn_over_ours(cells):
    with styled():
        drawn = figures.figure2(cells, "tinyverse")
    place = drawn.axes[0]
    assert place.get_yscale() == "log"
    look = LOOKS["cgp-1n"]
    points = [line for line in place.lines if line.get_marker() == look.marker]
    assert len(points) == 1
    plotted = plotted_means("fig2", "runtime")
    for n, value in zip(points[0].get_xdata(), points[0].get_ydata(), strict=True):
        assert value == plotted["nonstrict", "cgp-1n", int(n)]
    assert points[0].get_markerfacecolor() == "white"
    curves = [line for line in place.lines if line.get_color() == look.colour and line.get_linestyle() == "-"]
    ours = cells[Place("complete", "tinyverse", "nonstrict", "cgp-1n", 5)].runs.times.mean()
    assert ours in np.asarray(curves[0].get_ydata())


def test_axes_say_what_they_show(cells):
    grown = scalings(cells, "xor", "paper")
    with styled():
        all_drawn = [
            figures.figure2(cells, "paper"),
            figures.figure3(cells, "paper"),
            figures.success_figure(cells, "paper"),
            figures.ert_figure(cells, "paper", {}),
            figures.distributions_figure(cells, "paper"),
            theory.exponents_figure(scalings(cells, "complete", "paper")),
            theory.bounds_figure(cells),
            theory.xor_figure(cells, grown, {}),
        ]
    for drawn in all_drawn:
        assert drawn.axes[0].get_ylabel() or drawn.axes[0].get_yticklabels()
        assert any(place.get_xlabel() for place in drawn.axes)
        letters = [word for place in drawn.axes for word in (place.get_title(), place.get_ylabel())]
        assert any(word.startswith("(a)") for word in letters)
        assert any(word.startswith("(b)") for word in letters)
        assert drawn.legends


def test_cells_without_success_have_an_arrow_that_the_legend_explains(cells):
    def entries(shown):
        with styled():
            drawn = figures.ert_figure(shown, "paper", {})
        return [text.get_text() for text in drawn.legends[0].get_texts()]

    place = Place("complete", "paper", "strict", "cgp-1n", 5)
    failed = replace(cells[place], runs=sample([3000] * 12, [False] * 12))
    assert "no run succeeded" in entries({**cells, place: failed})
    solved = {p: replace(cell, runs=sample([5] * 12, [True] * 12)) for p, cell in cells.items()}
    assert "no run succeeded" not in entries(solved)


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_the_same_cells_give_the_same_bytes(cells, kind):
    with styled():
        first, second = (picture(figures.success_figure(cells, "paper"), kind) for _ in range(2))
    assert first == second


LOOK = Look("black", "solid", "o")


def cell(solved):
    return cell_of([100] * 12, [True] * solved + [False] * (12 - solved))


def test_the_ceiling_is_above_all_that_was_spent():
    place = Place("complete", "paper", "strict", "cgp-1n", 4)
    assert ceiling({place: cell(12)}) == 10 * 1200


@pytest.mark.parametrize(
    ("solved", "marks"), [(12, set()), (6, set()), (1, {"endless"}), (0, {"unsolved"})], ids=str
)
def test_marks_are_drawn_where_they_are_needed(solved, marks):
    found = {4: cell(12), 5: cell(solved)}
    band, points = Figure().subplots(), Figure().subplots()
    assert draw_band(band, found, LOOK, 12_000.0) == marks
    assert draw_points(points, found, LOOK, 12_000.0, aside=0.2) == marks
    curve = band.lines[0]
    assert list(curve.get_xdata()) == ([4, 5] if solved else [4])
    assert curve.get_ydata()[-1] == ert(found[5 if solved else 4].runs)
    if "unsolved" in marks:
        (arrow,) = [line for line in band.lines if line.get_marker() == UNSOLVED["marker"]]
        assert (list(arrow.get_xdata()), list(arrow.get_ydata())) == ([5], [1200.0])
    if "endless" in marks:
        assert any(list(line.get_ydata()) == [12_000.0] for line in band.lines[1:])


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_the_exact_curve_begins_at_the_solved_starts_and_rises_to_one(profile):
    figure = figures.exact_figure({}, profile)
    nodes = 3 if profile == "paper" else 4
    for axes, selection in zip(figure.axes, ("nonstrict", "strict"), strict=True):
        (curve,) = axes.lines
        shares = np.asarray(curve.get_ydata(), dtype=float)
        law = exact("and:3", nodes=nodes, profile=profile, selection=selection).distribution()
        assert shares[0] == pytest.approx(law.cumulative(0))
        assert (np.diff(shares) >= 0).all()
        assert shares[-1] >= SHOWN - 1e-3
        assert axes.get_xscale() == "log"


def test_only_successful_runs_are_averaged():
    seen = cell_of([10, 20, 900], [True, True, False])
    assert sorted(times(seen)) == [10, 20]
    assert list(abilities(seen)) == [0.5, 0.75]


@pytest.mark.parametrize("failures", [False, True])
def test_a_cross_says_that_a_run_failed(failures):
    axes = Figure().subplots()
    cells = {4: cell_of([10, 20, 30], [True] * 3), 5: cell_of([10, 20, 900], [True, True, not failures])}
    assert draw_means(axes, cells, LOOK, times) is failures
    curve, *marks = axes.lines
    assert list(curve.get_xdata()) == [4, 5]
    assert curve.get_ydata()[0] == 20
    assert curve.get_ydata()[1] == (15 if failures else 310)
    assert [(list(mark.get_xdata()), mark.get_marker()) for mark in marks] == (
        [([5], FAILED["marker"])] if failures else []
    )


def test_a_size_without_success_is_left_out():
    axes = Figure().subplots()
    cells = {4: cell_of([10, 20], [True] * 2), 5: cell_of([9, 9], [False] * 2)}
    draw_means(axes, cells, LOOK, times)
    assert list(axes.lines[0].get_xdata()) == [4]


def test_published_points_are_those_of_the_curve_at_our_sizes():
    axes = Figure().subplots()
    published = {("strict", "a", 4): 7.0, ("strict", "a", 6): 9.0, ("strict", "b", 4): 1.0}
    draw_published(axes, published, "strict", "a", [3, 4, 5], {"marker": "o"})
    (points,) = axes.lines
    assert (list(points.get_xdata()), list(points.get_ydata())) == ([4], [7.0])


@pytest.mark.parametrize("models", [MODELS, XOR_MODELS])
def test_models_differ_in_colour_line_and_marker(models):
    looks = [LOOKS[model.name] for model in models]
    for name in ("colour", "dashes", "marker"):
        assert len({str(getattr(look, name)) for look in looks}) == len(looks)


def test_exact_values_have_a_colour_of_their_own():
    assert EXACT["color"] not in {look.colour for look in LOOKS.values()}
    assert exact_handle().get_color() == EXACT["color"]


def test_entries_of_a_legend():
    entry = handle(MODELS[0], "tinyverse")
    assert entry.get_label() == "CGP, $D = n+1$"
    assert entry.get_markerfacecolor() == "white"
    assert handle(MODELS[0], filled=True).get_markerfacecolor() == LOOKS[MODELS[0].name].colour


def test_figure_3_has_a_panel_for_each_model_selection_and_measure(cells):
    with styled():
        drawn = figures.figure3(cells, "tinyverse")
    assert len(drawn.axes) == 4 * len(MODELS)
    assert [place.get_title() for place in drawn.axes[:2]] == ["CGP, $D = n+1$", "CGP, $D = 2n+1$"]
    rows = [drawn.axes[row * len(MODELS)].get_ylabel() for row in range(4)]
    assert [words[:3] for words in rows] == ["(a)", "(b)", "(c)", "(d)"]
    (points,) = [line for line in drawn.axes[0].lines if line.get_markeredgecolor() == GREY]
    plotted = plotted_means("fig3", "runtime")
    for n, value in zip(points.get_xdata(), points.get_ydata(), strict=True):
        assert value == plotted["nonstrict", "cgp-1n", int(n)]


def test_success_rates_are_those_of_the_runs(cells):
    with styled():
        drawn = figures.success_figure(cells, "paper")
    assert len(drawn.axes) == 2 * len(MODELS)
    found = line(cells, "complete", "paper", "nonstrict", MODELS[0].name)
    ours = next(one for one in drawn.axes[0].lines if one.get_color() != GREY)
    assert list(ours.get_xdata()) == list(found)
    assert np.allclose(ours.get_ydata(), [success_rate(cell.runs).rate for cell in found.values()])
    assert {place.get_ylim() for place in drawn.axes} == {(-0.04, 1.06)}


@pytest.fixture
def odd(cells):
    """The cells, one with a single success and one with none."""
    rare = Place("complete", "paper", "strict", "cgp-1n", 5)
    never = Place("complete", "paper", "strict", "cgp-2n", 5)
    shown = {
        rare: replace(cells[rare], runs=sample([3000] * 12, [True] + [False] * 11)),
        never: replace(cells[never], runs=sample([3000] * 12, [False] * 12)),
    }
    return {**cells, **shown}


DRAWN = {
    "figure2": lambda cells: figures.figure2(cells, "paper"),
    "figure3": lambda cells: figures.figure3(cells, "paper"),
    "success": lambda cells: figures.success_figure(cells, "paper"),
    "ert": lambda cells: figures.ert_figure(cells, "paper", {}),
    "distributions": lambda cells: figures.distributions_figure(cells, "paper"),
    "exact": lambda cells: figures.exact_figure(cells, "paper"),
    "exponents": lambda cells: theory.exponents_figure(scalings(cells, "complete", "paper")),
    "bounds": theory.bounds_figure,
    "xor": lambda cells: theory.xor_figure(cells, scalings(cells, "xor", "paper"), {}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_journal_takes_it(odd, name):
    with styled():
        drawn = DRAWN[name](odd)
    # The marks of exponents are explained by the names beside them.
    check(drawn, named=[look.marker for look in LOOKS.values()] if name == "exponents" else ())


def test_an_interval_without_an_upper_end_is_marked_at_the_edge(odd):
    with styled():
        drawn = figures.ert_figure(odd, "paper", {})
    strict = drawn.axes[1]
    (mark,) = [
        line
        for line in strict.lines
        if line.get_marker() == "^" and not line.get_clip_on() and line.get_color() == LOOKS["cgp-1n"].colour
    ]
    assert 5 in mark.get_xdata()
    assert np.allclose(mark.get_ydata(), strict.get_ylim()[1])


def test_captions_say_how_many_runs_each_cell_has(cells):
    count = next(iter(cells.values())).runs.runs
    assert runs_each(cells) == f" ({count} runs per cell)"


def test_captions_speak_of_crosses_where_there_are_some(odd):
    complete = {place: cell for place, cell in odd.items() if place.part == "complete"}
    solved = {place: replace(cell, runs=sample([5] * 12, [True] * 12)) for place, cell in complete.items()}
    assert "cross" in crosses(complete, "paper")
    assert crosses(solved, "paper") == ""


COMPLETE = made(TRUE)
SAMPLED = {replace(place, part="incomplete"): cell for place, cell in COMPLETE.items()}


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (COMPLETE | SAMPLED, ["figure2", "figure3", "success", "distributions", "ert", "exact"]),
        (COMPLETE, ["figure2", "success", "distributions", "ert", "exact"]),
        (SAMPLED, ["figure3"]),
    ],
    ids=["all", "complete", "incomplete"],
)
def test_parts_that_were_run_have_their_figures(cells, names):
    drawings = list(measured_drawings(cells, "paper", {}))
    assert [drawing.name for drawing in drawings] == [f"{name}-paper" for name in names]
    assert {drawing.heading for drawing in drawings} == {
        "Figures, profile paper: Algorithms 1\N{EN DASH}3 to the letter"
    }
    assert list(measured_drawings(cells, "tinyverse", {})) == []


def test_the_gap_of_theorem_6_is_said_wherever_it_is_drawn():
    upper = scalings(COMPLETE, "complete", "paper")
    drawings = {drawing.name: drawing for drawing in theory_drawings(COMPLETE, upper, [], {})}
    assert set(drawings) == {"exponents", "bounds"}
    for drawing in drawings.values():
        assert "Theorem 6 the proof has a gap" in drawing.caption
    assert [drawing.name for drawing in theory_drawings(SAMPLED, [], [], {})] == []


def test_the_band_of_one_value_is_that_value():
    assert band_of_mean(np.array([7.0])) == (7.0, 7.0)
