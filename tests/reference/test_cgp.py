"""The kernels walk exactly as the literal twin: the same genotype after every iteration."""

from __future__ import annotations

import random

import pytest

from gatewalk.search.session import advance, begin
from gatewalk.search.settings import Settings, settings

ITERATIONS = 30
TARGETS = [
    "and:2",
    "and:3",
    "and:4",
    "xor:2",
    "xor:3",
    "or:3",
    "maj:3",
    "nand:2",
    "xnor:3",
    "epar:3",
    "add:1",
    "mul:2",
]
GATE_SETS = [
    None,
    "and,or",
    "and,or,nand,nor",
    "nand",
    "xor,and,not",
    "mux,not",
    "maj,not,const1",
    "and3,xor,buf",
    "nimply,imply,xor3,const0",
]


def random_settings(number: int) -> Settings:
    """Settings number `number` of an endless varied list."""
    draw = random.Random(number)
    options: dict[str, object] = {}
    if draw.random() < 0.5:
        options["sam_ends"] = draw.choice(["changed", "picked"])
        options["ties"] = draw.choice(["accept", "coin"])
        options["starts"] = draw.choice([1, 2, 3])
        options["levels_back"] = draw.choice([None, 1, 2, 3, "nodes"])
        options["levels_over"] = draw.choice(["sources", "columns"])
    rows = draw.choice([1, 1, 2, 3])
    options["rows"] = rows
    gates = draw.choice(GATE_SETS)
    wanted = draw.choice(TARGETS)
    return settings(
        wanted,
        nodes=rows * draw.randint(1, 5),
        gates=gates,
        selection=draw.choice(["nonstrict", "strict"]),
        profile=draw.choice(["paper", "tinyverse"]),
        options=options,
        mutation=draw.choice(["sam", "sam", "sam", "point:1", "point:3", "rate:0.2"]),
        training=draw.choice(["complete", "complete", "sample", "sample:70"]),
        offspring=draw.choice([1, 1, 1, 2, 4]),
    )


@pytest.mark.parametrize("block", range(10))
def test_same_genotype_after_every_iteration(block: int) -> None:
    for number in range(block * 30, block * 30 + 30):
        made = random_settings(number)
        fast = begin(made, seed=number, run=3)
        from dataclasses import replace

        slow = begin(replace(made, evaluation="reference"), seed=number, run=3)
        for _ in range(ITERATIONS):
            assert fast.walk.program.tolist() == slow.walk.program.tolist(), made
            assert fast.walk.fitness == slow.walk.fitness, made
            assert fast.walk.offspring == slow.walk.offspring, made
            assert fast.walk.steps == slow.walk.steps, made
            assert fast.finished == slow.finished, made
            if fast.finished:
                break
            advance(fast, 1)
            advance(slow, 1)
        assert fast.walk.improvements == slow.walk.improvements, made


def test_the_list_of_settings_is_varied() -> None:
    made = [random_settings(number) for number in range(300)]
    assert {one.mutation for one in made} == {"sam", "point:1", "point:3", "rate:0.2"}
    assert {one.profile for one in made} == {"paper", "tinyverse"}
    assert {one.target for one in made} == set(TARGETS)
    assert {one.training for one in made} == {"complete", "sample", "sample:70"}
