"""Runs compared with the exact distribution of their chain, and why there is none.

With the fixed seeds no comparison changes; with other seeds, runs that follow their chain would differ from
it with a probability of 0.05 at most, over all cells together.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from gatewalk import search_for
from gatewalk.analysis import cells_of
from gatewalk.analysis import exact_distributions as module
from gatewalk.analysis.distribution_figures import draw_distribution
from gatewalk.analysis.plots import exact_fits
from gatewalk.campaign import Campaign, campaign, grid, run
from gatewalk.errors import InputError
from gatewalk.theory import exact

BOTH, PROFILES, RUNS = ["nonstrict", "strict"], ["paper", "tinyverse"], 300
SOLVED = Campaign(
    seed=11,
    grids=(
        grid(target=["and:3", "xor:3"], nodes="n", selection=BOTH, budget=20_000, replications=RUNS),
        grid(target="and:3", nodes=3, profile="tinyverse", selection=BOTH, budget=40, replications=RUNS),
        grid(target="and:3", nodes=3, offspring=3, profile=PROFILES, budget=17, replications=RUNS),
        grid(target="and:3", nodes=3, mutation=["point:2", "rate:0.2"], budget=100, replications=RUNS),
        grid(target="and:4", nodes=3, start="penultimate", budget=300, replications=RUNS),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def cells():
    with run(SOLVED, jobs=1) as results:
        yield cells_of(results)


@pytest.fixture(scope="module")
def fits(cells):
    return module.exact_fits_of(cells)


def test_runs_follow_their_chain(fits):
    """Of every law: selections, profiles, offspring, mutations, starts, and runs that were given up."""
    assert len(fits.tested) == len(fits.cells) == 11
    assert fits.differing == 0
    assert {fit.verdict for fit in fits.cells} == {"no difference shown"}
    assert str(fits).endswith("corrected by Holm for 11 cells; below 0.05 they differ.")
    assert repr(fits) == "<ExactFits of 11 cells, 11 tested, 0 differ>"
    assert fits._repr_html_().count("<tr>") == 12


def test_runs_of_another_law_differ(cells, fits):
    nonstrict, strict = fits.cells[:2]
    other = module.exact_fit(cells[0], strict.law)
    assert other.p_value == 1e-4
    own = module.exact_fit(cells[1], strict.law)
    both = module.corrected([other, own, replace(nonstrict, law=None, p_value=None, p_holm=None)])
    assert [fit.verdict for fit in both.cells] == ["differ", "no difference shown", "not tested"]
    assert both.cells[0].p_holm == 2e-4
    assert both.cells[1].p_holm == both.cells[1].p_value
    assert str(both).startswith(f"{cells[0].label}: 300 runs: differ from their chain: largest distance 0.")


def test_the_law_is_the_exact_one_beyond_the_longest_run(cells, fits):
    for cell, fit in zip(cells[:2], fits.cells, strict=False):
        whole = exact("and:3", nodes=3, selection=cell.values["selection"]).distribution()
        times = range(2 * int(cell.runs.iterations.max()) + 2)
        assert np.allclose([fit.law.cumulative(at) for at in times], [whole.cumulative(at) for at in times])
        assert fit.law.cumulative(10**9) <= 1.0


def test_a_law_that_is_cut_counts_the_rest_as_never():
    solved = exact("and:3", nodes=3, selection="strict")
    whole, cut = solved.distribution(), solved.distribution(until=20)
    assert cut.exceeds(20) == whole.exceeds(20)
    assert cut.exceeds(10**6) == cut.never >= whole.exceeds(10**6)
    assert cut.quantile(0.999) == float("inf")
    assert len(_lines_of(cut)) == 1


def _lines_of(law):
    from gatewalk.analysis import style

    _, ((axes,),) = style.panels(height=2)
    draw_distribution(axes, law)
    return axes.lines


def test_two_cells_of_a_law_have_one_chain(monkeypatch):
    asked = []
    usual = module.law_of

    def noted(search, longest, **options):
        asked.append((search.budget, longest))
        return usual(search, longest, **options)

    monkeypatch.setattr(module, "law_of", noted)
    both = campaign(target="and:3", nodes=3, budget=[10, 200], replications=20)
    with run(both, jobs=1) as results:
        found = exact_fits(results)
        longest = max(results.columns()["iterations"])
    assert asked == [(10, longest)]
    assert found.cells[0].law is found.cells[1].law


@pytest.mark.parametrize(
    ("words", "limits", "says"),
    [
        ({"target": "and:40", "nodes": 9}, {}, "exact times are possible for up to 6 inputs and few nodes"),
        ({"target": "and:6", "nodes": 6}, {}, "206 GB, more than --memory 4; up to 5 nodes are possible"),
        ({"target": "and:4", "nodes": 5}, {"memory": 10**7}, "more than --memory 0.01; up to "),
        ({"target": "and:5", "nodes": 5}, {"seconds": 2}, "takes about 50 s, more than --seconds 2"),
        ({"target": "maj:3"}, {}, "300 nodes are too many; it is known for few"),
        ({"target": "and:4", "training": "sample"}, {}, "every run has a training set of its own"),
        ({"target": "and:4", "algorithm": "tgp-multi"}, {}, "the distribution is known for cgp only"),
    ],
)  # fmt: skip
def test_a_cell_without_a_law_says_why(words, limits, says):
    with pytest.raises(InputError, match=re.escape(says)):
        module.law_of(search_for(**words), 10, **limits)
    with run(campaign(**words, budget=1, replications=2), jobs=1) as results:
        (fit,) = exact_fits(results, **limits).cells
    assert says in fit.reason
    assert "gatewalk evolve" not in fit.reason
    assert (fit.law, fit.p_holm, fit.verdict) == (None, None, "not tested")
    assert module.sentence(fit).startswith(f"{fit.label}: no exact distribution: ")


def test_a_chain_that_takes_too_long_is_given_up(monkeypatch):
    clock = iter(range(0, 10_000, 2))
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    with pytest.raises(InputError, match="its chain is not solved within --seconds 5"):
        module.law_of(search_for("and:3", nodes=3), 10, seconds=5)


def test_runs_without_an_iteration_are_not_tested():
    with run(campaign(target="and:3", nodes=3, budget=0, replications=3), jobs=1) as results:
        (fit,) = exact_fits(results).cells
    assert fit.law is not None
    assert fit.verdict == "not tested"
    assert module.sentence(fit) == "and:3: 3 runs with too few iterations for a comparison with their chain"


def test_progress_names_the_cells():
    told = []
    both = campaign(target=["and:2", "and:3"], nodes="n", replications=4)
    with run(both, jobs=1) as results:
        exact_fits(results, on_progress=lambda share, words: told.append((share, words)))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert {words.partition(": ")[0] for _, words in told} == {
        "exact distribution of and:2",
        "exact distribution of and:3",
    }


def test_a_figure_warns_of_cells_without_a_law():
    with run(campaign(target=["and:2", "and:9"], nodes="n", budget=9, replications=4), jobs=1) as results:
        with pytest.warns(UserWarning, match="^and:9: no exact distribution: and:9 with 9 nodes has"):
            drawn = results.plot("distribution")
        looks = [[line.get_linestyle() for line in axes.lines] for axes in drawn.axes]
        assert ["--" in of_panel for of_panel in looks] == [True, False]
        with pytest.warns(UserWarning, match="count iterations: none is drawn for evaluations"):
            results.plot("distribution", unit="evaluations")
