"""What a study's own code may hand back."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from gatewalk.errors import InputError
from gatewalk.report import Table
from gatewalk.studies import Claim, Drawing, Findings, Remark, Report, Request, judged, read_study
from gatewalk.studies.findings import VERDICTS, checked
from gatewalk.studies.page import claim_markup, claim_table

TABLE = Table(title="T", columns=("a",), rows=(("1",),))


def drawing(name="one", caption="C"):
    return Drawing(name=name, caption=caption, draw=lambda: None)


def test_good_findings_pass():
    found = Findings(summary=("s",), figures=(drawing(),), tables=(("two", TABLE),))
    assert checked(found) is found


@pytest.mark.parametrize("name", ["../up", "A", "", "a b", "x" * 100, 3, "."])
def test_names_of_files_are_tame(name):
    with pytest.raises(InputError):
        drawing(name)
    with pytest.raises(InputError):
        checked(Findings(tables=((name, TABLE),)))


@pytest.mark.parametrize(
    "found",
    [
        None,
        {"claims": ()},
        Findings(summary=(3,)),
        Findings(claims=("S",)),
        Findings(figures=("one",)),
        Findings(tables=(TABLE,)),
        Findings(remarks=("because",)),
        Findings(data={"cells": "n,time"}),
        Findings(data={"cells.csv": TABLE}),
        Findings(figures=(drawing("a"), drawing("a"))),
    ],
)
def test_anything_else_is_refused(found):
    with pytest.raises(InputError):
        checked(found)


def test_a_figure_has_a_caption():
    with pytest.raises(InputError, match="caption"):
        drawing(caption="")


@pytest.mark.parametrize(("title", "text"), [("", "because"), ("Failed runs", ""), ("Failed runs", None)])
def test_a_remark_has_a_title_and_a_text(title, text):
    with pytest.raises(InputError, match="remark"):
        Remark(title=title, text=text)


def claim(**changes):
    return Claim(**{"statement": "S", "source": "W", "measured": "M", "verdict": "confirmed", **changes})


@pytest.mark.parametrize("changes", [{"verdict": "true"}, {"statement": 3}, {"reason": None}])
def test_wrong_claims_are_refused(changes):
    with pytest.raises(InputError):
        claim(**changes)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_a_badge_and_texts_are_escaped(verdict):
    shown = claim_markup(claim(verdict=verdict, measured="<script>", reason="a & b"))
    assert f"<b>{verdict}</b>" in shown
    assert "&lt;script&gt;" in shown
    assert "a &amp; b" in shown
    assert claim_table((claim(verdict=verdict),)).rows[0][3] == verdict


def test_a_verdict_of_comparisons():
    assert judged([True, True]) == "confirmed"
    assert judged([True, False]) == "partly confirmed"
    assert judged([False]) == "not confirmed"
    assert judged([]) == "not judged"
    assert judged([True], quick=True) == "not judged"


def test_a_request_is_silent_and_whole_by_default(capsys):
    asked = Request(study=read_study("nodes"), out=Path("out"))
    assert (asked.quick, asked.jobs, asked.seed, asked.watch) == (False, None, None, None)
    assert (asked.replications, asked.choices) == (None, {})
    assert asked.command == "gatewalk study run"
    asked.say("nothing is heard")
    assert capsys.readouterr() == ("", "")
    with pytest.raises(FrozenInstanceError):
        asked.quick = True


def test_reports_do_not_share_their_records():
    first, second = Report(Path("a.html"), ()), Report(Path("b.html"), ())
    first.record["claims"] = []
    assert second.record == {}
    assert second.picture is None
