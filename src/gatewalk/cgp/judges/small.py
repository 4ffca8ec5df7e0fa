"""Small programs in words: a forward pass in which every source carries its value and its cone.

For programs of up to 63 sources with one output. The cone of a source is the set of all sources under it, one
word; so the active set is the cone of the output and costs nothing. The pass has no branches; it begins at
the lowest node whose genes are not those it last saw, and ends at the one that the output reads.

A value is one word too. On a table of at most 64 rows it is the source's column. For affine functions ({xor,
xnor, not} on xor and xnor, complete tables) it is the set of inputs whose parity it is, with the highest bit
set if that is inverted: any parity but the full one is wrong on half of the rows, the full one inverted on
all. For {and} on and, and {or} on or, cones alone tell the rank: how many inputs the output does not reach
(Lemma 2).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import last_mask
from gatewalk.boolean.training import TrainingSet
from gatewalk.cgp.judges.affine import INVERTED, affine_words
from gatewalk.cgp.layout import Layout, gate_words
from gatewalk.cgp.program import Changes
from gatewalk.cgp.small import OUTPUT, Small, first_of, gate_of, second_of
from gatewalk.native.bits import lowest, popcount, rolled
from gatewalk.native.jit import by_kind, inlined

Words = NDArray[np.uint64]
State = tuple[np.uint64, np.uint64]  # active sources; all sources below this one are as their genes say
Trial = tuple[np.uint64, np.uint64, np.uint64]  # the offspring's active sources; the pass: its first, its end
_ZERO, _ONE, _TWO = np.uint64(0), np.uint64(1), np.uint64(2)


class SmallSets(NamedTuple):
    """Cones alone. state: see `State`, kept between slices."""

    cones: Words
    state: Words
    everyone: np.uint64


class SmallGate(NamedTuple):
    """Columns of a single gate, c0 ^ c1 x ^ y (c2 ^ c3 x)."""

    cones: Words
    values: Words
    state: Words
    c0: np.uint64
    c1: np.uint64
    c2: np.uint64
    c3: np.uint64
    wanted: np.uint64
    mask: np.uint64


class SmallParity(NamedTuple):
    """Affine functions of a single gate, xor or, with the constant INVERTED, xnor."""

    cones: Words
    values: Words
    state: Words
    constant: np.uint64
    wanted: np.uint64
    mask: np.uint64


class SmallGates(NamedTuple):
    """Values of several gates; their coefficients are in rows of eight, see `gate_words`.

    parity: are they affine functions, or columns?
    """

    cones: Words
    values: Words
    state: Words
    gates: Words
    wanted: np.uint64
    mask: np.uint64
    parity: bool


Valued = SmallGate | SmallParity | SmallGates
SmallJudge = SmallSets | Valued


def _cones(layout: Layout) -> Words:
    cones = np.zeros(64 + 1, dtype=np.uint64)  # a pass may compute one source too many
    cones[: layout.inputs] = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    return cones


def _everyone(layout: Layout) -> np.uint64:
    return np.uint64((1 << layout.inputs) - 1)


def sets_of(layout: Layout) -> SmallSets:
    """Room to judge by cones."""
    return SmallSets(_cones(layout), np.zeros(2, dtype=np.uint64), _everyone(layout))


def table_of(layout: Layout, training: TrainingSet) -> Valued:
    """Room to judge on a table of at most 64 rows."""
    wanted, mask = np.uint64(training.outputs[0, 0]), np.uint64(last_mask(training.rows))
    return _valued(layout, gate_words(layout), training.inputs[:, 0], wanted, mask, parity=False)


def parity_of(layout: Layout, *, inverted: bool) -> Valued:
    """Room to judge affine functions on the complete table of xor, or of xnor (`inverted`)."""
    wanted = _everyone(layout) | (INVERTED if inverted else _ZERO)
    inputs = _ONE << np.arange(layout.inputs, dtype=np.uint64)
    return _valued(layout, affine_words(layout), inputs, wanted, _everyone(layout) | INVERTED, parity=True)


def _valued(
    layout: Layout, gates: Words, inputs: Words, wanted: np.uint64, mask: np.uint64, *, parity: bool
) -> Valued:
    values = np.zeros(64 + 1, dtype=np.uint64)
    values[: layout.inputs] = inputs
    state = np.zeros(2, dtype=np.uint64)
    if len(gates) == 1:
        c0, c1, c2, c3 = gates[0, :4]
        if parity:
            return SmallParity(_cones(layout), values, state, c0, wanted, mask)
        return SmallGate(_cones(layout), values, state, c0, c1, c2, c3, wanted, mask)
    return SmallGates(_cones(layout), values, state, gates.ravel(), wanted, mask, parity)


@inlined
def _compute_sets(judge: SmallSets, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    judge.cones[source] = judge.cones[a] | judge.cones[b] | _ONE << source


@inlined
def _compute_gate(judge: SmallGate, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    x, y = judge.values[a], judge.values[b]
    judge.values[source] = judge.c0 ^ (judge.c1 & x) ^ (y & (judge.c2 ^ (judge.c3 & x)))
    judge.cones[source] = judge.cones[a] | judge.cones[b] | _ONE << source


@inlined
def _compute_parity(judge: SmallParity, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    judge.values[source] = judge.values[a] ^ judge.values[b] ^ judge.constant
    judge.cones[source] = judge.cones[a] | judge.cones[b] | _ONE << source


@inlined
def _compute_gates(judge: SmallGates, program: Small, source: np.uint64) -> None:
    a, b = first_of(program, source), second_of(program, source)
    gate = gate_of(program, source) << np.uint64(3)
    gates = judge.gates
    x, y = judge.values[a], judge.values[b]
    without = gates[gate] ^ (gates[gate + _ONE] & x)
    factor = gates[gate + _TWO] ^ (gates[gate + np.uint64(3)] & x)
    judge.values[source] = without ^ (y & factor)
    judge.cones[source] = judge.cones[a] | (judge.cones[b] & gates[gate + np.uint64(4)]) | _ONE << source


# The value and the cone of a node.
compute: Callable[[SmallJudge, Small, np.uint64], None]
compute = by_kind(
    {
        SmallSets: _compute_sets,
        SmallGate: _compute_gate,
        SmallParity: _compute_parity,
        SmallGates: _compute_gates,
    }
)


@inlined
def pass_from(judge: SmallJudge, program: Small, source: np.uint64, end: np.uint64) -> None:
    """Compute all nodes from a source on, two at a time: after the last one, a place that nobody reads."""
    while source < end:
        rolled()
        compute(judge, program, source)
        compute(judge, program, source + _ONE)
        source += _TWO


@inlined
def _rank_by_sets(judge: SmallSets, top: np.uint64) -> np.int64:
    """How many inputs the output does not reach."""
    return popcount(~judge.cones[top] & judge.everyone)


@inlined
def _rank_by_column(judge: SmallGate, top: np.uint64) -> np.int64:
    """Mismatches of a table."""
    return popcount((judge.values[top] ^ judge.wanted) & judge.mask)


@inlined
def _rank_by_parity(judge: SmallParity | SmallGates, top: np.uint64) -> np.int64:
    """0, 1 or 2 (see `affine`)."""
    wrong = (judge.values[top] ^ judge.wanted) & judge.mask
    return np.int64(wrong != _ZERO) + np.int64(wrong == INVERTED)


@inlined
def _rank_by_either(judge: SmallGates, top: np.uint64) -> np.int64:
    if judge.parity:
        return _rank_by_parity(judge, top)
    return popcount((judge.values[top] ^ judge.wanted) & judge.mask)


_rank: Callable[[SmallJudge, np.uint64], np.int64]
_rank = by_kind(
    {
        SmallSets: _rank_by_sets,
        SmallGate: _rank_by_column,
        SmallParity: _rank_by_parity,
        SmallGates: _rank_by_either,
    }
)


@inlined
def _active(judge: SmallJudge, program: Small, top: np.uint64) -> np.uint64:
    """The nodes in the cone of the output, and the bit of the output."""
    return np.uint64(judge.cones[top] & program.above | _ONE << OUTPUT)


@inlined
def take(judge: SmallJudge, program: Small) -> np.int64:
    """See `judging.take`."""
    end = program.inputs + program.nodes
    pass_from(judge, program, program.inputs, end)
    top = first_of(program, OUTPUT)
    judge.state[0] = _active(judge, program, top)
    judge.state[1] = end
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
    return _rank(judge, top), (_active(judge, program, top), first, end)


@inlined
def keep(judge: SmallJudge, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.keep`."""
    return trial[0], max(trial[1], trial[2])


@inlined
def drop(judge: SmallJudge, program: Small, state: State, changes: Changes, trial: Trial) -> State:
    """See `judging.drop`."""
    return state[0], trial[1]
