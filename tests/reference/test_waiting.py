"""Waiting times drawn: the kernels walk as the twin, and a saved walk goes on identically."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sessions import check_equal

from gatewalk.search.saving import restore, save
from gatewalk.search.session import advance, begin
from gatewalk.search.settings import Settings, settings

TARGETS = ["and:1", "and:2", "and:3", "and:4", "xor:3", "xor:4", "maj:3", "sum:1"]
GATE_SETS = [None, None, "and,or,nand,nor", "nand", "xor,and,not", "maj,not,const1", "not"]
SLICES = [1, 1, 2, 1, 3, 5, 8, 20, 60, 200]


def random_settings(number: int) -> Settings:
    """Settings number `number` of an endless varied list."""
    draw = random.Random(number)
    options: dict[str, object] = {"waiting": "drawn"}
    if draw.random() < 0.6:
        options["sam_ends"] = draw.choice(["changed", "picked"])
        options["levels_back"] = draw.choice([None, 1, 2, 3, "nodes"])
        options["levels_over"] = draw.choice(["sources", "columns"])
    return settings(
        draw.choice(TARGETS),
        nodes=draw.choice([1, 2, 3, 4, 6]),
        gates=draw.choice(GATE_SETS),
        profile=draw.choice(["paper", "tinyverse"]),
        selection="strict",
        options=options,
        training=draw.choice(["complete", "complete", "sample:10"]),
        evaluation=draw.choice(["auto", "auto", "table"]),
    )


@pytest.mark.parametrize("block", range(6))
def test_same_genotype_after_every_slice(block: int) -> None:
    for number in range(block * 20, block * 20 + 20):
        made = random_settings(number)
        fast = begin(made, seed=number, run=3)
        slow = begin(replace(made, evaluation="reference"), seed=number, run=3)
        assert fast.walk.evaluation != "reference"
        for size in SLICES:
            check_equal(fast, slow)
            if fast.finished:
                break
            advance(fast, size)
            advance(slow, size)
        check_equal(fast, slow)


@pytest.mark.parametrize("evaluation", ["symbolic", "table", "reference"])
@pytest.mark.parametrize("profile", ["paper", "tinyverse"])
def test_slices_and_saving_change_nothing(evaluation: str, profile: str) -> None:
    made = settings(
        "and:4", nodes=5, profile=profile, selection="strict", options={"waiting": "drawn"},
        evaluation=evaluation,
    )  # fmt: skip
    whole = begin(made, seed=5, run=0)
    advance(whole, 700)
    for size in (1, 10, 35):
        stopped = begin(made, seed=5, run=0)
        while not stopped.finished and stopped.walk.offspring < 700:
            stopped = restore(made, save(stopped))
            advance(stopped, min(size, 700 - stopped.walk.offspring))
        assert stopped.walk.steps >= stopped.walk.offspring
        check_equal(stopped, whole)


def test_a_walk_may_go_on_with_another_evaluation() -> None:
    made = settings("and:4", nodes=5, selection="strict", options={"waiting": "drawn"})
    whole = begin(made, seed=7, run=39)
    advance(whole)
    assert whole.walk.improvements == [(0, 7), (2, 3), (5, 1), (107, 0)]
    changing = begin(made, seed=7, run=39)
    for part in range(40):
        evaluation = ("table", "reference", "symbolic")[part % 3]
        changing = restore(replace(made, evaluation=evaluation), save(changing))
        assert changing.walk.evaluation == evaluation
        advance(changing, 3)
    check_equal(changing, whole)
