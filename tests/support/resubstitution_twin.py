"""The walk through circuits of the same function, literally; twin of `synthesis/resubstitution_kernel.py`.

Columns are integers with a bit for every row. With the same random stream both make the same steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gatewalk.boolean.gates import Gate
from gatewalk.reference.stream import Stream

OLD_ONE_IN = 16
Pair = tuple[int, int]


@dataclass(frozen=True)
class Task:
    """What may be used, and what is wanted.

    gates: the gates that may be used, of one or two inputs.
    prices, level_price: the price of each gate, and of a level of depth.
    inputs: the columns of the inputs.
    cares: for every output, the rows that count.
    rows: the number of rows.
    capacity: the most gates that a circuit can have.
    slack: how much more than the cheapest circuit so far a circuit may cost.
    """

    gates: Sequence[Gate]
    prices: Sequence[int]
    level_price: int
    inputs: Sequence[int]
    cares: Sequence[int]
    rows: int
    capacity: int
    slack: int


@dataclass(frozen=True)
class Wires:
    """A circuit. functions, sources: an entry for every slot, used or not, that can hold a gate.

    A gate of one input has its source twice.
    """

    functions: tuple[int, ...]
    sources: tuple[Pair, ...]
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class WalkState:
    """Where a walk is: the circuit, its cost, and the cheapest circuit so far with its cost."""

    now: Wires
    cost: int
    best: Wires
    least: int


def order(task: Task, wires: Wires) -> list[int]:
    """The gates that the outputs depend on, each after those that it reads."""
    n, gates = len(task.inputs), list[int]()

    def visit(source: int) -> None:
        if source >= n and source - n not in gates:
            for read in wires.sources[source - n]:
                visit(read)
            gates.append(source - n)

    for output in wires.outputs:
        visit(output)
    return gates


def cost(task: Task, wires: Wires) -> int:
    """The cost of a circuit: the prices of its gates and of its levels."""
    level = levels(task, wires)
    gates = sum(task.prices[wires.functions[gate]] for gate in order(task, wires))
    return gates + task.level_price * max(level[output] for output in wires.outputs)


def levels(task: Task, wires: Wires) -> dict[int, int]:
    """For every source, the number of gates on the longest path to it."""
    n = len(task.inputs)
    level = dict.fromkeys(range(n), 0)
    for gate in order(task, wires):
        level[n + gate] = 1 + max(level[source] for source in wires.sources[gate])
    return level


def value(task: Task, function: int, a: int, b: int) -> int:
    """The column of a gate that reads the columns a and b."""
    gate, everything = task.gates[function], (1 << task.rows) - 1
    on_two = gate.table if gate.arity == 2 else gate.table * 0b101
    result = 0
    for row, minterm in enumerate((~a & ~b, a & ~b, ~a & b, a & b)):
        if on_two >> row & 1:
            result |= minterm & everything
    return result


def columns(task: Task, wires: Wires, negated: int | None = None) -> dict[int, int]:
    """The columns of all sources; the gate `negated`, if given, has its output negated."""
    n = len(task.inputs)
    column = dict(enumerate(task.inputs))
    for gate in order(task, wires):
        a, b = (column[source] for source in wires.sources[gate])
        column[n + gate] = value(task, wires.functions[gate], a, b)
        if gate == negated:
            column[n + gate] ^= (1 << task.rows) - 1
    return column


def dependents(task: Task, wires: Wires, gate: int) -> set[int]:
    """The sources that depend on a gate, the gate included."""
    n = len(task.inputs)
    depends = {n + gate}
    for later in order(task, wires):
        if depends & set(wires.sources[later]):
            depends.add(n + later)
    return depends


def seen(task: Task, wires: Wires, gate: int) -> int:
    """The rows on which some output counts and changes if the gate is negated."""
    right, wrong, rows = columns(task, wires), columns(task, wires, gate), 0
    for output, care in zip(wires.outputs, task.cares, strict=True):
        rows |= (right[output] ^ wrong[output]) & care
    return rows


def fitting(task: Task, ones: int, zeros: int, a: int, b: int) -> list[tuple[int, bool]]:
    """The functions of a and b that are 1 on the rows `ones` and 0 on `zeros`; with True, of b and a."""
    functions = []
    for function in range(len(task.gates)):
        tried = set()
        for is_swapped in (False, True):
            table = _table(task, function, is_swapped)
            column = value(task, function, b, a) if is_swapped else value(task, function, a, b)
            if ones & ~column == 0 and zeros & column == 0 and table not in tried:
                functions.append((function, is_swapped))
                tried.add(table)
    return functions


def _table(task: Task, function: int, is_swapped: bool) -> tuple[int, ...]:
    """The values of a gate on the four rows of two sources, which may be exchanged."""
    a, b = (0b1100, 0b1010) if is_swapped else (0b1010, 0b1100)
    column = value(replace(task, rows=4), function, a, b)
    return tuple(column >> row & 1 for row in range(4))


def walk(task: Task, start: Wires, stream: Stream) -> Iterator[WalkState]:
    """The state of the walk after the start and after each step."""
    state = WalkState(start, cost(task, start), start, cost(task, start))
    yield state
    while order(task, state.now):
        now = step(task, state.now, state.least, stream)
        costs = cost(task, now)
        state = WalkState(now, costs, *((now, costs) if costs < state.least else (state.best, state.least)))
        yield state


def step(task: Task, wires: Wires, least: int, stream: Stream) -> Wires:
    """The circuit after a step from `wires`; `least` is the cost of the cheapest circuit so far."""
    n, sorted_gates = len(task.inputs), order(task, wires)
    gate = sorted_gates[stream.below(len(sorted_gates))]
    rows, column = seen(task, wires, gate), columns(task, wires)
    ones, zeros = rows & column[n + gate], rows & ~column[n + gate]
    depends = dependents(task, wires, gate)
    divisors = [*range(n), *(n + other for other in sorted_gates if n + other not in depends)]
    for source in divisors:
        if ones & ~column[source] == 0 and zeros & column[source] == 0:
            level = levels(task, wires)
            is_deeper = task.level_price != 0 and level[source] > level[n + gate]
            return wires if is_deeper else _handed_on(wires, n + gate, source)
    new = wires
    free = [slot for slot in range(task.capacity) if slot not in sorted_gates]
    firsts: list[int]
    if stream.below(OLD_ONE_IN) != 0 and free:
        function = stream.below(len(task.gates))
        a, b = divisors[stream.below(len(divisors))], divisors[stream.below(len(divisors))]
        b = a if task.gates[function].arity == 1 else b
        new = _with_gate(wires, free[0], function, (a, b))
        column[n + free[0]] = value(task, function, column[a], column[b])
        firsts = [n + free[0]]
    else:
        firsts = _from(divisors, stream.below(len(divisors)))
    for first in firsts:
        for second in _from(divisors, stream.below(len(divisors))):
            fits = fitting(task, ones, zeros, column[first], column[second])
            if not _can_be(ones, zeros, column[first], column[second]) or not fits:
                continue
            function, is_swapped = fits[stream.below(len(fits))]
            a, b = (second, first) if is_swapped else (first, second)
            b = a if task.gates[function].arity == 1 else b
            if (function, (a, b)) == (wires.functions[gate], wires.sources[gate]):
                continue
            changed = _with_gate(new, gate, function, (a, b))
            return changed if cost(task, changed) <= least + task.slack else _undone(new, wires, gate)
    return new


def _can_be(ones: int, zeros: int, a: int, b: int) -> bool:
    """Whether any function of a and b, among the gates or not, is 1 on `ones` and 0 on `zeros`."""
    minterms = (~a & ~b, a & ~b, ~a & b, a & b)
    return not any(ones & minterm and zeros & minterm for minterm in minterms)


def _undone(new: Wires, old: Wires, gate: int) -> Wires:
    """The circuit with the old gate restored; a gate that was added stays, though no output depends on it."""
    return _with_gate(new, gate, old.functions[gate], old.sources[gate])


def _from(divisors: list[int], start: int) -> list[int]:
    return divisors[start:] + divisors[:start]


def _with_gate(wires: Wires, gate: int, function: int, sources: Pair) -> Wires:
    functions, pairs = list(wires.functions), list(wires.sources)
    functions[gate], pairs[gate] = function, sources
    return Wires(tuple(functions), tuple(pairs), wires.outputs)


def _handed_on(wires: Wires, old: int, new: int) -> Wires:
    pairs = tuple((new if a == old else a, new if b == old else b) for a, b in wires.sources)
    return Wires(wires.functions, pairs, tuple(new if output == old else output for output in wires.outputs))
