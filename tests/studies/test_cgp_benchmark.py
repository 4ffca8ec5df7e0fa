"""The benchmark of the (1+4) CGP: claims and tables of made-up runs, and kept runs against new ones."""

from __future__ import annotations

from math import inf

import pytest

from gatewalk.search.evolve import run_many
from gatewalk.stats.sample import sample
from gatewalk.stats.survival import median
from gatewalk.studies import read_study
from gatewalk.studies.folder import cells_of, find
from gatewalk.studies.published import STORED_RUNS, read_stored_runs
from gatewalk_studies.cgp_benchmark import study

BUDGET = 1000


def runs(*times):
    """Runs with these times; those of the budget failed."""
    return sample(times, [time < BUDGET for time in times])


def around(middle):
    """Nine runs with this median."""
    return runs(*(middle + step for step in range(-4, 5)))


FAILED = runs(*[BUDGET] * 9)


def cells(few, many):
    """One target with 10 and with 100 nodes."""
    return {
        ("mul:2", nodes, mutation): found
        for nodes, along in ((10, few), (100, many))
        for mutation, found in along.items()
    }


USUAL = cells(
    {"sam": around(500), "point:1%": around(700), "rate:1%": around(700), "rate:4%": around(400)},
    {"sam": around(50), "point:1%": around(40), "rate:1%": around(40), "rate:4%": FAILED},
)


def test_sam_is_compared_with_the_best_rate():
    claim = study.sam_claim(USUAL)
    assert claim.verdict == "confirmed"
    assert "in 2 of 2 cases" in claim.measured
    assert "at worst 1.25 times its median" in claim.measured  # 500 / 400 and 50 / 40


@pytest.mark.parametrize("slow", [around(90), FAILED], ids=["slow", "failed"])
def test_sam_far_from_the_best_rate_is_noticed(slow):
    claim = study.sam_claim({**USUAL, ("mul:2", 100, "sam"): slow})
    assert claim.verdict == "partly confirmed"
    assert "in 1 of 2 cases" in claim.measured
    assert "(mul:2, D = 100)" in claim.measured


def test_where_no_median_is_known_nothing_is_compared():
    nobody = cells({"sam": FAILED, "rate:1%": FAILED}, {"sam": around(50), "rate:1%": FAILED})
    claim = study.sam_claim(nobody)
    assert "in 1 of 1 cases" in claim.measured
    assert "1 cases have neither median" in claim.measured


def test_nodes_are_judged_by_the_most_and_the_fewest():
    assert study.nodes_claim(USUAL).verdict == "confirmed"
    turned = cells({"sam": around(50)}, {"sam": around(500)})
    claim = study.nodes_claim(turned)
    assert claim.verdict == "not confirmed"
    assert "more on 1 (mul:2 from 50 (D = 10) to 500 (D = 100))" in claim.measured
    alike = study.nodes_claim(cells({"sam": around(50)}, {"sam": around(50)}))
    assert "not told apart on 1 (mul:2)" in alike.measured


def test_the_best_rate_must_fall_with_the_nodes():
    claim = study.rates_claim(USUAL)
    assert claim.verdict == "confirmed"
    assert "mul:2: 4 % at D = 10, 1 % at D = 100" in claim.measured
    same = {**USUAL, ("mul:2", 100, "rate:4%"): around(20)}
    assert study.rates_claim(same).verdict == "not confirmed"


def test_point_mutation_is_paired_with_its_rate():
    claim = study.point_claim(USUAL)
    assert claim.verdict == "confirmed"
    assert "2 of 2 pairs agree, all together with p = 1.000" in claim.measured
    other = {**USUAL, ("mul:2", 10, "point:1%"): around(100)}
    claim = study.point_claim(other)
    assert claim.verdict == "not confirmed"
    assert "1 of 2 pairs agree" in claim.measured


def test_the_targets_with_the_most_rates_are_drawn():
    more = {**USUAL, ("add:1", 10, "rate:1%"): FAILED, ("add:1", 10, "sam"): FAILED}
    assert study.heat_targets(more) == ["mul:2"]
    assert study.best_rate(USUAL, "mul:2", 10) == (4.0, 400.0)
    assert study.best_rate(more, "add:1", 10)[1] == inf


def test_tables_count_what_failed():
    some = runs(10, 20, 30, 40, BUDGET)
    found = {("mul:2", 10, "sam"): some, ("mul:2", 10, "rate:1%"): FAILED}
    assert study.medians_table(found).rows == (("mul:2", "10", "30 (4/5)", "∞ (0/9)"),)


def test_the_heat_map_marks_what_was_censored_and_what_is_best():
    figure = study.draw_heat({"mul:2": USUAL})
    axes, bar = figure.axes
    words = {text.get_text() for text in axes.texts}
    assert words == {"500", "50", "700", "400", "40", "0/9"}
    assert [patch.get_hatch() for patch in axes.patches].count("////") == 1
    framed = {patch.get_x() + 0.46 for patch in axes.patches if not patch.get_fill()}
    assert sorted(framed) == pytest.approx([0, 1])
    assert bar.get_ylabel() == "median evaluations"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["SAM", "1", "4"]


def test_kept_runs_come_out_the_same_and_cover_every_cell():
    path = find("cgp_benchmark") / STORED_RUNS
    names, kept = read_stored_runs(path)
    cells = cells_of(read_study(path.parent))
    assert len(kept) == sum(cell.replications for cell in cells)
    for cell in cells:
        if cell.search.target.label == "parity:3" and cell.search.nodes == 100:
            done = run_many(cell.search, seed=cell.seed, runs=range(3), jobs=1)
            for run in range(3):
                values = {"target": "parity:3", "nodes": "100", "mutation": cell.search.mutation}
                values |= {"budget": str(cell.search.budget), "run": str(run)}
                found = kept[tuple(str(values[name]) for name in names)]
                assert found == (str(done.iterations[run]), str(done.solved[run]).lower())


def test_the_helper_makes_the_medians_that_it_says():
    assert median(around(50)).value == 50
    assert median(FAILED).value == inf
