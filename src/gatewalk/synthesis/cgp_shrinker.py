"""A shrinker by Cartesian GP: the (1+lambda) loop moves through programs of one function, to cheap ones.

The evaluator `cgp/evaluators/cheapest.py` decides which offspring are accepted. A long search is a sequence
of *epochs*, a shrinker each. Each begins with the circuit that the last one ended with: its gates are put at
random nodes, in a random order in which every gate comes after those it reads, and all other genes are
random. This matters because a node can only read earlier ones. Once a circuit is correct, the order of its
gates would hardly change any more, and most ways to share a gate would stay closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.cgp import genotype, walk
from gatewalk.cgp.engines import Engine, Task, named
from gatewalk.cgp.evaluators.cheapest import BEST, UNKNOWN, cheapest_of
from gatewalk.cgp.genotype import Layout
from gatewalk.cgp.large import large_of
from gatewalk.cgp.law import CgpLaw
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import gate_prices
from gatewalk.errors import InputError
from gatewalk.native.seeding import entropy_of
from gatewalk.synthesis.options import Options, slack_units

SPARE_NODES = 20  # a program has so many nodes more than its circuit has gates, unless told otherwise
_LAW = CgpLaw()
_NO_LIMIT = 1 << 60


@dataclass(frozen=True, eq=False)
class CgpShrinker:
    """An epoch under way, as a `Shrinker`; a step makes an offspring."""

    target: Target
    walk: walk.Walk

    @property
    def steps(self) -> int:
        """The number of offspring made so far."""
        return self.walk.offspring

    @property
    def is_done(self) -> bool:
        """Whether the goal is reached."""
        return self.walk.solved

    @property
    def best(self) -> int:
        """The cost of the cheapest program so far."""
        return int(self.walk.parts.evaluator.costs[BEST])

    @property
    def best_circuit(self) -> Circuit:
        """The cheapest circuit so far; none as long as `best` is the cost that `begin_cgp` was given."""
        return _circuit(self, self.walk.parts.evaluator.genes)

    @property
    def circuit(self) -> Circuit:
        """The circuit of the present parent."""
        return _circuit(self, self.walk.program)

    def advance(self, steps: int) -> None:
        """Make so many offspring, rounded up to whole generations, or fewer if the goal is reached before."""
        if not self.is_done:
            walk.advance(self.walk, steps)


def begin_cgp(
    options: Options,
    target: Target,
    start: Circuit,
    *,
    run: int,
    number: int,
    nodes: int | None = None,
    best: int | None = None,
) -> CgpShrinker:
    """Begin epoch `number` of a run.

    nodes: those of its programs. best: the cost of the cheapest circuit known, from which the slack is
    measured; None if that is the start.
    """
    nodes = len(start) + SPARE_NODES if nodes is None else nodes
    shape = genotype.Shape(target.inputs, target.outputs, nodes, options.gates)
    task = Task(
        target=target,
        training=None,
        shape=shape,
        law=_LAW,
        mutation=options.mutation,
        strict=False,
        offspring=options.offspring,
    )
    spawn_key = (run, number, 1)
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(options.seed, spawn_key=spawn_key)))
    begun = walk.start(
        task,
        evaluation="table",
        entropy=entropy_of(options.seed, run),
        runs=[number],
        limit=_NO_LIMIT,
        genes=scattered(start, shape, random),
        engine=_engine(options, task, slack_units(options, run=run), best),
    )
    walk.advance(begun, 0)
    if begun.parts.evaluator.costs[BEST] >= UNKNOWN:
        raise InputError("the start does not compute the target")
    return CgpShrinker(target, begun)


def _engine(options: Options, task: Task, slack: int, best: int | None) -> Engine:
    """An engine with the evaluator `Cheapest`; the fastest exact one on tables decides what is correct."""
    fast = named("incremental")
    right = fast if fast.applies(task) else named("plain")
    prices = np.array(gate_prices(options.price, options.gates), dtype=np.int64)

    def evaluator(task: Task, layout: Layout) -> object:
        return cheapest_of(
            layout,
            right.evaluator(task, layout),
            prices=prices,
            level_price=options.price.level_unit,
            best=best,
            slack=slack,
            goal=options.goal,
        )

    return Engine("cheapest", "table", large_of, lambda task: True, evaluator)


def _circuit(shrinker: CgpShrinker, genes: NDArray[np.int32]) -> Circuit:
    return genotype.decode(
        shrinker.walk.task.shape,
        genes.astype(np.int64),
        input_labels=shrinker.target.input_labels,
        output_labels=shrinker.target.output_labels,
    )


def scattered(circuit: Circuit, shape: genotype.Shape, random: np.random.Generator) -> NDArray[np.int32]:
    """A program that has the gates of a circuit at random nodes, and random genes elsewhere."""
    n, block = shape.inputs, shape.block
    if len(circuit) > shape.nodes:
        raise InputError(f"the circuit has {len(circuit)} gates; use {len(circuit)} nodes or more")
    ranges = shape.ranges
    drawn = (random.random(shape.length) * ranges.count).astype(np.int64)
    genes = np.where(drawn < ranges.skip_from, drawn, drawn + ranges.skip).astype(np.int32)
    slots = np.sort(random.choice(shape.nodes, len(circuit), replace=False)).tolist()
    function = {gate: index for index, gate in enumerate(shape.gates.gates)}
    source = {j: j for j in range(n)}  # the source of the program that each source of the circuit becomes
    for number, slot in zip(_random_order(circuit, random), slots, strict=True):
        node = circuit.nodes[number]
        source[n + number] = n + slot
        genes[slot * block] = function[node.gate]
        for argument, read in enumerate(node.sources):
            genes[slot * block + 1 + argument] = source[read]
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
