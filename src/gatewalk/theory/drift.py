"""The random walk of programs on exclusive disjunctions, watched per elementary step (Lemmas 7 and 8).

L is the set of all D nodes. V: inputs read by an odd number of L's connections. U: nodes of L that
another node of L reads. The potential is Y = 2n - 2 - min(U, n-2) - V; an optimum needs Y = 0. On
the complete set every program that is no optimum has the same fitness, so the non-strict (1+1) CGP
keeps every change and Y is a walk over elementary steps. As in the proof, the steps counted are the
changes of a connection of L.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import nan, sqrt
from threading import Event
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import target
from gatewalk.cgp.core import ACCEPTED, OFFSPRING, RANK, STEPS, Core, change, keep_child, mark_active
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout
from gatewalk.cgp.new_value import new_value
from gatewalk.errors import InputError
from gatewalk.jit import Int, kernel
from gatewalk.search.settings import Settings
from gatewalk.stream import pick
from gatewalk.theory.watching import SLICE, begin_walk, check_watchable, on_threads

REACH = 3  # Lemma 8: one step changes Y by at most three (in fact two: an end that is an input is no node)


class Walker(NamedTuple):
    """reads[s]: connections of L to source s. place: U and V. steps[Y, change + REACH]: how often.

    sums[Y]: U and V added up over the steps made at Y.
    """

    reads: NDArray[np.int64]
    place: NDArray[np.int64]
    steps: NDArray[np.int64]
    sums: NDArray[np.int64]
    active: NDArray[np.uint8]
    parity: NDArray[np.uint64]


def walker_of(layout: Layout) -> Walker:
    """Room for a walk; parity words of the inputs are filled in."""
    words = -(-layout.inputs // 64)
    parity = np.zeros((layout.inputs + layout.nodes, words), dtype=np.uint64)
    for source in range(layout.inputs):
        parity[source, source // 64] = np.uint64(1) << np.uint64(source % 64)
    return Walker(
        np.zeros(layout.inputs + layout.nodes, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros((2 * layout.inputs - 1, 2 * REACH + 1), dtype=np.int64),
        np.zeros((2 * layout.inputs - 1, 2), dtype=np.int64),
        np.zeros(layout.nodes + 1, dtype=np.uint8),
        parity,
    )


@kernel
def count_reads(layout: Layout, genes: NDArray[np.int64], walker: Walker) -> None:
    """Fill reads, U and V from scratch."""
    walker.reads[:] = 0
    for node in range(layout.nodes):
        for argument in range(2):
            walker.reads[genes[node * 3 + 1 + argument]] += 1
    used = np.int64(0)
    odd = np.int64(0)
    for source in range(walker.reads.size):
        if source < layout.inputs:
            odd += walker.reads[source] & 1
        elif walker.reads[source] > 0:
            used += 1
    walker.place[0] = used
    walker.place[1] = odd


@kernel
def potential(layout: Layout, walker: Walker) -> Int:
    """Y."""
    n = layout.inputs
    y: Int = 2 * n - 2 - min(walker.place[0], n - 2) - walker.place[1]
    return y


@kernel
def reconnect(layout: Layout, walker: Walker, old: Int, new: Int) -> None:
    """Move one connection of L from a source to another: reads, U and V follow."""
    reads = walker.reads
    reads[old] -= 1
    if old < layout.inputs:
        walker.place[1] += 1 if reads[old] & 1 else -1
    elif reads[old] == 0:
        walker.place[0] -= 1
    reads[new] += 1
    if new < layout.inputs:
        walker.place[1] += 1 if reads[new] & 1 else -1
    elif reads[new] == 1:
        walker.place[0] += 1


@kernel
def is_optimum(layout: Layout, genes: NDArray[np.int64], walker: Walker) -> bool:
    """Does the output depend on every input an odd number of times?"""
    parity = walker.parity
    words = parity.shape[1]
    for node in range(layout.nodes):
        if walker.active[node]:
            for w in range(words):
                a, b = genes[node * 3 + 1], genes[node * 3 + 2]
                parity[layout.inputs + node, w] = parity[a, w] ^ parity[b, w]
    value = parity[genes[layout.nodes * 3]]
    for source in range(layout.inputs):
        bit = (value[source // 64] >> np.uint64(source % 64)) & np.uint64(1)
        if bit == np.uint64(0):
            return False
    return True


@kernel
def wander(core: Core, layout: Layout, walker: Walker, limit: Int) -> None:
    """Walk with SAM (Algorithm 3), every child kept, until an optimum or `limit` offspring."""
    counters = core.counters
    count = np.uint64(core.child.size)
    while counters[RANK] > 0 and counters[OFFSPRING] < limit:
        touched: Int = 0
        while True:
            choice, spare = pick(core.stream, count)
            counters[STEPS] += 1
            gene = np.int64(choice)
            old = core.child[gene]
            value = new_value(core.stream, layout, core.child, gene, spare)
            if value == old:
                continue
            touched = change(core, touched, gene, value)
            if layout.owner[gene] < layout.nodes:
                before = potential(layout, walker)
                walker.sums[before] += walker.place
                reconnect(layout, walker, old, value)
                walker.steps[before, potential(layout, walker) - before + REACH] += 1
            if walker.active[layout.owner[gene]]:
                break
        keep_child(core, touched)
        counters[OFFSPRING] += 1
        counters[ACCEPTED] += 1
        mark_active(layout, core.genes, walker.active)
        if is_optimum(layout, core.genes, walker):
            counters[RANK] = 0


@dataclass(frozen=True, eq=False)
class Wandered:
    """One run: its end, V and Y at its start, and its steps by potential and change."""

    run: int
    iterations: int
    elementary_steps: int
    solved: bool
    program: NDArray[np.int64]
    start_odd: int
    start_potential: int
    least_potential: int
    steps: NDArray[np.int64]
    sums: NDArray[np.int64]


def check_flat(made: Settings) -> None:
    """Lemma 8's walk: Xor gates only, complete set, ties always accepted, SAM that ends on a change."""
    check_watchable(made)
    wanted, law = target(made.target), made.law
    if wanted.family != "xor" or made.gates != ("xor",) or made.training != "complete" or wanted.inputs < 2:
        raise InputError("the drift is that of xor:N, N >= 2, with gates xor on the complete set")
    if made.strict or not isinstance(law, CgpLaw) or law.ties != "accept" or law.sam_ends != "changed":
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


