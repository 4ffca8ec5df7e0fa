"""The study on traps: its verdicts on the kept runs, and that it observes what the campaign begins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gatewalk.campaign import run as run_campaign
from gatewalk.studies import CellRuns, Findings, Measured, find, read_study
from gatewalk.studies.folder import campaign_of, cells_of
from gatewalk.studies.traps.sizes import kept
from gatewalk.studies.traps.study import FOLLOWED, findings, observe
from gatewalk.theory.traps import trap_arrivals

STUDY = read_study(find("traps"))


def found_in(runs: dict[int, dict[str, Any]], *, quick: bool = False) -> Findings:
    exact = kept("exact")
    cells = tuple(
        CellRuns(
            label=f"and:{n}",
            settings=None,  # type: ignore[arg-type]
            options={},
            values={"n": n},
            runs=None,  # type: ignore[arg-type]
            columns={},
            observed={"runs": record, "exact": exact.get(n)},
        )
        for n, record in runs.items()
    )
    return findings(Measured(study=STUDY, cells=cells, quick=quick))


def test_the_campaign_asks_for_the_kept_runs() -> None:
    asked = {cell.settings.n: FOLLOWED * cell.replications for cell in cells_of(STUDY)}
    assert asked == {n: record["runs"] for n, record in kept("runs").items()}
    assert {(cell.settings.nodes, cell.settings.strict) for cell in cells_of(STUDY)} == {
        (n - 1, True) for n in asked
    }


def test_the_kept_runs_confirm_every_claim() -> None:
    found = found_in(kept("runs"))
    assert [claim.verdict for claim in found.claims] == ["confirmed"] * 5
    assert found.summary[0].startswith("14 of 14 sizes")
    assert "0.258 (n = 6) to 0.330 (n = 16)" in found.claims[0].measured
    assert "1.12 (n = 6) to 3.79 (n = 28)" in found.claims[1].measured
    tables = dict(found.tables)
    rows = {row[0]: row for row in tables["certified"].rows}
    assert rows["50"] == ("50", "400", "131", "0.328", "0.274", "5.94e+10", "5.53e+10", "3.54")
    fits = {(row[0], row[1][:5], row[2]): row[3:7] for row in tables["fits"].rows}
    assert fits["share of traps", "expon", "12"][:3] == ("−0.064", "−0.113", "−0.015")
    assert fits["E[T]", "limit", "12"][0] == "0.682"


@pytest.mark.parametrize(("claim", "n", "share"), [(0, 10, 0.25), (1, 6, 0.2), (2, 5, 0.3)])
def test_a_claim_falls_with_its_counts(claim: int, n: int, share: float) -> None:
    runs = kept("runs")
    runs[n] |= {"traps": round(share * runs[n]["runs"]), "trap_share": share}
    found = found_in(runs)
    assert found.claims[claim].verdict in ("partly confirmed", "not confirmed")
    assert found.summary[0].startswith("13 of 14 sizes")


def test_a_share_that_falls_with_n_is_noticed() -> None:
    runs = kept("runs")
    for n, record in runs.items():
        record["trap_share"] = 1 / n
    assert found_in(runs).claims[3].verdict == "not confirmed"


def test_exponents_far_from_those_of_theorem_4_are_noticed() -> None:
    runs = kept("runs")
    runs[28] |= {"mean": 1.5 * runs[28]["mean"]}
    assert found_in(runs).claims[4].verdict == "partly confirmed"


def test_a_taste_judges_nothing() -> None:
    found = found_in({n: record for n, record in kept("runs").items() if n <= 8}, quick=True)
    assert {claim.verdict for claim in found.claims} == {"not judged"}
    assert "fits" not in dict(found.tables)


def test_runs_of_the_campaign_are_the_first_that_are_followed(tmp_path: Path) -> None:
    """Each takes longer than the same run takes to the last level but one."""
    taste = next(cell for cell in cells_of(STUDY, quick=True) if cell.settings.n == 5)
    campaign = campaign_of(STUDY, quick=True)
    assert campaign is not None
    with run_campaign(campaign, tmp_path / "runs.sqlite", cells=(taste,), jobs=1) as results:
        ((_, columns),) = results.by_cell()
    whole = columns["iterations"]
    arrivals = trap_arrivals(5, runs=len(whole), seed=2026).arrivals
    for time, item in zip(whole, arrivals, strict=True):
        assert (time > item.iterations) if item.found else (time == item.iterations)


def test_what_is_observed_does_not_depend_on_jobs_but_on_the_seed() -> None:
    cell = replace(next(cell for cell in cells_of(STUDY) if cell.settings.n == 8), replications=2)
    one = observe(cell, jobs=1)
    assert one == observe(cell, jobs=2)
    assert one["exact"] is None
    assert one["runs"]["runs"] == 2 * FOLLOWED
    assert one != observe(replace(cell, seed=7), jobs=1)
