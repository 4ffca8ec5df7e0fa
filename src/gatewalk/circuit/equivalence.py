"""Do two circuits, or a circuit and a target, compute the same? By all rows, by SAT, or by trial.

Up to `EXHAUSTIVE_INPUTS` inputs all rows are compared, block by block. Beyond, rows are tried first:
those in which at most one input differs from all the others (they decide conjunctions and disjunctions
of distinct inputs) and uniform random ones. If none tells the two apart, their circuits are compared by SAT
(`sat.py`); that of a target is what its rule describes (`target_circuit.py`). `try_rows` leaves it at the
trial, which is evidence and no proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from gatewalk.boolean.tables import ALL, Words, masked, pack, projections, unpack
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.netlist_target import Netlist
from gatewalk.circuit.target_circuit import target_circuit
from gatewalk.errors import InputError

EXHAUSTIVE_INPUTS = 24  # 2^18 words for each gate: seconds, and no circuit is hard
RANDOM_ROWS = 1 << 14
_BLOCK_INPUTS = 16  # a block of rows is a complete table of so many inputs
_LARGEST_BLOCK = 1 << 24  # words, of all sources together

Evaluate = Callable[[Words], Words]
Watch = Callable[[int, int], None]  # is told the rows compared so far and the number of all


@dataclass(frozen=True)
class Side:
    """One of the two that are compared: from the columns of the inputs it finds those of the outputs.

    cares: likewise the rows that count, or None if all do. circuit: computes the outputs, and care_circuit
    the rows that count; None where all rows are compared and no circuit is needed, or all count.
    """

    name: str
    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]
    evaluate: Evaluate
    cares: Evaluate | None
    circuit: Circuit | None
    care_circuit: Circuit | None = None


@dataclass(frozen=True)
class Verdict:
    """The result of a comparison of two circuits; it is true if no difference was found.

    Attributes
    ----------
    equal
        Whether no row tells them apart.
    method
        How they were compared: "all rows", "sat", or "trial", which proves nothing if it finds no
        difference.
    rows
        The number of rows compared.
    counterexample
        The inputs of a row on which they differ, the first input first; None if there is none.
    values
        The outputs of both on that row.

    Examples
    --------
    >>> from gatewalk.circuit import circuit_named, equivalent
    >>> found = equivalent(circuit_named("and:2"), circuit_named("or:2"))
    >>> bool(found), found.counterexample, found.values
    (False, (1, 0), ((0,), (1,)))
    """

    equal: bool
    method: Literal["all rows", "sat", "trial"]
    rows: int
    counterexample: tuple[int, ...] | None = None
    values: tuple[tuple[int, ...], tuple[int, ...]] | None = None

    @property
    def proof(self) -> bool:
        """Whether the answer is certain: a difference always is."""
        return self.method != "trial" or not self.equal

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.counterexample is not None:
            return f"different: on inputs {''.join(map(str, self.counterexample))}"
        found = {
            "all rows": f"equal on all {self.rows} rows",
            "sat": "equal, proven by SAT",
            "trial": f"no difference on {self.rows} rows (a trial, not a proof)",
        }
        return found[self.method]


def circuit_side(circuit: Circuit, *, name: str = "the circuit") -> Side:
    """A circuit as a side of a comparison."""
    return Side(
        name,
        circuit.input_labels,
        circuit.output_labels,
        lambda inputs: evaluate(circuit, inputs),
        None,
        circuit,
    )


def target_side(target: Target) -> Side:
    """A target as a side of a comparison; rows it does not care about do not count."""
    is_large = target.inputs > EXHAUSTIVE_INPUTS
    return Side(
        target.label,
        target.input_labels,
        target.output_labels,
        target.evaluate,
        target.cares,
        target_circuit(target) if is_large else None,
        target.cares.circuit if is_large and isinstance(target.cares, Netlist) else None,
    )


def matches(circuit: Circuit, target: Target) -> Verdict:
    """Does a circuit compute a target? Inputs and outputs are taken in their order.

    Parameters
    ----------
    circuit
        The circuit.
    target
        The target; rows that do not count are left out.

    Returns
    -------
    Verdict
        True if it does, else with a row on which it does not.

    Examples
    --------
    >>> from gatewalk.boolean import target
    >>> from gatewalk.circuit import circuit_named
    >>> bool(matches(circuit_named("xor:3"), target("maj:3")))
    False
    """
    return compare(circuit_side(circuit), target_side(target))


def equivalent(one: Circuit, other: Circuit) -> Verdict:
    """Do two circuits compute the same? Inputs and outputs are taken in their order.

    Up to 24 inputs all rows are compared, beyond that a SAT solver decides.

    Parameters
    ----------
    one, other
        The circuits.

    Returns
    -------
    Verdict
        True if they do, else with a row on which they differ.

    Examples
    --------
    >>> from gatewalk.circuit import circuit_named
    >>> bool(equivalent(circuit_named("xor:3"), circuit_named("parity:3")))
    True
    """
    return compare(circuit_side(one), circuit_side(other, name="the other circuit"))


def compare(one: Side, other: Side, *, watch: Watch | None = None) -> Verdict:
    """Whether the two compute the same, inputs and outputs taken in their order.

    Raises `MissingExtra` if a proof needs the SAT solver and it is not installed; `try_rows` does not.
    """
    _check_shape(one, other)
    n = len(one.input_labels)
    if n <= EXHAUSTIVE_INPUTS:
        return _on_all_rows(one, other, watch)
    tried = try_rows(one, other)
    if not tried:
        return tried
    from gatewalk.circuit.sat import difference

    row = difference(_counting(one, other), _counting(other, one))
    if row is None:
        return Verdict(True, "sat", 0)
    return _different(one, other, "sat", 0, pack(np.array(row, bool)[:, np.newaxis]), 0)


def _counting(side: Side, opposite: Side) -> Circuit:
    """The circuit of a side with outputs that are 0 where they do not count for both."""
    from gatewalk.circuit.sat import where

    if side.circuit is None:
        raise ValueError(f"{side.name} has no circuit to prove it by")
    circuit = side.circuit
    for cares in (side.care_circuit, opposite.care_circuit):
        circuit = circuit if cares is None else where(circuit, cares)
    return circuit


def try_rows(one: Side, other: Side) -> Verdict:
    """Whether some chosen and random rows tell the two apart; the same rows every time."""
    _check_shape(one, other)
    inputs, rows = _trial_rows(len(one.input_labels))
    row = _first_difference(one, other, inputs, rows)
    if row is None:
        return Verdict(True, "trial", rows)
    return _different(one, other, "trial", rows, inputs, row)


def _check_shape(one: Side, other: Side) -> None:
    have, want = ((len(side.input_labels), len(side.output_labels)) for side in (one, other))
    if have != want:
        raise InputError(
            f"cannot compare: {one.name} has {have[0]} inputs and {have[1]} outputs, "
            f"{other.name} has {want[0]} and {want[1]}"
        )


def _on_all_rows(one: Side, other: Side, watch: Watch | None) -> Verdict:
    n = len(one.input_labels)
    sources = max(n + len(side.circuit) if side.circuit else n for side in (one, other))
    inner = min(n, _BLOCK_INPUTS)
    while inner > 6 and sources << (inner - 6) > _LARGEST_BLOCK:
        inner -= 1
    inputs = np.empty((n, max(1, 1 << inner >> 6)), np.uint64)
    inputs[:inner] = projections(inner)
    for block in range(1 << (n - inner)):
        for i in range(inner, n):
            inputs[i] = ALL if block >> (i - inner) & 1 else 0
        row = _first_difference(one, other, inputs, 1 << inner)
        done = (block + 1) << inner
        if row is not None:
            return _different(one, other, "all rows", done, inputs, row)
        if watch is not None:
            watch(done, 1 << n)
    return Verdict(True, "all rows", 1 << n)


def _first_difference(one: Side, other: Side, inputs: Words, rows: int) -> int | None:
    differing = one.evaluate(inputs) ^ other.evaluate(inputs)
    for side in (one, other):
        if side.cares is not None:
            differing &= side.cares(inputs)
    somewhere = np.bitwise_or.reduce(masked(differing, rows), axis=0)
    words = np.flatnonzero(somewhere)
    if words.size == 0:
        return None
    word = int(words[0])
    return 64 * word + int(np.flatnonzero(unpack(somewhere[word : word + 1], 64))[0])


def _different(
    one: Side, other: Side, method: Literal["all rows", "sat", "trial"], rows: int, inputs: Words, row: int
) -> Verdict:
    """The verdict that this row of the inputs shows a difference."""
    bits = unpack(inputs[:, row // 64 : row // 64 + 1], 64)[:, row % 64]
    column = pack(bits[:, np.newaxis])
    found = [tuple(unpack(side.evaluate(column), 1)[:, 0].astype(int).tolist()) for side in (one, other)]
    return Verdict(False, method, rows, tuple(bits.astype(int).tolist()), (found[0], found[1]))


def _trial_rows(n: int) -> tuple[Words, int]:
    single = np.eye(n, dtype=bool)
    none = np.zeros((n, 1), bool)
    # A fixed seed: the same question has the same answer every time.
    random = np.random.default_rng(0).integers(0, 2, (n, RANDOM_ROWS), np.uint8).astype(bool)
    bits = np.concatenate((none, ~none, single, ~single, random), axis=1)
    return pack(bits), bits.shape[1]