def wander_run(made: Settings, *, seed: int, run: int, stop: Event | None = None) -> Wandered:
    """One run of `evolve`, watched per elementary step."""
    check_flat(made)
    session, walk = begin_walk(made, seed=seed, run=run)
    layout, core = walk.layout, walk.core
    walker = walker_of(layout)
    mark_active(layout, core.genes, walker.active)
    count_reads(layout, core.genes, walker)
    start_odd, start = int(walker.place[1]), int(potential(layout, walker))
    core.counters[RANK] = 0 if is_optimum(layout, core.genes, walker) else 1
    while (
        core.counters[RANK] > 0 and core.counters[OFFSPRING] < session.limit and not (stop and stop.is_set())
    ):
        wander(core, layout, walker, min(session.limit, int(core.counters[OFFSPRING]) + SLICE))
    visited = np.flatnonzero(walker.steps.sum(axis=1))
    return Wandered(
        run=run,
        iterations=int(core.counters[OFFSPRING]),
        elementary_steps=int(core.counters[STEPS]),
        solved=bool(core.counters[RANK] == 0),
        program=core.genes,
        start_odd=start_odd,
        start_potential=start,
        least_potential=min([start, int(potential(layout, walker)), *visited.tolist()]),
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
) -> list[Wandered]:
    """Many runs, watched per elementary step."""
    check_flat(made)
    return on_threads(lambda run, stop: wander_run(made, seed=seed, run=run, stop=stop), runs, jobs, on_done)


@dataclass(frozen=True)
class Drift:
    """Steps made at one potential: mean change with its 95 % interval, and the distribution of changes.

    used, odd: U and V on average at these steps. changing: the mean change over the steps that
    changed Y; the proof of Lemma 8 leaves idle steps out.
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


def drift_report(wandered: Iterable[Wandered]) -> tuple[Drift, ...]:
    """The drift at every potential that was visited, over all runs."""
    wandered = list(wandered)
    total = np.sum([item.steps for item in wandered], axis=0)
    sums = np.sum([item.sums for item in wandered], axis=0)
    sizes = np.arange(-REACH, REACH + 1)
    found = []
    for y, counts in enumerate(total):
        steps = int(counts.sum())
        if steps == 0:
            continue
        mean = float((counts * sizes).sum() / steps)
        spread = sqrt(max(0.0, float((counts * sizes**2).sum() / steps) - mean**2))
        half = 1.959964 * spread / sqrt(steps)
        moved = steps - int(counts[REACH])
        found.append(
            Drift(
                potential=y,
                steps=steps,
                used=float(sums[y, 0] / steps),
                odd=float(sums[y, 1] / steps),
                mean=mean,
                low=mean - half,
                high=mean + half,
                changing=mean * steps / moved if moved else nan,
                sizes={int(size): float(c) / steps for size, c in zip(sizes, counts, strict=True)},
            )
        )
    return tuple(found)
