"""Small programs: a forward pass that computes a value and a cone, one word each, for every source.

For programs of up to 63 sources with one output. The cone of a source is the set of all sources under it,
itself included; it fits a word. So the active sources are the cone of the output and cost nothing. The pass
has no branches; it begins at the lowest node whose genes changed since the last pass, and ends at the node
that the output reads.

A value is one word too. On a table of at most 64 rows it is the column of the source. For affine functions
({xor, xnor, not} on xor and xnor, complete tables) it is the set of inputs whose parity the source computes,
with the highest bit set if the parity is inverted; `affine` explains the ranks. For {and} on and, and {or} on
or, the cone alone gives the rank: the number of inputs that the output does not reach (Lemma 2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.evaluators.affine import INVERTED, affine_words
from gatewalk.cgp.genotype import Layout, gate_forms
from gatewalk.cgp.program import Changes
from gatewalk.cgp.small import OUTPUT, Small, active_of, cones_of, first_of, gate_of, second_of
from gatewalk.native.bits import lowest, popcount, rolled
from gatewalk.native.jit import by_kind, inlined

Words = NDArray[np.uint64]
State = tuple[np.uint64, np.uint64]  # active sources; the source below which all values are up to date
Trial = tuple[np.uint64, np.uint64, np.uint64]  # active sources of the offspring; first and end of its pass
_ZERO, _ONE, _TWO, _ALL = np.uint64(0), np.uint64(1), np.uint64(2), ~np.uint64(0)


class SmallSets(NamedTuple):
    """The evaluator of conjunctions, by cones alone. state: see `State`, kept between slices."""

    cones: Words
    state: Words
    everyone: np.uint64


class OneGate(NamedTuple):
    """The algebraic normal form of the only gate: c0 ^ c1 x ^ y (c2 ^ c3 x)."""

    c0: np.uint64
    c1: np.uint64
    c2: np.uint64
    c3: np.uint64


class Gates(NamedTuple):
    """The algebraic normal forms of several gates, in rows of eight words, see `gate_forms`."""

    words: Words


class SmallValues(NamedTuple):
    """The evaluator by values and cones.

    wanted: the value of the target.
    parity: whether values are affine functions; if not, they are columns.
    """

    cones: Words
    values: Words
    state: Words
    gates: OneGate | Gates
    wanted: Words
    mask: np.uint64
    parity: bool


SmallEvaluator = SmallSets | SmallValues


def _everyone(layout: Layout) -> np.uint64:
    return np.uint64((1 << layout.inputs) - 1)


def sets_of(layout: Layout) -> SmallSets:
    """The arrays to evaluate conjunctions."""
    return SmallSets(cones_of(layout), np.zeros(2, dtype=np.uint64), _everyone(layout))


def table_of(layout: Layout, training: TrainingSet) -> SmallValues:
    """The arrays to evaluate on a table of at most 64 rows."""
    wanted, mask = np.uint64(training.outputs[0, 0]), last_mask(training.rows)
    return _values_of(layout, training.inputs[:, 0], gate_forms(layout), wanted, mask, parity=False)


def parity_of(layout: Layout, *, inverted: bool) -> SmallValues:
    """The arrays to evaluate affine functions on the complete table of xor, or of xnor (`inverted`)."""
    mask = _everyone(layout) | INVERTED
    wanted = mask if inverted else _everyone(layout)
    inputs = cones_of(layout)[: layout.inputs]
    return _values_of(layout, inputs, affine_words(layout), wanted, mask, parity=True)


def _values_of(
    layout: Layout, inputs: Words, forms: Words, wanted: np.uint64, mask: np.uint64, *, parity: bool
) -> SmallValues:
    gates = OneGate(*forms[0, :4]) if len(forms) == 1 else Gates(forms.ravel())
    values = np.zeros(64 + 1, dtype=np.uint64)
    values[: layout.inputs] = inputs
    state, goal = np.zeros(2, dtype=np.uint64), np.array([wanted])
    return SmallValues(cones_of(layout), values, state, gates, goal, mask, parity)


Form = tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]


@inlined
def _of_one(gates: OneGate, program: Small, source: np.uint64) -> Form:
    return gates.c0, gates.c1, gates.c2, gates.c3, _ALL


@inlined
def _of_several(gates: Gates, program: Small, source: np.uint64) -> Form:
    words, at = gates.words, gate_of(program, source) << np.uint64(3)
    c2, c3, reads = words[at + _TWO], words[at + np.uint64(3)], words[at + np.uint64(4)]
    return words[at], words[at + _ONE], c2, c3, reads


# The coefficients of a node's gate, in the order of `OneGate`, and all ones if it reads its second source.
_form: Callable[[OneGate | Gates, Small, np.uint64], Form] = by_kind({OneGate: _of_one, Gates: _of_several})


@inlined
def _compute_sets(evaluator: SmallSets, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    evaluator.cones[source] = evaluator.cones[a] | evaluator.cones[b] | _ONE << source


@inlined
def _compute_values(evaluator: SmallValues, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    c0, c1, c2, c3, reads = _form(evaluator.gates, program, source)
    x, y = evaluator.values[a], evaluator.values[b]
    evaluator.values[source] = c0 ^ (c1 & x) ^ (y & (c2 ^ (c3 & x)))
    evaluator.cones[source] = evaluator.cones[a] | (evaluator.cones[b] & reads) | _ONE << source


# Compute the value, if the evaluator has any, and the cone of a node.
compute: Callable[[SmallEvaluator, Small, np.uint64], None]
compute = by_kind({SmallSets: _compute_sets, SmallValues: _compute_values})


@inlined
def pass_from(evaluator: SmallEvaluator, program: Small, source: np.uint64, end: np.uint64) -> None:
    """Compute all nodes from a source on, two at a time; past the last one, the result is never read."""
    while source < end:
        rolled()
        compute(evaluator, program, source)
        compute(evaluator, program, source + _ONE)
        source += _TWO


@inlined
def _rank_by_sets(evaluator: SmallSets, top: np.uint64) -> np.int64:
    """The number of inputs that the output does not reach."""
    return popcount(~evaluator.cones[top] & evaluator.everyone)


@inlined
def _rank_by_value(evaluator: SmallValues, top: np.uint64) -> np.int64:
    """The mismatches of a column; for an affine function 0, 1 or 2 (see `affine`)."""
    wrong = (evaluator.values[top] ^ evaluator.wanted[0]) & evaluator.mask
    if evaluator.parity:
        return np.int64(wrong != _ZERO) + np.int64(wrong == INVERTED)
    return popcount(wrong)


_rank: Callable[[SmallEvaluator, np.uint64], np.int64]
_rank = by_kind({SmallSets: _rank_by_sets, SmallValues: _rank_by_value})


@inlined
def use_rows(evaluator: SmallValues, sample: Words) -> None:
    """See `evaluators.use_rows`; for columns only."""
    for source in range(sample.shape[0] - 1):
        evaluator.values[source] = sample[source, 0]
    evaluator.wanted[0] = sample[-1, 0]


@inlined
def evaluate_anew(evaluator: SmallEvaluator, program: Small) -> np.int64:
    """See `evaluators.evaluate_anew`."""
    end = program.inputs + program.nodes
    pass_from(evaluator, program, program.inputs, end)
    top = first_of(program, OUTPUT)
    save(evaluator, (active_of(evaluator, program, top), end))
    return _rank(evaluator, top)


@inlined
def load(evaluator: SmallEvaluator) -> State:
    """See `evaluators.load`."""
    return evaluator.state[0], evaluator.state[1]


@inlined
def save(evaluator: SmallEvaluator, state: State) -> None:
    """See `evaluators.save`."""
    evaluator.state[0], evaluator.state[1] = state


@inlined
def evaluate(
    evaluator: SmallEvaluator,
    program: Small,
    state: State,
    changes: Changes,
    parent: np.int64,
    worst: np.int64,
) -> tuple[np.int64, Trial]:
    """See `evaluators.evaluate`; the rank is always exact."""
    top = first_of(program, OUTPUT)
    first, end = min(state[1], lowest(changes.touched & program.above | _ONE << OUTPUT)), top + _ONE
    pass_from(evaluator, program, first, end)
    return _rank(evaluator, top), (active_of(evaluator, program, top), first, end)


@inlined
def keep(evaluator: SmallEvaluator, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `evaluators.keep`."""
    return trial[0], max(trial[1], trial[2])


@inlined
def drop(evaluator: SmallEvaluator, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `evaluators.drop`."""
    return state[0], trial[1]
