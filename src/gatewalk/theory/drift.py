"""The random walk of programs on exclusive disjunctions, watched per elementary step (Lemmas 7 and 8).

L is the set of all D nodes. V: inputs read by an odd number of L's connections. U: nodes of L that
another node of L reads. The potential is Y = 2n - 2 - min(U, n-2) - V; an optimum needs Y = 0. On
the complete set every program that is no optimum has the same fitness, so the non-strict (1+1) CGP
keeps every change and Y is a walk over elementary steps. As in the proof, the steps counted are the
changes of a connection of L.

`Walker` is a part of the loop of the search (`gatewalk.cgp.observing`), so that what is watched is the run
that `evolve` makes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import nan
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.large import Genes
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.observing import register
from gatewalk.errors import InputError
from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.search.settings import Settings
from gatewalk.search.slices import slices
from gatewalk.search.threads import runs_on_threads
from gatewalk.theory.run_intervals import IDENTITY, ratio_intervals
from gatewalk.theory.watching import Tell, begin_watched, check_watchable, layout_for

REACH = 3  # Lemma 8: one step changes Y by at most three
LARGEST_STEP = 2  # in fact by at most two: an end that is an input is no node
USED, ODD = range(2)  # places in `Walker.place`


class Walker(NamedTuple):
    """reads[s]: connections of L to source s. place: U and V. steps[Y, change + REACH]: how often.

    sums[Y]: U and V added up over the steps made at Y.
    """

    inputs: int
    nodes: int
    reads: NDArray[np.int64]
    place: NDArray[np.int64]
    steps: NDArray[np.int64]
    sums: NDArray[np.int64]


def walker_of(layout: Layout) -> Walker:
    """Room for a walk."""
    potentials = 2 * layout.inputs - 1
    return Walker(
        layout.inputs,
        layout.nodes,
        np.zeros(layout.inputs + layout.nodes, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros((potentials, 2 * REACH + 1), dtype=np.int64),
        np.zeros((potentials, 2), dtype=np.int64),
    )


@hot_kernel
def count_reads(walker: Walker, genes: Genes) -> None:
    """Fill reads, U and V from scratch."""
    walker.reads[:] = 0
    for node in range(walker.nodes):
        for argument in range(2):
            walker.reads[genes[node * 3 + 1 + argument]] += 1
    used = np.int64(0)
    odd = np.int64(0)
    for source in range(walker.reads.size):
        if source < walker.inputs:
            odd += walker.reads[source] & 1
        elif walker.reads[source] > 0:
            used += 1
    walker.place[USED] = used
    walker.place[ODD] = odd


@hot_kernel
def potential(walker: Walker) -> Int:
    """Y."""
    n = walker.inputs
    y: Int = 2 * n - 2 - min(walker.place[USED], n - 2) - walker.place[ODD]
    return y


@inlined
def reconnect(walker: Walker, old: Int, new: Int) -> None:
    """Move one connection of L from a source to another: reads, U and V follow."""
    reads, place = walker.reads, walker.place
    reads[old] -= 1
    if old < walker.inputs:
        place[ODD] += 1 if reads[old] & 1 else -1
    elif reads[old] == 0:
        place[USED] -= 1
    reads[new] += 1
    if new < walker.inputs:
        place[ODD] += 1 if reads[new] & 1 else -1
    elif reads[new] == 1:
        place[USED] += 1


@inlined
def on_change(walker: Walker, gene: np.uint64, old: np.uint64, value: np.uint64) -> None:
    """Count a step, if it is the change of a connection of L.

    With one gate, every gene of a node that can change is a connection; the output and the place of genes
    that cannot change come behind them.
    """
    if np.int64(gene) >= 3 * walker.nodes:
        return
    before = potential(walker)
    walker.sums[before, USED] += walker.place[USED]
    walker.sums[before, ODD] += walker.place[ODD]
    reconnect(walker, np.int64(old), np.int64(value))
    walker.steps[before, potential(walker) - before + REACH] += 1


register(Walker, on_change=on_change)


@dataclass(frozen=True, eq=False)
class Wandered:
    """One run: its end, V and Y at its start, and its steps by potential and change."""

    run: int
    iterations: int
    elementary_steps: int
    solved: bool
    program: NDArray[np.int32]
    start_odd: int
    start_potential: int
    least_potential: int
    steps: NDArray[np.int64]
    sums: NDArray[np.int64]


def check_flat(made: Settings) -> None:
    """Lemma 8's walk: Xor gates only, complete set, ties always accepted, SAM that ends on a change."""
    check_watchable(made)
    wanted, law = made.wanted, made.law
    if wanted.family != "xor" or made.gates != ("xor",) or made.training != "complete" or wanted.inputs < 2:
        raise InputError("the drift is that of xor:N, N >= 2, with gates xor on the complete set")
    if (
        made.selection != "nonstrict"
        or not isinstance(law, CgpLaw)
        or law.ties != "accept"
        or law.sam_ends != "changed"
    ):
        raise InputError("the drift is that of non-strict selection and the paper's SAM: --profile paper")
    if made.mutation != "sam":
        raise InputError(f"the drift is that of --mutation sam, not {made.mutation}")


