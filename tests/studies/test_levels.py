"""Verdicts on levels, and that what is observed survives a file."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gatewalk.campaign import campaign, plan
from gatewalk.theory import Level
from gatewalk_studies.levels import study


@pytest.fixture(scope="module")
def levels():
    (cell,) = plan(campaign(target="and:4", nodes="2n", replications=60, seed=5))
    seen = study.observe(cell, jobs=1)
    return [Level.read(record) for record in json.loads(json.dumps(seen, allow_nan=False))["levels"]]


def test_levels_are_observed_and_read_back(levels):
    assert [item.level for item in levels] == [1, 2, 3]
    last = levels[-1]
    assert last.leave.trials == last.minus + last.plus
    assert last.estimates is not None
    assert len(last.chain) == 2
    assert [row[:2] for row in study._table({8: levels}).rows] == [("8", "1"), ("8", "2"), ("8", "3")]


def test_waiting_times_outside_the_chain_are_noticed(levels):
    inside = [replace(item, waiting=sum(item.chain) / 2, runs=60) for item in levels]
    assert study._chain({8: inside}).verdict == "confirmed"
    outside = [*inside[:-1], replace(inside[-1], waiting=2 * max(inside[-1].chain))]
    assert study._chain({8: outside}).verdict == "partly confirmed"


def test_estimates_that_intervals_contradict_are_named(levels):
    last = levels[-1]
    assert last.estimates is not None
    slow = replace(last.leave, value=0.0, low=0.0, high=last.estimates.leave / 2)
    found = {8: [*levels[:-1], replace(last, leave=slow)]}
    assert study._below(found).verdict == "not confirmed"
    safe = [replace(item, s=replace(item.s, low=0.0, high=1.0)) for item in levels]
    assert study._above({8: safe}).verdict == "confirmed"
    assert last.estimates.lose is not None
    often = replace(last.s, value=0.9, low=2 * last.estimates.lose, high=1.0)
    claim = study._above({8: [*safe[:-1], replace(last, s=often)]})
    assert claim.verdict == "not confirmed"
    assert "Contradicted at 1 of 3 levels (D = 8: 3)" in claim.measured


def test_two_n_nodes_come_first(levels):
    assert study._order({4: levels, 8: levels, 16: levels}) == [8, 4, 16]
