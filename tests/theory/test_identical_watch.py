"""Watched runs are those of the twin, and every identical offspring is counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from gatewalk.errors import InputError
from gatewalk.reference import cgp as twin
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings
from gatewalk.theory.identical_watch import identical_runs, rate_of


@pytest.mark.parametrize(
    ("name", "options"),
    [("mul:2", {"nodes": 12, "gates": "and,or,nand,nor"}), ("mul:2", {"nodes": 12, "gates": "nand"})],
)
def test_counts_are_those_of_the_twin(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    search = settings(name, mutation="rate:0.05", offspring=1, budget=300, **options)
    offspring: Counter[int] = Counter()
    identical: Counter[int] = Counter()
    nodes = 0

    def counted(s: twin.Setting, x: list[int], stream: Any) -> tuple[list[int], int]:
        nonlocal nodes
        y, steps = twin.mutation_rate(s, x, stream)
        active = twin.active_nodes(s, x)
        genes = [i for i in range(s.genes) if twin.is_active(s, active, i) and len(twin.valid(s, i)) > 1]
        offspring[len(genes)] += 1
        identical[len(genes)] += all(x[i] == y[i] for i in genes)
        nodes += len(active)
        return y, steps

    monkeypatch.setitem(twin.MUTATIONS, "rate", counted)
    literal = settings(name, mutation="rate:0.05", offspring=1, budget=300, evaluation="reference", **options)
    for run in range(3):
        run_once(literal, seed=5, run=run)
    found = identical_runs(search, seed=5, runs=range(3))
    assert dict(zip(found.genes.tolist(), found.offspring.tolist(), strict=True)) == dict(offspring)
    counts = dict(zip(found.genes.tolist(), found.identical.tolist(), strict=True))
    assert counts == {genes: identical[genes] for genes in offspring}
    assert found.nodes == pytest.approx(nodes / sum(offspring.values()))
    assert sum(identical.values()) > 20


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"mutation": "sam"}, "under --mutation rate:P, not sam"),
        ({"mutation": "rate:0.1", "offspring": 4}, "one offspring at a time"),
    ],
)
def test_other_searches_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        identical_runs(settings("mul:2", nodes=5, **options), seed=1, runs=range(1))


def test_rate_of_the_mutation() -> None:
    assert rate_of(settings("mul:2", nodes=5, mutation="rate:1%", offspring=1)) == 0.01
