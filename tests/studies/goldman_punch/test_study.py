"""The study as a whole: what is watched, and the published runs in the place of ours."""

from __future__ import annotations

from dataclasses import replace

import pytest
from goldman_cells import STUDY, THEIRS, cells

from gatewalk.campaign import campaign, plan
from gatewalk.studies import Measured, compare
from gatewalk.studies.goldman_punch import study


def test_the_published_runs_confirm_what_needs_no_watching(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "exponent", lambda along, resamples: None)  # has tests of its own
    columns = {"gates": [], "solved": []}
    ours = {key: replace(cell, columns=columns) for key, cell in cells().items()}
    compared = tuple(compare(str(key), cell.runs, THEIRS[key]) for key, cell in ours.items())
    found = study.findings(Measured(study=STUDY, cells=tuple(ours.values()), quick=False, compared=compared))
    verdicts = [claim.verdict for claim in found.claims]
    assert verdicts[:3] == ["confirmed"] * 3
    assert verdicts[5:] == ["not judged"] * 2  # Breadth without a fit; nothing was watched
    assert [name for name, _ in found.tables] == ["holm", "direction", "active-nodes", "identical"]
    assert [drawing.name for drawing in found.figures] == ["evaluations"]


def test_identical_offspring_are_counted_under_a_rate_only() -> None:
    common = {"target": "mul:2", "nodes": 12, "gates": "and,or,nand,nor", "replications": 1}
    sam, rate = plan(campaign(**common, mutation=["sam", "rate:0.05"]))
    assert study.observe(sam, jobs=1) is None
    seen = study.observe(rate, jobs=1)
    assert seen is not None
    assert seen["rate"] == 0.05
    assert len(seen["genes"]) == len(seen["offspring"]) == len(seen["identical"])
    assert 0 < sum(seen["identical"]) < sum(seen["offspring"])
