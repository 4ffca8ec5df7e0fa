"""What is asked of a study and what comes of it, as far as nobody says otherwise."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from gatewalk.studies import find, read_study
from gatewalk.studies.request import Report, Request


def test_a_request_is_silent_and_whole_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Request(study=read_study(find("nodes")), out=Path("out"))
    assert (asked.quick, asked.jobs, asked.seed, asked.watch) == (False, None, None, None)
    assert asked.command == "gatewalk study run"
    asked.say("nothing is heard")
    assert capsys.readouterr() == ("", "")
    with pytest.raises(FrozenInstanceError):
        asked.quick = True  # type: ignore[misc]


def test_reports_do_not_share_their_records() -> None:
    first, second = Report(Path("a.html"), ()), Report(Path("b.html"), ())
    first.record["claims"] = []
    assert second.record == {}
    assert second.picture is None
