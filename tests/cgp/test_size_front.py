"""The fittest program of every size, against a slow look at every parent of the same run."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from walks import task_of

from gatewalk.boolean.training import complete, fitness
from gatewalk.cgp import walk
from gatewalk.cgp.engines import Task
from gatewalk.cgp.genotype import active_nodes, decode
from gatewalk.cgp.size_front import UNSEEN, SizeFront, see, size_front
from gatewalk.circuit.circuit import evaluate
from gatewalk.native.seeding import entropy_of

LIMIT = 3000
add2 = partial(task_of, "add:2", 30)
TASKS = {
    "one offspring, incremental": add2(gates="and,or,nand,nor"),
    "several offspring, plain": add2(gates="and,or,xor,mux", mutation="point:3", offspring=4),
}


def begun(task: Task, observer: SizeFront | None) -> walk.Walk:
    made = walk.start(
        task, evaluation="table", entropy=entropy_of(3, 5), runs=[2], limit=LIMIT, observer=observer
    )
    walk.advance(made, 0)
    if observer is not None:
        see(observer, made.program, made.rank, 0)
    return made


def looked_at(task: Task, genes: np.ndarray) -> tuple[int, int]:
    """Active gates and mismatches of a program, by its circuit."""
    labels = task.target.input_labels, task.target.output_labels
    circuit = decode(task.shape, genes.astype(np.int64), input_labels=labels[0], output_labels=labels[1])
    rows = complete(task.target)
    assert len(circuit) == active_nodes(task.shape, genes.astype(np.int64)).sum()
    return len(circuit), fitness(evaluate(circuit, rows.inputs), rows)


@pytest.mark.parametrize("name", TASKS)
def test_the_fittest_of_every_size_is_kept(name: str) -> None:
    task = TASKS[name]
    observer = size_front(task.shape)
    watched = begun(task, observer)
    best: dict[int, tuple[int, int, list[int]]] = {}
    seen = set()
    while True:
        gates, mismatches = looked_at(task, watched.program)
        seen.add(gates)
        if gates not in best or mismatches < best[gates][0]:
            best[gates] = mismatches, watched.offspring, watched.program.tolist()
        if watched.finished:
            break
        walk.advance(watched, 1)
    assert len(best) > 5
    assert watched.rank > 0  # so that all of the budget was walked
    for gates in range(task.shape.nodes + 1):
        if gates in best:
            kept = int(observer.ranks[gates]), int(observer.offspring[gates])
            assert (*kept, observer.programs[gates].tolist()) == best[gates]
        else:
            assert observer.ranks[gates] == UNSEEN
    again = size_front(task.shape)
    walk.advance(begun(task, again), 2 * LIMIT)  # in one slice
    assert np.array_equal(again.ranks, observer.ranks)
    assert np.array_equal(again.programs, observer.programs)
