"""Verdicts: published runs in the place of ours confirm what is claimed, slower ones do not."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from gatewalk.analysis.statistics import Sample
from gatewalk.studies import CellRuns, compare
from gatewalk.studies.catalogue import find
from gatewalk.studies.folder import cells_of, read_study
from gatewalk.studies.goldman_punch.active_nodes import Active, active_table, parsimony
from gatewalk.studies.goldman_punch.agreement import agreement, direction_table, holm, holm_table
from gatewalk.studies.goldman_punch.cells import Key, key_of, published_runs
from gatewalk.studies.goldman_punch.evaluations import (
    breadth,
    breadth_claim,
    exponent,
    lengths,
    medians,
    rates,
)
from gatewalk.studies.goldman_punch.identical import identical_claim, identical_table

STUDY = read_study(find("goldman_punch"))
THEIRS = published_runs(STUDY)


def cells(factor: float = 1.0, observed: Mapping[str, object] | None = None) -> dict[Key, CellRuns]:
    """The published runs, their times multiplied, as if they were ours."""
    found = {}
    for cell in cells_of(STUDY):
        made = CellRuns(
            label=cell.settings.label,
            settings=cell.settings,
            options=cell.options,
            values={"nodes": cell.settings.nodes},
            runs=Sample(np.zeros(1), np.ones(1, bool)),
            columns={},
            observed=observed or {},
        )
        runs = THEIRS[key_of(made)]
        times = np.where(runs.solved, factor * runs.iterations, 1e7)
        found[key_of(made)] = CellRuns(
            **{**vars(made), "runs": Sample(times, runs.solved & (times <= 1e7))}  # type: ignore[arg-type]
        )
    return found


@pytest.mark.parametrize(("factor", "verdict"), [(1.0, "confirmed"), (4.0, "not confirmed")])
def test_agreement_and_medians(factor: float, verdict: str) -> None:
    ours = cells(factor)
    compared = [compare(str(key), cell.runs, THEIRS[key]) for key, cell in ours.items()]
    told = agreement(compared, quick=False)
    assert told.verdict == verdict
    assert "12 more cells" in told.measured  # neither side has a success there
    assert len(holm_table(compared).rows) == len(compared) - 12
    assert medians(ours, THEIRS, quick=False).verdict == verdict
    assert medians(ours, THEIRS, quick=True).verdict == "not judged"


@pytest.mark.parametrize(("factor", "sign"), [(0.5, 1), (2.0, -1)])
def test_direction_tells_who_is_faster(factor: float, sign: int) -> None:
    rows = direction_table(cells(factor), THEIRS).rows
    assert [row[1] for row in rows] == ["24", "10", "13"]
    assert all(sign * float(row[3].replace("−", "-")) > 3 for row in rows)
    same = direction_table(cells(), THEIRS).rows  # but for the budget
    assert all(abs(float(row[3].replace("−", "-"))) < 0.1 for row in same)


def test_lengths_and_rates() -> None:
    ours = cells()
    assert lengths(ours, THEIRS, quick=False).verdict == "confirmed"
    assert rates(ours, quick=False).verdict == "confirmed"
    slow = {key: cells(50.0)[key] if key.mutation == "sam" else cell for key, cell in ours.items()}
    assert rates(slow, quick=False).verdict == "not confirmed"


def test_exponent_of_breadth() -> None:
    by_size = breadth(cells(), THEIRS)
    fits = {name: exponent(along, resamples=20) for name, along in by_size.items()}
    told = breadth_claim(fits, quick=False)
    assert told.verdict == "confirmed"
    assert "0.0 standard errors apart" in told.measured
    flat = exponent({n: Sample(np.arange(1.0, 30.0), np.ones(29, bool)) for n in (5, 15, 25)}, resamples=20)
    assert breadth_claim({"ours": flat, "published": flat}, quick=False).verdict == "partly confirmed"
    assert breadth_claim({**fits, "ours": flat}, quick=False).verdict == "partly confirmed"
    assert breadth_claim({"ours": None, "published": flat}, quick=False).verdict == "not judged"
    assert exponent({5: by_size["ours"][5]}) is None


def test_parsimony() -> None:
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
    assert parsimony(rows, quick=False).verdict == "confirmed"
    off = [rows[0], Active(**{**vars(rows[1]), "mean": 90.0})]
    assert parsimony(off, quick=False).verdict == "partly confirmed"
    assert [row[2] for row in active_table(rows).rows] == ["60", "100"]


@pytest.mark.parametrize(("identical", "verdict"), [(9036, "confirmed"), (9236, "not confirmed")])
def test_identical_offspring(identical: int, verdict: str) -> None:
    # 0.999^700 = 0.4964 of 18,200 offspring are 9034; a standard deviation is 67.
    seen = {"rate": 0.001, "genes": [700], "offspring": [18_200], "identical": [identical], "nodes": 231.0}
    told = [cell for key, cell in cells(observed=seen).items() if key == Key("multiply", 3000, "rate:0.001")]
    assert identical_claim(told, quick=False).verdict == verdict
    assert identical_table(told).rows[0][:5] == ("multiply", "0.001", "231", "18200", str(identical))


def test_holm_by_hand() -> None:
    assert holm([0.04, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([]) == []
