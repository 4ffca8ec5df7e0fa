"""Claims that are true of made-up runs are confirmed, and false ones are not."""

import numpy as np
import pytest
from paper_cells import RUNS, TRUE, made
from scipy import stats

from gatewalk.stats import sample
from gatewalk_studies.paper.claims import claims, contrast, holds, judgements, listed, van_elteren


def runs(times, budget=np.inf):
    return sample(np.minimum(times, 1e9 if budget == np.inf else budget), times < budget)


def test_a_faster_model_is_seen_and_a_reversal_named():
    rng = np.random.default_rng(3)
    slow = {n: runs(rng.exponential(100 * n, 60)) for n in range(3, 9)}
    fast = {n: runs(rng.exponential(10 * n if n > 3 else 5000, 60)) for n in range(3, 9)}
    seen = contrast(fast, slow, ("fast", "slow"), "strict")
    assert seen.p_value < 1e-9
    assert seen.a12 > 0.71
    assert seen.effect == "large"
    assert seen.against == (3,)
    assert seen.label == "fast against slow, strict; the other way at n = 3"
    assert holds([seen]) == [True]
    back = contrast(slow, fast, ("slow", "fast"), "strict")
    assert back.a12 == pytest.approx(1 - seen.a12)
    assert back.ratio == pytest.approx(1 / seen.ratio)
    assert holds([back]) == [False]


def test_failed_runs_are_last_and_have_no_ratio():
    rng = np.random.default_rng(4)
    good = {5: runs(rng.exponential(500, 30))}
    bad = {5: runs(np.full(30, 5000.0), budget=1000)}
    seen = contrast(good, bad, ("good", "bad"), "strict")
    assert seen.a12 == 1.0
    assert np.isnan(seen.ratio)
    assert seen.ratio_sizes == 0


def test_nothing_in_common_is_no_evidence():
    alike = {4: runs(np.full(9, 7.0))}
    empty = contrast(alike, {}, ("a", "b"), "strict")
    assert empty.sizes == ()
    assert holds([empty]) == [False]


def test_sizes_are_listed_as_ranges():
    assert listed([3, 4, 5, 9]) == "3–5, 9"


def verdicts(cells):
    return {claim.statement: claim.verdict for claim in claims(judgements(cells, ["paper"]))}


def test_true_claims_are_confirmed():
    made_judgements = {judgement.title: judgement for judgement in judgements(made(TRUE), ["paper"])}
    confirmed = verdicts(made(TRUE))
    for title in (
        "Trees are faster than CGP on complete training sets",
        "More nodes make CGP faster",
        "Strict selection makes CGP slower",
    ):
        assert confirmed[title] == "confirmed", title
        for seen in made_judgements[title].contrasts:
            assert seen.p_value < 1e-6
            assert seen.replications == RUNS


def test_false_claims_are_not():
    flat = dict.fromkeys(TRUE, 100.0)
    cells = made(flat, strict=1.0)
    refuted = verdicts(cells)
    assert refuted["Trees are faster than CGP on complete training sets"] == "not confirmed"
    assert refuted["Strict selection makes CGP slower"] == "not confirmed"
    assert refuted["Strict CGP with n nodes fails for n > 9"] == "not confirmed"
    (claim,) = [claim for claim in claims(judgements(cells, ["paper"])) if "fails" in claim.statement]
    assert claim.measured.startswith("Profile paper: 60 of 60 runs with n > 9 succeed, published 0 of 60")
    assert "a limit on the clock" in claim.reason


def test_a_reversal_at_some_size_makes_a_claim_partly_confirmed():
    cells = made(TRUE)
    slow = {place: cell for place, cell in made(dict.fromkeys(TRUE, 90000.0)).items() if place.n == 6}
    cells |= {place: cell for place, cell in slow.items() if place.model.startswith("tgp")}
    (claim, *_) = claims(judgements(cells, ["paper"]))
    assert claim.verdict == "partly confirmed"
    assert "but the other way at n = 6; A12 from" in claim.measured


def test_a_claim_has_the_words_of_every_profile(cells):
    both = claims(judgements(cells, ["tinyverse", "paper"]))
    assert len({claim.statement for claim in both}) == len(both) == 6  # nothing about n > 9
    for claim in both:
        assert claim.measured.startswith("Profile tinyverse: ")
        assert " Profile paper: " in claim.measured
        assert claim.source.startswith("“")


def test_good_generalisation_is_held_against_the_constant():
    judged = judgements(made(TRUE, part="incomplete"), ["paper"])
    told = {claim.statement: claim for claim in claims(judged)}
    claim = told["Programs found on samples generalise well"]
    assert claim.verdict == "partly confirmed"
    assert "the constant 0 does better in 60 of 60 cells" in claim.measured
    assert "Trees are faster than CGP on complete training sets" not in told
    (ability, *_) = judged[-1].abilities
    assert ability.lost == pytest.approx(-0.01)
    assert ability.p_value < 1e-6


def solved(times):
    return sample(times, np.ones(len(times)))


def test_van_elteren_on_one_stratum_is_wilcoxons_test_with_ties():
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 8, 25).astype(float), rng.integers(1, 9, 40).astype(float)
    expected = stats.mannwhitneyu(a, b, method="asymptotic", use_continuity=False).pvalue
    assert van_elteren([(solved(a), solved(b))]) == pytest.approx(float(expected), rel=1e-9)


def test_van_elteren_keeps_its_level_over_strata():
    rng = np.random.default_rng(2)
    p = [
        van_elteren([(solved(rng.exponential(m, 10)), solved(rng.exponential(m, 10))) for m in (1, 50, 3000)])
        for _ in range(400)
    ]
    assert stats.kstest(p, "uniform").pvalue > 1e-7


def test_van_elteren_of_equal_times_is_no_evidence():
    alike = solved([7.0] * 9)
    assert van_elteren([(alike, alike)]) == 1.0
    assert van_elteren([]) == 1.0
