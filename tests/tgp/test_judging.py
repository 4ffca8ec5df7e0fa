"""Both judges, tables and counts, decide the same walks; an offspring that is too large is rejected."""

from __future__ import annotations

import numpy as np
import pytest

from gatewalk.boolean.gates import gate_set
from gatewalk.boolean.targets import target
from gatewalk.tgp.law import TgpLaw
from gatewalk.tgp.symbolic import Counts
from gatewalk.tgp.table import Table
from gatewalk.tgp.walk import Task, Walk, advance, start


def walk_of(evaluation: str, law: TgpLaw, *, strict: bool, seed: int) -> Walk:
    task = Task(
        target=target("and:6"), training=None, gates=gate_set("and"), law=law, multi=False, strict=strict
    )
    stream = np.random.SeedSequence(seed).generate_state(4, np.uint64)
    return start(task, evaluation=evaluation, stream=stream)


@pytest.mark.parametrize("strict", [False, True])
def test_tables_and_counts_decide_alike(strict: bool) -> None:
    accepted = 0
    for seed in range(5):
        table, counts = (walk_of(kind, TgpLaw(), strict=strict, seed=seed) for kind in ("table", "symbolic"))
        assert isinstance(table.judge, Table)
        assert isinstance(counts.judge, Counts)
        for limit in range(0, 200, 5):
            advance(table, limit)
            advance(counts, limit)
            assert table.program.tolist() == counts.program.tolist()
            assert (table.offspring, table.fitness) == (counts.offspring, counts.fitness)
        assert table.improvements == counts.improvements
        accepted += len(table.improvements)
    assert accepted > 10


@pytest.mark.parametrize("evaluation", ["table", "symbolic"])
def test_an_offspring_over_the_size_limit_is_rejected(evaluation: str) -> None:
    free = walk_of(evaluation, TgpLaw(), strict=False, seed=3)
    bounded = walk_of(evaluation, TgpLaw(size_limit=3), strict=False, seed=3)
    largest = {"free": 0, "bounded": 0}
    for limit in range(1, 300):
        for name, walk in (("free", free), ("bounded", bounded)):
            advance(walk, limit)
            largest[name] = max(largest[name], walk.size)
    assert largest["bounded"] == 3 < largest["free"]
    assert bounded.fitness == 2**3 - 1  # three of the six inputs
