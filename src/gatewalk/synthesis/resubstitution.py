"""A walk through circuits that compute the same: one gate after the other is computed from other sources.

Resubstitution with don't-cares is a standard move of logic synthesis (Mishchenko and Brayton, "Scalable logic
synthesis using a simple circuit structure", 2006): a gate is replaced by a function of sources that are there
anyway, which need to agree with it only on the rows where an output of the circuit can see the gate. Here it
is made a random walk. A step takes a random gate and

1. finds the rows on which it counts, by negating it;
2. hands on a source that agrees with it on these rows, if there is one, and the gate is gone; else
3. draws a first source, mostly a *new* gate on two random sources, and goes through all second sources from
   a random one on until some gate of the set, on these two, agrees with it on these rows;
4. keeps the change if the circuit then costs at most the cheapest one so far plus a slack.

Step 4 is Dueck's record-to-record travel ("New optimization heuristics", 1993), as in
`cgp/judges/cheapest.py`. Where CGP guesses a change of one gene and finds nearly always that it is wrong,
step 3 tries all second sources at the price of a few instructions each. `reference/resubstitution.py` is the
same, literally.

Gates have one or two inputs. All rows of the inputs are looked at, so there can be about sixteen inputs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GateSet
from gatewalk.boolean.targets import Target
from gatewalk.boolean.training import complete, counted
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.errors import InputError
from gatewalk.native.bits import popcount
from gatewalk.native.jit import hot_kernel, inlined, internal
from gatewalk.native.registers import store
from gatewalk.native.seeding import Entropy, entropy_of, seeded
from gatewalk.native.stream import below

# A step begins with a new gate in all but one of so many cases. Among 1 in 3 to 1 in 64 the multipliers of
# three and four bits became small soonest from 1 in 16 on.
OLD_ONE_IN = 16
ROOM = 16  # gates that a circuit may have beyond twice those of the start

# Places in `Walk.counts`.
GATES, COST, BEST, SLACK, GOAL, STEPS, WORDS = range(7)
_ZERO = np.uint64(0)
_NONE = np.int64(-1)

Words = NDArray[np.uint64]
Places = NDArray[np.int32]


class Repertoire(NamedTuple):
    """The gates of a set. arities, tables: of each, the table on two inputs (a gate of one input reads the
    first). prices: of each, level_price: of each level of depth.

    first, fitting: for values that must be 1 in some rows of a gate's table and 0 in others, numbered
    `ones | zeros << 4`, `fitting[first[number] : first[number + 1]]` are the gates that have them; twice the
    gate's place in the set, and one more if its sources have to be exchanged.
    """

    arities: Places
    tables: NDArray[np.uint8]
    prices: NDArray[np.int64]
    level_price: np.int64
    first: Places
    fitting: Places


class Wiring(NamedTuple):
    """A circuit: by gate, its place in the set and its two sources; by output, its source."""

    functions: Places
    sources: Places
    outputs: Places


class Scratch(NamedTuple):
    """order: the gates that outputs need, each after those it reads. marks, stack: to find it.

    negated: the columns of all sources if a gate is negated; depends: those that depend on it. divisors: the
    sources that do not. ones, zeros: the rows on which the gate must be 1, and 0; looked_at: which words of
    them are not empty, and `counts[WORDS]` tells how many. levels: of all sources.
    """

    order: Places
    marks: NDArray[np.uint8]
    stack: Places
    negated: Words
    depends: NDArray[np.uint8]
    divisors: Places
    ones: Words
    zeros: Words
    looked_at: Places
    levels: Places


class State(NamedTuple):
    """A walk. columns: the values of all sources, inputs first; cares: of every output, the rows that count.

    counts: gates and cost now, the cost of the cheapest circuit so far, slack, goal, the steps so far, and
    the words of rows on which the gate in question counts.
    """

    now: Wiring
    best: Wiring
    columns: Words
    cares: Words
    counts: NDArray[np.int64]
    stream: Words
    scratch: Scratch


@inlined
def _gate(table: np.uint8, a: np.uint64, b: np.uint64) -> np.uint64:
    """The gate of a table on 64 rows."""
    value = _ZERO
    if table & 1:
        value |= ~a & ~b
    if table & 2:
        value |= a & ~b
    if table & 4:
        value |= ~a & b
    if table & 8:
        value |= a & b
    return value


@internal
def _sort(state: State, inputs: np.int64) -> None:
    """Find the gates that outputs need, in an order in which each comes after those it reads."""
    now, scratch, gates = state.now, state.scratch, np.int64(0)
    marks, stack = scratch.marks, scratch.stack
    for gate in range(marks.size):
        marks[gate] = 0
    for output in now.outputs:
        if output < inputs:
            continue
        stack[0], depth = output - inputs, 1
        while depth > 0:
            gate = stack[depth - 1]
            if marks[gate]:
                depth -= 1
                continue
            one, other = now.sources[gate, 0] - inputs, now.sources[gate, 1] - inputs
            if one >= 0 and not marks[one]:
                stack[depth] = one
                depth += 1
            elif other >= 0 and not marks[other]:
                stack[depth] = other
                depth += 1
            else:
                marks[gate] = 1
                scratch.order[gates] = gate
                gates += 1
                depth -= 1
    state.counts[GATES] = gates


@internal
def _price(state: State, repertoire: Repertoire, inputs: np.int64) -> None:
    """Find what the sorted circuit costs."""
    now, scratch, cost = state.now, state.scratch, np.int64(0)
    for place in range(state.counts[GATES]):
        cost += repertoire.prices[now.functions[scratch.order[place]]]
    if repertoire.level_price != 0:
        levels, deepest = scratch.levels, np.int64(0)
        for place in range(state.counts[GATES]):
            gate = scratch.order[place]
            levels[inputs + gate] = 1 + max(levels[now.sources[gate, 0]], levels[now.sources[gate, 1]])
        for output in now.outputs:
            deepest = max(deepest, np.int64(levels[output]))
        cost += repertoire.level_price * deepest
    state.counts[COST] = cost


@internal
def _evaluate(state: State, repertoire: Repertoire, inputs: np.int64) -> None:
    """Find the columns of all gates."""
    now, columns = state.now, state.columns
    for place in range(state.counts[GATES]):
        gate = state.scratch.order[place]
        table = repertoire.tables[now.functions[gate]]
        one, other = now.sources[gate, 0], now.sources[gate, 1]
        for word in range(columns.shape[1]):
            columns[inputs + gate, word] = _gate(table, columns[one, word], columns[other, word])


@inlined
def _note(state: State) -> None:
    """Keep the circuit if it is the cheapest so far."""
    counts, now, best = state.counts, state.now, state.best
    if counts[COST] < counts[BEST]:
        counts[BEST] = counts[COST]
        for gate in range(now.functions.size):
            best.functions[gate] = now.functions[gate]
            best.sources[gate, 0] = now.sources[gate, 0]
            best.sources[gate, 1] = now.sources[gate, 1]
        for output in range(now.outputs.size):
            best.outputs[output] = now.outputs[output]


@internal
def _negate(state: State, repertoire: Repertoire, inputs: np.int64, place: np.int64) -> None:
    """Find what depends on a gate, given its place in the order, and the rows on which outputs see it."""
    now, scratch, columns = state.now, state.scratch, state.columns
    depends, negated, words = scratch.depends, scratch.negated, state.columns.shape[1]
    for source in range(depends.size):
        depends[source] = 0
    gate = scratch.order[place]
    depends[inputs + gate] = 1
    for word in range(words):
        negated[inputs + gate, word] = ~columns[inputs + gate, word]
        scratch.ones[word] = _ZERO
    for later in range(place + 1, state.counts[GATES]):
        reader = scratch.order[later]
        one, other = now.sources[reader, 0], now.sources[reader, 1]
        if depends[one] or depends[other]:
            depends[inputs + reader] = 1
            table = repertoire.tables[now.functions[reader]]
            for word in range(words):
                a = negated[one, word] if depends[one] else columns[one, word]
                b = negated[other, word] if depends[other] else columns[other, word]
                negated[inputs + reader, word] = _gate(table, a, b)
    for output in range(now.outputs.size):
        source = now.outputs[output]
        if depends[source]:
            for word in range(words):
                seen = (negated[source, word] ^ columns[source, word]) & state.cares[output, word]
                scratch.ones[word] |= seen
    # The word with the most rows that count comes first: most sources that do not fit are found out there.
    found, most, fullest = 0, np.int64(-1), 0
    for word in range(words):
        seen = scratch.ones[word]
        if seen != _ZERO:
            rows = np.int64(popcount(seen))
            if rows > most:
                most, fullest = rows, found
            scratch.looked_at[found] = word
            found += 1
            scratch.ones[word] = seen & columns[inputs + gate, word]
            scratch.zeros[word] = seen & ~columns[inputs + gate, word]
    if found > 0:
        first = scratch.looked_at[0]
        scratch.looked_at[0], scratch.looked_at[fullest] = scratch.looked_at[fullest], first
    state.counts[WORDS] = found


@internal
def _find_divisors(state: State, inputs: np.int64) -> np.int64:
    """List the sources that do not depend on the gate; how many there are."""
    scratch, found = state.scratch, np.int64(0)
    for source in range(inputs):
        scratch.divisors[found] = source
        found += 1
    for place in range(state.counts[GATES]):
        source = inputs + scratch.order[place]
        if not scratch.depends[source]:
            scratch.divisors[found] = source
            found += 1
    return found


@internal
def _same(state: State, divisors: np.int64) -> np.int64:
    """The first divisor that agrees with the gate on the rows where it counts, or -1."""
    scratch, columns = state.scratch, state.columns
    for place in range(divisors):
        source, looked = scratch.divisors[place], 0
        while looked < state.counts[WORDS]:
            word = scratch.looked_at[looked]
            value = columns[source, word]
            if (scratch.ones[word] & ~value) | (scratch.zeros[word] & value) != _ZERO:
                break
            looked += 1
        if looked == state.counts[WORDS]:
            return np.int64(source)
    return _NONE


@internal
def _wanted(state: State, one: np.int64, other: np.int64) -> np.int64:
    """What a gate on these two sources must be, as a number in `Repertoire.first`; -1 if none can do."""
    scratch, columns, wanted = state.scratch, state.columns, np.int64(0)
    for looked in range(state.counts[WORDS]):
        word = scratch.looked_at[looked]
        a, b = columns[one, word], columns[other, word]
        ones, zeros = scratch.ones[word], scratch.zeros[word]
        if ones & ~a & ~b:
            wanted |= 1
        if ones & a & ~b:
            wanted |= 2
        if ones & ~a & b:
            wanted |= 4
        if ones & a & b:
            wanted |= 8
        if zeros & ~a & ~b:
            wanted |= 16
        if zeros & a & ~b:
            wanted |= 32
        if zeros & ~a & b:
            wanted |= 64
        if zeros & a & b:
            wanted |= 128
        if wanted & wanted >> 4 & 15:
            return _NONE
    return wanted


@inlined
def _free_slot(state: State) -> np.int64:
    """A gate that no output needs, or -1."""
    marks = state.scratch.marks
    for gate in range(marks.size):
        if not marks[gate]:
            return np.int64(gate)
    return _NONE


@inlined
def _draw(state: State, bound: np.int64) -> np.int64:
    return np.int64(below(state.stream, np.uint64(bound)))


@internal
def _make_gate(state: State, repertoire: Repertoire, inputs: np.int64, divisors: np.int64) -> np.int64:
    """A new gate on random divisors, as a source; -1 if there is no room."""
    gate = _free_slot(state)
    if gate == _NONE:
        return _NONE
    now, columns = state.now, state.columns
    function = _draw(state, np.int64(repertoire.tables.size))
    one = state.scratch.divisors[_draw(state, divisors)]
    other = state.scratch.divisors[_draw(state, divisors)]
    if repertoire.arities[function] == 1:
        other = one
    now.functions[gate], now.sources[gate, 0], now.sources[gate, 1] = function, one, other
    for word in range(columns.shape[1]):
        columns[inputs + gate, word] = _gate(
            repertoire.tables[function], columns[one, word], columns[other, word]
        )
    return inputs + gate


@internal
def _replace(
    state: State, repertoire: Repertoire, gate: np.int64, first: np.int64, divisors: np.int64
) -> bool:
    """Let the gate be computed from the first source and one of the divisors, if that can be."""
    now, start = state.now, _draw(state, divisors)
    for turn in range(divisors):
        place = start + turn
        other = np.int64(state.scratch.divisors[place if place < divisors else place - divisors])
        wanted = _wanted(state, first, other)
        if wanted == _NONE or repertoire.first[wanted] == repertoire.first[wanted + 1]:
            continue
        begin, end = np.int64(repertoire.first[wanted]), np.int64(repertoire.first[wanted + 1])
        fitting = repertoire.fitting[begin + _draw(state, end - begin)]
        function = fitting >> 1
        one, two = (other, first) if fitting & 1 else (first, other)
        if repertoire.arities[function] == 1:
            two = one
        if now.functions[gate] == function and now.sources[gate, 0] == one and now.sources[gate, 1] == two:
            continue
        now.functions[gate], now.sources[gate, 0], now.sources[gate, 1] = function, one, two
        return True
    return False


@internal
def _replace_by_old(state: State, repertoire: Repertoire, gate: np.int64, divisors: np.int64) -> bool:
    """Let the gate be computed from two divisors, if that can be."""
    start = _draw(state, divisors)
    for turn in range(divisors):
        place = start + turn
        first = np.int64(state.scratch.divisors[place if place < divisors else place - divisors])
        if _replace(state, repertoire, gate, first, divisors):
            return True
    return False


@internal
def _hand_on(state: State, inputs: np.int64, old: np.int64, new: np.int64) -> None:
    """Let whatever reads one source read another one."""
    now = state.now
    for place in range(state.counts[GATES]):
        gate = state.scratch.order[place]
        for argument in range(2):
            if now.sources[gate, argument] == old:
                now.sources[gate, argument] = new
    for output in range(now.outputs.size):
        if now.outputs[output] == old:
            now.outputs[output] = new


@inlined
def _is_cheap(state: State) -> bool:
    counts = state.counts
    return bool(counts[COST] <= counts[BEST] + counts[SLACK])


@internal
def _step(state: State, repertoire: Repertoire, inputs: np.int64) -> None:
    """One step of the walk; see the module."""
    now, counts = state.now, state.counts
    place = _draw(state, counts[GATES])
    gate = np.int64(state.scratch.order[place])
    function, one, two = now.functions[gate], now.sources[gate, 0], now.sources[gate, 1]
    _negate(state, repertoire, inputs, place)
    divisors = _find_divisors(state, inputs)
    same = _same(state, divisors)
    if same != _NONE:
        # A source that agrees may lie deeper: where depth counts, it is only taken if it does not.
        if repertoire.level_price != 0 and state.scratch.levels[same] > state.scratch.levels[inputs + gate]:
            return
        _hand_on(state, inputs, inputs + gate, same)
    else:
        first = _NONE
        if _draw(state, np.int64(OLD_ONE_IN)) != 0:
            first = _make_gate(state, repertoire, inputs, divisors)
        if first != _NONE:
            is_changed = _replace(state, repertoire, gate, first, divisors)
        else:
            is_changed = _replace_by_old(state, repertoire, gate, divisors)
        if not is_changed:
            return
    _sort(state, inputs)
    _price(state, repertoire, inputs)
    if same == _NONE and not _is_cheap(state):
        now.functions[gate], now.sources[gate, 0], now.sources[gate, 1] = function, one, two
        _sort(state, inputs)
        _price(state, repertoire, inputs)
        return
    _evaluate(state, repertoire, inputs)
    _note(state)


@hot_kernel
def _begin(state: State, repertoire: Repertoire, inputs: np.int64, entropy: Entropy, run: np.uint64) -> None:
    """Seed the stream, and look at the start."""
    store(state.stream, seeded(entropy, run))
    _sort(state, inputs)
    _price(state, repertoire, inputs)
    _evaluate(state, repertoire, inputs)
    _note(state)


@hot_kernel
def _advance(state: State, repertoire: Repertoire, inputs: np.int64, steps: np.int64) -> None:
    """Go on for so many steps, or until the goal is reached or no gate is left."""
    counts = state.counts
    for _ in range(steps):
        if counts[BEST] <= counts[GOAL] or counts[GATES] == 0:
            return
        _step(state, repertoire, inputs)
        counts[STEPS] += 1


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk under way, on circuits for a target."""

    wanted: Target
    gates: GateSet
    repertoire: Repertoire
    state: State

    @property
    def steps(self) -> int:
        """How many were made so far."""
        return int(self.state.counts[STEPS])

    @property
    def best(self) -> int:
        """What the cheapest circuit so far costs."""
        return int(self.state.counts[BEST])

    @property
    def is_done(self) -> bool:
        """Was the goal reached, or is there no gate left?"""
        counts = self.state.counts
        return bool(counts[BEST] <= counts[GOAL] or counts[GATES] == 0)

    @property
    def best_circuit(self) -> Circuit:
        """The cheapest circuit so far."""
        return _circuit(self, self.state.best)

    @property
    def circuit(self) -> Circuit:
        """Where the walk is."""
        return _circuit(self, self.state.now)


