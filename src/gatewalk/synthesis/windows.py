"""Windows: small parts of a large circuit, cut out as circuits of their own, with their don't-cares.

A window grows from one gate. Candidates to join it are the gates that it reads, the gates that read it, and
other gates that read the same sources. The candidate that adds the fewest inputs joins, so paths that part
and meet again come to lie inside the window. This is the rule of reconvergence-driven cuts (Mishchenko and
Brayton, "Scalable logic synthesis using a simple circuit structure", IWLS 2006), applied in all directions,
as in evolutionary resynthesis (Kocnova and Vasicek, "EA-based resynthesis: an efficient tool for optimization
of digital circuits", Genetic Programming and Evolvable Machines 21, 2020). A window is convex: no path leaves
it and returns, so a replacement never closes a cycle.

On some rows of its inputs a window may compute anything without changing the circuit. Logic synthesis knows
two kinds of such don't-cares (Mishchenko and Brayton, "SAT-based complete don't-care computation for network
optimization", DATE 2005). Satisfiability don't-cares are combinations of the window's inputs that never
occur. Observability don't-cares are combinations that do occur, but on which the outputs of the circuit are
the same whatever some outputs of the window are. Here both are found by evaluating the circuit on all rows,
so they are exact, for circuits of at most `MOST_OBSERVED_INPUTS` inputs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.table_targets import MOST_INPUTS as MOST_TABLE_INPUTS
from gatewalk.boolean.table_targets import table_target
from gatewalk.boolean.tables import Words, apply, masked, projections, unpack
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit, Node, circuit_tables
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.synthesis.editable_circuit import EditableCircuit

MOST_INPUTS = 8
MOST_GATES = 20
MOST_OBSERVED_INPUTS = 16
MOST_OUTPUTS = 4  # outputs of a window up to which observability is examined: every subset of them is tried
_MOST_READERS = 8  # readers of one source that become candidates
_MOST_VISITED = 2000  # gates visited to find out whether an input depends on the window

Values = dict[int, Words]  # the column of every source over all rows


@dataclass(frozen=True)
class Window:
    """A convex set of gates, by their numbers as sources of the circuit.

    nodes: the gates, in topological order.
    inputs: the sources outside that they read.
    outputs: the gates among them that are read outside, or are outputs of the circuit.
    """

    nodes: tuple[int, ...]
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]


def window_around(
    work: EditableCircuit,
    node: int,
    *,
    most_inputs: int = MOST_INPUTS,
    most_gates: int = MOST_GATES,
    random: Random,
) -> Window:
    """Grow a window from a gate; `random` decides between equally good candidates.

    A gate that has more than `most_inputs` inputs is a window of its own.

    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.synthesis.editable_circuit import make_editable
    >>> half = (Node(gate("xor"), (0, 1)), Node(gate("and"), (0, 1)))
    >>> adder = make_editable(Circuit(("a", "b"), half, (2, 3), ("s", "c")))
    >>> window_around(adder, 2, random=Random(1))
    Window(nodes=(2, 3), inputs=(0, 1), outputs=(2, 3))
    """
    if node not in work.gates:
        raise InputError(f"there is no gate {shown(node)} in the circuit to begin a window with")
    whole_number("most_gates", most_gates, least=1)
    whole_number("most_inputs", most_inputs, least=1)
    return window_of(work, _convex(work, _grown(work, node, most_inputs, most_gates, random)))


def window_of(work: EditableCircuit, nodes: set[int]) -> Window:
    """The window of these gates, which must be a convex set; this is not checked."""
    inputs = {source for number in nodes for source in work.sources[number]} - nodes
    order = sorted(nodes, key=lambda number: (work.levels[number], number))
    outputs = tuple(number for number in order if work.ends.get(number) or not work.readers[number] <= nodes)
    return Window(tuple(order), tuple(sorted(inputs)), outputs)


def _grown(work: EditableCircuit, node: int, most_inputs: int, most_gates: int, random: Random) -> set[int]:
    """As many gates around one as the limits allow; the set may not be convex yet."""
    nodes: set[int] = set()
    inputs: set[int] = set()
    candidates: set[int] = set()
    joins = node
    while True:
        nodes.add(joins)
        inputs.discard(joins)
        candidates.discard(joins)
        for source in work.sources[joins]:
            if source not in nodes and source not in inputs:
                inputs.add(source)
                if source in work.gates:
                    candidates.add(source)
                candidates |= _some_readers(work, source, random) - nodes
        candidates |= _some_readers(work, joins, random) - nodes
        if len(nodes) >= most_gates or not candidates:
            return nodes
        free_inputs = most_inputs - len(inputs)
        best = None
        for number in sorted(candidates):
            brought = -(number in inputs)
            for source in set(work.sources[number]):
                if source not in inputs and source not in nodes:
                    brought += 1
            if brought <= free_inputs:
                rank = brought, not work.readers[number] <= nodes, random.random()
                if best is None or rank < best[0]:
                    best = rank, number
        if best is None:
            return nodes
        joins = best[1]


def _some_readers(work: EditableCircuit, source: int, random: Random) -> set[int]:
    readers = work.readers[source]
    return readers if len(readers) <= _MOST_READERS else set(random.sample(sorted(readers), _MOST_READERS))


def _convex(work: EditableCircuit, nodes: set[int]) -> set[int]:
    """Make the set convex: remove the gates that depend on an input which itself depends on the set.

    An input for which more than `_MOST_VISITED` gates would have to be visited counts as dependent.
    """
    lowest = min(work.levels[number] for number in nodes)
    seen: dict[int, bool] = {}  # whether a source outside depends on the window, for those visited so far
    barred: set[int] = set()
    for number in sorted(nodes, key=work.levels.__getitem__):
        if any(
            source in barred or (source not in nodes and _depends(work, source, nodes, lowest, seen))
            for source in work.sources[number]
        ):
            barred.add(number)
    return nodes - barred


def _depends(work: EditableCircuit, start: int, nodes: set[int], lowest: int, seen: dict[int, bool]) -> bool:
    """Whether a source depends on one of the gates; also true if that takes too long to find out."""
    if start in seen:
        return seen[start]
    stack = [start]
    visited = {start}
    depends = False
    while stack and not depends:
        number = stack.pop()
        if work.levels[number] <= lowest or number not in work.gates:
            continue
        for source in work.sources[number]:
            if source in nodes or seen.get(source) or len(visited) > _MOST_VISITED:
                depends = True
            elif source not in visited and source not in seen:
                visited.add(source)
                stack.append(source)
    if not depends:
        seen.update(dict.fromkeys(visited, False))
    seen[start] = depends
    return depends


def cut(work: EditableCircuit, window: Window) -> Circuit:
    """The window as a circuit of its own, with the inputs and outputs of the window in the same order."""
    new = {source: j for j, source in enumerate(window.inputs)}  # the source that each source becomes
    nodes = []
    for number in window.nodes:
        nodes.append(Node(work.gates[number], tuple(new[source] for source in work.sources[number])))
        new[number] = len(new)
    return Circuit(
        tuple(f"x{j + 1}" for j in range(len(window.inputs))),
        tuple(nodes),
        tuple(new[number] for number in window.outputs),
        tuple(f"y{j + 1}" for j in range(len(window.outputs))),
    )


def values_of(work: EditableCircuit) -> Values:
    """The columns of all sources over all rows of the inputs."""
    n = len(work.input_labels)
    if n > MOST_OBSERVED_INPUTS:
        raise InputError(
            f"all rows of {n} inputs are too many; at most {MOST_OBSERVED_INPUTS} inputs are evaluated"
        )
    values = dict(enumerate(projections(n)))
    evaluate_gates(work, values, work.gates)
    return values


def evaluate_gates(work: EditableCircuit, values: Values, numbers: Iterable[int]) -> None:
    """Compute the columns of these gates from the columns of their sources."""
    shape = next(iter(values.values())).shape
    for number in sorted(numbers, key=work.levels.__getitem__):
        column = apply(work.gates[number], *(values[source] for source in work.sources[number]))
        values[number] = np.broadcast_to(column, shape)


def plain_target(work: EditableCircuit, window: Window) -> Target:
    """The function of the window on all rows of its inputs, with no don't-cares."""
    return _target(work, window, None)


