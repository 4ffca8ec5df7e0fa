"""Claims are judged by the runs: true ones are confirmed, false ones are not, exceptions are named."""

from __future__ import annotations

import numpy as np

from gatewalk.analysis.statistics import sample
from gatewalk.studies.paper.claims import claims
from gatewalk.studies.paper.experiments import Cell, Place
from gatewalk.studies.paper.models import MODELS, SELECTIONS

RUNS = 30


def made(mean_of: dict[str, float], *, strict: float = 8.0, part: str = "complete") -> dict[Place, Cell]:
    """Exponential times with these means, times n; strict ones longer for CGP."""
    rng = np.random.default_rng(7)
    cells = {}
    for selection in SELECTIONS:
        for model in MODELS:
            for n in range(6, 12):
                factor = strict if selection == "strict" and model.nodes else 1.0
                drawn = rng.exponential(mean_of[model.name] * n * factor, RUNS)
                data = sample(np.minimum(drawn, 1e6), drawn < 1e6)
                ability = np.full(RUNS, 1 - 2.0**-n - 0.01) if part == "incomplete" else np.zeros(0)
                cells[Place(part, "paper", selection, model.name, n)] = Cell(None, data, data, ability)
    return cells


TRUE = {"cgp-1n": 9000.0, "cgp-2n": 1000.0, "cgp-3n": 120.0, "tgp-single": 20.0, "tgp-multi": 15.0}


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
