"""Don't-cares of a window: rows of its inputs on which it may compute anything without changing the circuit.

Logic synthesis knows two kinds (Mishchenko and Brayton, "SAT-based complete don't-care computation for
network optimization", DATE 2005). Satisfiability don't-cares are combinations of the window's inputs that
never occur. Observability don't-cares are combinations that do occur, but on which the outputs of the circuit
are the same whatever some outputs of the window are. Here both are found by evaluating the circuit on all
rows, so they are exact, for circuits of at most `MOST_INPUTS` inputs.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import Words, apply, masked, projections, unpack
from gatewalk.boolean.targets import Target
from gatewalk.boolean.truth_table import MOST_INPUTS as MOST_TABLE_INPUTS
from gatewalk.boolean.truth_table import table_target
from gatewalk.circuit.truth import tables_of
from gatewalk.errors import InputError
from gatewalk.synthesis.windows import Window, cut
from gatewalk.synthesis.workpiece import Workpiece

MOST_INPUTS = 16
MOST_OUTPUTS = 4  # outputs of a window up to which observability is examined: every subset of them is tried

Values = dict[int, Words]  # the column of every source over all rows


def values_of(work: Workpiece) -> Values:
    """The columns of all sources over all rows of the inputs."""
    n = len(work.input_labels)
    if n > MOST_INPUTS:
        raise InputError(f"all rows of {n} inputs are too many: at most {MOST_INPUTS} inputs are evaluated")
    values = dict(enumerate(projections(n)))
    evaluate_gates(work, values, work.gates)
    return values


def evaluate_gates(work: Workpiece, values: Values, numbers: Iterable[int]) -> None:
    """Compute the columns of these gates from the columns of their sources."""
    shape = next(iter(values.values())).shape
    for number in sorted(numbers, key=work.levels.__getitem__):
        column = apply(work.gates[number], *(values[source] for source in work.sources[number]))
        values[number] = np.broadcast_to(column, shape)


def plain_target(work: Workpiece, window: Window) -> Target:
    """The function of the window on all rows of its inputs, with no don't-cares."""
    return _target(work, window, None)


def reachable_target(work: Workpiece, window: Window, values: Values) -> Target:
    """The function of the window, with satisfiability don't-cares: rows that never occur do not count.

    Any circuit that agrees with it on the rows that count can replace the window. The values of all sources
    outside the window stay the same.
    """
    occurs = np.zeros(1 << len(window.inputs), np.bool_)
    occurs[_rows_seen(work, window, values)] = True
    return _target(work, window, np.tile(occurs, (len(window.outputs), 1)))


def observable_target(work: Workpiece, window: Window, values: Values) -> Target:
    """The function of the window, with both kinds of don't-cares: rows that no output notices do not count.

    The don't-cares are compatible: on a row where several outputs of the window do not count, all of them may
    change at once. Replacing the window by a circuit for this target may change values outside the window.
    For windows of more than `MOST_OUTPUTS` outputs the result is that of `reachable_target`.
    """
    m = len(window.outputs)
    if m > MOST_OUTPUTS:
        return reachable_target(work, window, values)
    index = _rows_seen(work, window, values)
    occurs = np.zeros(1 << len(window.inputs), np.bool_)
    occurs[index] = True
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


def _rows_seen(work: Workpiece, window: Window, values: Values) -> NDArray[np.int64]:
    """For every row of the circuit's inputs, the row of the window's inputs that it leads to."""
    rows = 1 << len(work.input_labels)
    index = np.zeros(rows, np.int64)
    for j, source in enumerate(window.inputs):
        index |= unpack(values[source], rows).astype(np.int64) << j
    return index


def _noticed(work: Workpiece, window: Window, values: Values, flipped: int) -> NDArray[np.bool_]:
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


def dependents(work: Workpiece, numbers: Iterable[int]) -> list[int]:
    """The gates that depend on one of these sources, without the sources themselves, in topological order."""
    found = set(numbers)
    first = frozenset(found)
    stack = list(found)
    while stack:
        for reader in work.readers[stack.pop()]:
            if reader not in found:
                found.add(reader)
                stack.append(reader)
    return sorted(found - first, key=work.levels.__getitem__)


def _target(work: Workpiece, window: Window, cares: NDArray[np.bool_] | None) -> Target:
    tables = tables_of(cut(work, window), most_inputs=MOST_TABLE_INPUTS, purpose="a window")
    counting = None
    if cares is not None:
        if not cares.any():
            cares[0, 0] = True  # a target must have at least one row that counts
        packed = np.packbits(cares, axis=1, bitorder="little")
        counting = [int.from_bytes(row.tobytes(), "little") for row in packed]
    return table_target(tables, len(window.inputs), cares=counting)
