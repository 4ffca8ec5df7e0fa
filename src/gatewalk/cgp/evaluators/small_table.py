"""Small programs on tables of more than 64 rows: cones tell which nodes must be computed.

For one output, n + D <= 63 and a single gate, of two inputs. A forward pass over the cones (as in `small`)
gives the active nodes of an offspring and those above a change; only nodes that are both are computed, even
if their values turn out to be unchanged: checking for that costs more than it saves.

Rows are in two parts. The head, the 512 most informative rows (`telling_first`), is computed first; most
offspring that are worse than the parent show it there and are given up. Every source has two sides, of which
the parent uses one; the values of an offspring are written to the other. So keeping an offspring switches the
sides of some sources, and dropping it costs nothing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.evaluators.rows import padded, telling_first
from gatewalk.cgp.genotype import Layout, gate_forms
from gatewalk.cgp.program import Changes
from gatewalk.cgp.small import OUTPUT, Small, active_of, cones_of, first_of, nodes_of, second_of
from gatewalk.native.bits import lowest, rolled
from gatewalk.native.blocks import Words, and_block, copy_columns, gate_columns, wrong_columns
from gatewalk.native.jit import inlined

LANES = (0,) * 8  # words computed together
HEAD = np.uint64(8)  # words of the head
State = tuple[np.uint64, np.uint64, np.uint64]  # as in `small`, and the side that each source uses, as bits
Trial = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_SIDE = np.uint64(6)  # a side has 2^6 sources


class Part(NamedTuple):
    """Some of the rows.

    values: the words of all sources, ordered by side, source and word.
    wanted, mask: the words of the target, and the bits that count.
    """

    values: Words
    wanted: Words
    mask: Words


class SmallTable(NamedTuple):
    """The arrays of the evaluator.

    state: see `State`, kept between slices.
    gates: see `gate_forms`. only_and: whether the gate is AND.
    tail_words: words of a column in the tail; in the head their number is a constant, so that the compiler
        replaces loops over them by single steps.
    """

    cones: NDArray[np.uint64]
    state: NDArray[np.uint64]
    gates: Words
    only_and: bool
    head: Part
    tail: Part
    tail_words: np.uint64


def small_table_of(layout: Layout, training: TrainingSet) -> SmallTable:
    """The arrays to evaluate programs on a training set."""
    ordered = telling_first(training)
    tail = -(-ordered.inputs.shape[1] // int(HEAD)) * int(HEAD) - int(HEAD)
    gates = gate_forms(layout)
    return SmallTable(
        cones_of(layout),
        np.zeros(3, dtype=np.uint64),
        gates.ravel(),
        (gates[0, :4] != 0).tolist() == [False, False, False, True],
        Part(*padded(ordered, sources=2 * 64, first=0, words=int(HEAD))),
        Part(*padded(ordered, sources=2 * 64, first=int(HEAD), words=tail)),
        np.uint64(tail),
    )


@inlined
def pass_from(
    evaluator: SmallTable, program: Small, source: np.uint64, end: np.uint64, changed: np.uint64
) -> np.uint64:
    """Compute the cones of all nodes from a source on; returns the nodes above some node of `changed`."""
    above = _ZERO
    while source < end:
        rolled()
        a, b = first_of(program, source), second_of(program, source)
        cone = evaluator.cones[a] | evaluator.cones[b] | _ONE << source
        evaluator.cones[source] = cone
        above |= np.uint64(cone & changed != _ZERO) << source
        source += _ONE
    return np.uint64(above)


@inlined
def place_of(words: np.uint64, sides: np.uint64, source: np.uint64) -> np.uint64:
    """The index at which the values of a source begin, on the side that `sides` gives."""
    return np.uint64((((sides >> source) & _ONE) << _SIDE | source) * words)


@inlined
def compute(
    evaluator: SmallTable, program: Small, part: Part, words: np.uint64, sides: np.uint64, source: np.uint64
) -> None:
    """Compute a node on a part, and write the values to the side that it does not use."""
    values, new = part.values, place_of(words, ~sides, source)
    a = place_of(words, sides, first_of(program, source))
    b = place_of(words, sides, second_of(program, source))
    if evaluator.only_and:
        for w in range(_ZERO, words, np.uint64(len(LANES))):
            and_block(LANES, values, new + w, values, new + w, values, a + w, values, b + w)
    else:
        gate_columns(LANES, values, new, values, values, a, values, b, evaluator.gates, _ZERO, _ZERO, words)


@inlined
def compute_all(
    evaluator: SmallTable, program: Small, part: Part, words: np.uint64, sides: np.uint64, needed: np.uint64
) -> np.uint64:
    """Compute the needed nodes on a part, in rising order; returns the sides with those values."""
    while needed != _ZERO:
        rolled()
        source = lowest(needed)
        needed &= needed - _ONE
        compute(evaluator, program, part, words, sides, source)
        sides ^= _ONE << source
    return sides


@inlined
def wrong_rows(program: Small, part: Part, words: np.uint64, sides: np.uint64) -> np.int64:
    """The number of mismatches of the output on a part."""
    at = place_of(words, sides, first_of(program, OUTPUT))
    return wrong_columns(LANES, part.values, at, part.wanted, _ZERO, part.mask, _ZERO, words)


@inlined
def use_rows(evaluator: SmallTable, sample: Words) -> None:
    """See `evaluators.use_rows`."""
    inputs = np.uint64(sample.shape[0] - 1)
    copy_columns(evaluator.head.values, evaluator.head.wanted, HEAD, sample, inputs, _ZERO)
    copy_columns(evaluator.tail.values, evaluator.tail.wanted, evaluator.tail_words, sample, inputs, HEAD)


@inlined
def evaluate_anew(evaluator: SmallTable, program: Small) -> np.int64:
    """See `evaluators.evaluate_anew`."""
    end = program.inputs + program.nodes
    pass_from(evaluator, program, program.inputs, end, _ZERO)
    active = active_of(evaluator, program, first_of(program, OUTPUT))
    needed = nodes_of(program, active)
    sides = compute_all(evaluator, program, evaluator.head, HEAD, evaluator.state[2], needed)
    compute_all(evaluator, program, evaluator.tail, evaluator.tail_words, evaluator.state[2], needed)
    save(evaluator, (active, end, sides))
    return wrong_rows(program, evaluator.head, HEAD, sides) + wrong_rows(
        program, evaluator.tail, evaluator.tail_words, sides
    )


@inlined
def load(evaluator: SmallTable) -> State:
    """See `evaluators.load`."""
    return evaluator.state[0], evaluator.state[1], evaluator.state[2]


@inlined
def save(evaluator: SmallTable, state: State) -> None:
    """See `evaluators.save`."""
    evaluator.state[0], evaluator.state[1], evaluator.state[2] = state


@inlined
def evaluate(
    evaluator: SmallTable, program: Small, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, Trial]:
    """See `evaluators.evaluate`."""
    active, fresh, before = state
    changed = nodes_of(program, changes.touched)
    top = first_of(program, OUTPUT)
    first, end = min(fresh, lowest(changed | _ONE << OUTPUT)), top + _ONE
    above = pass_from(evaluator, program, first, end, changed)
    child = active_of(evaluator, program, top)
    needed = nodes_of(program, child & (above | ~active))
    sides = compute_all(evaluator, program, evaluator.head, HEAD, before, needed)
    rank = wrong_rows(program, evaluator.head, HEAD, sides)
    if rank <= worst and evaluator.tail_words != _ZERO:
        compute_all(evaluator, program, evaluator.tail, evaluator.tail_words, before, needed)
        rank += wrong_rows(program, evaluator.tail, evaluator.tail_words, sides)
    return rank, (child, first, end, sides)


@inlined
def keep(evaluator: SmallTable, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `evaluators.keep`."""
    return trial[0], max(trial[1], trial[2]), trial[3]


@inlined
def drop(evaluator: SmallTable, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `evaluators.drop`."""
    return state[0], trial[1], state[2]
