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
from gatewalk.cgp.judges.affine import INVERTED, affine_words
from gatewalk.cgp.layout import Layout, gate_forms
from gatewalk.cgp.program import Changes
from gatewalk.cgp.small import OUTPUT, Small, active_of, cones_of, first_of, gate_of, second_of
from gatewalk.native.bits import lowest, popcount, rolled
from gatewalk.native.jit import by_kind, inlined

Words = NDArray[np.uint64]
State = tuple[np.uint64, np.uint64]  # active sources; the source below which all values are up to date
Trial = tuple[np.uint64, np.uint64, np.uint64]  # active sources of the offspring; first and end of its pass
_ZERO, _ONE, _TWO, _ALL = np.uint64(0), np.uint64(1), np.uint64(2), ~np.uint64(0)


class SmallSets(NamedTuple):
    """The judge of conjunctions, by cones alone. state: see `State`, kept between slices."""

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
    """The judge by values and cones.

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


SmallJudge = SmallSets | SmallValues


def _everyone(layout: Layout) -> np.uint64:
    return np.uint64((1 << layout.inputs) - 1)


def sets_of(layout: Layout) -> SmallSets:
    """The arrays to judge conjunctions."""
    return SmallSets(cones_of(layout), np.zeros(2, dtype=np.uint64), _everyone(layout))


def table_of(layout: Layout, training: TrainingSet) -> SmallValues:
    """The arrays to judge on a table of at most 64 rows."""
    wanted, mask = np.uint64(training.outputs[0, 0]), last_mask(training.rows)
    return _values_of(layout, training.inputs[:, 0], gate_forms(layout), wanted, mask, parity=False)


def parity_of(layout: Layout, *, inverted: bool) -> SmallValues:
    """The arrays to judge affine functions on the complete table of xor, or of xnor (`inverted`)."""
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
def _compute_sets(judge: SmallSets, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    judge.cones[source] = judge.cones[a] | judge.cones[b] | _ONE << source


@inlined
def _compute_values(judge: SmallValues, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    c0, c1, c2, c3, reads = _form(judge.gates, program, source)
    x, y = judge.values[a], judge.values[b]
    judge.values[source] = c0 ^ (c1 & x) ^ (y & (c2 ^ (c3 & x)))
    judge.cones[source] = judge.cones[a] | (judge.cones[b] & reads) | _ONE << source


# Compute the value, if the judge has any, and the cone of a node.
compute: Callable[[SmallJudge, Small, np.uint64], None]
compute = by_kind({SmallSets: _compute_sets, SmallValues: _compute_values})


@inlined
def pass_from(judge: SmallJudge, program: Small, source: np.uint64, end: np.uint64) -> None:
    """Compute all nodes from a source on, two at a time; past the last one, the result is never read."""
    while source < end:
        rolled()
        compute(judge, program, source)
        compute(judge, program, source + _ONE)
        source += _TWO


@inlined
def _rank_by_sets(judge: SmallSets, top: np.uint64) -> np.int64:
    """The number of inputs that the output does not reach."""
    return popcount(~judge.cones[top] & judge.everyone)


@inlined
def _rank_by_value(judge: SmallValues, top: np.uint64) -> np.int64:
    """The mismatches of a column; for an affine function 0, 1 or 2 (see `affine`)."""
    wrong = (judge.values[top] ^ judge.wanted[0]) & judge.mask
    if judge.parity:
        return np.int64(wrong != _ZERO) + np.int64(wrong == INVERTED)
    return popcount(wrong)


_rank: Callable[[SmallJudge, np.uint64], np.int64]
_rank = by_kind({SmallSets: _rank_by_sets, SmallValues: _rank_by_value})


@inlined
def lay(judge: SmallValues, sample: Words) -> None:
    """See `judging.lay`; for columns only."""
    for source in range(sample.shape[0] - 1):
        judge.values[source] = sample[source, 0]
    judge.wanted[0] = sample[-1, 0]


@inlined
def take(judge: SmallJudge, program: Small) -> np.int64:
    """See `judging.take`."""
    end = program.inputs + program.nodes
    pass_from(judge, program, program.inputs, end)
    top = first_of(program, OUTPUT)
    save(judge, (active_of(judge, program, top), end))
    return _rank(judge, top)


@inlined
def load(judge: SmallJudge) -> State:
    """See `judging.load`."""
    return judge.state[0], judge.state[1]


@inlined
def save(judge: SmallJudge, state: State) -> None:
    """See `judging.save`."""
    judge.state[0], judge.state[1] = state


@inlined
def weigh(
    judge: SmallJudge, program: Small, state: State, changes: Changes, parent: np.int64, worst: np.int64
) -> tuple[np.int64, Trial]:
    """See `judging.weigh`; the rank is always exact."""
    top = first_of(program, OUTPUT)
    first, end = min(state[1], lowest(changes.touched & program.above | _ONE << OUTPUT)), top + _ONE
    pass_from(judge, program, first, end)
    return _rank(judge, top), (active_of(judge, program, top), first, end)


@inlined
def keep(judge: SmallJudge, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.keep`."""
    return trial[0], max(trial[1], trial[2])


@inlined
def drop(judge: SmallJudge, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.drop`."""
    return state[0], trial[1]
