"""Does a circuit compute its target? By the complete table where that is feasible, else by trial.

With more than `EXHAUSTIVE_INPUTS` inputs the rows tried are those in which at most one input
differs from all the others (they decide conjunctions and disjunctions of distinct inputs) and
uniform random ones: a difference found is certain, a match is then evidence and no proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gatewalk.boolean.tables import Words, masked, pack, projections, unpack
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.errors import InputError

EXHAUSTIVE_INPUTS = 20
RANDOM_ROWS = 1 << 14


@dataclass(frozen=True)
class Verdict:
    """What the comparison found; true if no row tells the two apart.

    rows: the rows compared. proof: these were all rows.
    counterexample: the inputs, x_1 first, of a row on which they differ, or None.
    """

    equal: bool
    proof: bool
    rows: int
    counterexample: tuple[int, ...] | None

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.counterexample is not None:
            return f"different: on inputs {''.join(map(str, self.counterexample))}"
        if self.proof:
            return f"equal on all {self.rows} rows"
        return f"no difference on {self.rows} rows (a trial, not a proof)"


def matches(circuit: Circuit, target: Target) -> Verdict:
    """Whether the circuit computes the target."""
    _check_shape(circuit, target.name, target.inputs, target.outputs)
    return _compare(lambda inputs: evaluate(circuit, inputs), target.evaluate, target.inputs)


def equivalent(one: Circuit, other: Circuit) -> Verdict:
    """Whether two circuits compute the same, inputs and outputs taken in their order."""
    _check_shape(one, "the other circuit", len(other.input_labels), len(other.outputs))
    n = len(one.input_labels)
    return _compare(lambda inputs: evaluate(one, inputs), lambda inputs: evaluate(other, inputs), n)


def _check_shape(circuit: Circuit, name: str, inputs: int, outputs: int) -> None:
    have = (len(circuit.input_labels), len(circuit.outputs))
    if have != (inputs, outputs):
        raise InputError(
            f"cannot compare: the circuit has {have[0]} inputs and {have[1]} outputs, "
            f"{name} has {inputs} and {outputs}"
        )


def _compare(one: Callable[[Words], Words], other: Callable[[Words], Words], n: int) -> Verdict:
    proof = n <= EXHAUSTIVE_INPUTS
    inputs, rows = (projections(n), 1 << n) if proof else _trial_rows(n)
    differing = np.bitwise_or.reduce(masked(one(inputs) ^ other(inputs), rows), axis=0)
    where = np.flatnonzero(differing)
    if where.size == 0:
        return Verdict(True, proof, rows, None)
    word = int(where[0])
    bit = int(np.flatnonzero(unpack(differing[word : word + 1], 64))[0])
    row = unpack(inputs[:, word : word + 1], 64)[:, bit]
    return Verdict(False, proof, rows, tuple(int(value) for value in row))


def _trial_rows(n: int) -> tuple[Words, int]:
    single = np.eye(n, dtype=bool)
    none = np.zeros((n, 1), bool)
    # A fixed seed: the same question has the same answer every time.
    random = np.random.default_rng(0).integers(0, 2, (n, RANDOM_ROWS), np.uint8).astype(bool)
    bits = np.concatenate((none, ~none, single, ~single, random), axis=1)
    return pack(bits), bits.shape[1]
