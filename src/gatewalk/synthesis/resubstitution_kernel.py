"""Resubstitution in kernels: the state of a walk through circuits that compute the same, and its steps.

Resubstitution with don't-cares is a standard move of logic synthesis (Mishchenko and Brayton, "Scalable logic
synthesis using a simple circuit structure", 2006): a gate is replaced by a function of other sources of the
circuit. The function has to agree with the gate only on the rows on which an output of the circuit depends on
the gate. Here this move becomes a random walk. A step takes a random gate and

1. finds the rows on which the gate counts, by negating it and looking for changed outputs;
2. removes the gate if some source agrees with it on these rows: its readers then read that source; otherwise
3. draws a first source, mostly a *new* gate on two random sources, and goes through all second sources,
   beginning at a random one, until some gate of the set on the two sources agrees with it on these rows;
4. keeps the change if the circuit then costs at most as much as the cheapest one so far plus a slack.

Step 4 is Dueck's record-to-record travel ("New optimization heuristics", 1993), as in
`cgp/evaluators/cheapest.py`. CGP guesses a change of one gene, which is nearly always wrong; step 3 tries all
second sources for a few instructions each. `tests/support/resubstitution_twin.py` does the same in plain
Python.

Gates have one or two inputs. All rows are evaluated, so about sixteen inputs are possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.native.bits import popcount
from gatewalk.native.jit import hot_kernel, inlined, internal
from gatewalk.native.seeding import Entropy, seeded
from gatewalk.native.stream import draw_below, store

# Places in `State.counts`.
GATES, COST, BEST, SLACK, GOAL, STEPS, WORDS = range(7)

Words = NDArray[np.uint64]
Places = NDArray[np.int32]


class GateArrays(NamedTuple):
    """The gates of a set as arrays, and which of them fit given values.

    arities, tables, prices: of each gate; tables are on two inputs (a gate of one input reads the first).
    level_price: the price of a level of depth.

    first, fitting: say a table must be 1 on the rows `ones` and 0 on the rows `zeros`, both sets of the four
    rows as bits. With number = `ones | zeros << 4`, the gates with such tables are listed in
    `fitting[first[number] : first[number + 1]]`. An entry is twice the gate's place in the set, plus one if
    its two sources have to be exchanged.
    """

    arities: Places
    tables: NDArray[np.uint8]
    prices: NDArray[np.int64]
    level_price: np.int64
    first: Places
    fitting: Places


class Wiring(NamedTuple):
    """A circuit: for each gate its place in the set and its two sources; for each output its source."""

    functions: Places
    sources: Places
    outputs: Places


class Scratch(NamedTuple):
    """What a step computes about the circuit and about the gate that it tries to replace.

    order: the gates that outputs need, in topological order. marks, stack: used to find this order. negated:
    the columns of all sources if the gate is negated. depends: whether each source depends on the gate.
    divisors: the sources that do not. ones, zeros: the rows on which the gate must be 1 or 0. looked_at: the
    words of these rows that are not empty; there are `counts[WORDS]` of them. levels: the level of each
    source.
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
    """A walk under way.

    now, best: the current and the cheapest circuit. columns: the values of all sources, inputs first. cares:
    the rows that count for each output. counts: numbers at the places GATES (gates now), COST (cost now),
    BEST (cost of the cheapest circuit), SLACK, GOAL, STEPS (steps so far) and WORDS (words of rows on which
    the gate of this step counts). stream: the state of the random numbers.
    """

    now: Wiring
    best: Wiring
    columns: Words
    cares: Words
    counts: NDArray[np.int64]
    stream: Words
    scratch: Scratch


# One in so many steps draws an existing source first, all others a new gate. With 3 the four-bit multiplier
# shrank more slowly than with 10 and 33; between 8, 16 and 32 a few trials showed no difference.
OLD_ONE_IN = 16

_ZERO = np.uint64(0)
_NONE = np.int64(-1)


@inlined
def _gate(table: np.uint8, a: np.uint64, b: np.uint64) -> np.uint64:
    """The value on 64 rows of the gate with this table."""
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
    """Find the gates that outputs need, in topological order."""
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
def _price(state: State, gate_arrays: GateArrays, inputs: np.int64) -> None:
    """Compute the cost of the circuit, whose gates have been sorted."""
    now, scratch, cost = state.now, state.scratch, np.int64(0)
    for place in range(state.counts[GATES]):
        cost += gate_arrays.prices[now.functions[scratch.order[place]]]
    if gate_arrays.level_price != 0:
        levels, deepest = scratch.levels, np.int64(0)
        for place in range(state.counts[GATES]):
            gate = scratch.order[place]
            levels[inputs + gate] = 1 + max(levels[now.sources[gate, 0]], levels[now.sources[gate, 1]])
        for output in now.outputs:
            deepest = max(deepest, np.int64(levels[output]))
        cost += gate_arrays.level_price * deepest
    state.counts[COST] = cost


@internal
def _evaluate(state: State, gate_arrays: GateArrays, inputs: np.int64) -> None:
    """Compute the columns of all gates."""
    now, columns = state.now, state.columns
    for place in range(state.counts[GATES]):
        gate = state.scratch.order[place]
        table = gate_arrays.tables[now.functions[gate]]
        one, other = now.sources[gate, 0], now.sources[gate, 1]
        for word in range(columns.shape[1]):
            columns[inputs + gate, word] = _gate(table, columns[one, word], columns[other, word])


