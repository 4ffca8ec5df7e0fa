"""What a study's own code may hand back."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from math import log
from pathlib import Path

import numpy as np
import pytest

from gatewalk.analysis.style import UNSOLVED, panels
from gatewalk.errors import InputError
from gatewalk.report.tables import Table
from gatewalk.stats import sample
from gatewalk.stats.sample import MeanError
from gatewalk.studies import Reported, compare, compare_reported, find, orders, read_study, together
from gatewalk.studies.claims import VERDICTS, Claim, claim_markup, claim_table, judged
from gatewalk.studies.comparison import comparison_table, reported_table, summary
from gatewalk.studies.findings import Drawing, Findings, checked
from gatewalk.studies.generalisation import draw_errors, words
from gatewalk.studies.request import Report, Request

TABLE = Table(title="T", columns=("a",), rows=(("1",),))


def drawing(name="one", caption="C"):
    return Drawing(name=name, caption=caption, draw=lambda: None)


def test_good_findings_pass():
    found = Findings(summary=("s",), figures=(drawing(),), tables=(("two", TABLE),))
    assert checked(found) is found


@pytest.mark.parametrize("name", ["../up", "A", "", "a b", "x" * 100, 3, "."])
def test_names_of_files_are_tame(name):
    with pytest.raises(InputError):
        drawing(name)
    with pytest.raises(InputError):
        checked(Findings(tables=((name, TABLE),)))


@pytest.mark.parametrize(
    "found",
    [
        None,
        {"claims": ()},
        Findings(summary=(3,)),
        Findings(claims=("S",)),
        Findings(figures=("one",)),
        Findings(tables=(TABLE,)),
        Findings(figures=(drawing("a"), drawing("a"))),
    ],
)
def test_anything_else_is_refused(found):
    with pytest.raises(InputError):
        checked(found)


def test_a_figure_has_a_caption():
    with pytest.raises(InputError, match="caption"):
        drawing(caption="")


def claim(**changes):
    return Claim(**{"statement": "S", "source": "W", "measured": "M", "verdict": "confirmed", **changes})


@pytest.mark.parametrize("changes", [{"verdict": "true"}, {"statement": 3}, {"reason": None}])
def test_wrong_claims_are_refused(changes):
    with pytest.raises(InputError):
        claim(**changes)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_a_badge_and_texts_are_escaped(verdict):
    shown = claim_markup(claim(verdict=verdict, measured="<script>", reason="a & b"))
    assert f"<b>{verdict}</b>" in shown
    assert "&lt;script&gt;" in shown
    assert "a &amp; b" in shown
    assert claim_table((claim(verdict=verdict),)).rows[0][3] == verdict


def test_a_verdict_of_comparisons():
    assert judged([True, True]) == "confirmed"
    assert judged([True, False]) == "partly confirmed"
    assert judged([False]) == "not confirmed"
    assert judged([]) == "not judged"
    assert judged([True], quick=True) == "not judged"


def test_a_request_is_silent_and_whole_by_default(capsys):
    asked = Request(study=read_study(find("nodes")), out=Path("out"))
    assert (asked.quick, asked.jobs, asked.seed, asked.watch) == (False, None, None, None)
    assert asked.command == "gatewalk study run"
    asked.say("nothing is heard")
    assert capsys.readouterr() == ("", "")
    with pytest.raises(FrozenInstanceError):
        asked.quick = True


def test_reports_do_not_share_their_records():
    first, second = Report(Path("a.html"), ()), Report(Path("b.html"), ())
    first.record["claims"] = []
    assert second.record == {}
    assert second.picture is None


def times(seed, scale, runs=60):
    return sample(np.random.default_rng(seed).geometric(1 / scale, runs), np.ones(runs))


def test_one_line_on_all_cells():
    same = [compare(str(i), times(i, 100), times(100 + i, 100)) for i in range(12)]
    assert "of 12 published cells agree" in summary(together(same))


def test_a_row_for_published_runs():
    never = sample([9, 9], [False, False])
    (row,) = comparison_table([compare("c", never, never)], "iterations").rows
    assert row[1] == "agrees"
    assert row[4:8] == ("∞", "∞", "not solved", "not solved")


def test_a_row_for_published_statistics():
    found = compare_reported("a < b", times(1, 100, 50), Reported(runs=30, successes=29, mean=99.5))
    (row,) = reported_table([found], "evaluations").rows
    assert row[:5] == ("a < b", found.verdict, "29/30", "50/50", "99.5")
    assert row[6] == "–"


def test_a_mean_error_in_words():
    assert words(MeanError(0.5, 0.01)) == "0.5 ± 0.02"


def test_errors_of_none_are_left_out_and_bars_stay_above_zero():
    _, ((axes,),) = panels(height=2)
    draw_errors(axes, {"a": {8: MeanError(0.01, 0.1), 16: MeanError(0.0, 0.0)}})
    assert list(axes.lines[0].get_xdata()) == [8]
    low, high = axes.collections[0].get_segments()[0][:, 1]
    assert 0 < low < 0.01 < high


SIZES = (8, 16, 32, 64, 128)


def orders_times(mean):
    spread = np.linspace(0.8, 1.2, 21)  # the same at every n, so that nothing is left to chance
    return {n: sample(mean(n) * spread, np.ones(21, dtype=bool)) for n in SIZES}


def test_times_of_the_order_are_told_from_others():
    of, below, above = (
        orders.against(orders_times(mean), orders.log_linear, quick=True)
        for mean in (lambda n: 3 * n * log(n), lambda n: 3 * n**0.7, lambda n: 0.1 * n**1.5 * log(n))
    )
    assert abs(of.exponent) < 0.01
    assert abs(above.exponent - 0.5) < 0.01
    assert [one.agrees for one in (of, below, above)] == [True, False, False]
    assert [one.is_within for one in (of, below, above)] == [True, True, False]
    assert orders.words(above).startswith("e = 0.500 [0.4")


def test_curves_hollow_marks_and_triangles():
    half = sample([10.0, 99.0], [True, False])
    none = sample([50.0, 50.0], [False, False])
    _, ((axes,),) = panels(height=2)
    orders.draw_times(
        axes,
        {"a": {4: sample([5.0, 6.0], [True, True]), 5: half, 6: none}},
        order=log,
        formula="c log n",
    )
    points = {
        (float(x), float(y)): (line.get_marker(), line.get_markerfacecolor())
        for line in axes.lines
        for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)
        if line.get_marker() not in ("_", "|", "None")
    }
    assert points[(4.0, 5.5)][1] != "white"
    assert points[(5.0, 109.0)][1] == "white"  # all iterations per success
    assert points[(6.0, 100.0)][0] == "$\\uparrow$"
    (dashed,) = [line for line in axes.lines if line.get_linestyle() == "--" and len(line.get_xdata()) > 1]
    ends = dashed.get_ydata()[0] / 5.5, dashed.get_ydata()[-1] / 109.0  # from the first success to the last
    assert ends[0] * ends[1] == pytest.approx(1)  # in the middle between the points
    assert [text.get_text() for text in axes.legend().get_texts()] == [
        *("a", "c log n", "some runs failed", "interval has no upper end", "no run succeeded"),
    ]
    assert axes.get_xscale() == "linear"


def test_a_curve_looks_the_same_in_every_panel_and_covers_no_arrow():
    none = sample([50.0, 50.0], [False, False])
    both = {"a": {4: none, 6: none}, "b": {4: none, 6: none}}
    _, ((left, right),) = panels(1, 2, height=2)
    orders.draw_times(left, both, names=["a", "b"])
    orders.draw_times(right, {"b": both["b"]}, names=["a", "b"])
    arrows = [
        [line for line in axes.lines if line.get_marker() == UNSOLVED["marker"] and len(line.get_xdata())]
        for axes in (left, right)
    ]
    assert len({float(x) for line in arrows[0] for x in line.get_xdata()}) == 4
    first, second = arrows[0]
    assert [line.get_color() for line in arrows[1]] == [second.get_color()]
    assert first.get_color() != second.get_color()
