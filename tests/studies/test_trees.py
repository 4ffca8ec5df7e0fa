"""Verdicts on tree GP with minimal function sets: each can be reached and missed."""

from __future__ import annotations

from made_up import around, share

from gatewalk.stats.sample import MeanError
from gatewalk_studies.trees import study


def test_the_exact_time_is_met_or_missed():
    right = {n: around(study.strict_time(n)) for n in (8, 16, 32)}
    wrong = {n: around(1.1 * study.strict_time(n)) for n in (8, 16, 32)}
    assert study._constant(right).verdict == "confirmed"
    assert study._constant(wrong).verdict == "not confirmed"


def test_orders_of_conjunctions():
    linear = {"single, strict": {n: around(n) for n in (8, 16, 32, 64)}}
    square = {"single, strict": {n: around(n**2) for n in (8, 16, 32, 64)}}
    assert study._n_log_n(linear).verdict == "confirmed"
    assert study._n_log_n(square).verdict == "not confirmed"
    assert study._log_n(linear).verdict == "not confirmed"


def test_negation_must_cost_more_with_every_input():
    rare = {study.STRICT: {3: share(50, 100), 4: share(20, 100), 5: share(5, 100)}}
    common = {study.STRICT: {3: share(50, 100), 4: share(45, 100), 5: share(40, 100)}}
    assert study._strict_negation(rare).verdict == "confirmed"
    assert study._strict_negation(common).verdict == "not confirmed"
    for base, verdict in ((4, "confirmed"), (1.5, "not confirmed")):
        found = {"single, nonstrict": {n: around(base**n) for n in (3, 4, 5)}}
        assert study._negation(found).verdict == verdict


def test_errors_by_rows():
    falling = {10: MeanError(0.1, 0.01), 100: MeanError(0.01, 0.001)}
    guessing = {10: MeanError(0.51, 0.01), 100: MeanError(0.499, 0.001)}
    assert study._conjunctions_generalise(falling).verdict == "confirmed"
    assert study._conjunctions_generalise(guessing).verdict == "not confirmed"
    assert study._parities_do_not(guessing).verdict == "confirmed"
    assert study._parities_do_not(falling).verdict == "not confirmed"