@inlined
def _note(state: State) -> None:
    """Copy the circuit to `state.best` if it is the cheapest so far."""
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
def _negate(state: State, gate_arrays: GateArrays, inputs: np.int64, place: np.int64) -> None:
    """Find what depends on the gate at this place of the order, and the rows on which an output does."""
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
            table = gate_arrays.tables[now.functions[reader]]
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
    # The word with the most rows that count comes first: there most sources that do not fit are ruled out.
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
    """List the sources that do not depend on the gate; returns their number."""
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
    """What a gate on these two sources must be, as a number of `GateArrays.first`; -1 if no gate fits."""
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
    return np.int64(draw_below(state.stream, np.uint64(bound)))


@internal
def _make_gate(state: State, gate_arrays: GateArrays, inputs: np.int64, divisors: np.int64) -> np.int64:
    """A new gate on random divisors, as a source; -1 if no gate is free."""
    gate = _free_slot(state)
    if gate == _NONE:
        return _NONE
    now, columns = state.now, state.columns
    function = _draw(state, np.int64(gate_arrays.tables.size))
    one = state.scratch.divisors[_draw(state, divisors)]
    other = state.scratch.divisors[_draw(state, divisors)]
    if gate_arrays.arities[function] == 1:
        other = one
    now.functions[gate], now.sources[gate, 0], now.sources[gate, 1] = function, one, other
    for word in range(columns.shape[1]):
        columns[inputs + gate, word] = _gate(
            gate_arrays.tables[function], columns[one, word], columns[other, word]
        )
    return inputs + gate


@internal
def _replace(
    state: State, gate_arrays: GateArrays, gate: np.int64, first: np.int64, divisors: np.int64
) -> bool:
    """Compute the gate from the first source and one of the divisors; returns whether that was possible."""
    now, start = state.now, _draw(state, divisors)
    for turn in range(divisors):
        place = start + turn
        other = np.int64(state.scratch.divisors[place if place < divisors else place - divisors])
        wanted = _wanted(state, first, other)
        if wanted == _NONE or gate_arrays.first[wanted] == gate_arrays.first[wanted + 1]:
            continue
        begin, end = np.int64(gate_arrays.first[wanted]), np.int64(gate_arrays.first[wanted + 1])
        fitting = gate_arrays.fitting[begin + _draw(state, end - begin)]
        function = fitting >> 1
        one, two = (other, first) if fitting & 1 else (first, other)
        if gate_arrays.arities[function] == 1:
            two = one
        if now.functions[gate] == function and now.sources[gate, 0] == one and now.sources[gate, 1] == two:
            continue
        now.functions[gate], now.sources[gate, 0], now.sources[gate, 1] = function, one, two
        return True
    return False


@internal
def _replace_by_old(state: State, gate_arrays: GateArrays, gate: np.int64, divisors: np.int64) -> bool:
    """Compute the gate from two divisors; returns whether that was possible."""
    start = _draw(state, divisors)
    for turn in range(divisors):
        place = start + turn
        first = np.int64(state.scratch.divisors[place if place < divisors else place - divisors])
        if _replace(state, gate_arrays, gate, first, divisors):
            return True
    return False


@internal
def _hand_on(state: State, inputs: np.int64, old: np.int64, new: np.int64) -> None:
    """Let everything that reads the source `old` read `new` instead."""
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
def _step(state: State, gate_arrays: GateArrays, inputs: np.int64) -> None:
    """Take one step of the walk, as the module's docstring describes it."""
    now, counts = state.now, state.counts
    place = _draw(state, counts[GATES])
    gate = np.int64(state.scratch.order[place])
    function, one, two = now.functions[gate], now.sources[gate, 0], now.sources[gate, 1]
    _negate(state, gate_arrays, inputs, place)
    divisors = _find_divisors(state, inputs)
    same = _same(state, divisors)
    if same != _NONE:
        # The source may be deeper than the gate; if depth counts, a deeper source is not taken.
        if gate_arrays.level_price != 0 and state.scratch.levels[same] > state.scratch.levels[inputs + gate]:
            return
        _hand_on(state, inputs, inputs + gate, same)
    else:
        first = _NONE
        if _draw(state, np.int64(OLD_ONE_IN)) != 0:
            first = _make_gate(state, gate_arrays, inputs, divisors)
        if first != _NONE:
            is_changed = _replace(state, gate_arrays, gate, first, divisors)
        else:
            is_changed = _replace_by_old(state, gate_arrays, gate, divisors)
        if not is_changed:
            return
    _sort(state, inputs)
    _price(state, gate_arrays, inputs)
    if same == _NONE and not _is_cheap(state):
        now.functions[gate], now.sources[gate, 0], now.sources[gate, 1] = function, one, two
        _sort(state, inputs)
        _price(state, gate_arrays, inputs)
        return
    _evaluate(state, gate_arrays, inputs)
    _note(state)


@hot_kernel
def begin_walk(
    state: State, gate_arrays: GateArrays, inputs: np.int64, entropy: Entropy, run: np.uint64
) -> None:
    """Seed the random numbers, and sort, price and evaluate the start."""
    store(state.stream, seeded(entropy, run))
    _sort(state, inputs)
    _price(state, gate_arrays, inputs)
    _evaluate(state, gate_arrays, inputs)
    _note(state)


@hot_kernel
def advance_walk(state: State, gate_arrays: GateArrays, inputs: np.int64, steps: np.int64) -> None:
    """Take so many steps, or fewer if the goal is reached or no gate is left."""
    counts = state.counts
    for _ in range(steps):
        if counts[BEST] <= counts[GOAL] or counts[GATES] == 0:
            return
        _step(state, gate_arrays, inputs)
        counts[STEPS] += 1
