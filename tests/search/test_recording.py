"""Recorded runs: the same runs, with every pick; and which iterations triggers ask for."""

from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest

from gatewalk.errors import InputError
from gatewalk.reference import cgp as twin
from gatewalk.search import recording as room
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.search.recording import (
    Triggers,
    active_part,
    advance_recording,
    begin_recording,
    changes,
    parents,
    record,
    recording_of,
    with_frames,
)
from gatewalk.search.runs import Run
from gatewalk.search.seeds import training_of_run
from gatewalk.search.session import advance, begin
from gatewalk.search.twins import rules_of


def test_due_are_the_first_powers_of_two_and_every_kth():
    triggers = Triggers(first=3, every=10)
    assert [t for t in range(1, 41) if triggers.is_due(t)] == [1, 2, 3, 4, 8, 10, 16, 20, 30, 32, 40]
    assert not Triggers(first=0, powers=False).is_due(4)


@pytest.mark.parametrize(
    "triggers",
    [Triggers(first=5, every=7), Triggers(first=0, powers=False, every=3), Triggers(first=2), Triggers()],
)
def test_the_next_that_is_due_is_the_first_one_after(triggers):
    for t in range(3000):
        due = triggers.next_due(t)
        assert due > t
        assert triggers.is_due(due)
        assert not any(triggers.is_due(between) for between in range(t + 1, due))


def test_without_powers_and_every_nothing_is_due_after_the_first():
    triggers = Triggers(first=5, powers=False)
    assert [triggers.next_due(t) for t in (0, 4, 5, 100)] == [1, 5, None, None]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"first": -1}, "trigger first is -1; it must be at least 0"),
        ({"every": 1.5}, "trigger every must be a whole number, not 1.5"),
        ({"powers": 1}, "trigger powers is 1; it must be True or False"),
    ],
)
def test_triggers_that_cannot_be_are_refused(options, words):
    with pytest.raises(InputError, match=words):
        Triggers(**options)


NOTHING = Triggers(first=0, neutral=0, improvements=False, around=0, powers=False)
CASES = {
    "sam": search_for("and:5", nodes=8),
    "tinyverse": search_for("and:5", nodes=8, profile="tinyverse"),
    "strict": search_for("and:5", nodes=9, selection="strict", budget=400),
    "several": search_for("and:5", nodes=8, offspring=3, options={"ties": "coin"}),
    "point": search_for("and:5", nodes=8, mutation="point:3"),
    "rate": search_for("and:5", nodes=8, mutation="rate:0.2"),
    "sample": search_for("xor:5", nodes=9, gates="xor,and", training="sample:12", budget=300),
    "cut": search_for("xor:5", nodes=9, budget=60),
}


def identical(a, b):
    names = {field.name for field in fields(Run)} - {"seconds", "program"}
    return all(getattr(a, name) == getattr(b, name) for name in names) and np.array_equal(
        a.program, b.program
    )


def alone(search, seed):
    """The run without a recording."""
    (run,) = run_many(search, seed=seed, runs=[0])
    return run


def generations(search, seed):
    """The parent of the kernels after so many offspring."""
    session = begin(search, seed=seed, run=0)
    programs = {0: session.current.program.tolist()}
    while not session.finished:
        advance(session, 1)
        programs[session.current.offspring] = session.current.program.tolist()
    return programs


@pytest.mark.parametrize("name", CASES)
def test_a_recorded_run_is_the_run_with_every_program_and_fitness(name):
    search = CASES[name]
    recording = record(search, seed=4)
    assert identical(recording.run, alone(search, 4))
    assert recording.finished
    walked = generations(search, 4)
    assert [frame.offspring for frame in recording.frames] == list(walked)[1:]
    assert len(recording.frames) > 5
    rules = rules_of(search, training_of_run(search, seed=4, run=0))
    assert recording.start.tolist() == walked[0]
    fitness = recording.start_fitness
    for frame, (before, after) in zip(recording.frames, parents(recording), strict=True):
        assert frame.jump == ()
        assert after.tolist() == walked[frame.offspring]
        assert frame.before == fitness == twin.fitness(rules, before.tolist())
        for offspring in frame.made:
            child = before.copy()
            for gene, value in offspring.picks:
                child[gene] = value
            assert offspring.fitness == twin.fitness(rules, child.tolist())
        fitness = frame.fitness
    assert fitness == recording.run.fitness
    steps = sum(len(offspring.picks) for frame in recording.frames for offspring in frame.made)
    assert steps == recording.run.elementary_steps


