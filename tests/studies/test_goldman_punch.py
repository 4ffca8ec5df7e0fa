"""The study as a whole: what is watched, and the published runs in the place of ours."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from goldman_cells import STUDY, THEIRS, cells

from gatewalk.boolean.tables import unpack
from gatewalk.boolean.training import complete
from gatewalk.campaign import campaign, plan
from gatewalk.stats import compare
from gatewalk.stats.sample import Sample
from gatewalk.studies import Measured
from gatewalk.studies.folder import cells_of, read_study
from gatewalk_studies.goldman_punch import figures, study
from gatewalk_studies.goldman_punch.offspring import (
    Active,
    active_table,
    identical_claim,
    identical_table,
    parsimony,
    read_active,
)
from gatewalk_studies.goldman_punch.study import (
    BREADTH,
    PRINTED,
    PROBLEMS,
    Key,
    active_of,
    agreement,
    breadth,
    breadth_claim,
    direction_table,
    growth_of,
    holm_table,
    lengths,
    medians,
    problem_named,
    published_runs,
    rates,
)


def test_the_published_runs_confirm_what_needs_no_watching(monkeypatch):
    monkeypatch.setattr(study, "growth_of", lambda along, resamples: None)  # has tests of its own
    columns = {"gates": [], "solved": []}
    ours = {key: replace(cell, columns=columns) for key, cell in cells().items()}
    compared = tuple(compare(str(key), cell.runs, THEIRS[key]) for key, cell in ours.items())
    found = study.findings(Measured(study=STUDY, cells=tuple(ours.values()), compared=compared))
    verdicts = [claim.verdict for claim in found.claims]
    assert verdicts[:3] == ["confirmed"] * 3
    assert verdicts[5:] == ["not judged"] * 2  # Breadth without a fit; nothing was watched
    assert [name for name, _ in found.tables] == ["holm", "direction", "active-nodes", "identical"]
    assert [drawing.name for drawing in found.figures] == ["evaluations"]


def test_identical_offspring_are_counted_under_a_rate_only():
    common = {"target": "mul:2", "nodes": 12, "gates": "and,or,nand,nor", "replications": 1}
    sam, rate = plan(campaign(**common, mutation=["sam", "rate:0.05"]))
    assert study.observe(sam, jobs=1) is None
    seen = study.observe(rate, jobs=1)
    assert seen is not None
    assert seen["rate"] == 0.05
    assert len(seen["genes"]) == len(seen["offspring"]) == len(seen["identical"])
    assert 0 < sum(seen["identical"]) < sum(seen["offspring"])


@pytest.fixture(scope="module")
def published_study():
    return read_study("goldman_punch")


@pytest.mark.parametrize("problem", PRINTED)
def test_medians_are_those_printed(published_study, problem):
    runs = published_runs(Measured(study=published_study, cells=()))[Key(problem, 3000, "sam")]
    assert int(np.median(runs.iterations) + 0.5) == PRINTED[problem]


def test_every_cell_has_fifty_runs_of_at_most_ten_million(published_study):
    found = published_runs(Measured(study=published_study, cells=()))
    assert len(found) == 59
    assert {data.runs for data in found.values()} == {50}
    assert {round(t / 1e7, 5) for data in found.values() for t in data.iterations[~data.solved]} == {1.0}


def test_settings_are_theirs(published_study):
    cells = cells_of(published_study)
    assert len(cells) == 59
    for cell in cells:
        made = cell.search
        assert (made.offspring, made.selection, cell.words["options"]) == (4, "nonstrict", {})
        if made.target.label.startswith("or:"):
            assert (str(made.gates), made.nodes) == ("or", made.n - 1)
        else:
            assert str(made.gates) == "and,or,nand,nor"


def test_encode_is_sixteen_one_hot_rows(published_study):
    searches = [cell.search for cell in cells_of(published_study)]
    encode, *others = (search.target for search in searches if search.target.label == "encode")
    assert {target.name for target in others} == {encode.name}
    rows = complete(encode)
    inputs, outputs = unpack(rows.inputs, rows.rows).T, unpack(rows.outputs, rows.rows).T
    assert rows.cares is None  # every output counts on each of the rows
    assert sorted(map(tuple, inputs.astype(int).tolist())) == sorted(
        tuple(int(i == hot) for i in range(16)) for hot in range(16)
    )
    assert (outputs @ (1 << np.arange(4)) == inputs.argmax(axis=1)).all()


def test_active_nodes_are_there_where_all_runs_succeeded(published_study):
    rows = {Key(row.problem, row.nodes, row.mutation): row for row in read_active()}
    runs = published_runs(Measured(study=published_study, cells=()))
    assert set(rows) == {key for key, data in runs.items() if data.solved.all()}
    assert all(0 < row.mean <= row.nodes for row in rows.values())
    assert all(row.mean == row.nodes for row in rows.values() if row.problem == BREADTH)


def test_every_cell_of_the_campaign_has_a_key_and_published_runs():
    ours = cells()
    assert len(ours) == len(cells_of(STUDY))  # no two have the same key
    assert ours.keys() == THEIRS.keys()
    assert Key("multiply", 3000, "sam") in ours
    counted = Counter(key.problem for key in ours)
    assert set(counted) == {*PROBLEMS.values(), "breadth"}


def test_problems_have_the_names_of_the_papers():
    assert [problem_named(name) for name in ("mul:3", "epar:3", "or:95")] == ["multiply", "parity", "breadth"]


def test_published_runs_are_not_cut():
    assert THEIRS[Key("parity", 3000, "sam")].runs == 50
    assert published_runs(Measured(study=STUDY, cells=())).keys() == THEIRS.keys()


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (4.0, "not confirmed")])
def test_medians(factor, verdict):
    ours = cells(factor)
    assert medians(ours, THEIRS).verdict == verdict


def test_lengths_and_rates():
    ours = cells()
    assert lengths(ours, THEIRS).verdict == "confirmed"
    assert rates(ours).verdict == "confirmed"
    slow = {key: cells(50.0)[key] if key.mutation == "sam" else cell for key, cell in ours.items()}
    assert rates(slow).verdict == "not confirmed"


def test_exponent_of_breadth():
    by_size = breadth(cells(), THEIRS)
    fits = {name: growth_of(along, resamples=20) for name, along in by_size.items()}
    told = breadth_claim(fits)
    assert told.verdict == "confirmed"
    assert "0.0 standard errors apart" in told.measured
    flat = growth_of({n: Sample(np.arange(1.0, 30.0), np.ones(29, bool)) for n in (5, 15, 25)}, resamples=20)
    assert breadth_claim({"ours": flat, "published": flat}).verdict == "partly confirmed"
    assert breadth_claim({**fits, "ours": flat}).verdict == "partly confirmed"
    assert breadth_claim({"ours": None, "published": flat}).verdict == "not judged"
    assert growth_of({5: by_size["ours"][5]}) is None


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (4.0, "not confirmed")])
def test_published_runs_agree_with_themselves_and_not_with_slower_ones(factor, verdict):
    ours = cells(factor)
    compared = [compare(str(key), cell.runs, THEIRS[key]) for key, cell in ours.items()]
    told = agreement(compared)
    assert told.verdict == verdict
    assert "12 more cells" in told.measured  # neither side has a success there
    assert len(holm_table(compared).rows) == len(compared) - 12


@pytest.mark.parametrize(("factor", "sign"), [(0.5, 1), (2.0, -1)])
def test_direction_tells_who_is_faster(factor, sign):
    rows = direction_table(cells(factor), THEIRS).rows
    assert [row[1] for row in rows] == ["24", "10", "13"]
    assert all(sign * float(row[3].replace("−", "-")) > 3 for row in rows)
    same = direction_table(cells(), THEIRS).rows  # but for the budget
    assert all(abs(float(row[3].replace("−", "-"))) < 0.1 for row in same)


def test_parsimony():
    rows = [
        Active(
            problem="multiply",
            nodes=d,
            mutation="sam",
            mean=40.0,
            deviation=2.0,
            runs=50,
            ours=(38.0, 40.0, 42.0),
        )
        for d in (60, 100)
    ]
    assert parsimony(rows).verdict == "confirmed"
    off = [rows[0], Active(**{**vars(rows[1]), "mean": 90.0})]
    assert parsimony(off).verdict == "partly confirmed"
    assert [row[2] for row in active_table(rows).rows] == ["60", "100"]


def test_the_file_has_cells_of_fifty_runs():
    rows = read_active()
    assert {row.runs for row in rows} == {50}
    assert all(0 < row.mean <= row.nodes and row.deviation >= 0 for row in rows)
    assert len({(row.problem, row.nodes, row.mutation) for row in rows}) == len(rows)


def test_only_solved_runs_of_ours_count_and_two_are_needed():
    key = Key("multiply", 3000, "sam")
    ours = {key: cells()[key]}
    for solved, kept in (([True, False, True], (40.0, 44.0)), ([True, False, False], None)):
        columns = {"gates": [40, 99, 44], "solved": solved}
        found = active_of({key: replace(ours[key], columns=columns)})
        assert [row.ours for row in found] == ([] if kept is None else [kept])


@pytest.mark.parametrize(("mean", "p_value"), [(5.0, 1.0), (6.0, 0.0)])
def test_solutions_without_any_spread_are_equal_or_not(mean, p_value):
    row = Active(
        problem="breadth", nodes=6, mutation="sam", mean=mean, deviation=0.0, runs=50, ours=(5.0, 5.0, 5.0)
    )
    assert row.p_value == p_value


@pytest.mark.parametrize(("identical", "verdict"), [(9036, "confirmed"), (9236, "not confirmed")])
def test_identical_offspring(identical, verdict):
    # 0.999^700 = 0.4964 of 18,200 offspring are 9034; a standard deviation is 67.
    seen = {"rate": 0.001, "genes": [700], "offspring": [18_200], "identical": [identical], "nodes": 231.0}
    assert identical_claim([seen]).verdict == verdict
    assert identical_table([("multiply", seen)]).rows[0][:5] == (
        "multiply",
        "0.001",
        "231",
        "18200",
        str(identical),
    )


def test_cells_that_nobody_watched_say_nothing():
    assert identical_claim([]).verdict == "not judged"
    assert identical_table([]).rows == ()


def test_three_panels_of_evaluations():
    lengths, rates, sizes = figures.draw_evaluations(cells(), THEIRS, None).axes
    for axes in (lengths, rates, sizes):
        assert axes.get_xscale() == axes.get_yscale() == "log"
        assert axes.lines
    named = [text.get_text() for text in rates.get_legend().get_texts()]
    assert named == list(figures.PROBLEMS)


def test_active_nodes_of_both_sides():
    rows = [
        Active(
            problem="multiply",
            nodes=d,
            mutation="sam",
            mean=0.5 * d,
            deviation=2.0,
            runs=50,
            ours=(20.0, 30.0),
        )
        for d in (100, 60)
    ]
    (axes,) = figures.draw_active(rows).axes
    drawn = [(list(line.get_xdata()), list(line.get_ydata())) for line in axes.lines]
    assert ([60, 100], [25.0, 25.0]) in drawn  # ours, by their nodes
    assert ([60, 100], [30.0, 50.0]) in drawn  # published


def test_shares_of_identical_offspring_are_binned_by_genes():
    seen = {"rate": 0.01, "genes": [10, 20, 300], "offspring": [400, 400, 10], "identical": [360, 320, 0]}
    places, shares = figures._binned(seen)
    assert places[0] == 10.0
    assert shares[0] == 0.9
    assert max(places) < 300  # too few offspring to tell
    (axes,) = figures.draw_identical([seen, seen | {"rate": 0.4}]).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["rate 0.01"]
