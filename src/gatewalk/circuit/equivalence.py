"""Whether two circuits, or a circuit and a target, compute the same: by all rows, by SAT, or by trial.

Up to `EXHAUSTIVE_INPUTS` inputs all rows are compared, block by block. With more inputs, some rows are tried
first: those in which at most one input differs from all the others (they decide conjunctions and disjunctions
of distinct inputs), and uniform random ones. If none shows a difference, the circuits are compared by SAT
(`sat.py`); the circuit of a target is the one that its rule describes (`target_circuit.py`). `try_rows` only
tries rows, which is evidence but no proof.

Inputs and outputs are matched by position, or by name where both have the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gatewalk.boolean.tables import ALL, Words, masked, pack, projections, unpack
from gatewalk.boolean.targets import Target
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.circuit.construction import target_circuit
from gatewalk.circuit.own_targets import Netlist
from gatewalk.errors import InputError

EXHAUSTIVE_INPUTS = 24  # 2^18 words for each gate take seconds, whatever the circuit
RANDOM_ROWS = 1 << 14
_BLOCK_INPUTS = 16  # a block of rows is a complete table of so many inputs
_LARGEST_BLOCK = 1 << 24  # the most words of a block, of all sources together
_NAMES = ("the circuit", "the other circuit")

By = Literal["name", "position"]
Method = Literal["all rows", "sat", "trial"]
Evaluate = Callable[[Words], Words]
Watch = Callable[[int, int], None]  # called with the number of rows compared so far, and of all rows


@dataclass(frozen=True)
class Verdict:
    """The result of a comparison of two circuits; it is true if no difference was found.

    `equal` says whether no row tells them apart, `rows` how many were compared, and `method` how: "all rows",
    "sat", or "trial", which proves nothing if it finds no difference. `counterexample` holds the inputs of a
    row on which they differ, the first input first, and `values` the outputs of both on that row. `counting`
    is the number of rows on which some output counts; None if all rows do, or if it is not known.

    >>> from gatewalk.circuit import circuit_named
    >>> verdict = equivalent(circuit_named("and:2"), circuit_named("or:2"))
    >>> bool(verdict), verdict.counterexample, verdict.values
    (False, (1, 0), ((0,), (1,)))
    """

    equal: bool
    method: Method
    rows: int
    counterexample: tuple[int, ...] | None = None
    values: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    counting: int | None = None

    @property
    def proof(self) -> bool:
        """Whether the answer is certain, as a difference always is."""
        return self.method != "trial" or not self.equal

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.counterexample is not None:
            return f"different: on inputs {''.join(map(str, self.counterexample))}"
        compared = f"{self.rows} rows" if self.counting is None else f"{self.counting} rows that count"
        words = {
            "all rows": f"equal on all {compared}",
            "sat": "equal, proven by SAT",
            "trial": f"no difference on {self.rows} rows (a trial, not a proof)",
        }
        return words[self.method]


def equivalent(
    one: Circuit | Target,
    other: Circuit | Target,
    *,
    by_name: bool = False,
    names: tuple[str, str] = _NAMES,
    watch: Watch | None = None,
) -> Verdict:
    """Whether two circuits, or a circuit and a target, compute the same on all rows that count for both.

    Up to 24 inputs all rows are compared, beyond that a SAT solver decides.

    by_name: match inputs and outputs by name if both sides have the same names, and not by position; rows and
        values of the verdict are in the order of the first.
    names: those of circuits in an error message; a target has its own.
    watch: called with the number of rows compared so far, and of all rows.

    Raises `MissingExtra` if a proof needs the SAT solver and it is not installed.

    >>> import gatewalk as gw
    >>> from gatewalk.circuit import circuit_named
    >>> bool(equivalent(circuit_named("xor:3"), gw.target("maj:3")))
    False
    """
    sides = _sides(one, other, by_name=by_name, names=names, prove=True)
    if len(one.input_labels) <= EXHAUSTIVE_INPUTS:
        return _on_all_rows(*sides, watch)
    tried = _on_some_rows(*sides)
    if not tried:
        return tried
    from gatewalk.circuit.sat import difference

    first, second = sides
    row = difference(_counting(first, second), _counting(second, first))
    if row is None:
        return Verdict(True, "sat", 0)
    return _different(first, second, "sat", 0, pack(np.array(row, bool)[:, np.newaxis]), 0)


def try_rows(
    one: Circuit | Target,
    other: Circuit | Target,
    *,
    by_name: bool = False,
    names: tuple[str, str] = _NAMES,
) -> Verdict:
    """As `equivalent`, but only on some chosen and some random rows, the same ones every time."""
    return _on_some_rows(*_sides(one, other, by_name=by_name, names=names, prove=False))


@dataclass(frozen=True)
class Matching:
    """How inputs and outputs are matched: by name, if both have the same names in whatever order."""

    inputs: By
    outputs: By


def matching(one: Circuit | Target, other: Circuit | Target) -> Matching:
    """How `equivalent` matches the inputs and the outputs of two circuits or targets by name."""
    return Matching(
        "name" if set(one.input_labels) == set(other.input_labels) else "position",
        "name" if set(one.output_labels) == set(other.output_labels) else "position",
    )


@dataclass(frozen=True)
class _Side:
    """One side of a comparison.

    evaluate: computes the columns of the outputs from those of the inputs.
    cares: computes the rows that count for each output in the same way; None if all count.
    circuit: a circuit of the outputs; None where it is not needed, because all rows are compared.
    care_circuit: a circuit of the rows that count; None where it is not needed, or all rows count.
    """

    name: str
    input_labels: tuple[str, ...]
    output_labels: tuple[str, ...]
    evaluate: Evaluate
    cares: Evaluate | None
    circuit: Circuit | None
    care_circuit: Circuit | None = None


def _sides(
    one: Circuit | Target, other: Circuit | Target, *, by_name: bool, names: tuple[str, str], prove: bool
) -> tuple[_Side, _Side]:
    """Both as sides of the same shape, matched; with circuits of large targets if it is to be proven."""
    first, second = _side(one, names[0], prove=prove), _side(other, names[1], prove=prove)
    if by_name:
        second = _in_order_of(first, second)
    have, want = ((len(side.input_labels), len(side.output_labels)) for side in (first, second))
    if have != want:
        raise InputError(
            f"cannot compare: {first.name} has {have[0]} inputs and {have[1]} outputs, "
            f"{second.name} has {want[0]} and {want[1]}"
        )
    return first, second


def _side(what: Circuit | Target, name: str, *, prove: bool) -> _Side:
    labels = what.input_labels, what.output_labels
    if isinstance(what, Circuit):
        return _Side(name, *labels, lambda inputs: evaluate(what, inputs), None, what)
    is_circuit_needed = prove and what.inputs > EXHAUSTIVE_INPUTS
    return _Side(
        what.label,
        *labels,
        what.evaluate,
        what.cares,
        target_circuit(what) if is_circuit_needed else None,
        what.cares.circuit if is_circuit_needed and isinstance(what.cares, Netlist) else None,
    )


def _on_all_rows(one: _Side, other: _Side, watch: Watch | None) -> Verdict:
    n = len(one.input_labels)
    sources = max(n + len(side.circuit) if side.circuit else n for side in (one, other))
    inner = min(n, _BLOCK_INPUTS)
    while inner > 6 and sources << (inner - 6) > _LARGEST_BLOCK:
        inner -= 1
    inputs = np.empty((n, max(1, 1 << inner >> 6)), np.uint64)
    inputs[:inner] = projections(inner)
    counting = 0
    for block in range(1 << (n - inner)):
        for i in range(inner, n):
            inputs[i] = ALL if block >> (i - inner) & 1 else 0
        row = _first_difference(one, other, inputs, 1 << inner)
        done = (block + 1) << inner
        if row is not None:
            return _different(one, other, "all rows", done, inputs, row)
        counting += _counting_rows(one, other, inputs, 1 << inner)
        if watch is not None:
            watch(done, 1 << n)
    return Verdict(True, "all rows", 1 << n, counting=counting if counting < 1 << n else None)


def _counting_rows(one: _Side, other: _Side, inputs: Words, rows: int) -> int:
    """On how many of these rows some output counts for both sides."""
    cares = [side.cares(inputs) for side in (one, other) if side.cares is not None]
    if not cares:
        return rows
    somewhere = np.bitwise_or.reduce(masked(np.bitwise_and.reduce(cares, axis=0), rows), axis=0)
    return int(np.bitwise_count(somewhere).sum())


def _first_difference(one: _Side, other: _Side, inputs: Words, rows: int) -> int | None:
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


def _different(one: _Side, other: _Side, method: Method, rows: int, inputs: Words, row: int) -> Verdict:
    """The verdict that this row of the inputs shows a difference."""
    bits = unpack(inputs[:, row // 64 : row // 64 + 1], 64)[:, row % 64]
    column = pack(bits[:, np.newaxis])
    first, second = (
        tuple(unpack(side.evaluate(column), 1)[:, 0].astype(int).tolist()) for side in (one, other)
    )
    return Verdict(False, method, rows, tuple(bits.astype(int).tolist()), (first, second))


def _on_some_rows(one: _Side, other: _Side) -> Verdict:
    inputs, rows = _trial_rows(len(one.input_labels))
    row = _first_difference(one, other, inputs, rows)
    if row is None:
        return Verdict(True, "trial", rows)
    return _different(one, other, "trial", rows, inputs, row)


def _trial_rows(n: int) -> tuple[Words, int]:
    single = np.eye(n, dtype=bool)
    none = np.zeros((n, 1), bool)
    # The seed is fixed, so that the same question always has the same answer.
    random = np.random.default_rng(0).integers(0, 2, (n, RANDOM_ROWS), np.uint8).astype(bool)
    bits = np.concatenate((none, ~none, single, ~single, random), axis=1)
    return pack(bits), bits.shape[1]


def _counting(side: _Side, opposite: _Side) -> Circuit:
    """The circuit of a side, with each output 0 on the rows on which it does not count for both sides."""
    from gatewalk.circuit.sat import where

    if side.circuit is None:
        raise ValueError(f"{side.name} has no circuit to prove it by")
    circuit = side.circuit
    for cares in (side.care_circuit, opposite.care_circuit):
        circuit = circuit if cares is None else where(circuit, cares)
    return circuit


def _in_order_of(one: _Side, other: _Side) -> _Side:
    """The other side with its inputs and outputs in the order of the first, where the names are the same."""
    return _reordered(
        other, _order(one.input_labels, other.input_labels), _order(one.output_labels, other.output_labels)
    )


def _order(order: tuple[str, ...], labels: tuple[str, ...]) -> list[int]:
    """Where each label of an order is among these labels; if they differ, they stay as they are."""
    if set(order) != set(labels):
        return list(range(len(labels)))
    place = {label: i for i, label in enumerate(labels)}
    return [place[label] for label in order]


def _reordered(side: _Side, inputs: list[int], outputs: list[int]) -> _Side:
    """The side with input `inputs[i]` as its input i, and output `outputs[j]` as its output j."""
    if inputs == sorted(inputs) and outputs == sorted(outputs):
        return side
    back = [inputs.index(i) for i in range(len(inputs))]

    def moved(function: Evaluate) -> Evaluate:
        def evaluate(columns: Words) -> Words:
            return function(columns[back])[outputs]

        return evaluate

    def circuit_moved(circuit: Circuit) -> Circuit:
        return _reordered_circuit(circuit, inputs, back, outputs)

    return replace(
        side,
        input_labels=tuple(side.input_labels[i] for i in inputs),
        output_labels=tuple(side.output_labels[j] for j in outputs),
        evaluate=moved(side.evaluate),
        cares=None if side.cares is None else moved(side.cares),
        circuit=None if side.circuit is None else circuit_moved(side.circuit),
        care_circuit=None if side.care_circuit is None else circuit_moved(side.care_circuit),
    )


def _reordered_circuit(circuit: Circuit, inputs: list[int], back: list[int], outputs: list[int]) -> Circuit:
    n = len(inputs)

    def moved(source: int) -> int:
        return back[source] if source < n else source

    return Circuit(
        tuple(circuit.input_labels[i] for i in inputs),
        tuple(Node(node.gate, tuple(moved(source) for source in node.sources)) for node in circuit.nodes),
        tuple(moved(circuit.outputs[j]) for j in outputs),
        tuple(circuit.output_labels[j] for j in outputs),
    )
