"""The search behind the estimators: runs of the (1+λ) CGP that keep the fittest program of every size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp import walk
from gatewalk.cgp.engines import Task
from gatewalk.cgp.genotype import Shape, decode, shape_for
from gatewalk.cgp.law import PAPER
from gatewalk.cgp.mutations import canonical
from gatewalk.cgp.size_front import UNSEEN, SizeFront, see, size_front
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.learn.examples import target_of
from gatewalk.native.seeding import entropy_of
from gatewalk.search.evolve import check_jobs
from gatewalk.search.seeds import cell_number
from gatewalk.search.slices import slices
from gatewalk.search.threads import runs_on_threads

MOST_NODES = 2000
MOST_RUNS = 10_000
CELL = cell_number("gatewalk.learn")
Progress = Callable[[int, int, int], None]  # called with a run, its iterations so far and its mismatches


@dataclass(frozen=True, kw_only=True)
class SearchOptions:
    """The options of `CircuitClassifier` about the search. nodes: None to choose by the number of outputs."""

    gates: GateSet
    nodes: int | None
    mutation: str
    offspring: int
    budget: int
    runs: int
    jobs: int


def search_options(
    *, gates: object, nodes: int | None, mutation: object, offspring: int, budget: int, runs: int, jobs: int
) -> SearchOptions:
    """Check the options one by one and collect them."""
    if not isinstance(gates, str | GateSet):
        raise InputError(f"gates is {shown(gates)}: give names such as 'and,or,not', or a gate set")
    if not isinstance(mutation, str):
        raise InputError(f"mutation is {shown(mutation)}: give a text such as 'sam' or 'point:3'")
    if nodes is not None:
        whole_number("nodes", nodes, least=1, most=MOST_NODES)
    whole_number("offspring", offspring, least=1)
    whole_number("budget", budget, least=0)
    whole_number("runs", runs, least=1, most=MOST_RUNS)
    check_jobs(jobs)
    return SearchOptions(
        gates=gate_set(gates) if isinstance(gates, str) else gates,
        nodes=None if nodes is None else int(nodes),
        mutation=canonical(mutation),
        offspring=int(offspring),
        budget=int(budget),
        runs=int(runs),
        jobs=int(jobs),
    )


def search(
    training: TrainingSet,
    input_labels: tuple[str, ...],
    output_labels: tuple[str, ...],
    options: SearchOptions,
    *,
    seed: int,
    tell: Progress | None = None,
) -> list[Circuit]:
    """Circuits of different sizes, each with fewer mismatches than all smaller ones.

    They are the fittest among all parents of the runs with this seed; the number of jobs does not change
    them. Ctrl-C ends all runs and raises KeyboardInterrupt.
    """
    outputs = len(output_labels)
    shape = shape_for(
        inputs=len(input_labels),
        outputs=outputs,
        nodes=min(MOST_NODES, 50 + 50 * outputs) if options.nodes is None else options.nodes,
        gates=options.gates,
        law=PAPER,
    )
    task = Task(
        target=target_of(input_labels, output_labels),
        training=training,
        shape=shape,
        law=PAPER,
        mutation=options.mutation,
        strict=False,
        offspring=options.offspring,
    )

    def one(run: int, stop: Event) -> SizeFront:
        return watched_run(task, seed=seed, run=run, limit=options.budget, stop=stop, tell=tell)

    found = merged(shape, runs_on_threads(one, range(options.runs), options.jobs))
    return [decode(shape, genes, input_labels=input_labels, output_labels=output_labels) for genes in found]


def watched_run(
    task: Task, *, seed: int, run: int, limit: int, stop: Event | None = None, tell: Progress | None = None
) -> SizeFront:
    """Complete one run; returns the fittest program of every size among its parents."""
    front = size_front(task.shape)
    under_way = walk.start(
        task, evaluation="table", entropy=entropy_of(seed, CELL), runs=[run], limit=limit, observer=front
    )
    walk.advance(under_way, 0)
    see(front, under_way.program, np.int64(under_way.rank), np.int64(0))
    for _ in slices(under_way, stop):
        if tell:
            tell(run, under_way.offspring, under_way.rank)
    return front


def merged(shape: Shape, fronts: list[SizeFront]) -> list[NDArray[np.int64]]:
    """The programs that are fitter than all smaller ones of all runs, by growing size."""
    ranks = np.array([front.ranks for front in fronts])
    found, least = [], UNSEEN
    for gates in range(shape.nodes + 1):
        run = int(ranks[:, gates].argmin())
        if ranks[run, gates] < least:
            least = int(ranks[run, gates])
            found.append(fronts[run].programs[gates].astype(np.int64))
    return found