def observable_target(work: EditableCircuit, window: Window, values: Values) -> Target:
    """The function of the window, with both kinds of don't-cares: rows that no output notices do not count.

    The don't-cares are compatible: on a row where several outputs of the window do not count, all of them may
    change at once. Replacing the window by a circuit for this target may change values outside the window.
    For windows of more than `MOST_OUTPUTS` outputs, all rows count that occur.
    """
    m = len(window.outputs)
    index = _rows_seen(work, window, values)
    occurs = np.zeros(1 << len(window.inputs), np.bool_)
    occurs[index] = True
    if m > MOST_OUTPUTS:
        return _target(work, window, np.tile(occurs, (m, 1)))
    visible = np.zeros((1 << m, occurs.size), np.bool_)  # whether negating a set of outputs can be seen
    for flipped in range(1, 1 << m):
        visible[flipped, index[_noticed(work, window, values, flipped)]] = True
    free = np.zeros(occurs.size, np.int64)  # for each row a set of outputs that may all change at once
    for h in range(m):
        larger = free | 1 << h
        harmless = np.ones(occurs.size, np.bool_)
        for flipped in range(1, 1 << m):
            if flipped >> h & 1:
                harmless &= ~(visible[flipped] & (flipped & ~larger == 0))
        free = np.where(harmless, larger, free)
    return _target(work, window, np.array([occurs & (free >> h & 1 == 0) for h in range(m)]))


