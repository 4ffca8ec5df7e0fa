"""The study on traps: its verdicts on the stored runs, and that it observes what the campaign begins."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
from made_up import around
from planned_cells import cells
from scipy import stats

from gatewalk.campaign import run as run_campaign
from gatewalk.studies import Measured, read_study
from gatewalk.studies.folder import campaign_of, cells_of
from gatewalk.studies.published import read_observations
from gatewalk_studies.traps import study
from gatewalk_studies.traps.arrivals import exact_trap_arrivals, trap_arrivals, trap_time
from gatewalk_studies.traps.sizes import (
    PARTS,
    draw_sizes,
    exponent,
    record_of_chain,
    record_of_runs,
    size_of,
    unit_exponent,
)
from gatewalk_studies.traps.study import FOLLOWED, findings, observe

STUDY = read_study("traps")
UNIFORM = {cell.search.n: cell for cell in cells_of(STUDY) if cell.words["start"] == "random"}
OBSERVED = {
    key.partition("-")[0]: value for key, value in read_observations(STUDY.folder / "observed.jsonl").items()
}
STORED = {n: OBSERVED[cell.key.hex()] for n, cell in UNIFORM.items()}
EXPECTED = {n: trap_time(n) for n in (3, 4, 5, 6)}
TIMES = {
    "strict": {n: around(mean) for n, mean in EXPECTED.items()},
    "nonstrict": {n: around(20.0 * n) for n in EXPECTED},
}


def stored(how):
    """A copy of the stored records by n. how: "runs" or "exact"."""
    return {n: deepcopy(value[how]) for n, value in STORED.items() if value[how]}


def found_in(runs):
    exact = stored("exact")
    uniform = [
        replace(cell, observed={"runs": runs[cell.search.n], "exact": exact.get(cell.search.n)})
        for cell in cells(target="and", n=list(runs), nodes="n-1", selection="strict")
    ]
    from_start = [
        replace(cell, runs=TIMES[cell.search.selection][cell.search.n])
        for cell in cells(
            target="and",
            n=list(EXPECTED),
            nodes="n-1",
            start="penultimate",
            selection=["strict", "nonstrict"],
        )
    ]
    return findings(Measured(study=STUDY, cells=(*uniform, *from_start)))


def test_the_campaign_asks_for_the_stored_runs():
    asked = {n: FOLLOWED * cell.replications for n, cell in UNIFORM.items()}
    assert asked == {n: record["runs"] for n, record in stored("runs").items()}
    assert all(cell.search.nodes == n - 1 and cell.search.strict for n, cell in UNIFORM.items())


def test_the_stored_runs_confirm_every_claim():
    found = found_in(stored("runs"))
    assert [claim.verdict for claim in found.claims] == ["confirmed"] * 8
    assert "0.258 (n = 6) to 0.330 (n = 16)" in found.claims[0].measured
    assert "1.12 (n = 6) to 3.79 (n = 28)" in found.claims[1].measured
    tables = dict(found.tables)
    rows = {row[0]: row for row in tables["certified"].rows}
    assert rows["50"] == ("50", "400", "131", "0.3275", "0.2736", "5.938 · 10¹⁰", "5.535 · 10¹⁰", "3.542")
    fits = {(row[0], row[1][:5], row[2]): row[3:7] for row in tables["fits"].rows}
    assert fits["share of traps", "expon", "12"][:3] == ("−0.064", "−0.113", "−0.015")
    assert fits["E[T]", "limit", "12"][0] == "0.682"


@pytest.mark.parametrize(("claim", "n", "share"), [(0, 10, 0.25), (1, 6, 0.2), (2, 5, 0.3)])
def test_a_claim_falls_with_its_counts(claim, n, share):
    runs = stored("runs")
    runs[n] |= {"traps": round(share * runs[n]["runs"]), "trap_share": share}
    found = found_in(runs)
    assert found.claims[claim].verdict in ("partly confirmed", "not confirmed")


def test_a_share_that_falls_with_n_is_noticed():
    runs = stored("runs")
    for n, record in runs.items():
        record["trap_share"] = 1 / n
    assert found_in(runs).claims[3].verdict == "not confirmed"


def test_exponents_far_from_those_of_theorem_4_are_noticed():
    runs = stored("runs")
    runs[28] |= {"mean": 1.5 * runs[28]["mean"]}
    assert found_in(runs).claims[4].verdict == "partly confirmed"


def test_too_few_sizes_are_not_fitted():
    found = found_in({n: record for n, record in stored("runs").items() if n <= 8})
    assert found.claims[3].verdict == "not judged"
    assert "fits" not in dict(found.tables)


def test_runs_of_the_campaign_are_the_first_that_are_followed(tmp_path):
    """Each takes longer than the same run takes to the last level but one."""
    small = next(cell for cell in cells_of(STUDY, quick=True) if cell.search.n == 5)
    campaign = campaign_of(STUDY, quick=True)
    assert campaign is not None
    with run_campaign(campaign, tmp_path / "runs.sqlite", cells=(small,), jobs=1) as results:
        ((_, columns),) = results.by_cell()
    whole = columns["iterations"]
    arrivals = trap_arrivals(5, runs=len(whole), seed=2026).arrivals
    for time, item in zip(whole, arrivals, strict=True):
        assert (time > item.iterations) if item.kind else (time == item.iterations)


def test_what_is_observed_does_not_depend_on_jobs_but_on_the_seed():
    cell = replace(UNIFORM[8], replications=2)
    one = observe(cell, jobs=1)
    assert one == observe(cell, jobs=2)
    assert one["exact"] is None
    assert one["runs"]["runs"] == 2 * FOLLOWED
    assert one != observe(replace(cell, seed=7), jobs=1)


def test_the_stored_runs_come_out_again():
    then = stored("runs")[4]
    now = record_of_runs(trap_arrivals(4, runs=then["runs"], seed=2026))
    assert now["traps"] == then["traps"]
    for name in ("trap_share", "before", "mean", "error"):
        assert now[name] == pytest.approx(then[name], rel=1e-8)
    assert len(now["kinds"]) == len(then["kinds"])
    for mine, other in zip(now["kinds"], then["kinds"], strict=True):
        assert mine == pytest.approx(other, rel=1e-8)


@pytest.mark.parametrize("n", [3, 4])
def test_the_stored_chain_comes_out_again(n):
    now, then = record_of_chain(exact_trap_arrivals(n)), stored("exact")[n]
    for name in ("trap_share", "before", "mean", "error"):
        assert now[name] == pytest.approx(then[name], rel=1e-7)
    for mine, other in zip(now["kinds"], then["kinds"], strict=True):
        assert mine == pytest.approx(other, rel=1e-7)


def test_the_stored_runs_agree_with_the_kept_chain():
    """For n = 6 too, whose chain takes minutes."""
    exact, runs = stored("exact"), stored("runs")
    assert list(exact) == [3, 4, 5, 6]
    for n, record in exact.items():
        assert stats.binomtest(runs[n]["traps"], runs[n]["runs"], record["trap_share"]).pvalue > 1e-7
        assert abs(runs[n]["mean"] - record["mean"]) < 5.5 * runs[n]["error"]


@pytest.mark.parametrize("how", ["runs", "exact"])
def test_the_parts_make_up_the_time(how):
    for n, record in stored(how).items():
        size = size_of(n, record)
        assert tuple(size.parts) == PARTS
        assert sum(size.parts.values()) == pytest.approx(size.mean, rel=1e-6)
        assert size.parts["traps"] == pytest.approx(size.share, rel=1e-6)  # a trap takes Theorem 4's time
        assert size.left[0] == pytest.approx(size.share, rel=1e-6)


def test_exponents_are_those_of_the_times():
    first, second = (size_of(n, record) for n, record in list(stored("exact").items())[:2])
    times = [149.477515, 2192.48248]
    found, error = exponent(first, second)
    assert (4 / 3) ** found == pytest.approx(times[1] / times[0], rel=1e-6)
    assert error == 0
    assert (4 / 3) ** unit_exponent(3, 4) == pytest.approx(trap_time(4) / 663)


EXACT, RUN = ([size_of(n, record) for n, record in stored(how).items()] for how in ("exact", "runs"))


def test_three_panels_along_n():
    shares, parts, exponents = draw_sizes(EXACT, RUN).axes
    for axes in (shares, parts, exponents):
        low, high = axes.get_xlim()
        assert low < RUN[0].n < RUN[-1].n < high
    (bars,) = shares.containers
    assert list(bars.lines[0].get_ydata()) == pytest.approx([size.share for size in RUN])
    assert any(list(line.get_ydata()) == pytest.approx([s.share for s in EXACT]) for line in shares.lines)
    assert len(parts.collections) == len(PARTS)
    top = parts.collections[-1].get_paths()[0].vertices[:, 1].max()
    assert top == pytest.approx(max(sum(size.parts.values()) for size in RUN))
    (bars,) = exponents.containers
    assert np.isfinite(bars.lines[0].get_ydata()).all()


def test_only_uniform_starts_are_observed():
    (cell,) = (c for c in cells_of(STUDY) if c.search.n == 3 and c.search.strict and c.search.start)
    assert observe(cell, jobs=1) is None


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (1.5, "not confirmed")])
def test_means_are_held_against_the_exact_ones(factor, verdict):
    times = {**TIMES, "strict": {n: around(factor * mean) for n, mean in EXPECTED.items()}}
    claim = study._from_start(times, EXPECTED)
    assert claim.verdict == verdict
    assert f"Measured over exact: {factor:.3f}" in claim.measured


def test_one_size_that_is_wrong_is_noticed_though_the_mean_is_right():
    strict = dict(TIMES["strict"]) | {3: around(0.4 * EXPECTED[3]), 4: around(1.6 * EXPECTED[4])}
    claim = study._from_start({**TIMES, "strict": strict}, EXPECTED)
    assert "Measured over exact: 1.000" in claim.measured
    assert claim.verdict == "not confirmed"


def test_the_order_comes_from_the_formula(monkeypatch):
    assert study._order().verdict == "confirmed"
    monkeypatch.setattr(study, "trap_time", lambda n: n**5)
    assert study._order().verdict == "not confirmed"


def test_ties_must_undo_the_trap():
    assert study._ties(TIMES, EXPECTED).verdict == "confirmed"
    slow = {**TIMES, "nonstrict": TIMES["strict"]}
    assert study._ties(slow, EXPECTED).verdict == "not confirmed"


def test_the_table_has_measured_and_exact_values():
    row = study._start_table(TIMES, EXPECTED).rows[0]
    assert row[:4] == ("3", "663", "663", "1.00")
