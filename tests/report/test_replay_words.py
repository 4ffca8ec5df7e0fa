from dataclasses import replace

import pytest

from gatewalk.report.replay_words import (
    about,
    mismatches,
    mutation_words,
    recorded_words,
    selection_words,
    title,
)
from gatewalk.search.recorder import advance_recording, begin_recording, record, recording_of
from gatewalk.search.recording import with_frames
from gatewalk.search.settings import settings
from gatewalk.search.triggers import Triggers


@pytest.mark.parametrize(
    ("options", "mutation", "selection"),
    [
        ({}, "until it has changed a gene of a node that is active", "no more mismatches than its parent"),
        ({"profile": "tinyverse"}, "until it has picked a gene", "a tie is decided at random"),
        ({"selection": "strict"}, "SAM", "Selection is strict"),
        ({"mutation": "point:3"}, "picks 3 genes", "no more mismatches"),
        ({"mutation": "rate:0.1", "offspring": 4}, "with probability 0.1", "makes 4 offspring of the parent"),
    ],
)
def test_the_rules_of_the_search_in_words(options: dict, mutation: str, selection: str) -> None:
    made = settings("and:4", **options)
    assert mutation in mutation_words(made)
    assert selection in selection_words(made)


def test_a_run_in_words() -> None:
    found = record(settings("and:6", nodes=12), seed=1)
    assert title(found) == "and:6: a run of the (1+1) CGP"
    assert about(found).startswith(
        "Solved after 35 iterations with 6 gates. and:6, cgp, gates and, D = 12, sam"
    )
    assert recorded_words(found, found) == "Every iteration of the run is shown."
    some = recorded_words(found, with_frames(found, [3, 34]))
    assert some.startswith(
        "Shown are 2 of 35 iterations; recorded were all of the first 2,000, improvements "
    )
    assert some.endswith("33 of 35 recorded generations are left out.")


def test_runs_without_success_in_words() -> None:
    made = settings("xor:7", nodes=6, budget=50)
    assert about(record(made)).startswith("Not solved after 50 iterations: 64 mismatches left")
    recorder = begin_recording(
        settings("xor:12", nodes=11, budget=10**9), triggers=Triggers(first=5, every=100)
    )
    advance_recording(recorder)
    found = recording_of(recorder)
    assert about(found).startswith(
        f"Interrupted after {found.run.iterations:,} iterations, with 2,048 mismatches"
    )
    assert "every 100th" in recorded_words(found, found)


def test_a_recording_that_was_full_says_so() -> None:
    found = replace(record(settings("and:6", nodes=12), seed=1), full=20)
    some = with_frames(found, [*range(20), 34])
    words = recorded_words(some, some)
    assert "From iteration 20 on only improvements and powers of two were recorded." in words


def test_iterations_that_a_profile_does_not_count_are_named() -> None:
    found = record(settings("and:5", profile="tinyverse"), seed=2)
    assert "Here all iterations are numbered; the profile reports 1 fewer" in recorded_words(found, found)


def test_one_mismatch_is_one() -> None:
    assert [mismatches(value) for value in (0, 1, 2**60)] == [
        "0 mismatches",
        "1 mismatch",
        "about 2^60 mismatches",
    ]
