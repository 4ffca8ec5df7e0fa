"""A shrinker by Cartesian GP: the (1+lambda) loop moves through programs of one function, to cheap ones.

The evaluator `cgp/evaluators/cheapest.py` decides which offspring are accepted. A long search is a sequence
of *epochs*, a shrinker each. Each begins with the circuit that the last one ended with: its gates are put at
random nodes, in a random order in which every gate comes after those it reads, and all other genes are
random. This matters because a node can only read earlier ones. Once a circuit is correct, the order of its
gates would hardly change any more, and most ways to share a gate would stay closed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.targets import Target
from gatewalk.cgp import walk
from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.cgp.engines import Engine, Training, named
from gatewalk.cgp.evaluators.cheapest import BEST, UNKNOWN, cheapest_of
from gatewalk.cgp.genotype import Layout, Shape
from gatewalk.cgp.large import large_of
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cost import gate_prices
from gatewalk.errors import InputError
from gatewalk.native.seeding import entropy_of
from gatewalk.synthesis.options import Options, slack_units

SPARE_NODES = 20  # a program has so many nodes more than its circuit has gates, unless told otherwise
_NO_LIMIT = 1 << 60


@dataclass(frozen=True, eq=False)
class CgpShrinker:
    """An epoch under way, as a `Shrinker`; a step makes an offspring."""

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
        return int(self.walk.evaluator.costs[BEST])

    @property
    def best_circuit(self) -> Circuit:
        """The cheapest circuit so far; none as long as `best` is the cost that `begin_cgp` was given."""
        return self.walk.search.circuit_of(self.walk.evaluator.genes)

    @property
    def circuit(self) -> Circuit:
        """The circuit of the present parent."""
        return self.walk.search.circuit_of(self.walk.program)

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

    nodes: those of its programs.
    best: the cost of the cheapest circuit known, from which the slack is measured; None if that is the start.
    """
    search = CgpSearch(
        target=target,
        gates=options.gates,
        nodes=len(start) + SPARE_NODES if nodes is None else nodes,
        mutation=options.mutation,
        offspring=options.offspring,
        budget=_NO_LIMIT,
        evaluation="table",
    )
    spawn_key = (run, number, 1)
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(options.seed, spawn_key=spawn_key)))
    begun = walk.start(
        replace(search, start=tuple(scattered(start, search.shape, random).tolist())),
        None,
        entropy=entropy_of(options.seed, run),
        runs=[number],
        engine=_engine(options, slack_units(options, run=run, gates=len(start)), best),
    )
    walk.advance(begun, 0)
    if begun.evaluator.costs[BEST] >= UNKNOWN:
        raise InputError("the start does not compute the target")
    return CgpShrinker(begun)


def _engine(options: Options, slack: int, best: int | None) -> Engine:
    """An engine with the evaluator `Cheapest`; the fastest exact one on tables decides what is correct."""
    prices = np.array(gate_prices(options.price, options.gates), dtype=np.int64)

    def evaluator(search: CgpSearch, training: Training, layout: Layout) -> object:
        fast = named("incremental")
        exact = fast if fast.applies(search, training) else named("plain")
        return cheapest_of(
            layout,
            exact.evaluator(search, training, layout),
            prices=prices,
            level_price=options.price.level_unit,
            best=best,
            slack=slack,
            goal=options.goal,
        )

    return Engine("cheapest", "table", large_of, lambda search, training: True, evaluator)


def scattered(circuit: Circuit, shape: Shape, random: np.random.Generator) -> NDArray[np.int32]:
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