def test_sam_ends_with_its_first_change_of_an_active_gene():
    search = CASES["sam"]
    rules, recording = rules_of(search, None), record(search, seed=9)
    for frame, (before, _) in zip(recording.frames, parents(recording), strict=True):
        active = twin.active_nodes(rules, before.tolist())
        genes = before.tolist()
        ends = []
        for gene, value in frame.made[0].picks:
            genes[gene] = value
            ends.append(twin.is_active(rules, active, gene) and value != before[gene])
        assert ends == [False] * (len(ends) - 1) + [True]


LONG = search_for("xor:6", nodes=8)


@pytest.fixture(scope="module")
def walked():
    return generations(LONG, 3)


def shown(recording, walked, seed=3):
    """The iterations recorded; that the programs are those of the kernels is checked."""
    for frame, (before, after) in zip(recording.frames, parents(recording), strict=True):
        assert before.tolist() == walked[frame.offspring - len(frame.made)]
        assert after.tolist() == walked[frame.offspring]
    assert identical(recording.run, alone(recording.run.search, seed))
    return [frame.offspring for frame in recording.frames if frame.made]


def test_improvements_are_found_again_with_what_is_around_them(walked):
    recording = record(LONG, seed=3, triggers=Triggers(first=0, neutral=0, powers=False, around=3))
    times = [offspring for offspring, _ in recording.run.improvements[1:]]
    last = recording.run.evaluations - 1
    near = {t for time in times for t in range(time - 3, time + 4) if 1 <= t <= last}
    assert max(times) > 1000  # beyond the first slices
    assert shown(recording, walked) == sorted(near)


@pytest.mark.parametrize("neutral", [0, 90])
def test_improvements_have_all_around_them_wherever_leaps_meet(neutral):
    search = search_for("and:24", nodes=30)
    walked = generations(search, 12)
    recording = record(search, seed=12, triggers=Triggers(first=0, neutral=neutral, powers=False))
    times = [offspring for offspring, _ in recording.run.improvements[1:]]
    assert len(times) > 20
    near = {
        t for time in times for t in range(time - 12, time + 13) if neutral < t < recording.run.evaluations
    }
    assert [t for t in shown(recording, walked, seed=12) if t > neutral] == sorted(near)


def test_an_improvement_after_the_last_iteration_followed_has_all_before_it():
    search = search_for("and:24", nodes=30)
    walked = generations(search, 12)
    times = [offspring for offspring, _ in alone(search, 12).improvements]
    time = next(b for a, b in pairwise(times) if b - a > 60)
    recording = record(search, seed=12, triggers=Triggers(first=0, neutral=time - 5, powers=False))
    assert set(range(time - 12, time + 13)) <= set(shown(recording, walked, seed=12))


def test_powers_and_every_kth_are_recorded(walked):
    recording = record(
        LONG, seed=3, triggers=Triggers(first=5, neutral=0, improvements=False, around=0, every=700)
    )
    last = recording.run.evaluations - 1
    due = {1, 2, 3, 4, 5, *(1 << k for k in range(30)), *range(700, last + 1, 700)}
    assert shown(recording, walked) == sorted(t for t in due if t <= last)


def test_neutral_moves_of_the_active_part_are_recorded():
    search = search_for("and:8", nodes=10, mutation="point:1")
    triggers = Triggers(first=0, neutral=60, improvements=False, around=0, powers=False)
    walked, shape = generations(search, 3), search.shape
    parts = [active_part(shape, np.array(genes, dtype=np.int32)) for genes in walked.values()]
    moved = [t for t in range(1, 61) if parts[t] != parts[t - 1]]
    assert shown(record(search, seed=3, triggers=triggers), walked) == moved
    accepted = [t for t in range(1, 61) if walked[t] != walked[t - 1]]
    assert 5 < len(moved) < len(accepted)  # others move inactive nodes only


def test_with_no_trigger_the_end_is_recorded(walked):
    recording = record(LONG, seed=3, triggers=NOTHING)
    assert shown(recording, walked) == []
    (end,) = recording.frames
    assert (end.offspring, end.made, end.fitness) == (recording.run.evaluations - 1, (), 0)