def is_flat(made: Settings) -> bool:
    """Does Lemma 8's walk describe these settings?"""
    try:
        check_flat(made)
    except InputError:
        return False
    return True


def wander_run(
    made: Settings, *, seed: int, run: int, stop: Event | None = None, tell: Tell | None = None
) -> Wandered:
    """One run of `evolve`, watched per elementary step."""
    check_flat(made)
    walker = walker_of(layout_for(made))
    walk = begin_watched(made, walker, seed=seed, run=run)
    count_reads(walker, walk.program)
    start_odd, start = int(walker.place[ODD]), int(potential(walker))
    for _ in slices(walk, stop):
        if tell:  # the walker counts
            tell(run, walk.offspring)
    visited = np.flatnonzero(walker.steps.sum(axis=1))
    return Wandered(
        run=run,
        iterations=walk.offspring,
        elementary_steps=walk.steps,
        solved=walk.solved,
        program=walk.program,
        start_odd=start_odd,
        start_potential=start,
        least_potential=min([start, int(potential(walker)), *visited.tolist()]),
        steps=walker.steps,
        sums=walker.sums,
    )


def wander_runs(
    made: Settings,
    *,
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Callable[[Wandered], None] | None = None,
    tell: Tell | None = None,
) -> list[Wandered]:
    """Make runs and record Lemma 8's potential at every elementary step.

    Parameters
    ----------
    made
        The search, from `gatewalk.settings`, for an exclusive disjunction.
    seed, runs
        The seed, and the numbers of the runs.
    jobs
        Threads.
    on_done, tell
        Told of each finished run, and of the runs under way.

    Returns
    -------
    list of Wandered
        What was recorded, in the order of the runs.

    Examples
    --------
    >>> from gatewalk import settings
    >>> len(wander_runs(settings("xor:4", nodes=4, budget=200), seed=1, runs=range(3)))
    3
    """
    check_flat(made)

    def one(run: int, stop: Event) -> Wandered:
        return wander_run(made, seed=seed, run=run, stop=stop, tell=tell)

    return runs_on_threads(one, runs, jobs, on_done)


@dataclass(frozen=True)
class Drift:
    """The steps that were made at one value of Lemma 8's potential Y.

    Attributes
    ----------
    potential, steps
        The value of Y, and how many steps were made there.
    used, odd
        U and V on average at these steps: nodes that another node reads, and inputs with an odd number of
        readers.
    mean, low, high
        The mean change of Y with its 95 % interval.
    changing
        The mean change over the steps that changed Y; the proof of Lemma 8 leaves idle steps out.
    sizes
        The share of each change.
    is_told
        Whether the runs tell anything about the mean. If fewer than two of them were there, they do not,
        and the interval is everything that is possible.

    Examples
    --------
    >>> from gatewalk import settings
    >>> from gatewalk.theory import observe_runs
    >>> found = observe_runs(settings("xor:4", nodes=4, budget=200), seed=1, runs=3).drifts
    >>> all(abs(sum(drift.sizes.values()) - 1) < 1e-9 for drift in found)
    True
    """

    potential: int
    steps: int
    used: float
    odd: float
    mean: float
    low: float
    high: float
    changing: float
    sizes: dict[int, float]
    is_told: bool


def drift_report(wandered: Iterable[Wandered]) -> tuple[Drift, ...]:
    """The drift at every potential that runs visited.

    Parameters
    ----------
    wandered
        The runs, from `wander_runs`.

    Returns
    -------
    tuple of Drift
        One for each potential; intervals are made from whole runs.

    Examples
    --------
    >>> from gatewalk import settings
    >>> seen = wander_runs(settings("xor:4", nodes=4, budget=200), seed=1, runs=range(3))
    >>> all(drift.steps > 0 for drift in drift_report(seen))
    True
    """
    wandered = list(wandered)
    by_run = np.array([item.steps for item in wandered])  # run, potential, change
    sums = np.sum([item.sums for item in wandered], axis=0)
    sizes = np.arange(-REACH, REACH + 1)
    highest = by_run.shape[1] - 1
    places = np.arange(highest + 1)
    least = -np.minimum(LARGEST_STEP, places).astype(np.float64)
    most = np.minimum(LARGEST_STEP, highest - places).astype(np.float64)
    low, high = ratio_intervals(by_run @ sizes, by_run.sum(axis=2), scale=IDENTITY, least=least, most=most)
    found = []
    for y, counts in enumerate(by_run.sum(axis=0)):
        steps = int(counts.sum())
        if steps == 0:
            continue
        mean = float((counts * sizes).sum() / steps)
        moved = steps - int(counts[REACH])
        found.append(
            Drift(
                potential=y,
                steps=steps,
                used=float(sums[y, 0] / steps),
                odd=float(sums[y, 1] / steps),
                mean=mean,
                low=float(low[y]),
                high=float(high[y]),
                changing=mean * steps / moved if moved else nan,
                sizes={int(size): float(c) / steps for size, c in zip(sizes, counts, strict=True)},
                is_told=bool(low[y] > least[y] or high[y] < most[y]),
            )
        )
    return tuple(found)
