"""The random walk of programs on exclusive disjunctions, watched per elementary step (Lemmas 7 and 8).

L is the set of all D nodes. V: inputs read by an odd number of L's connections. U: nodes of L that another
node of L reads. The potential is Y = 2n - 2 - min(U, n-2) - V; an optimum needs Y = 0. On the complete set
every program that is no optimum has the same fitness, so the non-strict (1+1) CGP keeps every change and Y is
a walk over elementary steps. As in the proof, the steps counted are the changes of a connection of L.

`DriftObserver` is compiled into the loop of the search (`gatewalk.cgp.observers`), so `drift_runs` watches
the same runs that `evolve` makes. `drift_report` tells the mean change of Y at each of its values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import Genes
from gatewalk.cgp.mutations.sam import Sam
from gatewalk.cgp.observers import register
from gatewalk.cgp.walk import Walk
from gatewalk.native.jit import Int, hot_kernel, inlined
from gatewalk.search.options import Search
from gatewalk.search.scheduler import OnProgress
from gatewalk.stats.resampling import IDENTITY, ratio_intervals
from gatewalk.theory.assumptions import (
    COMPLETE_SET,
    EXCLUSIVE,
    Assumption,
    inputs_from,
    mutation_of,
    unmet,
)
from gatewalk.theory.observe.watching import WATCHABLE, Slices, watch

REACH = 3  # Lemma 8: one step changes Y by at most three
LARGEST_STEP = 2  # in fact by at most two, because an end of the connection that is an input is no node
USED, ODD = range(2)  # indices into `DriftObserver.current`


class DriftObserver(NamedTuple):
    """The observer of one run.

    reads[s]: how many connections of L read source s.
    current: U and V.
    steps[Y, change + REACH]: how many steps at potential Y had this change.
    sums[Y]: U and V, added up over the steps at Y.
    """

    inputs: int
    nodes: int
    reads: NDArray[np.int64]
    current: NDArray[np.int64]
    steps: NDArray[np.int64]
    sums: NDArray[np.int64]


def drift_observer(layout: Layout) -> DriftObserver:
    """An observer that has counted nothing yet."""
    potentials = 2 * layout.inputs - 1
    return DriftObserver(
        layout.inputs,
        layout.nodes,
        np.zeros(layout.inputs + layout.nodes, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros((potentials, 2 * REACH + 1), dtype=np.int64),
        np.zeros((potentials, 2), dtype=np.int64),
    )


@hot_kernel
def count_reads(observer: DriftObserver, genes: Genes) -> None:
    """Compute reads, U and V of a program."""
    observer.reads[:] = 0
    for node in range(observer.nodes):
        for argument in range(2):
            observer.reads[genes[node * 3 + 1 + argument]] += 1
    used = np.int64(0)
    odd = np.int64(0)
    for source in range(observer.reads.size):
        if source < observer.inputs:
            odd += observer.reads[source] & 1
        elif observer.reads[source] > 0:
            used += 1
    observer.current[USED] = used
    observer.current[ODD] = odd


@hot_kernel
def potential(observer: DriftObserver) -> Int:
    """The potential Y of the current program."""
    n = observer.inputs
    y: Int = 2 * n - 2 - min(observer.current[USED], n - 2) - observer.current[ODD]
    return y


@inlined
def reconnect(observer: DriftObserver, old: Int, new: Int) -> None:
    """Move one connection of L from a source to another, and update reads, U and V."""
    reads, current = observer.reads, observer.current
    reads[old] -= 1
    if old < observer.inputs:
        current[ODD] += 1 if reads[old] & 1 else -1
    elif reads[old] == 0:
        current[USED] -= 1
    reads[new] += 1
    if new < observer.inputs:
        current[ODD] += 1 if reads[new] & 1 else -1
    elif reads[new] == 1:
        current[USED] += 1


@inlined
def on_change(observer: DriftObserver, gene: np.uint64, old: np.uint64, value: np.uint64) -> None:
    """Count a step if it changes a connection of L.

    With one gate, every gene of a node that can change is a connection. The output gene, and the number that
    stands for genes that cannot change, come after them.
    """
    if np.int64(gene) >= 3 * observer.nodes:
        return
    before = potential(observer)
    observer.sums[before, USED] += observer.current[USED]
    observer.sums[before, ODD] += observer.current[ODD]
    reconnect(observer, np.int64(old), np.int64(value))
    observer.steps[before, potential(observer) - before + REACH] += 1


register(DriftObserver, on_change=on_change)


def _is_paper_walk(search: Search) -> bool:
    is_paper_sam = isinstance(search, CgpSearch) and search.law.sam_ends == "changed"
    return search.selection == "nonstrict" and search.law.ties == "accept" and is_paper_sam


DRIFT = (  # what Lemma 8's walk asks of a search
    Assumption(
        "target",
        "the drift is that of xor:N, N >= 2, with gates xor on the complete set",
        lambda search: not unmet((EXCLUSIVE, COMPLETE_SET, inputs_from(2)), search),
    ),
    Assumption(
        "selection",
        "the drift is that of non-strict selection and the paper's SAM: --profile paper",
        _is_paper_walk,
    ),
    Assumption(
        "mutation",
        lambda search: f"the drift is that of --mutation sam, not {mutation_of(search)}",
        lambda search: isinstance(mutation_of(search), Sam),
    ),
)


def has_drift(search: Search) -> bool:
    """Whether Lemma 8's walk describes this search."""
    return not unmet((*WATCHABLE, *DRIFT), search)