def can_walk(gates: GateSet) -> bool:
    """Whether all gates have one or two inputs."""
    return all(gate.arity in (1, 2) for gate in gates.gates)


def begin(
    wanted: Target,
    start: Circuit,
    *,
    gates: GateSet,
    prices: list[int],
    level_price: int = 0,
    slack: int,
    goal: int = 0,
    seed: int,
    run: int = 0,
    number: int = 0,
) -> Walk:
    """Begin a walk.

    Parameters
    ----------
    wanted
        What every circuit computes, on the rows that count. The start does.
    start
        Of the gates of the set.
    gates, prices, level_price
        The gates that may be used, what each costs, and what every level of depth costs.
    slack
        A circuit is kept if it costs at most so much more than the cheapest one so far.
    goal
        A cost at which the walk ends.
    seed, run, number
        Of the random numbers.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate_set
    >>> from gatewalk.circuit.own_target import target
    >>> from gatewalk.circuit.target_circuit import target_circuit
    >>> wanted, gates = target("mul:2"), gate_set("and,xor,nimply")
    >>> walk = begin(wanted, target_circuit(wanted), gates=gates, prices=[1, 1, 1], slack=2, seed=1)
    >>> advance(walk, 10_000)
    >>> walk.best
    7
    """
    if not can_walk(gates):
        raise InputError(f"gates {gates}: only gates of one or two inputs can be resubstituted")
    training = complete(wanted)
    n, room = wanted.inputs, 2 * len(start) + ROOM
    sources, words = n + room, training.inputs.shape[1]
    wiring = _wiring(start, gates, room)
    columns = np.zeros((sources, words), np.uint64)
    columns[:n] = training.inputs
    state = State(
        now=wiring,
        best=Wiring(*(part.copy() for part in wiring)),
        columns=columns,
        cares=np.ascontiguousarray(counted(training)),
        counts=np.array([0, 0, 1 << 62, slack, goal, 0, 0], np.int64),
        stream=np.zeros(4, np.uint64),
        scratch=Scratch(
            order=np.zeros(room, np.int32),
            marks=np.zeros(room, np.uint8),
            stack=np.zeros(room, np.int32),
            negated=np.zeros((sources, words), np.uint64),
            depends=np.zeros(sources, np.uint8),
            divisors=np.zeros(sources, np.int32),
            ones=np.zeros(words, np.uint64),
            zeros=np.zeros(words, np.uint64),
            looked_at=np.zeros(words, np.int32),
            levels=np.zeros(sources, np.int32),
        ),
    )
    walk = Walk(wanted, gates, _repertoire(gates, prices, level_price), state)
    _begin(state, walk.repertoire, np.int64(n), entropy_of(seed, run), np.uint64(number))
    found = columns[wiring.outputs]
    if np.any((found ^ training.outputs) & state.cares):
        raise InputError("the start does not compute what is wanted, so nothing can be made of it")
    return walk


