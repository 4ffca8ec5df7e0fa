"""The study on traps: its verdicts on the kept runs, and that it observes what the campaign begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gatewalk.campaign import run as run_campaign
from gatewalk.studies import CellRuns, Measured, find, read_study
from gatewalk.studies.folder import campaign_of, cells_of
from gatewalk.studies.traps.figure import draw
from gatewalk.studies.traps.sizes import (
    PARTS,
    exponent,
    kept,
    record_of_chain,
    record_of_runs,
    size_of,
    unit_exponent,
)
from gatewalk.studies.traps.study import FOLLOWED, findings, observe
from gatewalk.theory.conjunctions import expected_iterations
from gatewalk.theory.traps import exact_trap_arrivals, trap_arrivals

STUDY = read_study(find("traps"))


def found_in(runs, *, quick=False):
    exact = kept("exact")
    cells = tuple(
        CellRuns(
            label=f"and:{n}",
            settings=None,
            options={},
            values={"n": n},
            runs=None,
            columns={},
            observed={"runs": record, "exact": exact.get(n)},
        )
        for n, record in runs.items()
    )
    return findings(Measured(study=STUDY, cells=cells, quick=quick))


def test_the_campaign_asks_for_the_kept_runs():
    asked = {cell.settings.n: FOLLOWED * cell.replications for cell in cells_of(STUDY)}
    assert asked == {n: record["runs"] for n, record in kept("runs").items()}
    assert {(cell.settings.nodes, cell.settings.strict) for cell in cells_of(STUDY)} == {
        (n - 1, True) for n in asked
    }


def test_the_kept_runs_confirm_every_claim():
    found = found_in(kept("runs"))
    assert [claim.verdict for claim in found.claims] == ["confirmed"] * 5
    assert found.summary[0].startswith("14 of 14 sizes")
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
    runs = kept("runs")
    runs[n] |= {"traps": round(share * runs[n]["runs"]), "trap_share": share}
    found = found_in(runs)
    assert found.claims[claim].verdict in ("partly confirmed", "not confirmed")
    assert found.summary[0].startswith("13 of 14 sizes")


def test_a_share_that_falls_with_n_is_noticed():
    runs = kept("runs")
    for n, record in runs.items():
        record["trap_share"] = 1 / n
    assert found_in(runs).claims[3].verdict == "not confirmed"


def test_exponents_far_from_those_of_theorem_4_are_noticed():
    runs = kept("runs")
    runs[28] |= {"mean": 1.5 * runs[28]["mean"]}
    assert found_in(runs).claims[4].verdict == "partly confirmed"


def test_a_quick_run_judges_nothing():
    found = found_in({n: record for n, record in kept("runs").items() if n <= 8}, quick=True)
    assert {claim.verdict for claim in found.claims} == {"not judged"}
    assert "fits" not in dict(found.tables)


def test_runs_of_the_campaign_are_the_first_that_are_followed(tmp_path):
    """Each takes longer than the same run takes to the last level but one."""
    small = next(cell for cell in cells_of(STUDY, quick=True) if cell.settings.n == 5)
    campaign = campaign_of(STUDY, quick=True)
    assert campaign is not None
    with run_campaign(campaign, tmp_path / "runs.sqlite", cells=(small,), jobs=1) as results:
        ((_, columns),) = results.by_cell()
    whole = columns["iterations"]
    arrivals = trap_arrivals(5, runs=len(whole), seed=2026).arrivals
    for time, item in zip(whole, arrivals, strict=True):
        assert (time > item.iterations) if item.found else (time == item.iterations)


def test_what_is_observed_does_not_depend_on_jobs_but_on_the_seed():
    cell = replace(next(cell for cell in cells_of(STUDY) if cell.settings.n == 8), replications=2)
    one = observe(cell, jobs=1)
    assert one == observe(cell, jobs=2)
    assert one["exact"] is None
    assert one["runs"]["runs"] == 2 * FOLLOWED
    assert one != observe(replace(cell, seed=7), jobs=1)


def test_the_kept_runs_come_out_again():
    then = kept("runs")[4]
    now = record_of_runs(trap_arrivals(4, runs=then["runs"], seed=2026))
    assert now["traps"] == then["traps"]
    for name in ("trap_share", "before", "mean", "error"):
        assert now[name] == pytest.approx(then[name], rel=1e-8)
    assert len(now["kinds"]) == len(then["kinds"])
    for mine, other in zip(now["kinds"], then["kinds"], strict=True):
        assert mine == pytest.approx(other, rel=1e-8)


@pytest.mark.parametrize("n", [3, 4])
def test_the_kept_chain_comes_out_again(n):
    now, then = record_of_chain(exact_trap_arrivals(n)), kept("exact")[n]
    for name in ("trap_share", "before", "mean", "error"):
        assert now[name] == pytest.approx(then[name], rel=1e-7)
    for mine, other in zip(now["kinds"], then["kinds"], strict=True):
        assert mine == pytest.approx(other, rel=1e-7)


def test_the_kept_runs_agree_with_the_kept_chain():
    """For n = 6 too, whose chain takes minutes."""
    exact, runs = kept("exact"), kept("runs")
    assert list(exact) == [3, 4, 5, 6]
    for n, record in exact.items():
        assert stats.binomtest(runs[n]["traps"], runs[n]["runs"], record["trap_share"]).pvalue > 1e-7
        assert abs(runs[n]["mean"] - record["mean"]) < 5.5 * runs[n]["error"]


@pytest.mark.parametrize("how", ["runs", "exact"])
def test_the_parts_make_up_the_time(how):
    for n, record in kept(how).items():
        size = size_of(n, record)
        assert tuple(size.parts) == PARTS
        assert sum(size.parts.values()) == pytest.approx(size.mean, rel=1e-6)
        assert size.parts["traps"] == pytest.approx(size.share, rel=1e-6)  # a trap takes Theorem 4's time
        assert size.left[0] == pytest.approx(size.share, rel=1e-6)


def test_exponents_are_those_of_the_times():
    first, second = (size_of(n, record) for n, record in list(kept("exact").items())[:2])
    times = [149.477515, 2192.48248]
    found, error = exponent(first, second)
    assert (4 / 3) ** found == pytest.approx(times[1] / times[0], rel=1e-6)
    assert error == 0
    assert (4 / 3) ** unit_exponent(3, 4) == pytest.approx(float(expected_iterations(4)) / 663)


EXACT, RUN = ([size_of(n, record) for n, record in kept(how).items()] for how in ("exact", "runs"))


def test_three_panels_along_n():
    shares, parts, exponents = draw(EXACT, RUN).axes
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
