"""A shrinker by resubstitution: a random walk in which each step computes one gate from other sources.

What a step does is described in `resubstitution_kernel.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import complete, counted
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.cost import gate_prices
from gatewalk.errors import InputError
from gatewalk.native.seeding import entropy_of
from gatewalk.synthesis.options import Options, slack_units
from gatewalk.synthesis.resubstitution_kernel import (
    BEST,
    GATES,
    GOAL,
    STEPS,
    GateArrays,
    Scratch,
    State,
    Wiring,
    advance_walk,
    begin_walk,
)

SPARE_GATES = 16  # a circuit may have twice the gates of the start, and so many more
_UNKNOWN = 1 << 62  # the cost of the cheapest circuit before there is one


@dataclass(frozen=True, eq=False)
class ResubstitutionShrinker:
    """A walk under way through circuits of the target, as a `Shrinker`."""

    target: Target
    gates: GateSet
    gate_arrays: GateArrays
    state: State

    @property
    def steps(self) -> int:
        """How many steps were taken so far."""
        return int(self.state.counts[STEPS])

    @property
    def best(self) -> int:
        """What the cheapest circuit so far costs."""
        return int(self.state.counts[BEST])

    @property
    def is_done(self) -> bool:
        """Whether the goal was reached or no gate is left."""
        counts = self.state.counts
        return bool(counts[BEST] <= counts[GOAL] or counts[GATES] == 0)

    @property
    def best_circuit(self) -> Circuit:
        """The cheapest circuit so far."""
        return _circuit(self, self.state.best)

    @property
    def circuit(self) -> Circuit:
        """The circuit at which the walk is now."""
        return _circuit(self, self.state.now)

    def advance(self, steps: int) -> None:
        """Take so many steps, or fewer if the goal is reached before."""
        advance_walk(self.state, self.gate_arrays, np.int64(self.target.inputs), np.int64(steps))


def can_resubstitute(gates: GateSet) -> bool:
    """Whether all gates have one or two inputs, as steps need."""
    return all(gate.arity in (1, 2) for gate in gates.gates)


def begin_resubstitution(
    options: Options, target: Target, start: Circuit, *, run: int, number: int
) -> ResubstitutionShrinker:
    """Begin walk `number` of a run, at a circuit of the given gates that computes the target."""
    gates = options.gates
    if not can_resubstitute(gates):
        raise InputError(f"gates {gates}: only gates of one or two inputs can be resubstituted")
    training = complete(target)
    n, capacity = target.inputs, 2 * len(start) + SPARE_GATES
    sources, words = n + capacity, training.inputs.shape[1]
    wiring = _wiring(start, gates, capacity)
    columns = np.zeros((sources, words), np.uint64)
    columns[:n] = training.inputs
    slack = slack_units(options, run=run, gates=len(start))
    state = State(
        now=wiring,
        best=Wiring(*(part.copy() for part in wiring)),
        columns=columns,
        cares=np.ascontiguousarray(counted(training)),
        counts=np.array([0, 0, _UNKNOWN, slack, options.goal, 0, 0], np.int64),
        stream=np.zeros(4, np.uint64),
        scratch=Scratch(
            order=np.zeros(capacity, np.int32),
            marks=np.zeros(capacity, np.uint8),
            stack=np.zeros(capacity, np.int32),
            negated=np.zeros((sources, words), np.uint64),
            depends=np.zeros(sources, np.uint8),
            divisors=np.zeros(sources, np.int32),
            ones=np.zeros(words, np.uint64),
            zeros=np.zeros(words, np.uint64),
            looked_at=np.zeros(words, np.int32),
            levels=np.zeros(sources, np.int32),
        ),
    )
    gate_arrays = _gate_arrays(gates, gate_prices(options.price, gates), options.price.level_unit)
    begin_walk(state, gate_arrays, np.int64(n), entropy_of(options.seed, run), np.uint64(number))
    if np.any((columns[wiring.outputs] ^ training.outputs) & state.cares):
        raise InputError("the start does not compute the target")
    return ResubstitutionShrinker(target, gates, gate_arrays, state)


def _gate_arrays(gates: GateSet, prices: list[int], level_price: int) -> GateArrays:
    tables = [_on_two(gate.table) if gate.arity == 1 else gate.table for gate in gates.gates]
    first, fitting = [0], []
    for number in range(256):
        ones, zeros = number & 15, number >> 4
        known = set()
        for gate, straight in enumerate(tables):
            for is_swapped, table in enumerate((straight, _swapped(straight))):
                if ones & ~table == 0 and zeros & table == 0 and (gate, table) not in known:
                    known.add((gate, table))
                    fitting.append(2 * gate + is_swapped)
        first.append(len(fitting))
    return GateArrays(
        arities=np.array([gate.arity for gate in gates.gates], np.int32),
        tables=np.array(tables, np.uint8),
        prices=np.array(prices, np.int64),
        level_price=np.int64(level_price),
        first=np.array(first, np.int32),
        fitting=np.array(fitting, np.int32),
    )


def _on_two(table: int) -> int:
    """The table of a gate of one input, as a table of two inputs that ignores the second."""
    return table | table << 2


def _swapped(table: int) -> int:
    """The table with its two inputs exchanged."""
    return table & 9 | (table & 2) << 1 | (table & 4) >> 1


def _wiring(start: Circuit, gates: GateSet, capacity: int) -> Wiring:
    function = {gate: number for number, gate in enumerate(gates.gates)}
    functions, sources = np.zeros(capacity, np.int32), np.zeros((capacity, 2), np.int32)
    for number, node in enumerate(start.nodes):
        if node.gate not in function:
            raise InputError(f"the start has a {node.gate}, which is not among the gates {gates}")
        functions[number] = function[node.gate]
        sources[number] = node.sources[0], node.sources[-1]
    return Wiring(functions, sources, np.array(start.outputs, np.int32))


def _circuit(shrinker: ResubstitutionShrinker, wiring: Wiring) -> Circuit:
    """The circuit of a wiring, whose gates may be in any order; gates that no output needs are left out."""
    n = shrinker.target.inputs
    new = {source: source for source in range(n)}  # the source of the circuit that each source becomes
    nodes: list[Node] = []
    stack = [int(source) for source in reversed(wiring.outputs)]
    while stack:
        source = stack[-1]
        if source in new:
            stack.pop()
            continue
        gate = shrinker.gates.gates[wiring.functions[source - n]]
        reads = wiring.sources[source - n, : gate.arity].tolist()
        missing = [read for read in reads if read not in new]
        if missing:
            stack.append(missing[0])
        else:
            new[source] = n + len(nodes)
            nodes.append(Node(gate, tuple(new[read] for read in reads)))
            stack.pop()
    outputs = tuple(new[int(source)] for source in wiring.outputs)
    return Circuit(shrinker.target.input_labels, tuple(nodes), outputs, shrinker.target.output_labels)
