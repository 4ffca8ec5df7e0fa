"""Observers: they see everything and change nothing; and `SizeFront` against a slow look at every parent."""

from functools import partial
from typing import NamedTuple

import numpy as np
import pytest
from walks import cgp_search

from gatewalk.boolean.training import complete, fitness
from gatewalk.cgp import walk
from gatewalk.cgp.cgp_search import TINYVERSE
from gatewalk.cgp.genotype import valid_values
from gatewalk.cgp.observers import UNSEEN, register, see, size_front
from gatewalk.circuit.circuit import evaluate
from gatewalk.native.jit import inlined
from gatewalk.native.seeding import entropy_of

ROOM, LIMIT = 200_000, 3000
CHANGE, SELECTION = 0, 1


class Diary(NamedTuple):
    """Rows (CHANGE, gene, old, value) and (SELECTION, accepted, before, after, offspring, sum of genes)."""

    rows: np.ndarray
    count: np.ndarray


class Stopper(NamedTuple):
    """Ends the slice after so many selections each time; left[0]: until the next end."""

    left: np.ndarray


@inlined
def write_change(diary, gene, old, value):
    row = diary.rows[diary.count[0]]
    row[0], row[1], row[2], row[3] = CHANGE, gene, old, value
    diary.count[0] += 1


@inlined
def write_selection(diary, program, evaluator, state, selected):
    row = diary.rows[diary.count[0]]
    row[0], row[1], row[2] = SELECTION, selected.accepted, selected.before
    row[3], row[4] = selected.after, selected.offspring
    for gene in range(program.places.size):  # by now the offspring is the parent, or forgotten
        row[5] += (gene + 1) * program.parent[gene]
    diary.count[0] += 1
    return True


@inlined
def stop_often(stopper, program, evaluator, state, selected):
    stopper.left[0] -= 1
    if stopper.left[0] > 0:
        return True
    stopper.left[0] = 7
    return False


register(Diary, on_change=write_change, on_selection=write_selection)
register(Stopper, on_selection=stop_often)


def begun(search, observer=None):
    return walk.start(search, None, entropy=entropy_of(3, 5), runs=[0], observer=observer)


def diary():
    return Diary(np.zeros((ROOM, 6), dtype=np.int64), np.zeros(1, dtype=np.int64))


def at_the_same_point(a, b):
    return (a.offspring, a.steps, a.improvements, a.program.tolist(), a.course.stream.tolist()) == (
        *(b.offspring, b.steps, b.improvements),
        *(b.program.tolist(), b.course.stream.tolist()),
    )


# On the plain engine, the first to compile.
maj5 = partial(cgp_search, "maj:5", 12, gates="and,or,const1", limit=LIMIT, evaluation="table")
SEARCHES = {
    "sam": maj5(),
    "tinyverse": maj5(law=TINYVERSE),
    "strict": maj5(mutation="rate:0.1", strict=True),
    "points": maj5(mutation="point:60"),
    "several": maj5(mutation="point:3", offspring=4),
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_search_that_is_watched_is_the_same(search):
    alone, watched = begun(search), begun(search, diary())
    for size in (0, 10, 500, LIMIT):
        walk.advance(alone, size)
        walk.advance(watched, size)
        assert at_the_same_point(alone, watched)
    assert watched.finished


@pytest.mark.parametrize("name", ["sam", "tinyverse", "strict", "points"])
def test_every_change_and_every_selection_is_told(name):
    search, watcher = SEARCHES[name], diary()
    watched = begun(search, watcher)
    walk.advance(watched, 1)  # the start
    parent = watched.program.tolist()
    values = [valid_values(search.shape, gene) for gene in range(search.shape.length)]
    walk.advance(watched, 2 * LIMIT)
    rows = watcher.rows[: watcher.count[0]].tolist()
    assert watcher.count[0] < ROOM
    child, selections, changes, improvements = list(parent), 0, 0, []
    for kind, *row in rows:
        if kind == CHANGE:
            gene, old, value = row[:3]
            changes += 1
            if gene < len(child):  # the gene behind the last stands for all that cannot change
                assert child[gene] == old != value
                assert value in values[gene]
                child[gene] = value
            continue
        accepted, before, after, offspring, total = row
        selections += 1
        assert offspring == selections
        assert after < before or (after == before and not (accepted and search.strict))
        if after < before:
            assert accepted
            improvements.append((offspring, after))
        parent = list(child) if accepted else parent
        child = list(parent)
        assert total == sum((gene + 1) * value for gene, value in enumerate(parent))
    assert selections == watched.offspring
    assert changes == watched.steps
    assert parent == watched.program.tolist()
    assert improvements == watched.improvements[1:]
    assert len(improvements) > 1


def test_an_observer_can_end_a_slice():
    alone, watched = begun(SEARCHES["sam"]), begun(SEARCHES["sam"], Stopper(np.array([7])))
    walk.advance(watched, 1)
    slices = 0
    while not watched.finished:
        before = watched.offspring
        walk.advance(watched, LIMIT)
        slices += 1
        assert watched.offspring - before <= 7
    walk.advance(alone, 2 * LIMIT)
    assert slices >= alone.offspring // 7
    assert at_the_same_point(alone, watched)


add2 = partial(cgp_search, "add:2", 30, limit=LIMIT, evaluation="table")
ADDERS = {
    "one offspring, incremental": add2(gates="and,or,nand,nor"),
    "several offspring, plain": add2(gates="and,or,xor,mux", mutation="point:3", offspring=4),
}


def seen_from_the_start(search, observer):
    watched = walk.start(search, None, entropy=entropy_of(3, 5), runs=[2], observer=observer)
    walk.advance(watched, 0)
    see(observer, watched.program, watched.rank, 0)
    return watched


def looked_at(search, genes):
    """Active gates and mismatches of a program, by its circuit."""
    circuit, rows = search.circuit_of(genes), complete(search.target)
    assert len(circuit) == search.gates_of(genes)
    return len(circuit), fitness(evaluate(circuit, rows.inputs), rows)


@pytest.mark.parametrize("name", ADDERS)
def test_the_fittest_of_every_size_is_kept(name):
    search = ADDERS[name]
    observer = size_front(search.shape)
    watched = seen_from_the_start(search, observer)
    best = {}
    seen = set()
    while True:
        gates, mismatches = looked_at(search, watched.program)
        seen.add(gates)
        if gates not in best or mismatches < best[gates][0]:
            best[gates] = mismatches, watched.offspring, watched.program.tolist()
        if watched.finished:
            break
        walk.advance(watched, 1)
    assert len(best) > 5
    assert watched.rank > 0  # so that all of the budget was walked
    for gates in range(search.nodes + 1):
        if gates in best:
            rank, offspring = int(observer.ranks[gates]), int(observer.offspring[gates])
            assert (rank, offspring, observer.programs[gates].tolist()) == best[gates]
        else:
            assert observer.ranks[gates] == UNSEEN
    again = size_front(search.shape)
    walk.advance(seen_from_the_start(search, again), 2 * LIMIT)  # in one slice
    assert np.array_equal(again.ranks, observer.ranks)
    assert np.array_equal(again.programs, observer.programs)
