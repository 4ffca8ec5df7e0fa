"""A watched run is the run that evolve makes; its counts add up; its trace has the moments asked for."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gatewalk.cgp.loop import RANK
from gatewalk.cgp.walk import advance
from gatewalk.errors import InputError
from gatewalk.search.evolve import run_once
from gatewalk.search.settings import settings
from gatewalk.theory.levels import (
    DOWN,
    OTHER,
    STAY,
    TRACE_ROWS,
    UP,
    empty_trace,
    level_observer,
    see_start,
    take_rows,
)
from gatewalk.theory.watching import (
    TraceMoments,
    begin_watched,
    has_levels,
    layout_for,
    parse_moments,
    watch_run,
    watch_runs,
)

CASES: list[tuple[str, dict[str, Any]]] = [
    ("and:5", {"nodes": 10}),
    ("and:5", {"nodes": 6, "profile": "tinyverse"}),
    ("and:5", {"nodes": 8, "selection": "strict", "budget": 3000}),
    ("and:4", {"nodes": 3, "selection": "strict", "start": "penultimate", "budget": 2000}),
    ("and:9", {"nodes": 18, "training": "sample"}),
    ("and:4", {"nodes": 8, "mutation": "point:2"}),
    ("or:4", {"nodes": 8}),
    ("xor:3", {"nodes": 4}),
    ("maj:3", {"nodes": 9, "evaluation": "reference"}),
]


@pytest.mark.parametrize(("name", "options"), CASES)
def test_watched_run_is_the_run_of_evolve(name: str, options: dict[str, Any]) -> None:
    search = settings(name, **options)
    for run in range(4):
        watched, plain = watch_run(search, seed=11, run=run), run_once(search, seed=11, run=run)
        assert max(0, watched.iterations - search.law.uncounted) == plain.iterations
        assert watched.solved == plain.solved
        assert watched.program.tolist() == plain.program.tolist()


def test_counts_add_up() -> None:
    search = settings("and:6", nodes=9)
    for item in watch_runs(search, seed=1, runs=range(5), jobs=2):
        moves = item.tally.moves
        assert moves.sum() == item.iterations
        assert moves[6].sum() == 0
        reached = np.flatnonzero(item.tally.first >= 0)
        assert reached[-1] == 6
        assert item.tally.first[6] == item.iterations
        assert moves[:, :, UP].sum() == reached.size - 1  # each level left once, none entered twice
        assert (np.diff(item.tally.first[reached]) > 0).all()


@pytest.mark.parametrize(
    "options",
    [
        {"nodes": 7},
        {"nodes": 9, "selection": "strict"},
        {"nodes": 8, "options": {"ties": "coin"}},
        {"nodes": 8, "mutation": "rate:0.1"},
        {"nodes": 8, "training": "sample:5"},
    ],
)
def test_every_row_is_of_the_parent_and_the_counts_are_of_the_rows(
    options: dict[str, Any], literal: ModuleType
) -> None:
    """A walk advanced offspring by offspring, with level and gates of each parent found from its lists."""
    n, search = 4, settings("and:4", budget=400, **options)
    for run in range(3):
        observer = level_observer(layout_for(search), empty_trace(every=1), limited=False)
        walk = begin_watched(search, observer, seed=6, run=run)
        see_start(observer, walk.program, int(walk.course.counters[RANK]))
        parents = [walk.program.tolist()]
        while not walk.finished:
            assert advance(walk, 1) == 1
            parents.append(walk.program.tolist())
        rows = take_rows(observer.trace).tolist()
        assert len(rows) == len(parents) == walk.offspring + 1
        moves, neutral, surplus = np.zeros((n + 1, 2, 4)), np.zeros((n + 1, 2)), np.zeros((n + 1, 2))
        firsts: dict[int, int] = {}
        before = None
        for time, (row, parent) in enumerate(zip(rows, parents, strict=True)):
            level, gates = len(literal.used_inputs(n, parent)), len(literal.active_nodes(n, parent))
            plus = int(gates > level - 1 and level < n)
            assert row[0] == time
            assert row[2:5] == [level, plus, gates]
            firsts.setdefault(level, time)
            if before is not None:
                old_rank, old_level, old_plus, old_gates = before
                assert row[5] or parent == parents[time - 1]
                other = OTHER if plus != old_plus else STAY
                moves[
                    old_level, old_plus, UP if level > old_level else DOWN if level < old_level else other
                ] += 1
                neutral[old_level, old_plus] += row[5] and row[1] == old_rank
                surplus[old_level, old_plus] += old_gates - max(0, old_level - 1)
            before = (row[1], level, plus, gates)
        assert (observer.tally.moves == moves).all()
        assert (observer.tally.neutral == neutral).all()
        assert (observer.tally.surplus == surplus).all()
        assert observer.tally.first.tolist() == [firsts.get(level, -1) for level in range(n + 1)]


@pytest.mark.parametrize("name", ["and:5", "xor:4", "maj:3"])
def test_ranks_stand_for_mismatches(name: str) -> None:
    search = settings(name, nodes=8, budget=200, selection="strict")
    for run in range(5):
        item = watch_run(search, seed=2, run=run, record=TraceMoments(every=1))
        plain = run_once(search, seed=2, run=run)
        assert item.fitness[int(item.trace[-1, 1])] == plain.fitness
        assert item.trace[-1, 4] == plain.gates


def test_jobs_do_not_change_what_is_seen() -> None:
    search = settings("and:5", nodes=7)
    one = watch_runs(search, seed=2, runs=range(6), jobs=1)
    two = watch_runs(search, seed=2, runs=range(6), jobs=2)
    for a, b in zip(one, two, strict=True):
        assert (a.tally.moves == b.tally.moves).all()


def test_trace_moments() -> None:
    search = settings("and:6", nodes=8)
    ends = watch_run(search, seed=3, run=0).trace
    assert ends[0, 0] == 0
    assert ends[-1].tolist()[1:3] == [0, 6]
    assert len(ends) == 2
    powers = watch_run(search, seed=3, run=0, record=TraceMoments(powers=True)).trace[1:-1, 0]
    assert set(powers) <= {2**k for k in range(40)}
    every = watch_run(search, seed=3, run=0, record=TraceMoments(every=7)).trace[1:-1, 0]
    assert every.tolist() == list(range(7, int(ends[-1, 0]), 7))
    better = watch_run(search, seed=3, run=0, record=TraceMoments(improvements=True)).trace
    assert (np.diff(better[:, 1]) < 0).all()
    assert [row[1] for row in better.tolist()] == sorted({row[1] for row in better.tolist()}, reverse=True)


def test_trace_longer_than_its_rows() -> None:
    search = settings("and:4", nodes=3, selection="strict", start="penultimate", budget=2 * TRACE_ROWS + 100)
    item = watch_run(search, seed=0, run=4, record=TraceMoments(every=1))
    assert item.iterations > TRACE_ROWS
    assert item.trace[:, 0].tolist() == list(range(item.iterations + 1))


def test_accepted_iterations_change_the_program() -> None:
    search = settings("and:5", nodes=5, selection="strict", budget=500)
    rows = watch_run(search, seed=5, run=0, record=TraceMoments(every=1)).trace
    ranks, accepted = rows[:, 1], rows[1:, 5]
    assert ((np.diff(ranks) < 0) == (accepted == 1)).all()


def test_moments_are_read() -> None:
    assert parse_moments("improvements,every:10") == TraceMoments(improvements=True, every=10)
    assert parse_moments("powers") == TraceMoments(powers=True)
    for text in ("sometimes", "every:0", "every", "powers:2"):
        with pytest.raises(InputError, match="cannot record"):
            parse_moments(text)


def test_what_cannot_be_watched() -> None:
    with pytest.raises(InputError, match="lambda 1"):
        watch_run(settings("and:4", offspring=4), seed=0, run=0)
    with pytest.raises(InputError, match="waiting=walked, not drawn"):
        watch_run(settings("and:4", selection="strict", options={"waiting": "drawn"}), seed=0, run=0)
    with pytest.raises(InputError, match="algorithm cgp"):
        watch_run(settings("and:4", algorithm="tgp-single"), seed=0, run=0)
    assert has_levels(settings("or:4"))
    assert not has_levels(settings("and:4", gates="and,or"))
    assert not has_levels(settings("xor:4"))