def _rows_seen(work: EditableCircuit, window: Window, values: Values) -> NDArray[np.int64]:
    """For every row of the circuit's inputs, the row of the window's inputs that it leads to."""
    rows = 1 << len(work.input_labels)
    index = np.zeros(rows, np.int64)
    for j, source in enumerate(window.inputs):
        index |= unpack(values[source], rows).astype(np.int64) << j
    return index


def _noticed(work: EditableCircuit, window: Window, values: Values, flipped: int) -> NDArray[np.bool_]:
    """The rows on which some output of the circuit changes if these outputs of the window are negated."""
    changed = {number: ~values[number] for h, number in enumerate(window.outputs) if flipped >> h & 1}
    inside = set(window.nodes)
    for number in dependents(work, changed):
        if number not in inside:
            columns = [changed.get(source, values[source]) for source in work.sources[number]]
            changed[number] = apply(work.gates[number], *columns)
    rows = 1 << len(work.input_labels)
    difference = np.zeros_like(values[0])
    for source in set(work.outputs) & changed.keys():
        difference |= changed[source] ^ values[source]
    return unpack(masked(difference, rows), rows)


def dependents(work: EditableCircuit, numbers: Iterable[int]) -> list[int]:
    """The gates that depend on one of these sources, without the sources themselves, in topological order."""
    first = set(numbers)
    reached = set(first)
    stack = list(first)
    while stack:
        for reader in work.readers[stack.pop()]:
            if reader not in reached:
                reached.add(reader)
                stack.append(reader)
    return sorted(reached - first, key=work.levels.__getitem__)


def _target(work: EditableCircuit, window: Window, cares: NDArray[np.bool_] | None) -> Target:
    tables = circuit_tables(cut(work, window), most_inputs=MOST_TABLE_INPUTS, purpose="a window")
    counting = None
    if cares is not None:
        if not cares.any():
            cares[0, 0] = True  # a target must have at least one row that counts
        packed = np.packbits(cares, axis=1, bitorder="little")
        counting = [int.from_bytes(row.tobytes(), "little") for row in packed]
    return table_target(tables, len(window.inputs), cares=counting)
