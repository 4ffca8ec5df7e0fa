"""The published numbers are all there and agree with each other; every cell has its place."""

from math import isnan
from types import SimpleNamespace

import numpy as np
import pytest

from gatewalk.campaign import plan
from gatewalk.stats import sample
from gatewalk_studies.paper.cells import (
    CGP,
    MODELS,
    PARTS,
    PROFILES,
    REPLICATIONS,
    SELECTIONS,
    TGP,
    XOR_MODELS,
    Place,
    _entries,
    label,
    line,
    part_of,
    plotted_means,
    sizes_of,
    successful_runs,
    table2,
)
from gatewalk_studies.paper.study import chosen


def test_table2_has_every_cell():
    wanted = {(s, m.name, n) for s in SELECTIONS for m in MODELS for n in range(3, 16)}
    assert set(table2()) == wanted


def test_plotted_means_are_the_printed_ones_before_rounding():
    plotted = plotted_means("fig2", "runtime")
    printed = {}
    for row in _entries("table2.csv"):
        model = row["model"].removeprefix("simple_").replace("_sam", "").replace("_", "-")
        printed[row["selection"].replace("-", ""), model, int(row["n"])] = row["mean"]
    assert len(plotted) == 123
    for key, value in plotted.items():
        # read from vector graphics to four digits on a logarithmic axis
        assert float(printed[key]) == pytest.approx(value, abs=0.51, rel=1e-3)


def test_cells_without_success_have_no_numbers():
    for row in table2().values():
        assert 0 <= row.successes <= REPLICATIONS
        assert (row.successes == 0) == isnan(row.mean)
    failed = {key for key, row in table2().items() if row.successes == 0}
    assert failed == {("strict", "cgp-1n", n) for n in range(9, 16)}


@pytest.mark.parametrize("quantity", ["runtime", "generalisation"])
def test_figure3_has_every_point(quantity):
    points = plotted_means("fig3", quantity)
    assert set(points) == {(s, m.name, n) for s in SELECTIONS for m in MODELS for n in range(3, 51)}
    if quantity == "generalisation":
        assert all(0.5 < value <= 1 for value in points.values())


def test_all_cells_of_table_1_are_planned(study):
    cells = plan(study.campaign)
    by_part = {part: [cell for cell in cells if part_of(cell.words) == part] for part in PARTS}
    assert {part: len(own) for part, own in by_part.items()} == {
        "complete": 2 * 130,
        "incomplete": 2 * 480,
        "xor": 42,
    }
    assert {cell.search.budget for cell in cells} == {1_000_000}
    assert {cell.seed for cell in cells} == {1}
    assert {cell.replications for part in ("incomplete", "xor") for cell in by_part[part]} == {30}
    for cell in by_part["complete"]:
        is_slow = cell.words["algorithm"] == "cgp" and cell.words["selection"] == "strict"
        assert cell.replications == (30 if is_slow else 120)
    for cell in (*by_part["complete"], *by_part["incomplete"]):
        if cell.words["algorithm"] == "cgp":
            scale, more = divmod(cell.search.nodes, int(cell.words["target"].removeprefix("and:")))
            assert scale in (1, 2, 3)
            assert more == (1 if cell.words["profile"] == "tinyverse" else 0)


def test_models_of_xor_are_followed_until_most_of_their_runs_fail(study):
    largest = {}
    for cell in plan(study.campaign):
        if part_of(cell.words) == "xor":
            n = int(cell.words["target"].removeprefix("xor:"))
            model = cell.words.get("nodes", cell.words["algorithm"])
            largest[model] = max(n, largest.get(model, 0))
            assert cell.words["selection"] == "nonstrict"
            assert cell.words["profile"] == "paper"
    assert largest == {"n-1": 8, "n": 9, "2n": 10, "tgp-single": 10, "tgp-multi": 10}


