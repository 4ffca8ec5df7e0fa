"""What a report shows of a store: the numbers of the runs, and the reason where there are none."""

from __future__ import annotations

import time

import numpy as np
import pytest
from report_stores import SPEC, everything, nothing, sampled, unsolved

from gatewalk.analysis.cells import read_cells
from gatewalk.analysis.curves import curves
from gatewalk.analysis.plots import compare, exact_fits
from gatewalk.campaign import campaign, run
from gatewalk.campaign.spec import parse
from gatewalk.report import store_charts, store_tables
from gatewalk.report.store_charts import KnownTimes, distributions, generalisation, times
from gatewalk.report.store_tables import circuits, comparisons, growth_fits, origin, overview
from gatewalk.stats import ert, growth
from gatewalk.theory import exact


def test_curves_have_what_was_measured_and_what_is_known():
    cells = read_cells(everything())
    along = times(cells, KnownTimes())["axes"][0]
    curve = along["curves"][0]
    assert (along["x"], curve["at"], curve["runs"]) == ("n", [2, 3, 4], [12, 12, 12])
    assert curve["ert"][0] == pytest.approx(ert(cells.runs[0].runs), rel=1e-5)
    assert curve["exact"][1] == pytest.approx(exact("and:3", nodes=3).expected_iterations, rel=1e-5)
    assert all(
        low < value < high for low, value, high in zip(curve["low"], curve["ert"], curve["high"], strict=True)
    )
    assert all(
        bound is None or bound > value for bound, value in zip(curve["bound"], curve["ert"], strict=True)
    )


def test_other_axes_where_a_number_differs():
    several = campaign(target="and:3", nodes=[3, 6], offspring=[1, 2], replications=2, seed=1)
    axes = times(read_cells(run(several, jobs=1)), KnownTimes())["axes"]
    assert {axis["x"]: axis["curves"][0]["at"] for axis in axes} == {"nodes": [3, 6], "lambda": [1, 2]}


def test_unsolved_cells_have_the_time_spent():
    curve = times(read_cells(unsolved()), KnownTimes())["axes"][0]["curves"][0]
    assert (curve["ert"], curve["spent"], curve["high"]) == ([None], [6], [None])


def test_times_without_runs_say_the_reason():
    assert times(read_cells(nothing()), KnownTimes()) == {
        "axes": [],
        "reason": "There is no finished run yet.",
    }


def test_steps_are_shares_of_solved_runs():
    cells = read_cells(everything())
    for shown, cell in zip(distributions(cells, KnownTimes())["cells"], cells.runs, strict=True):
        solved = np.sort(cell.runs.times)
        for at, share, low, high in zip(*(shown[k] for k in ("times", "share", "low", "high")), strict=True):
            assert share == pytest.approx(np.searchsorted(solved, at, side="right") / 12, abs=1e-4)
            assert low <= share <= high


def test_exact_laws_are_distributions():
    times, shares = distributions(read_cells(everything()), KnownTimes())["cells"][0]["exact"]
    assert times[0] == 0
    assert shares == sorted(shares)
    assert 0.99 < shares[-1] <= 1


def test_runs_are_compared_with_their_chains():
    found = distributions(read_cells(everything()), KnownTimes())
    of_cells = [cell["fit"] for cell in found["cells"]]
    fits = exact_fits(everything().where(algorithm="cgp", n=[2, 3], training="complete"))
    tested = [fit for fit in of_cells if fit is not None]
    assert len(tested) >= len(fits.tested) == 4
    assert all(0 <= distance <= 1 and 0 < p <= 1 and differs is False for distance, p, differs in tested)
    assert of_cells[3][0] == pytest.approx(fits.cells[3].distance, abs=0.02)
    assert found["fits"].endswith(f"by Holm for {len(tested)} cells; below 0.05 they differ.")
    lacking = len(of_cells) - len(tested)
    assert found["unsolved"].startswith(f"{lacking} cells without an exact distribution: ")


def test_a_comparison_is_not_repeated_without_new_runs(monkeypatch):
    known, asked = KnownTimes(), []
    usual = store_charts.exact_fit
    monkeypatch.setattr(store_charts, "exact_fit", lambda cell, law: asked.append(cell) or usual(cell, law))
    first = distributions(read_cells(everything()), known)
    count = len(asked)
    assert distributions(read_cells(everything()), known) == first
    assert len(asked) == count == len(first["cells"])


