"""Lemma 8's walk: the run of evolve, U and V recounted, steps of at most two, and the drift by hand."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from kernels import entry

from gatewalk.cgp.genotype import layout_of
from gatewalk.cgp.walk import advance
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_many
from gatewalk.search.options import search_for
from gatewalk.theory import exclusives
from gatewalk.theory.observe import drift
from gatewalk.theory.observe.watching import begin_watched


def drift_run(search, *, seed, run):
    return drift.drift_runs(search, seed=seed, runs=[run])[0]


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("xor:2", {"nodes": 2}),
        ("xor:3", {"nodes": 3}),
        ("xor:4", {"nodes": 7}),
        ("xor:7", {"nodes": 8, "budget": 900}),
    ],
)
def test_watched_walk_is_the_run_of_evolve(name, options):
    search = search_for(name, **options)
    for run in range(5):
        walked, plain = drift_run(search, seed=4, run=run), run_many(search, seed=4, runs=[run])[0]
        assert walked.iterations == plain.iterations
        assert walked.elementary_steps == plain.elementary_steps
        assert walked.solved == plain.solved
        assert walked.program.tolist() == plain.program.tolist()


def used_and_odd(n, genes):
    """U and V of all nodes, counted from the program."""
    nodes = len(genes) // 3
    reads = Counter(genes[3 * b + k] for b in range(nodes) for k in (1, 2))
    used = sum(reads[n + b] > 0 for b in range(nodes))
    odd = sum(reads[i] % 2 for i in range(n))
    return used, odd


def test_potential_follows_single_steps():
    n, nodes = 5, 6
    layout = layout_of(search_for("xor:5", nodes=nodes).shape)
    reconnect = entry(drift.reconnect)
    observer = drift.drift_observer(layout)
    rng = random.Random(2)
    genes = [rng.randrange(int(count)) for count in layout.choices]
    drift.count_reads(observer, np.array(genes, dtype=np.int32))
    for _ in range(2000):
        gene = rng.choice([g for g in range(3 * nodes) if g % 3])
        value = rng.randrange(int(layout.choices[gene]))
        before = int(drift.potential(observer))
        reconnect(observer, genes[gene], value)
        genes[gene] = value
        used, odd = used_and_odd(n, genes)
        assert observer.current.tolist() == [used, odd]
        after = int(drift.potential(observer))
        assert after == 2 * n - 2 - min(used, n - 2) - odd
        assert abs(after - before) <= 2


@pytest.mark.parametrize(("n", "nodes"), [(2, 1), (3, 5), (6, 6), (5, 12)])
def test_used_and_odd_are_those_of_the_parent_after_each_offspring(n, nodes):
    """After each offspring U and V are those of the parent; no more connections moved than SAM took steps."""
    search = search_for(f"xor:{n}", nodes=nodes, budget=300)
    observer = drift.drift_observer(layout_of(search.shape))
    walk = begin_watched(search, observer, seed=3, run=1)
    drift.count_reads(observer, walk.program)
    while not walk.finished:
        before = int(observer.steps.sum()), walk.steps
        advance(walk, 1)
        assert observer.current.tolist() == list(used_and_odd(n, walk.program.tolist()))
        assert observer.steps.sum() - before[0] <= walk.steps - before[1]
    assert observer.steps.sum() > 0 or walk.offspring == 0


def test_start_and_end_of_the_walk():
    genes = [0, 0, 1, 0, 4, 2, 0, 0, 0, 6]  # ((x1 ^ x2) ^ x3), x4 missing: V = 3 of 4
    search = search_for("xor:4", nodes=3, start=genes, budget=0)
    walked = drift_run(search, seed=0, run=0)
    used, odd = used_and_odd(4, genes)
    assert walked.start_odd == odd
    assert walked.start_potential == 6 - min(used, 2) - odd
    assert walked.steps.sum() == 0


def test_drift_from_one_program_by_enumeration():
    """Mean change of Y over all single changes of an active node, against walks that end after one step."""
    n, nodes = 4, 4
    rng = random.Random(8)
    genes = [rng.randrange(1 if g % 3 == 0 else n + g // 3) for g in range(3 * nodes)] + [n + nodes - 1]
    used, odd = used_and_odd(n, genes)
    y = 2 * n - 2 - min(used, n - 2) - odd
    changes = []
    for gene in (3 * b + k for b in sorted(_active(n, genes)) for k in (1, 2)):
        row = []
        for value in set(range(n + gene // 3)) - {genes[gene]}:
            moved = [*genes[:gene], value, *genes[gene + 1 :]]
            u, v = used_and_odd(n, moved)
            row.append(2 * n - 2 - min(u, n - 2) - v - y)
        changes.append(np.mean(row))
    search = search_for("xor:4", nodes=nodes, start=genes, budget=1)
    firsts = []
    for run in range(3000):
        walked = drift_run(search, seed=1, run=run)
        changed = [g for g in range(3 * nodes) if walked.program[g] != genes[g]]
        if walked.steps.sum() == 1 and len(changed) == 1 and changed[0] // 3 in _active(n, genes):
            step = drift.drift_report([walked])[0]
            assert step.potential == y
            firsts.append(step.mean)
    assert len(firsts) > 1000
    assert abs(np.mean(firsts) - np.mean(changes)) < 5.5 * np.std(firsts) / len(firsts) ** 0.5


def _active(n, genes):
    active = set()
    todo = [genes[-1]]
    while todo:
        source = todo.pop()
        if source >= n and source - n not in active:
            active.add(source - n)
            todo += genes[3 * (source - n) + 1 : 3 * (source - n) + 3]
    return active


def test_report_adds_up_and_falls_with_the_potential():
    search = search_for("xor:8", nodes=8, budget=20_000)
    walked = drift.drift_runs(search, seed=0, runs=range(4), jobs=2)
    drifts = drift.drift_report(walked)
    assert sum(item.steps for item in drifts) == sum(int(item.steps.sum()) for item in walked)
    often = [item for item in drifts if item.steps > 2000]
    assert [item.mean for item in often] == sorted((item.mean for item in often), reverse=True)
    for item in drifts:
        assert sum(item.sizes.values()) == pytest.approx(1)
        assert item.sizes[-3] == item.sizes[3] == 0
        assert item.mean == pytest.approx(sum(size * share for size, share in item.sizes.items()))
        assert item.low <= item.mean <= item.high
        assert item.used + item.odd >= 14 - item.potential - 1e-9  # Y = 2n - 2 - min(U, n-2) - V
        assert item.odd <= 14 - item.potential + 1e-9


def test_lemma7_at_the_starts():
    n, nodes, runs = 12, 12, 1500
    search = search_for(f"xor:{n}", nodes=nodes, budget=0)
    low = sum(item.start_odd <= 9 for item in drift.drift_runs(search, seed=5, runs=range(runs)))
    p = exclusives.lemma7_probability(n, nodes)
    assert abs(low / runs - p) < 5.5 * (p * (1 - p) / runs) ** 0.5 + 1e-9


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("and:4", {}),
        ("xor:4", {"selection": "strict"}),
        ("xor:4", {"profile": "tinyverse"}),
        ("xor:4", {"training": "sample"}),
        ("xor:4", {"gates": "xor,and"}),
        ("xor:4", {"mutation": "point:1"}),
    ],
)
def test_other_searches_are_refused(name, options):
    search = search_for(name, **options)
    assert not drift.has_drift(search)
    with pytest.raises(InputError, match="drift"):
        drift_run(search, seed=0, run=0)


@pytest.mark.parametrize(("n", "nodes"), [(3, 2), (5, 4), (5, 9), (8, 8)])
def test_near_optimum_the_potential_is_two(n, nodes):
    search = search_for(f"xor:{n}", nodes=nodes, start="near-optimum", budget=1)
    walk = drift_run(search, seed=0, run=0)
    assert (walk.start_potential, walk.start_odd) == (2, n - 1)