def test_a_quick_run_is_a_part_of_the_full_one(study):
    full = {str(cell.words | {"budget": 0}): cell.replications for cell in plan(study.campaign)}
    quick = {str(cell.words | {"budget": 0}): cell.replications for cell in plan(study.quick)}
    assert quick.items() <= full.items()
    assert {cell.search.budget for cell in plan(study.quick)} == {20_000}


AND = {"target": "and:5", "training": "complete", "profile": "tinyverse"}
SAMPLE = {**AND, "training": "sample", "profile": "paper"}
XOR = {"target": "xor:5", "training": "complete", "profile": "paper"}


@pytest.mark.parametrize(
    ("choices", "kept"),
    [
        ({}, [True, True, True]),
        ({"only": ("complete",)}, [True, False, False]),
        ({"only": ("incomplete", "xor")}, [False, True, True]),
        ({"profile": ("tinyverse",)}, [True, False, True]),
        ({"only": ("complete", "incomplete"), "profile": ("paper",)}, [False, True, False]),
    ],
)
def test_choices_keep_parts_and_profiles(choices, kept):
    assert [chosen(SimpleNamespace(words=words), choices) for words in (AND, SAMPLE, XOR)] == kept


def test_runs_are_where_they_belong(cells):
    expected = {
        Place(part, profile, selection, model.name, n)
        for profile in PROFILES
        for selection in SELECTIONS
        for model in MODELS
        for part, sizes in (("complete", range(3, 8)), ("incomplete", (3, 5, 8, 12, 20, 30, 50)))
        for n in sizes
    }
    assert {place for place in cells if place.part != "xor"} == expected
    assert {place.model for place in cells if place.part == "xor"} == {model.name for model in XOR_MODELS}
    assert {(cell.runs.runs, cell.all_runs.runs) for cell in cells.values()} == {(10, 12)}
    cell = cells[Place("complete", "tinyverse", "nonstrict", "cgp-2n", 3)]
    assert (cell.nodes, cell.generalisation.size) == (7, 0)
    assert (cell.runs.iterations == cell.all_runs.iterations[:10]).all()
    curve = line(cells, "incomplete", "paper", "strict", "tgp-multi")
    assert list(curve) == sizes_of(cells, "incomplete") == [3, 5, 8, 12, 20, 30, 50]
    assert (curve[12].nodes, curve[12].generalisation.size) == (None, 10)


@pytest.mark.parametrize("models", [MODELS, XOR_MODELS])
def test_labels_and_names_tell_models_apart(models):
    assert len({model.name for model in models}) == len(models)
    assert len({model.label() for model in models}) == len(models)


def test_labels_name_the_nodes_that_were_used():
    assert [model.label() for model in MODELS] == [
        *("CGP, D = n", "CGP, D = 2n", "CGP, D = 3n"),
        *("TGP single", "TGP multi"),
    ]
    assert [model.label("tinyverse") for model in CGP] == ["CGP, D = n+1", "CGP, D = 2n+1", "CGP, D = 3n+1"]
    assert [model.nodes_under("tinyverse") for model in TGP] == ["", ""]
    assert label("cgp-n-1") == "CGP, D = n\N{MINUS SIGN}1"


def test_successful_runs_leave_censored_out_and_say_so():
    found = successful_runs(sample([1, 2, 3, 4, 1000], [True] * 4 + [False]))
    assert (found.mean, found.min, found.q1, found.median, found.q3, found.max) == (
        2.5,
        1,
        1.75,
        2.5,
        3.25,
        4,
    )
    assert found.std == pytest.approx(np.std([1, 2, 3, 4], ddof=1))
    assert (found.successes, found.runs) == (4, 5)


def test_no_success_has_no_summary():
    found = successful_runs(sample([5, 5], [False, False]))
    assert isnan(found.mean)
    assert isnan(found.std)
    assert found.successes == 0
    assert isnan(successful_runs(sample([5], [True])).std)