def test_many_runs_are_thinned():
    many = run(campaign(target="and:6", replications=2000, seed=1), jobs=1)
    (shown,) = distributions(read_cells(many), KnownTimes())["cells"]
    assert shown["thinned"] is (len(set(many.columns()["iterations"])) > 250)
    assert len(shown["times"]) <= 250
    assert shown["share"][-1] == 1


def test_distributions_of_nothing():
    assert distributions(read_cells(unsolved()), KnownTimes())["cells"][0]["share"] == [0]
    assert distributions(read_cells(nothing()), KnownTimes())["reason"] == "There is no finished run yet."


def test_only_sampled_cells_have_a_row_of_generalisation():
    (row,) = generalisation(read_cells(everything()))["rows"]
    shares = [share for share in everything().columns()["generalisation"] if share is not None]
    assert (row["n"], row["training"], row["runs"]) == (6, "sample:20", len(shares))
    assert row["mean"][0] == pytest.approx(np.mean(shares), abs=1e-4)
    assert row["mean"][1] < row["mean"][0] < row["mean"][2]
    assert row["perfect"][0] == pytest.approx(np.mean(np.array(shares) == 1), abs=1e-4)


def test_generalisation_that_is_not_there_says_the_reason():
    assert "Every training set is complete" in generalisation(read_cells(unsolved()))["reason"]
    assert generalisation(read_cells(nothing()))["reason"] == "There is no finished run yet."


def test_counts_are_those_of_the_runs():
    columns = everything().columns()
    counts = overview(read_cells(everything()))["counts"]
    assert counts["runs"] == counts["planned"] == len(columns["run"])
    assert counts["solved"] == sum(columns["solved"])
    assert counts["iterations"] == sum(columns["iterations"])
    assert (counts["empty"], counts["unfinished"]) == (0, 0)


def test_rows_have_times_with_intervals():
    section = overview(read_cells(everything()))
    row = dict(zip(section["columns"], section["rows"][0], strict=True))
    assert row["rate_low"] < row["rate"] <= row["rate_high"]
    assert row["ert_low"] < row["ert"] < row["ert_high"]


def test_without_success_times_are_unknown():
    section = overview(read_cells(unsolved()))
    row = dict(zip(section["columns"], section["rows"][0], strict=True))
    assert (row["runs"], row["solved"], row["ert"], row["median"]) == (3, 0, None, None)


def test_a_cell_without_runs_is_a_row():
    section = overview(read_cells(nothing()))
    assert section["rows"][0][:5] == ["and:2", 2, 3, 0, 0]
    assert (section["counts"]["empty"], section["counts"]["runs"]) == (1, 0)


def test_models_are_those_of_the_analysis():
    cells = read_cells(everything())
    section = growth_fits(cells, resamples=5)
    name = section["curves"][0]["name"]
    best = growth(curves(cells.runs)[name], resamples=5).best
    first = section["curves"][0]["models"][0]
    assert first["model"] == best.fit.model.name
    assert first["rate"][0] == pytest.approx(best.fit.rate, rel=1e-3)
    assert first["values"][0] == pytest.approx(best.fit.mean(2), rel=1e-3)
    assert section["curves"][0]["words"].startswith(f"{name}: of the three models c ")
    assert any(
        "3 or more values of n, not 1, with 5 runs or more at each" in note for note in section["notes"]
    )


def test_what_was_fitted_before_is_not_fitted_again(monkeypatch):
    fits = {}
    before = growth_fits(read_cells(everything()), fits=fits, resamples=5)
    monkeypatch.setattr(store_tables, "growth", None)
    assert growth_fits(read_cells(everything()), fits=fits, resamples=5) == before
    (name, (counts, fit)), *_ = fits.items()
    fits[name] = tuple(count - 2 for count in counts), fit
    assert growth_fits(read_cells(everything()), fits=fits, tolerance=0.2, resamples=5) == before
    with pytest.raises(TypeError):  # made anew
        growth_fits(read_cells(everything()), fits=fits, resamples=5)


def test_too_many_curves_are_not_all_fitted(monkeypatch):
    monkeypatch.setattr(store_tables, "MOST_FITS", 1)
    section = growth_fits(read_cells(everything()), resamples=5)
    assert len(section["curves"]) == 1
    assert "1 more curve not fitted here" in section["notes"][-1]


def test_growth_without_runs_says_the_reason():
    assert growth_fits(read_cells(nothing()))["notes"] == ["There is no finished run yet."]


