"""Sessions: sliced, saved and continued searches end as uninterrupted ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from runs import same

from gatewalk.errors import InputError
from gatewalk.search.evolve import evolve, run_once
from gatewalk.search.saving import restore, save
from gatewalk.search.session import advance, begin, result
from gatewalk.search.settings import settings


@given(
    slices=st.lists(st.integers(1, 60), min_size=1, max_size=8),
    profile=st.sampled_from(["paper", "tinyverse"]),
    training=st.sampled_from(["complete", "sample:9"]),
    offspring=st.sampled_from([1, 3]),
    seed=st.integers(0, 2**40),
)
@hypothesis_settings(max_examples=40)
def test_a_saved_search_continues_to_the_identical_end(
    slices: list[int], profile: str, training: str, offspring: int, seed: int
) -> None:
    made = settings("and:5", nodes="n", profile=profile, training=training, offspring=offspring, budget=400)
    straight = run_once(made, seed=seed, run=2)
    session = begin(made, seed=seed, run=2)
    for iterations in slices:
        advance(session, iterations)
        session = restore(made, save(session))
    advance(session)
    assert same(result(session), straight)


def test_a_kernel_goes_on_where_the_twin_stopped() -> None:
    made = settings("maj:3", nodes=8, budget=300)
    slow = begin(replace(made, evaluation="reference"), seed=4, run=0)
    advance(slow, 40)
    session = restore(made, save(slow))
    advance(session)
    assert same(result(session), run_once(made, seed=4, run=0))


def test_what_is_not_a_saved_search_is_refused() -> None:
    made = settings("and:3")
    data = save(begin(made, seed=0, run=0))
    with pytest.raises(InputError, match="other settings"):
        restore(settings("and:4"), data)
    with pytest.raises(InputError, match="not a saved search"):
        restore(made, data[:50])


def test_a_longer_budget_prolongs_the_same_run() -> None:
    short = run_once(settings("xor:6", nodes="n", budget=100), seed=1, run=0)
    session = begin(settings("xor:6", nodes="n", budget=500), seed=1, run=0)
    advance(session, 100)
    assert short.program.tolist() == session.walk.program.tolist()


@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_counts(profile: str) -> None:
    # A censored run reports its budget; a start that is optimal reports nothing.
    censored = evolve("xor:8", nodes=8, profile=profile, budget=1234, seed=3)
    assert (censored.solved, censored.iterations) == (False, 1234)
    starts, uncounted = (1, 0) if profile == "paper" else (2, 1)
    assert censored.evaluations == 1234 + uncounted + starts
    solved = [evolve("and:1", nodes=1, profile=profile, seed=seed) for seed in range(20)]
    assert all(run.solved and run.iterations == 0 and run.evaluations == starts for run in solved)


def test_lambda_ends_at_the_budget_within_a_generation() -> None:
    run = evolve("xor:8", nodes=7, offspring=4, budget=10, seed=1)
    assert (run.iterations, run.solved) == (10, False)


def test_golden_runs() -> None:
    # Seeded runs are a promise: if these change, every stored result is void.
    assert evolve("and:8", nodes=16, seed=1).iterations == 129
    assert (
        evolve("and:5", nodes=5, seed=0, profile="tinyverse", selection="strict", budget=5000).iterations
        == 314
    )
    assert evolve("maj:3", nodes=10, seed=2, offspring=4).iterations == 167
    run = evolve("and:20", nodes=20, seed=3, training="sample")
    assert (run.iterations, run.generalisation) == (30, 0.98)


def test_generalisation_is_measured_on_the_validation_rows() -> None:
    run = evolve("and:30", nodes=60, training="sample", seed=5)
    assert run.solved
    assert run.generalisation is not None
    assert 0.9 < run.generalisation <= 1.0
