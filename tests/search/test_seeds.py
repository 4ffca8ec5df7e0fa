"""Seeds: a run's stream depends on its settings, the seed and its number, and on nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.training import sample
from gatewalk.search.seeds import (
    cell_number,
    cell_of,
    kernel_state,
    samples_of_runs,
    sequence,
    training_of_run,
    validation_of_run,
)
from gatewalk.search.settings import law_text, settings


def test_equal_settings_have_equal_numbers():
    base = settings("and:6")
    assert cell_of(base) == cell_number(law_text(base)) == cell_of(settings("and:6", budget=7))
    others = [settings("and:7"), settings("and:6", nodes=13), settings("and:6", selection="strict")]
    assert len({cell_of(one) for one in [base, *others]}) == 4
    assert all(0 <= cell_of(one) < 2**32 for one in others)


def test_the_sequence_of_a_run():
    found = sequence(5, 17, 3)
    assert (found.entropy, found.spawn_key) == (5, (17, 3))
    wanted = np.random.SeedSequence(5, spawn_key=(17, 3)).generate_state(4, np.uint64)
    assert kernel_state(found).tolist() == wanted.tolist()
    states = {
        tuple(kernel_state(sequence(*key)).tolist())
        for key in [(5, 17, 3), (5, 17, 4), (5, 18, 3), (6, 17, 3)]
    }
    assert len(states) == 4


SETTINGS = {
    "one word": settings("and:12", training="sample:64"),
    "several outputs": settings("mul:3", training="sample:70"),
    "trees with other inputs": settings(
        "and:9", algorithm="tgp-single", training="sample:200", options={"terminals": "inputs+undesired:3"}
    ),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_many_at_once_are_those_of_each_run(name):
    made, runs = SETTINGS[name], [0, 7, 2**33, 2**64 - 1]
    found = samples_of_runs(made, seed=3, runs=runs)
    assert found is not None
    for run, sets in zip(runs, found, strict=True):
        for one, of_run in zip(sets, (training_of_run, validation_of_run), strict=True):
            alone = of_run(made, seed=3, run=run)
            assert alone is not None
            assert np.array_equal(one, np.concatenate([alone.inputs, alone.outputs]))


@pytest.mark.parametrize("seed", [0, 7, 2**70])
@pytest.mark.parametrize("run", [0, 5, 2**40])
def test_rows_are_drawn_by_the_children_that_the_seed_sequence_of_the_run_spawns(seed, run):
    made = SETTINGS["several outputs"]
    children = sequence(seed, cell_of(made), run).spawn(2)
    for of_run, child in zip((training_of_run, validation_of_run), children, strict=True):
        found = of_run(made, seed=seed, run=run)
        expected = sample(made.wanted, 70, np.random.PCG64(child).random_raw)
        assert found is not None
        assert np.array_equal(found.inputs, expected.inputs)
        assert np.array_equal(found.outputs, expected.outputs)


def test_complete_sets_have_none():
    made = settings("and:4")
    assert samples_of_runs(made, seed=1, runs=[0]) is None
    assert training_of_run(made, seed=1, run=0) is None
    assert validation_of_run(made, seed=1, run=0) is None


def test_validation_rows_are_independent_of_training_rows():
    made = settings("and:12", training="sample:64")
    training = training_of_run(made, seed=1, run=0)
    validation, other = validation_of_run(made, seed=1, run=0), training_of_run(made, seed=1, run=1)
    assert training is not None
    assert validation is not None
    assert other is not None
    assert (training.inputs != validation.inputs).any()
    assert (training.inputs != other.inputs).any()