def advance(walk: Walk, steps: int) -> None:
    """Go on for so many steps, or until the goal is reached."""
    _advance(walk.state, walk.repertoire, np.int64(walk.wanted.inputs), np.int64(steps))


def _repertoire(gates: GateSet, prices: list[int], level_price: int) -> Repertoire:
    tables = [_on_two(gate.table) if gate.arity == 1 else gate.table for gate in gates.gates]
    first, fitting = [0], []
    for number in range(256):
        ones, zeros = number & 15, number >> 4
        known = set()
        for place, table in enumerate(tables):
            for is_swapped, there in enumerate((table, _swapped(table))):
                if ones & ~there == 0 and zeros & there == 0 and (place, there) not in known:
                    known.add((place, there))
                    fitting.append(2 * place + is_swapped)
        first.append(len(fitting))
    return Repertoire(
        arities=np.array([gate.arity for gate in gates.gates], np.int32),
        tables=np.array(tables, np.uint8),
        prices=np.array(prices, np.int64),
        level_price=np.int64(level_price),
        first=np.array(first, np.int32),
        fitting=np.array(fitting, np.int32),
    )


def _on_two(table: int) -> int:
    """A table of one input as one of two inputs that ignores the second."""
    return table | table << 2


def _swapped(table: int) -> int:
    """The table with the inputs exchanged."""
    return table & 9 | (table & 2) << 1 | (table & 4) >> 1


