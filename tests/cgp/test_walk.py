"""Walks: slices, what is saved, and sizes that no table can have."""

import pytest
from walks import begin, task_of

from gatewalk.cgp import walk
from gatewalk.cgp.loop import STAGE, UNDER_WAY
from gatewalk.errors import InputError
from gatewalk.native.seeding import entropy_of


def test_what_is_saved_stays_as_it_is():
    made = begin(task_of("maj:3", 12), "small", 4)
    kept = walk.saved(made)
    before = {name: array.tolist() for name, array in kept.items()}
    walk.advance(made, 100)
    assert {name: array.tolist() for name, array in kept.items()} == before


def test_slices_end_with_a_generation():
    made = begin(task_of("xor:6", 6, offspring=5), "small symbolic", 1, limit=23)
    sizes = []
    while not made.finished:
        walk.advance(made, 7)
        sizes.append(made.offspring)
    assert sizes == [10, 20, 23]  # whole generations, but for the one that the budget cuts


def test_the_log_of_finished_runs_is_taken_and_that_of_the_others_stays():
    made = walk.start(
        task_of("and:4", 8), evaluation="auto", entropy=entropy_of(1), runs=range(30), limit=10**5
    )
    while made.done < 10:
        walk.advance(made, 5)
    if made.course.counters[STAGE] == UNDER_WAY:
        under_way = made.improvements
        rows = made.take_log()
        assert sorted(set(rows[:, 0].tolist())) == list(range(made.done))
        assert made.improvements == under_way != []
    walk.advance(made, 10**6)
    assert sorted(set(made.take_log()[:, 0].tolist()))[-1] == 29


def test_symbolic_reaches_sizes_that_no_table_can():
    for name, nodes in (("and:1000", 1000), ("or:1000", 1000)):
        far = begin(task_of(name, nodes, mutation="rate:0.001", offspring=4), "symbolic", 3)
        walk.advance(far, 20_000)
        assert 0 < far.fitness < 2**1000
        assert far.fitness == 2 ** far.fitness.bit_length() - 1
    far = begin(task_of("xnor:1000", 1000, gates=["xor", "xnor"]), "symbolic", 3)
    walk.advance(far, 2000)
    assert far.fitness == 2**999


def test_programs_that_are_too_large_are_refused():
    with pytest.raises(InputError, match="too large"):
        begin(task_of("and:2", 1 << 20), "symbolic", 1)


def test_a_walk_that_is_put_back_goes_the_same_way_again():
    made = begin(task_of("maj:3", 12), "small", 4)
    walk.advance(made, 20)
    arrays, log = walk.saved(made), made.improvements
    walk.advance(made, 10**6)
    end = (made.offspring, made.steps, made.program.tolist(), made.improvements)
    assert made.finished
    assert len(made.improvements) > len(log)
    for _ in range(2):
        walk.rewind(made, arrays)
        assert [made.offspring, made.steps] == arrays["counters"].tolist()
        assert made.program.tolist() == arrays["program"].tolist()
        assert made.improvements == log
        walk.advance(made, 10**6)
        assert (made.offspring, made.steps, made.program.tolist(), made.improvements) == end
