"""Walks: slices, what is saved, and sizes that no table can have."""

import pytest
from walks import begin, cgp_search

from gatewalk.cgp import walk
from gatewalk.errors import InputError
from gatewalk.native.seeding import entropy_of


def test_what_is_saved_stays_as_it_is():
    begun = begin(cgp_search("maj:3", 12), "small", 4)
    arrays = walk.saved(begun)
    before = {name: array.tolist() for name, array in arrays.items()}
    walk.advance(begun, 100)
    assert {name: array.tolist() for name, array in arrays.items()} == before


def test_slices_end_with_a_generation():
    begun = begin(cgp_search("xor:6", 6, offspring=5, limit=23), "small symbolic", 1)
    sizes = []
    while not begun.finished:
        walk.advance(begun, 7)
        sizes.append(begun.offspring)
    assert sizes == [10, 20, 23]  # whole generations, but for the one that the budget cuts


def test_the_log_of_finished_runs_is_taken_and_that_of_the_others_stays():
    begun = walk.start(cgp_search("and:4", 8), None, entropy=entropy_of(1), runs=range(30))
    while begun.done < 10:
        walk.advance(begun, 5)
    if begun.is_under_way:
        under_way = begun.improvements
        rows = begun.take_log()
        assert sorted(set(rows[:, 0].tolist())) == list(range(begun.done))
        assert begun.improvements == under_way != []
    walk.advance(begun, 10**6)
    assert sorted(set(begun.take_log()[:, 0].tolist()))[-1] == 29


def test_symbolic_reaches_sizes_that_no_table_can():
    for name, nodes in (("and:1000", 1000), ("or:1000", 1000)):
        far = begin(cgp_search(name, nodes, mutation="rate:0.001", offspring=4), "symbolic", 3)
        walk.advance(far, 20_000)
        assert 0 < far.fitness < 2**1000
        assert far.fitness == 2 ** far.fitness.bit_length() - 1
    far = begin(cgp_search("xnor:1000", 1000, gates=["xor", "xnor"]), "symbolic", 3)
    walk.advance(far, 2000)
    assert far.fitness == 2**999


def test_programs_that_are_too_large_are_refused():
    with pytest.raises(InputError, match="too large"):
        begin(cgp_search("and:2", 1 << 20), "symbolic", 1)


def test_a_walk_that_is_put_back_goes_the_same_way_again():
    begun = begin(cgp_search("maj:3", 12), "small", 4)
    walk.advance(begun, 20)
    arrays, log = walk.saved(begun), begun.improvements
    walk.advance(begun, 10**6)
    end = (begun.offspring, begun.steps, begun.program.tolist(), begun.improvements)
    assert begun.finished
    assert len(begun.improvements) > len(log)
    for _ in range(2):
        walk.rewind(begun, arrays)
        assert [begun.offspring, begun.steps] == arrays["counters"].tolist()
        assert begun.program.tolist() == arrays["program"].tolist()
        assert begun.improvements == log
        walk.advance(begun, 10**6)
        assert (begun.offspring, begun.steps, begun.program.tolist(), begun.improvements) == end
