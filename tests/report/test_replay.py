"""The file of a recorded run: what it holds, says and leaves out. In a browser: test_in_browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import gatewalk as gw
from gatewalk.errors import InputError
from gatewalk.report.replay import (
    about,
    is_improvement,
    mismatches,
    mutation_words,
    recorded_words,
    replay_page,
    selection_words,
    title,
    watch,
    with_fewer_frames,
)
from gatewalk.search.options import search_for
from gatewalk.search.recording import (
    Triggers,
    advance_recording,
    begin_recording,
    parents,
    record,
    recording_of,
    with_frames,
)


def run_in(page):
    """The run in a page."""
    return json.loads(
        re.search(r'<script type="application/json" id="run">(.*?)</script>', page, re.DOTALL)[1]
    )


@pytest.fixture(scope="module")
def recording():
    return record(search_for("and:6", nodes=12), seed=1)


def test_the_file_holds_every_program_of_the_run(recording):
    run = run_in(replay_page(recording))
    genes = list(run["start"])
    fitness = run["startFitness"]
    for (time, chosen, jump, before, *made), frame, (_, after) in zip(
        run["frames"], recording.frames, parents(recording), strict=True
    ):
        for gene, value in zip(jump[::2], jump[1::2], strict=True):
            genes[gene] = value
        assert before == fitness
        if chosen:
            fitness, picks = made[2 * (chosen - 1) : 2 * chosen]
            for gene, value in zip(picks[::2], picks[1::2], strict=True):
                genes[gene] = value
        assert (time, genes) == (frame.offspring, after.tolist())
        assert run["fitness"][fitness][0] == str(frame.fitness)


def test_the_file_fetches_nothing(recording):
    page = replay_page(recording)
    assert re.findall(r"https?://[^\s\"'<]+", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert re.findall(r"<(?:link|img|iframe)|<script[^>]*src|url\(|@import", page) == []
    assert "@style@" not in page
    assert "@run@" not in page


def test_a_long_run_is_thinned_until_its_page_is_small_enough():
    recording = record(search_for("xor:7", nodes=9), seed=1, triggers=Triggers(first=3000))
    whole, small = replay_page(recording), replay_page(recording, most_bytes=90_000)
    assert len(small.encode()) <= 90_000 < len(whole.encode())
    left_out = len(recording.frames) - len(run_in(small)["frames"])
    assert left_out > 100
    assert f"{left_out:,} of {len(recording.frames):,} recorded generations are left out" in small
    assert "left out" not in whole
    times = {frame[0] for frame in run_in(small)["frames"]}
    assert {offspring for offspring, _ in recording.run.improvements[1:]} <= times


@pytest.mark.parametrize(
    ("words", "mutation", "selection"),
    [
        ({}, "until it has changed a gene of a node that is active", "no more mismatches than its parent"),
        ({"profile": "tinyverse"}, "until it has picked a gene", "a tie is decided at random"),
        ({"selection": "strict"}, "SAM", "Selection is strict"),
        ({"mutation": "point:3"}, "picks 3 genes", "no more mismatches"),
        ({"mutation": "rate:0.1", "offspring": 4}, "with probability 0.1", "makes 4 offspring of the parent"),
    ],
)
def test_the_rules_of_the_search_in_words(words, mutation, selection):
    search = search_for("and:4", **words)
    assert mutation in mutation_words(search)
    assert selection in selection_words(search)


def test_a_run_in_words():
    recording = record(search_for("and:6", nodes=12), seed=1)
    assert title(recording) == "and:6: a run of the (1+1) CGP"
    assert about(recording).startswith(
        "Solved after 35 iterations with 6 gates. and:6, cgp, gates and, D = 12, sam"
    )
    assert recorded_words(recording, recording) == "Every iteration of the run is shown."
    some = recorded_words(recording, with_frames(recording, [3, 34]))
    assert some.startswith(
        "Shown are 2 of 35 iterations; recorded were all of the first 2,000, improvements "
    )
    assert some.endswith("33 of 35 recorded generations are left out.")


def test_runs_without_success_in_words():
    search = search_for("xor:7", nodes=6, budget=50)
    assert about(record(search)).startswith("Not solved after 50 iterations: 64 mismatches left")
    recorder = begin_recording(
        search_for("xor:12", nodes=11, budget=10**9), triggers=Triggers(first=5, every=100)
    )
    advance_recording(recorder)
    recording = recording_of(recorder)
    assert about(recording).startswith(
        f"Interrupted after {recording.run.iterations:,} iterations, with 2,048 mismatches"
    )
    assert "every 100th" in recorded_words(recording, recording)


def test_a_recording_that_was_full_says_so():
    recording = replace(record(search_for("and:6", nodes=12), seed=1), full=20)
    some = with_frames(recording, [*range(20), 34])
    words = recorded_words(some, some)
    assert "From iteration 20 on only improvements and powers of two were recorded." in words


def test_iterations_that_a_profile_does_not_count_are_named():
    recording = record(search_for("and:5", profile="tinyverse"), seed=2)
    assert "Here all iterations are numbered; the profile reports 1 fewer" in recorded_words(
        recording, recording
    )


def test_one_mismatch_is_one():
    assert [mismatches(value) for value in (0, 1, 2**60)] == [
        "0 mismatches",
        "1 mismatch",
        "about 2^60 mismatches",
    ]


@pytest.fixture(scope="module")
def thinning_recording():
    return record(search_for("and:9", nodes=18), seed=3)


def test_what_is_small_enough_stays_as_it_is(thinning_recording):
    assert with_fewer_frames(thinning_recording, lambda shorter: True) is thinning_recording


@pytest.mark.parametrize("most", [60, 20, 10])
def test_improvements_and_the_end_stay_and_programs_are_the_same(thinning_recording, most):
    recording = with_fewer_frames(thinning_recording, lambda shorter: len(shorter.frames) <= most)
    assert most / 3 <= len(recording.frames) <= most
    times = {frame.offspring for frame in recording.frames}
    assert {frame.offspring for frame in thinning_recording.frames if is_improvement(frame)} <= times
    assert thinning_recording.frames[-1].offspring in times
    programs = {
        frame.offspring: after.tolist()
        for frame, (_, after) in zip(thinning_recording.frames, parents(thinning_recording), strict=True)
    }
    for frame, (_, after) in zip(recording.frames, parents(recording), strict=True):
        assert after.tolist() == programs[frame.offspring]


def test_improvements_go_last(thinning_recording):
    improvements = sum(map(is_improvement, thinning_recording.frames))
    assert improvements > 3
    recording = with_fewer_frames(thinning_recording, lambda shorter: len(shorter.frames) < improvements)
    assert 1 <= len(recording.frames) < improvements
    assert recording.frames[-1].offspring == thinning_recording.frames[-1].offspring


def test_what_cannot_be_small_enough_ends(thinning_recording):
    assert len(with_fewer_frames(thinning_recording, lambda shorter: False).frames) <= 2


BEGINNINGS = {".html": b"<!doctype html>", ".svg": b"<svg ", ".gif": b"GIF89a"}


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_a_run_is_written_by_the_suffix_and_is_the_run_of_evolve(tmp_path, suffix):
    path = tmp_path / f"run{suffix.upper()}"
    run = watch("and:3", path, nodes=4, seed=2)
    assert path.read_bytes().startswith(BEGINNINGS[suffix])
    same = gw.evolve("and:3", nodes=4, seed=2)
    assert (run.iterations, run.program.tolist()) == (same.iterations, same.program.tolist())


@pytest.mark.parametrize(("name", "words"), [("run.mp4", "the suffix '.mp4'"), ("run", "no suffix")])
def test_other_files_are_refused_before_any_run(tmp_path, name, words):
    with pytest.raises(InputError, match=f"cannot show a run: .*{words}.*use one of .html .svg .gif"):
        watch("and:3", tmp_path / name)


def test_a_place_that_cannot_be_written_is_one_line(tmp_path):
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        watch("and:3", tmp_path / "no" / "run.svg")


DOCS = Path(__file__).resolve().parents[2] / "docs" / "how-to"


def test_the_picture_is_what_the_command_writes(tmp_path):
    path = tmp_path / "watch.svg"
    watch("and:6", path, seed=1)
    # If animations have changed: gatewalk evolve and:6 --seed 1 --watch docs/how-to/watch.svg
    assert path.read_text() == (DOCS / "watch.svg").read_text()
