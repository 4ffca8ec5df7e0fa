"""The paper as a study hands everything to the reproduction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gatewalk.studies import find, read_study
from gatewalk.studies.paper import study
from gatewalk.studies.paper.experiments import Request
from gatewalk.studies.paper.reproduce import Report
from gatewalk.studies.request import Request as StudyRequest


@pytest.mark.parametrize(
    ("seed", "quick", "wanted"),
    [(None, False, Request()), (9, False, Request(seed=9)), (9, True, Request(seed=9).quick())],
)
def test_seed_and_taste_are_handed_on(
    seed: int | None, quick: bool, wanted: Request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    def reproduce(request: Request, out: Path, **options: Any) -> Report:
        asked.append((request, out, options["jobs"], options["command"]))
        return Report(out / "index.html", ("all is well",))

    monkeypatch.setattr(study.reproduce, "reproduce", reproduce)
    request = StudyRequest(
        study=read_study(find("paper")), out=tmp_path, seed=seed, quick=quick, jobs=2, command="again"
    )
    report = study.run(request)
    assert asked == [(wanted, tmp_path, 2, "again")]
    assert report.summary == ("all is well",)
    assert report.record == {
        "study": "paper",
        "quick": quick,
        "page": str(tmp_path / "index.html"),
        "summary": ["all is well"],
    }
    assert report.picture == tmp_path / "figures" / "figure2-tinyverse.svg"
