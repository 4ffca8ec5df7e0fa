"""Claims say what they must, in words that are never markup."""

from __future__ import annotations

from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.studies.claims import VERDICTS, Claim, claim_markup, claim_table, judged


def claim(**changes: Any) -> Claim:
    return Claim(**{"statement": "S", "source": "W", "measured": "M", "verdict": "confirmed", **changes})


@pytest.mark.parametrize("changes", [{"verdict": "true"}, {"statement": 3}, {"reason": None}])
def test_wrong_claims_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InputError):
        claim(**changes)


@pytest.mark.parametrize("verdict", VERDICTS)
def test_every_verdict_has_a_badge_and_texts_are_escaped(verdict: str) -> None:
    shown = claim_markup(claim(verdict=verdict, measured="<script>", reason="a & b"))
    assert f"<b>{verdict}</b>" in shown
    assert "&lt;script&gt;" in shown
    assert "a &amp; b" in shown
    assert claim_table((claim(verdict=verdict),)).rows[0][3] == verdict


def test_a_verdict_of_comparisons() -> None:
    assert judged([True, True]) == "confirmed"
    assert judged([True, False]) == "partly confirmed"
    assert judged([False]) == "not confirmed"
    assert judged([]) == "not judged"
    assert judged([True], quick=True) == "not judged"