def test_pairs_are_those_of_the_analysis():
    options = {option["by"]: option for option in comparisons(read_cells(everything()))["options"]}
    assert set(options) == {"algorithm", "selection"}
    pairs = compare(everything(), "selection").pairs
    for shown, pair in zip(options["selection"]["pairs"], pairs, strict=True):
        assert shown["a12"][0] == pytest.approx(pair.a12, abs=1e-3)
        assert shown["logRank"] == pytest.approx(pair.log_rank_holm, rel=0.06)
        assert shown["differs"] is pair.differs
        assert "of two runs that of" in shown["words"]
    assert options["selection"]["words"].startswith("3 pairs differ in selection alone. ")


def test_many_pairs_are_bounded(monkeypatch):
    monkeypatch.setattr(store_tables, "MOST_PAIRS", 2)
    options = {option["by"]: option for option in comparisons(read_cells(everything()))["options"]}
    assert len(options["selection"]["pairs"]) == 2
    assert options["selection"]["note"].startswith("1 more pair left out")


def test_too_many_cells_are_not_compared(monkeypatch):
    monkeypatch.setattr(store_tables, "MOST_CELLS", 3)
    section = comparisons(read_cells(everything()))
    assert section["options"] == []
    assert "stores of up to 3 cells" in section["notes"][0]


def test_nothing_to_compare():
    assert "there is nothing to compare" in comparisons(read_cells(nothing()))["notes"][0]


def test_each_target_has_its_smallest():
    drawn = circuits(everything(), read_cells(everything()))["drawn"]
    assert {circuit["target"]: circuit["gates"] for circuit in drawn} | {"and:6": 0} == {
        "and:2": 1, "and:3": 2, "and:4": 3, "and:6": 0,
    }  # fmt: skip
    for circuit in drawn:
        assert circuit["svg"].count('class="gw-gate"') == circuit["gates"]
    sampled = next(circuit for circuit in drawn if circuit["target"] == "and:6")
    assert "on validation rows" in sampled["words"]


def test_of_sampled_runs_the_best_on_validation_rows_come_first():
    cells = read_cells(sampled())
    passed_over = 0
    for circuit in circuits(sampled(), cells)["drawn"]:
        runs = [
            (share, gates)
            for cell in cells.runs
            if cell.values["target"] == circuit["target"]
            for share, gates, solved in zip(
                *(cell.columns[name] for name in ("generalisation", "gates", "solved")), strict=True
            )
            if solved
        ]
        best = max(share for share, _ in runs)
        right = "all" if best == 1 else f"{100 * best:.1f} %"
        assert f"on validation rows {right} of its outputs are right" in circuit["words"]
        fewest = min(gates for share, gates in runs if share == best)
        assert circuit["gates"] <= fewest
        passed_over += sum(gates < fewest for _, gates in runs)
    assert passed_over  # smaller ones that do worse


def test_pictures_are_bounded(monkeypatch):
    monkeypatch.setattr(store_tables, "MOST_CIRCUITS", 3)
    monkeypatch.setattr(store_tables, "_MOST_GATES", 1)
    section = circuits(everything(), read_cells(everything()))
    assert [circuit["svg"] is None for circuit in section["drawn"]] == [False, True, True]
    assert "too large to draw" in section["drawn"][1]["words"]
    assert section["note"] == "1 more target left out of this page."


def test_circuits_that_are_not_there_say_the_reason():
    assert circuits(unsolved(), read_cells(unsolved()))["reason"] == "No run has solved its task yet."
    assert circuits(nothing(), read_cells(nothing()))["reason"] == "There is no finished run yet."


def test_the_campaign_is_told_as_it_was_stored():
    section = origin(everything(), read_cells(everything()))
    pairs = dict(section["pairs"])
    assert section["name"] == "a <b>campaign</b>"
    assert section["text"] == SPEC
    assert pairs["seed"] == "7"
    assert pairs["started"].startswith(time.strftime("%Y-", time.gmtime()))
    assert pairs["ended"].endswith("(done)")
    assert {"processor", "workers", "gatewalk", "numpy", "python"} <= set(pairs)


def test_what_no_campaign_writes_is_left_out():
    results = run(parse('[grid]\ntarget = "and:2"\nreplications = 1\n'), jobs=1)
    for packages in ("[", "[1]", "7", '{"a": []}'):
        results.connection.execute("UPDATE campaign SET packages = ?", (packages,))
        pairs = dict(origin(results, read_cells(results))["pairs"])
        assert "numpy" not in pairs
    results.connection.execute("DELETE FROM delivery")
    results.connection.execute("DELETE FROM campaign")
    assert origin(results, read_cells(results))["state"] == "empty"
