"""Seeds: a run's stream depends on its search, the seed and its number, and on nothing else."""

import numpy as np
import pytest

from gatewalk.boolean.training import sample
from gatewalk.errors import MOST, InputError
from gatewalk.search.options import law_text, search_for
from gatewalk.search.seeds import (
    cell_number,
    cell_of,
    check_run,
    check_seed,
    entropy,
    first_stream,
    samples_of_runs,
    sequence,
    training_of_run,
    validation_of_run,
)


def test_equal_searches_have_equal_numbers():
    search = search_for("and:6")
    assert cell_of(search) == cell_number(law_text(search)) == cell_of(search_for("and:6", budget=7))
    others = [search_for("and:7"), search_for("and:6", nodes=13), search_for("and:6", selection="strict")]
    assert len({cell_of(other) for other in [search, *others]}) == 4
    assert all(0 <= cell_of(other) < 2**32 for other in others)


def test_the_sequence_of_a_run():
    search = search_for("and:6")
    spawned = sequence(search, 5, 3)
    assert (spawned.entropy, spawned.spawn_key) == (5, (cell_of(search), 3))
    expected = np.random.SeedSequence(5, spawn_key=(cell_of(search), 3)).generate_state(4, np.uint64)
    assert first_stream(search, 5, 3).tolist() == expected.tolist()
    other = search_for("and:7")
    keys = [(search, 5, 3), (search, 5, 4), (search, 6, 3), (other, 5, 3)]
    assert len({tuple(first_stream(*key).tolist()) for key in keys}) == 4
    assert entropy(search, 5).tolist() != entropy(other, 5).tolist()


@pytest.mark.parametrize("value", [-1, 1.5, "1", None, True])
def test_a_seed_and_a_number_of_a_run_are_whole_numbers_from_0_on(value):
    for check, name in ((check_seed, "seed"), (check_run, "run")):
        with pytest.raises(InputError, match=f"^{name} "):
            check(value)


def test_the_largest_numbers():
    check_seed(MOST)
    check_run(2**64 - 1)
    with pytest.raises(InputError, match=r"seed is .*; it must be at most"):
        check_seed(MOST + 1)
    with pytest.raises(InputError, match=r"run is .*; it must be at most"):
        check_run(2**64)


SEARCHES = {
    "one word": search_for("and:12", training="sample:64"),
    "several outputs": search_for("mul:3", training="sample:70"),
    "trees with other inputs": search_for(
        "and:9", algorithm="tgp-single", training="sample:200", options={"terminals": "inputs+undesired:3"}
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_many_at_once_are_those_of_each_run(name):
    search, runs = SEARCHES[name], [0, 7, 2**33, 2**64 - 1]
    for run, sets in zip(runs, samples_of_runs(search, seed=3, runs=runs), strict=True):
        for columns, of_run in zip(sets, (training_of_run, validation_of_run), strict=True):
            alone = of_run(search, seed=3, run=run)
            assert np.array_equal(columns, np.concatenate([alone.inputs, alone.outputs]))


@pytest.mark.parametrize("seed", [0, 7, 2**70])
@pytest.mark.parametrize("run", [0, 5, 2**40])
def test_rows_are_drawn_by_the_children_that_the_seed_sequence_of_the_run_spawns(seed, run):
    search = SEARCHES["several outputs"]
    children = sequence(search, seed, run).spawn(2)
    for of_run, child in zip((training_of_run, validation_of_run), children, strict=True):
        rows = of_run(search, seed=seed, run=run)
        expected = sample(search.target, 70, np.random.PCG64(child).random_raw)
        assert np.array_equal(rows.inputs, expected.inputs)
        assert np.array_equal(rows.outputs, expected.outputs)


def test_complete_sets_have_none():
    search = search_for("and:4")
    assert samples_of_runs(search, seed=1, runs=[0]) is None
    assert training_of_run(search, seed=1, run=0) is None
    assert validation_of_run(search, seed=1, run=0) is None


def test_validation_rows_are_independent_of_training_rows():
    search = search_for("and:12", training="sample:64")
    training, validation = (of_run(search, seed=1, run=0) for of_run in (training_of_run, validation_of_run))
    assert (training.inputs != validation.inputs).any()
    assert (training.inputs != training_of_run(search, seed=1, run=1).inputs).any()