def test_generations_of_several_are_recorded_whole():
    search = search_for("xor:5", nodes=9, offspring=3)
    full = record(search, seed=1)
    some = record(search, seed=1, triggers=Triggers(first=0, neutral=0, around=1))
    by_time = {frame.offspring: (frame.made, frame.chosen) for frame in full.frames}
    assert identical(full.run, some.run)
    assert 0 < len(some.frames) < len(full.frames)
    assert all(by_time[frame.offspring] == (frame.made, frame.chosen) for frame in some.frames if frame.made)
    due = {frame.offspring for frame in some.frames}
    assert {t for t in by_time if any((t - k) & (t - k - 1) == 0 for k in range(3))} <= due


def test_a_solved_start_is_a_recording_of_its_own():
    recording = record(search_for("and:1"), seed=1)
    assert (recording.run.iterations, recording.run.solved) == (0, True)
    assert [frame.offspring for frame in recording.frames] == [0]


def test_an_interrupted_recording_ends_where_the_search_is():
    search = search_for("xor:12", nodes=11, budget=10**9)
    recorder = begin_recording(search, seed=1, triggers=Triggers(first=5, neutral=0))
    while recorder.walk.offspring < 10_000:
        advance_recording(recorder)
    recording = recording_of(recorder)
    assert not recording.finished
    assert recording.frames[-1].offspring == recording.run.iterations == recorder.walk.offspring
    assert list(parents(recording))[-1][1].tolist() == recorder.walk.program.tolist()


@pytest.mark.parametrize(
    ("search", "words"),
    [
        (search_for("and:4", algorithm="tgp-single"), "not tgp-single; use --algorithm cgp"),
        (search_for("and:4", selection="strict", options={"waiting": "drawn"}), "waiting=walked, not drawn"),
        (search_for("and:4", evaluation="reference"), "remove --evaluation reference"),
        (search_for("and:4", offspring=20_001), "20,001 picks and more a generation are too many to watch"),
        (search_for("and:4", mutation="point:500", offspring=50), "25,000 picks and more"),
        (search_for("and:4", nodes=9000, mutation="rate:0.8"), "21,601 picks and more"),
        (search_for("and:4", nodes=10_000), "10,005 inputs, nodes and outputs is too large to watch"),
    ],
)
def test_what_cannot_be_watched_is_refused(search, words):
    with pytest.raises(InputError, match=words):
        record(search)


def test_a_recording_that_is_full_goes_on_with_improvements_and_powers(monkeypatch, walked):
    monkeypatch.setattr(room, "MOST_PICKS", 200)
    recording = record(LONG, seed=3, triggers=Triggers(every=100))
    assert recording.full is not None
    assert 20 < recording.full < 200
    improved = {offspring for offspring, _ in recording.run.improvements[1:]}
    powers = {1 << k for k in range(30)}
    times = shown(recording, walked)
    assert [t for t in times if t <= recording.full] == list(range(1, recording.full + 1))
    last = recording.run.evaluations - 1
    assert [t for t in times if t > recording.full] == sorted(
        t for t in improved | powers if recording.full < t <= last
    )
    assert record(LONG, seed=3, triggers=Triggers(first=5, neutral=0, around=0)).full is None


def test_some_frames_still_lead_to_the_same_programs():
    recording = record(search_for("and:5", nodes=8), seed=4)
    states = [after.tolist() for _, after in parents(recording)]
    chosen = [1, 4, 5, len(states) - 1]
    some = with_frames(recording, chosen)
    assert [after.tolist() for _, after in parents(some)] == [states[index] for index in chosen]
    assert [frame.offspring for frame in some.frames] == [
        recording.frames[index].offspring for index in chosen
    ]


def test_genes_of_inactive_nodes_are_no_part_of_the_active_part():
    shape = search_for("and:2", nodes=3).shape
    genes = np.array([0, 0, 1, 0, 2, 0, 0, 1, 1, 3], dtype=np.int32)  # node 4 is read by nobody
    assert active_part(shape, genes) == [0, 0, 1, 0, 2, 0, -1, -1, -1, 3]


def test_changes_lead_from_one_program_to_another():
    old, new = np.array([3, 1, 4, 1], dtype=np.int32), np.array([3, 5, 4, 9], dtype=np.int32)
    assert changes(old, new) == ((1, 5), (3, 9))