@dataclass(frozen=True, eq=False)
class DriftRun:
    """One watched run: how it ended, V and Y at its start, and its steps by potential and change."""

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


def drift_runs(
    search: Search,
    *,
    seed: int,
    runs: Iterable[int],
    jobs: int = 1,
    on_done: Callable[[DriftRun], None] = lambda run: None,
    on_progress: OnProgress = lambda share, words: None,
) -> list[DriftRun]:
    """Make runs for an exclusive disjunction, and record Lemma 8's potential at every elementary step.

    >>> from gatewalk import search_for
    >>> len(drift_runs(search_for("xor:4", nodes=4, budget=200), seed=1, runs=range(3)))
    3
    """
    return watch(
        search,
        drift_observer,
        _read_run,
        needs=DRIFT,
        seed=seed,
        runs=runs,
        jobs=jobs,
        on_done=on_done,
        on_progress=on_progress,
    )


def _read_run(run: int, walk: Walk, observer: DriftObserver, slices: Slices) -> DriftRun:
    count_reads(observer, walk.program)
    start_odd, start = int(observer.current[ODD]), int(potential(observer))
    for _ in slices:
        pass  # the observer itself does the counting
    visited = np.flatnonzero(observer.steps.sum(axis=1))
    return DriftRun(
        run=run,
        iterations=walk.offspring,
        elementary_steps=walk.steps,
        solved=walk.solved,
        program=walk.program,
        start_odd=start_odd,
        start_potential=start,
        least_potential=min([start, int(potential(observer)), *visited.tolist()]),
        steps=observer.steps,
        sums=observer.sums,
    )


@dataclass(frozen=True)
class Drift:
    """The steps that were made at one value of Lemma 8's potential Y.

    potential, steps: the value of Y, and how many steps were made there.
    used, odd: U and V on average at these steps: nodes that another node reads, and inputs with an odd number
        of readers.
    mean, low, high: the mean change of Y with its 95 % interval.
    changing: the mean change over the steps that changed Y; the proof of Lemma 8 leaves idle steps out.
    sizes: the share of each change.
    is_told: whether the runs tell anything about the mean. If fewer than two of them were there, they do not,
        and the interval is everything that is possible.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory import observe_runs
    >>> drifts = observe_runs(search_for("xor:4", nodes=4, budget=200), seed=1, runs=3).drifts
    >>> all(abs(sum(drift.sizes.values()) - 1) < 1e-9 for drift in drifts)
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

    def record(self) -> dict[str, Any]:
        """Its line of `gatewalk observe --json`."""
        return {
            "kind": "drift",
            "potential": self.potential,
            "steps": self.steps,
            "U": self.used,
            "V": self.odd,
            "drift": self.mean,
            "low": self.low,
            "high": self.high,
            "drift_of_changes": self.changing,
            "sizes": {str(size): share for size, share in self.sizes.items()},
        }


def drift_report(runs: Sequence[DriftRun]) -> tuple[Drift, ...]:
    """The drift at every potential that runs visited; intervals are made from whole runs.

    >>> from gatewalk import search_for
    >>> walks = drift_runs(search_for("xor:4", nodes=4, budget=200), seed=1, runs=range(3))
    >>> all(drift.steps > 0 for drift in drift_report(walks))
    True
    """
    by_run = np.array([run.steps for run in runs])  # run, potential, change
    sums = np.sum([run.sums for run in runs], axis=0)
    sizes = np.arange(-REACH, REACH + 1)
    highest = by_run.shape[1] - 1
    potentials = np.arange(highest + 1)
    least = -np.minimum(LARGEST_STEP, potentials).astype(np.float64)
    most = np.minimum(LARGEST_STEP, highest - potentials).astype(np.float64)
    low, high = ratio_intervals(by_run @ sizes, by_run.sum(axis=2), scale=IDENTITY, least=least, most=most)
    drifts = []
    for y, counts in enumerate(by_run.sum(axis=0)):
        steps = int(counts.sum())
        if steps == 0:
            continue
        mean = float((counts * sizes).sum() / steps)
        moved = steps - int(counts[REACH])
        drifts.append(
            Drift(
                potential=y,
                steps=steps,
                used=float(sums[y, USED] / steps),
                odd=float(sums[y, ODD] / steps),
                mean=mean,
                low=float(low[y]),
                high=float(high[y]),
                changing=mean * steps / moved if moved else nan,
                sizes={int(size): float(c) / steps for size, c in zip(sizes, counts, strict=True)},
                is_told=bool(low[y] > least[y] or high[y] < most[y]),
            )
        )
    return tuple(drifts)
