"""Claims are judged by the runs: true ones are confirmed, false ones are not, exceptions are named."""

from __future__ import annotations

from paper_cells import RUNS, TRUE, made

from gatewalk.studies.paper.claims import claims


def test_true_claims_are_confirmed() -> None:
    found = {claim.title: claim for claim in claims(made(TRUE), "paper")}
    for title in (
        "Trees are faster than CGP on complete training sets",
        "More nodes make CGP faster",
        "Strict selection makes CGP slower",
    ):
        assert found[title].verdict == "confirmed", title
        for evidence in found[title].evidence:
            assert evidence.contrast is not None
            assert evidence.contrast.p_value < 1e-6
            assert evidence.contrast.replications == RUNS


def test_false_claims_are_not() -> None:
    flat = dict.fromkeys(TRUE, 100.0)
    found = {claim.title: claim.verdict for claim in claims(made(flat, strict=1.0), "paper")}
    assert found["Trees are faster than CGP on complete training sets"] == "not confirmed"
    assert found["Strict selection makes CGP slower"] == "not confirmed"
    assert found["Strict CGP with n nodes fails for n > 9"].startswith("not confirmed: 60 of 60")


def test_good_generalisation_is_held_against_the_constant() -> None:
    found = {claim.title: claim for claim in claims(made(TRUE, part="incomplete"), "paper")}
    claim = found["Programs found on samples generalise well"]
    assert "the constant 0 has more in 60 of 60 cells" in claim.verdict
    assert "p = " in claim.evidence[0].text
    assert "Trees are faster than CGP on complete training sets" not in found
