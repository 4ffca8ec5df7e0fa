"""Verdicts on flat landscapes: growth, nodes, drift and the size of steps."""

from __future__ import annotations

import json
from dataclasses import replace
from math import ceil, isnan

import pytest
from made_up import around
from planned_cells import cells

from gatewalk.campaign import campaign, plan
from gatewalk.stats.growth import growth
from gatewalk.theory import Drift, observe_runs
from gatewalk.theory.exclusives import lemma8_interval
from gatewalk_studies.flat import study

FAR = Drift(
    potential=20,
    steps=900,
    used=40.0,
    odd=250.0,
    mean=0.6,
    low=0.5,
    high=0.7,
    changing=0.9,
    sizes={1: 0.6, 0: 0.4},
    is_told=True,
)


def test_times_must_be_exponential():
    sizes = (3, 4, 5, 6)
    steep = {"nodes=n": growth({n: around(5.0**n) for n in sizes}, resamples=5)}
    flat = {"nodes=n": growth({n: around(float(n) ** 2) for n in sizes}, resamples=5)}
    assert study._exponential(steep).verdict == "confirmed"
    assert study._exponential(flat).verdict == "not confirmed"


@pytest.mark.parametrize(("many", "verdict"), [(100, "confirmed"), (600, "not confirmed")])
def test_more_nodes_must_halve_the_time(many, verdict):
    found = {"nodes=n": {5: around(1000.0)}, "nodes=2n": {5: around(many)}}
    assert study._nodes(found).verdict == verdict


def test_lemma_8_is_held_against_every_interval_within_it():
    (near,) = cells(target="xor:1000", nodes="n", start="near-optimum", budget=10)
    low, high = lemma8_interval(1000)
    near = replace(near, observed={"interval": [low, high]})
    inside = [replace(FAR, potential=at) for at in range(int(low) + 1, ceil(high))]
    assert inside
    assert study._lemma8(near, inside).verdict == "confirmed"
    weak = [*inside[1:], replace(inside[0], mean=-0.2, low=-0.3, high=-0.1)]
    assert study._lemma8(near, weak).verdict == "partly confirmed"
    assert study._lemma8(near, []).verdict == "not judged"


def test_steps_of_three_are_noticed():
    assert study._steps([FAR]).verdict == "confirmed"
    assert study._steps([replace(FAR, sizes={3: 0.1, 0: 0.9})]).verdict == "not confirmed"
    assert study._steps([replace(FAR, sizes={3: 0.0, 0: 1.0})]).verdict == "confirmed"


def test_what_is_observed_survives_a_file():
    (near,) = plan(campaign(target="xor:6", nodes="n", start="near-optimum", budget=40, replications=2))
    records = json.loads(json.dumps(study.observe(near, jobs=1), allow_nan=False))["drifts"]
    drifts = observe_runs(near.search, seed=near.seed, runs=2).drifts
    assert [repr(study._drift(record)) for record in records] == [repr(drift) for drift in drifts]
    assert isnan(study._drift(records[0] | {"drift_of_changes": None}).changing)


def test_only_walks_from_next_to_the_optimum_are_watched():
    random, near = plan(
        campaign(target="xor:6", nodes="n", start=["random", "near-optimum"], budget=40, replications=2)
    )
    assert study.observe(random, jobs=1) is None
    seen = study.observe(near, jobs=1)
    assert seen is not None
    assert sum(item["steps"] for item in seen["drifts"]) > 0
