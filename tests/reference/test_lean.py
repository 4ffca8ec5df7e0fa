"""SAM without waste: the kernels walk as its twin, and a saved walk goes on identically."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sessions import check_equal

from gatewalk.search.session import advance, begin, restore, save
from gatewalk.search.settings import Settings, settings

ITERATIONS = 40
TARGETS = ["and:1", "and:2", "and:4", "and:7", "xor:3", "xor:7", "maj:3", "add:1", "mul:2"]
GATE_SETS = [None, None, "and,or,nand,nor", "nand", "xor,and,not", "maj,not,const1", "not"]


def random_settings(number: int) -> Settings:
    """Settings number `number` of an endless varied list."""
    draw = random.Random(number)
    options: dict[str, object] = {"sam_stream": "lean"}
    if draw.random() < 0.5:
        options["sam_ends"] = draw.choice(["changed", "picked"])
        options["ties"] = draw.choice(["accept", "coin"])
        options["levels_back"] = draw.choice([None, 1, 2, 3, "nodes"])
        options["levels_over"] = draw.choice(["sources", "columns"])
    return settings(
        draw.choice(TARGETS),
        nodes=draw.choice([1, 2, 5, 9, 40, 70]),
        gates=draw.choice(GATE_SETS),
        profile=draw.choice(["paper", "tinyverse"]),
        options=options,
        training=draw.choice(["complete", "complete", "sample:70"]),
    )


@pytest.mark.parametrize("block", range(8))
def test_same_genotype_after_every_iteration(block: int) -> None:
    for number in range(block * 20, block * 20 + 20):
        made = random_settings(number)
        fast = begin(made, seed=number, run=3)
        slow = begin(replace(made, evaluation="reference"), seed=number, run=3)
        for _ in range(ITERATIONS):
            check_equal(fast, slow)
            if fast.finished:
                break
            advance(fast, 1)
            advance(slow, 1)


@pytest.mark.parametrize("evaluation", ["auto", "reference"])
def test_a_saved_walk_goes_on_as_if_it_had_not_stopped(evaluation: str) -> None:
    made = settings("and:6", nodes=9, options={"sam_stream": "lean"}, evaluation=evaluation)
    whole = begin(made, seed=5, run=0)
    advance(whole, 60)
    stopped = begin(made, seed=5, run=0)
    for _ in range(6):
        advance(stopped, 10)
        stopped = restore(made, save(stopped))
        assert stopped.walk.steps > stopped.walk.offspring
    check_equal(stopped, whole)