def _wiring(start: Circuit, gates: GateSet, room: int) -> Wiring:
    place = {gate: number for number, gate in enumerate(gates.gates)}
    functions, sources = np.zeros(room, np.int32), np.zeros((room, 2), np.int32)
    for number, node in enumerate(start.nodes):
        if node.gate not in place:
            raise InputError(f"the start has a {node.gate}, which is not among the gates {gates}")
        functions[number] = place[node.gate]
        sources[number] = node.sources[0], node.sources[-1]
    return Wiring(functions, sources, np.array(start.outputs, np.int32))


def _circuit(walk: Walk, wiring: Wiring) -> Circuit:
    """The gates that outputs need; of a wiring whose gates are in any order."""
    n = walk.wanted.inputs
    place = {source: source for source in range(n)}
    nodes: list[Node] = []
    stack = [int(source) for source in reversed(wiring.outputs)]
    while stack:
        source = stack[-1]
        if source in place:
            stack.pop()
            continue
        gate = walk.gates.gates[wiring.functions[source - n]]
        reads = [int(one) for one in wiring.sources[source - n, : gate.arity]]
        missing = [one for one in reads if one not in place]
        if missing:
            stack.append(missing[0])
        else:
            place[source] = n + len(nodes)
            nodes.append(Node(gate, tuple(place[one] for one in reads)))
            stack.pop()
    outputs = tuple(place[int(source)] for source in wiring.outputs)
    return Circuit(walk.wanted.input_labels, tuple(nodes), outputs, walk.wanted.output_labels)
