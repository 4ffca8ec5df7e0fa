"""From a campaign to every kind of figure, and what is refused."""

import pytest

from gatewalk.analysis.plots import KINDS, plot
from gatewalk.campaign import campaign, run
from gatewalk.errors import InputError


@pytest.fixture(scope="module")
def results():
    grid = {"target": "and", "n": [2, 3, 4], "selection": ["nonstrict", "strict"], "budget": 2000}
    with run(campaign(**grid, nodes="n", replications=8, seed=7, traces=True), jobs=1) as stored:
        yield stored


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "growth"])
def test_every_kind_is_drawn(results, kind):
    few = results.where(n=[2, 3]) if kind == "distribution" else results  # larger chains take seconds
    drawn = few.plot(kind)
    assert drawn.axes
    assert any(axes.lines for axes in drawn.axes)


def test_times_have_bounds_and_exact_values(results):
    legend = results.plot("time").axes[0].get_legend()
    words = [text.get_text() for text in legend.get_texts()]
    assert words[:2] == ["nonstrict", "strict"]
    assert {"bound: Theorem 3, Theorem 6", "exact expectation"} <= set(words)
    assert "exact expectation" not in str(
        results.plot("time", unit="evaluations").axes[0].get_legend().get_texts()
    )


def test_growth(results):
    fitted = results.growth(resamples=3)
    assert list(fitted) == ["nonstrict", "strict"]
    drawn = results.where(selection="nonstrict").plot("growth")
    _, right = drawn.axes
    assert drawn.legends[0].get_texts()[0].get_text().startswith("and: $n^{")
    assert len(right.lines[0].get_xdata()) == 2  # exponents of three sizes


def test_compare(results):
    assert {pair.label for pair in results.compare("selection").pairs} == {"and:2", "and:3", "and:4"}


@pytest.mark.parametrize(
    ("kind", "options", "says"),
    [
        ("pie", {}, "unknown kind of figure 'pie'"),
        ("time", {"x": "selection"}, "unknown axis 'selection'"),
        ("time", {"unit": "hours"}, "unknown unit of time 'hours'"),
        ("growth", {"x": "nodes"}, "growth is fitted against n"),
        ("compare", {"by": "nodes"}, "no two cells differ in nodes alone"),
    ],
)
def test_what_is_refused(results, kind, options, says):
    with pytest.raises(InputError, match=says):
        plot(results, kind, **options)


def test_too_little(results):
    with pytest.raises(InputError, match="3 or more values of n, not 1"):
        results.where(n=3).plot("growth")
    with (
        run(campaign(target="and:2", replications=1), jobs=1) as bare,
        pytest.raises(InputError, match="trace"),
    ):
        bare.plot("fixed-target")


def test_what_takes_long_is_told(results):
    told = []
    results.plot("time", on_progress=lambda share, words: told.append((share, words)))
    assert told == [(0.0, "solving small Markov chains")]
    told.clear()
    results.growth(resamples=3, on_progress=lambda share, words: told.append((share, words)))
    assert told == [(0.0, "fitting curve 1 of 2: nonstrict"), (0.5, "fitting curve 2 of 2: strict")]
