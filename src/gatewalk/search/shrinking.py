"""The (1+lambda) CGP as a search for a cheaper circuit of the same function, by the judge `Cheapest`.

A search is a sequence of *epochs*. Each begins with the circuit that the last one ended with: its gates are
put at random nodes, in a random order in which every gate comes after those it reads, and all other genes are
random. This matters because a node can only read earlier ones. Once a circuit is correct, the order of its
gates would hardly change any more, and most ways to share a gate would stay closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.cgp import genotype, walk
from gatewalk.cgp.engines import Engine, Task, named
from gatewalk.cgp.judges.cheapest import BEST, UNKNOWN, cheapest_of
from gatewalk.cgp.large import large_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.cgp.layout import Layout
from gatewalk.circuit.circuit import Circuit
from gatewalk.errors import InputError
from gatewalk.native.seeding import entropy_of

_LAW = CgpLaw()
_NO_LIMIT = 1 << 60


@dataclass(frozen=True, kw_only=True, eq=False)
class Shrinking:
    """The function to keep and the cost to lower.

    wanted: the function of every circuit, on all rows that count.
    prices, level_price: the price of each gate, and of a level of depth.
    slack: how much more than the cheapest circuit so far an accepted circuit may cost.
    goal: the cost at which the search ends.
    """

    wanted: Target
    gates: GateSet
    prices: tuple[int, ...]
    level_price: int
    slack: int
    goal: int
    mutation: str
    offspring: int


@dataclass(eq=False)
class Epoch:
    """An epoch under way."""

    shrinking: Shrinking
    walk: walk.Walk

    @property
    def offspring(self) -> int:
        """The number of offspring made so far."""
        return self.walk.offspring

    @property
    def is_done(self) -> bool:
        """Whether the goal is reached."""
        return self.walk.solved

    @property
    def best(self) -> int:
        """The cost of the cheapest program so far."""
        return int(self.walk.parts.judge.costs[BEST])

    @property
    def best_circuit(self) -> Circuit:
        """The cheapest circuit so far; valid only if it was found in this epoch."""
        return _circuit(self, self.walk.parts.judge.genes)

    @property
    def circuit(self) -> Circuit:
        """The circuit of the present parent."""
        return _circuit(self, self.walk.program)


def begin_epoch(
    shrinking: Shrinking, circuit: Circuit, *, nodes: int, best: int | None, seed: int, run: int, number: int
) -> Epoch:
    """Epoch `number` of a run, in programs of so many nodes. best: the cost of the cheapest circuit known."""
    wanted = shrinking.wanted
    shape = genotype.Shape(wanted.inputs, wanted.outputs, nodes, shrinking.gates)
    task = Task(
        target=wanted,
        training=None,
        shape=shape,
        law=_LAW,
        mutation=shrinking.mutation,
        strict=False,
        offspring=shrinking.offspring,
    )
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(run, number, 1))))
    begun = walk.start(
        task,
        evaluation="table",
        entropy=entropy_of(seed, run),
        runs=[number],
        limit=_NO_LIMIT,
        genes=scattered(circuit, shape, random),
        engine=_engine(shrinking, task, best),
    )
    walk.advance(begun, 0)
    if begun.parts.judge.costs[BEST] >= UNKNOWN:
        raise InputError("the start does not compute what is wanted, so nothing can be made of it")
    return Epoch(shrinking, begun)


def advance_epoch(epoch: Epoch, offspring: int) -> None:
    """Make about so many offspring, or stop earlier if the goal is reached."""
    if not epoch.is_done:
        walk.advance(epoch.walk, offspring)


def _engine(shrinking: Shrinking, task: Task, best: int | None) -> Engine:
    """An engine with the judge `Cheapest`; the fastest exact judge on tables decides what is correct."""
    fast = named("incremental")
    right = fast if fast.applies(task) else named("plain")

    def judge_of(task: Task, layout: Layout) -> object:
        return cheapest_of(
            layout,
            right.judge(task, layout),
            prices=np.array(shrinking.prices, dtype=np.int64),
            level_price=shrinking.level_price,
            best=best,
            slack=shrinking.slack,
            goal=shrinking.goal,
        )

    return Engine("cheapest", "table", large_of, lambda task: True, judge_of)


def _circuit(epoch: Epoch, genes: NDArray[np.int32]) -> Circuit:
    wanted = epoch.shrinking.wanted
    return genotype.decode(
        epoch.walk.task.shape,
        genes.astype(np.int64),
        input_labels=wanted.input_labels,
        output_labels=wanted.output_labels,
    )


def scattered(circuit: Circuit, shape: genotype.Shape, random: np.random.Generator) -> NDArray[np.int32]:
    """A program that has the gates of a circuit at random nodes, and random genes elsewhere."""
    n, block = shape.inputs, shape.block
    if len(circuit) > shape.nodes:
        raise InputError(f"the circuit has {len(circuit)} gates: use {len(circuit)} nodes or more")
    ranges = shape.ranges
    drawn = (random.random(shape.length) * ranges.count).astype(np.int64)
    genes = np.where(drawn < ranges.skip_from, drawn, drawn + ranges.skip).astype(np.int32)
    places = np.sort(random.choice(shape.nodes, len(circuit), replace=False)).tolist()
    function = {one: index for index, one in enumerate(shape.gates.gates)}
    source = dict(zip(range(n), range(n), strict=True))
    for number, place in zip(_random_order(circuit, random), places, strict=True):
        node = circuit.nodes[number]
        source[n + number] = n + place
        genes[place * block] = function[node.gate]
        for argument, read in enumerate(node.sources):
            genes[place * block + 1 + argument] = source[read]
    genes[shape.nodes * block :] = [source[read] for read in circuit.outputs]
    return genes


def _random_order(circuit: Circuit, random: np.random.Generator) -> list[int]:
    """A random order in which every node comes after those it reads."""
    n = len(circuit.input_labels)
    readers: list[list[int]] = [[] for _ in circuit.nodes]
    missing = []
    for number, node in enumerate(circuit.nodes):
        reads = {source - n for source in node.sources if source >= n}
        missing.append(len(reads))
        for read in reads:
            readers[read].append(number)
    priority = random.random(len(circuit)).tolist()
    ready = [(priority[number], number) for number, count in enumerate(missing) if count == 0]
    heapify(ready)
    order = []
    while ready:
        _, number = heappop(ready)
        order.append(number)
        for reader in readers[number]:
            missing[reader] -= 1
            if missing[reader] == 0:
                heappush(ready, (priority[reader], reader))
    return order
