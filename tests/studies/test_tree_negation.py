"""Verdicts on tree GP with a function that negates: each can be reached and missed; and the proof's steps."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.stats.sample import sample
from gatewalk_studies.tree_negation import study

SPREAD = np.linspace(0.9, 1.1, 41)


def around(mean):
    return sample(mean * SPREAD, np.ones(41, dtype=bool))


def share(solved):
    return sample(np.full(100, 100.0), np.arange(100) < solved)


@pytest.mark.parametrize(("base", "verdict"), [(2.0, "confirmed"), (1.2, "not confirmed")])
def test_two_inputs_must_more_than_double_the_median(base, verdict):
    found = {study.SINGLE: {n: around(base**n) for n in range(3, 9)}}
    assert study._growth("NOT", found, source="", least=0).verdict == verdict


def test_sizes_below_the_least_one_are_not_asked():
    found = {study.SINGLE: {n: around(10.0 if n < 8 else 2.0**n) for n in range(3, 13)}}
    assert study._growth("NAND", found, source="", least=8).verdict == "confirmed"
    assert study._growth("NAND", found, source="", least=0).verdict == "partly confirmed"


def test_successes_must_become_fewer_with_every_input():
    assert study._caught({3: share(100), 4: share(80), 5: share(60)}).verdict == "confirmed"
    assert study._caught({3: share(100), 4: share(95), 5: share(94)}).verdict == "not confirmed"


def test_the_exact_time_of_nand_is_met_or_missed():
    right = {n: around(study.strict_nand_time(n)) for n in (4, 6, 8)}
    assert study._nand_strict(right).verdict == "confirmed"
    wrong = {n: around(1.1 * study.strict_nand_time(n)) for n in (4, 6, 8)}
    assert study._nand_strict(wrong).verdict == "not confirmed"
    failed = {**right, 8: sample(study.strict_nand_time(8) * SPREAD, SPREAD < 1.09)}
    assert study._nand_strict(failed).verdict == "not confirmed"


def test_strict_steps_with_nand_keep_to_conjunctions_of_different_inputs():
    made = search_for("and:6", algorithm="tgp-single", selection="strict", gates="and,nand", budget=100_000)
    for run in run_many(made, seed=5, runs=range(40), jobs=1):
        assert run.solved
        assert run.circuit.counts == {"and": 5}
