"""Figures are readable without colour, carry the published points, and come out the same every time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from figure_checks import check
from matplotlib.figure import Figure
from paper_cells import TRUE, made

from gatewalk.analysis.distribution_figures import SHOWN
from gatewalk.analysis.style import EXACT, GREY, UNSOLVED, Look, picture, styled
from gatewalk.search.settings import settings
from gatewalk.stats.growth import growth
from gatewalk.stats.sample import Interval, ert, sample, success_rate
from gatewalk.studies.paper import figures, gallery, model_panels, theory_figures
from gatewalk.studies.paper.ert_curves import ceiling, draw_band, draw_points, mark_keys
from gatewalk.studies.paper.exact import Moments
from gatewalk.studies.paper.exact_figures import exact_distributions
from gatewalk.studies.paper.experiments import Cell, Place, line
from gatewalk.studies.paper.gallery import _crosses, _runs_each
from gatewalk.studies.paper.looks import LOOKS, exact_handle, handle
from gatewalk.studies.paper.models import MODELS, XOR_MODELS
from gatewalk.studies.paper.published import figure
from gatewalk.studies.paper.scaling import Scaling, scalings
from gatewalk.theory.chain import solve_chain


def test_published_points_are_drawn_over_ours(cells):
    with styled():
        drawn = figures.complete_times(cells, "tinyverse")
    place = drawn.axes[0]
    assert place.get_yscale() == "log"
    look = LOOKS["cgp-1n"]
    points = [line for line in place.lines if line.get_marker() == look.marker]
    assert len(points) == 1
    plotted = figure("fig2", "runtime")
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
            figures.complete_times(cells, "paper"),
            model_panels.incomplete_times(cells, "paper"),
            model_panels.success_rates(cells, "paper"),
            figures.expected_times(cells, "paper", {}),
            figures.distributions(cells, "paper"),
            theory_figures.exponents(scalings(cells, "complete", "paper")),
            theory_figures.bounds(cells),
            theory_figures.exclusives(cells, grown, {}),
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
            drawn = figures.expected_times(shown, "paper", {})
        return [text.get_text() for text in drawn.legends[0].get_texts()]

    place = Place("complete", "paper", "strict", "cgp-1n", 5)
    failed = replace(cells[place], runs=sample([3000] * 12, [False] * 12))
    assert "no run succeeded" in entries({**cells, place: failed})
    solved = {p: replace(cell, runs=sample([5] * 12, [True] * 12)) for p, cell in cells.items()}
    assert "no run succeeded" not in entries(solved)


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_the_same_cells_give_the_same_bytes(cells, kind):
    with styled():
        first, second = (picture(model_panels.success_rates(cells, "paper"), kind) for _ in range(2))
    assert first == second


LOOK = Look("black", "solid", "o")


def cell(solved):
    runs = sample([100] * 12, [True] * solved + [False] * (12 - solved))
    return Cell(nodes=8, runs=runs, all_runs=runs, generalisation=np.zeros(12))


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


def test_the_legend_explains_the_marks_in_use():
    assert [entry.get_label() for entry in mark_keys({"endless", "unsolved"})] == [
        "interval has no upper end",
        "no run succeeded",
    ]
    assert mark_keys(set()) == []


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_the_exact_curve_begins_at_the_solved_starts_and_rises_to_one(profile):
    figure = exact_distributions({}, profile)
    nodes = 3 if profile == "paper" else 4
    for axes, selection in zip(figure.axes, ("nonstrict", "strict"), strict=True):
        (curve,) = axes.lines
        shares = np.asarray(curve.get_ydata(), dtype=float)
        law = solve_chain(settings("and:3", nodes=nodes, profile=profile, selection=selection)).distribution()
        assert shares[0] == pytest.approx(law.cumulative(0))
        assert (np.diff(shares) >= 0).all()
        assert shares[-1] >= SHOWN - 1e-3
        assert axes.get_xscale() == "log"


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
        drawn = model_panels.incomplete_times(cells, "tinyverse")
    assert len(drawn.axes) == 4 * len(MODELS)
    assert [place.get_title() for place in drawn.axes[:2]] == ["CGP, $D = n+1$", "CGP, $D = 2n+1$"]
    rows = [drawn.axes[row * len(MODELS)].get_ylabel() for row in range(4)]
    assert [words[:3] for words in rows] == ["(a)", "(b)", "(c)", "(d)"]
    (points,) = [line for line in drawn.axes[0].lines if line.get_markeredgecolor() == GREY]
    plotted = figure("fig3", "runtime")
    for n, value in zip(points.get_xdata(), points.get_ydata(), strict=True):
        assert value == plotted["nonstrict", "cgp-1n", int(n)]


def test_success_rates_are_those_of_the_runs(cells):
    with styled():
        drawn = model_panels.success_rates(cells, "paper")
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
    "figure2": lambda cells: figures.complete_times(cells, "paper"),
    "figure3": lambda cells: model_panels.incomplete_times(cells, "paper"),
    "success": lambda cells: model_panels.success_rates(cells, "paper"),
    "ert": lambda cells: figures.expected_times(cells, "paper", {}),
    "distributions": lambda cells: figures.distributions(cells, "paper"),
    "exact": lambda cells: exact_distributions(cells, "paper"),
    "exponents": lambda cells: theory_figures.exponents(scalings(cells, "complete", "paper")),
    "bounds": theory_figures.bounds,
    "xor": lambda cells: theory_figures.exclusives(cells, scalings(cells, "xor", "paper"), {}),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_journal_takes_it(odd, name):
    with styled():
        drawn = DRAWN[name](odd)
    # The marks of exponents are explained by the names beside them.
    check(drawn, named=[look.marker for look in LOOKS.values()] if name == "exponents" else ())


def test_an_interval_without_an_upper_end_is_marked_at_the_edge(odd):
    with styled():
        drawn = figures.expected_times(odd, "paper", {})
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
    assert _runs_each(cells) == f" ({count} runs per cell)"


def test_captions_speak_of_crosses_where_there_are_some(odd):
    complete = {place: cell for place, cell in odd.items() if place.part == "complete"}
    solved = {place: replace(cell, runs=sample([5] * 12, [True] * 12)) for place, cell in complete.items()}
    assert "cross" in _crosses(complete, "paper")
    assert _crosses(solved, "paper") == ""


TIMES = {n: sample(np.linspace(0.9, 1.1, 20) * n**2, np.ones(20, bool)) for n in (4, 6, 8, 12)}
POWER = next(item.fit for item in growth(TIMES, resamples=5).estimates if item.fit.model.name == "power")
ROW = Scaling("complete", "paper", "nonstrict", "cgp-2n", POWER, Interval(1.8, 2.2), "c n^a", (4, 12), 20)


@pytest.mark.parametrize(("high", "marks"), [(2.2, 0), (40.0, 1)])
def test_exponents_stand_where_they_were_fitted(high, marks):
    drawn = theory_figures.exponents([replace(ROW, interval=Interval(1.8, high))])
    left, right = drawn.axes
    marker = LOOKS["cgp-2n"].marker
    assert not [line for line in right.lines if line.get_marker() == marker]
    (point,) = [line for line in left.lines if line.get_marker() == marker]
    assert list(point.get_xdata()) == pytest.approx([POWER.rate])
    assert sum(line.get_marker() == ">" for line in left.lines) == marks


def test_bounds_lie_above_the_curves_that_they_bound():
    cells = {
        place: replace(cell, nodes=int(place.model[4]) * place.n)
        for place, cell in made(TRUE).items()
        if place.model.startswith("cgp")
    }
    left, right = theory_figures.bounds(cells).axes
    for axes in (left, right):
        assert axes.get_yscale() == "log"
        measured, bound = axes.lines[:2]
        assert list(measured.get_xdata()) == list(bound.get_xdata()) == list(range(6, 12))


def test_exclusive_disjunctions_with_fits_and_exact_values():
    place = Place("xor", "paper", "nonstrict", "cgp-1n", 3)
    cells = {
        replace(place, n=n): Cell(n, data, data, np.zeros(0))
        for n, data in ((n, sample([10.0**n, 10.0**n], [True, n < 4])) for n in (2, 3, 4))
    }
    row = replace(ROW, part="xor", model="cgp-1n")
    times, rates = theory_figures.exclusives(cells, [row], {place: Moments(990.0, 100.0)}).axes
    assert [990.0] in [list(line.get_ydata()) for line in times.lines]
    assert [1.0, 1.0, 0.5] in [list(line.get_ydata()) for line in rates.lines]
    (legend,) = times.figure.legends
    words = [text.get_text() for text in legend.get_texts()]
    assert any(word.startswith("CGP, $D = n$; $b = ") for word in words)


COMPLETE = made(TRUE)
SAMPLED = {replace(place, part="incomplete"): cell for place, cell in COMPLETE.items()}


def names(cells, profiles):
    wanted = gallery._wanted(cells, profiles, [], [], {})
    return {title: [name for name, _, _ in drawings] for title, drawings in wanted.items()}


def test_parts_that_were_run_have_their_figures():
    found = names(COMPLETE | SAMPLED, ("paper",))
    assert list(found.values()) == [
        [f"{name}-paper" for name in ("figure2", "figure3", "success", "distributions", "ert", "exact")],
        ["bounds"],
    ]
    assert list(names(SAMPLED, ("paper",)).values()) == [["figure3-paper"], []]
    assert list(names(COMPLETE, ("tinyverse",)).values()) == [[], ["bounds"]]


def test_a_figure_gets_the_cells_of_its_part_only():
    wanted = gallery._wanted(COMPLETE | SAMPLED, ("paper",), [], [], {})
    for drawings in wanted.values():
        for name, draw, _ in drawings:
            part = "incomplete" if name.startswith("figure3") else "complete"
            assert {place.part for place in draw.args[0]} == {part}


def test_figures_are_drawn_later_and_said(tmp_path, monkeypatch):
    monkeypatch.setattr(gallery, "save_all", lambda figure, folder, name: f"{figure} {name}".encode())
    monkeypatch.setattr(
        gallery,
        "_wanted",
        lambda *_: {"Heading": [("one", lambda: "drawn", "Caption."), ("two", lambda: "as", "")]},
    )
    order = []

    def later(function, *arguments):
        order.append(f"ask for {arguments[-1]}")
        return lambda: function(*arguments)

    found = gallery.pictures({}, (), (), (), {}, tmp_path, later=later, say=order.append)
    assert order == ["ask for one", "ask for two", "drawing one", "drawing two"]
    (first, second) = found["Heading"]
    assert (first.name, first.svg, first.caption) == ("one", b"drawn one", "Caption.")
    assert second.svg == b"as two"
