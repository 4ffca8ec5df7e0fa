"""The front of accuracy and size: circuits none of which is both smaller and fitter than another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.tables import pack, unpack
from gatewalk.circuit.circuit import Circuit, Node, evaluate
from gatewalk.errors import InputError, shown
from gatewalk.learn.coding import Bits

_FLAT = 1e-9  # a bend of at most this size is rounding
_AT_MOST = re.compile(r"gates\s*<=\s*([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True)
class FrontMember:
    """A circuit on the front of accuracy and size.

    gates: those that read something; constants are free.
    mismatches: wrong outputs on the training examples.
    accuracy, validation_accuracy: the share of examples with the right prediction, in training and held out;
        the latter is None if none were held out.

    >>> from gatewalk.learn import CircuitClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> model = CircuitClassifier(budget=10_000, random_state=1).fit(X, y)
    >>> [(member.gates, member.mismatches) for member in model.front_]
    [(0, 1), (1, 0)]
    """

    gates: int
    mismatches: int
    accuracy: float
    validation_accuracy: float | None
    circuit: Circuit


def size(circuit: Circuit) -> int:
    """The number of gates, without constants."""
    return sum(node.gate.arity > 0 for node in circuit.nodes)


def outputs_on(circuit: Circuit, inputs: Bits) -> Bits:
    """The outputs on examples: a row for every output. `inputs` has a row for every input."""
    if not inputs.shape[1]:
        return np.zeros((len(circuit.outputs), 0), dtype=np.bool_)
    return unpack(evaluate(circuit, pack(inputs)), inputs.shape[1])


def without_gates(inputs: Bits, correct: Bits, labels: tuple[tuple[str, ...], tuple[str, ...]]) -> Circuit:
    """The fittest circuit without gates: every output is an input or, after `repaired`, a constant."""
    fittest = tuple(int((inputs == row).sum(axis=1).argmax()) for row in correct)
    return Circuit(labels[0], (), fittest, labels[1])


def repaired(circuit: Circuit, inputs: Bits, correct: Bits) -> Circuit:
    """The circuit simplified; an output that is no better than a constant is replaced by that constant."""
    wrong = (outputs_on(circuit, inputs) != correct).sum(axis=1)
    ones = correct.sum(axis=1)
    least = np.minimum(ones, correct.shape[1] - ones)
    nodes, outputs = list(circuit.nodes), list(circuit.outputs)
    for output in np.flatnonzero(wrong >= least).tolist():
        is_one = 2 * int(ones[output]) > correct.shape[1]
        outputs[output] = len(circuit.input_labels) + len(nodes)
        nodes.append(Node(GATES["const1" if is_one else "const0"], ()))
    return replace(circuit, nodes=tuple(nodes), outputs=tuple(outputs)).simplify()


def non_dominated(members: Iterable[FrontMember]) -> tuple[FrontMember, ...]:
    """The members that are fitter than all smaller ones, by growing size; the first of equal ones."""
    front: list[FrontMember] = []
    for member in sorted(members, key=lambda member: (member.gates, member.mismatches)):
        if not front or member.mismatches < front[-1].mismatches:
            front.append(member)
    return tuple(front)


def check_choice(choose: object) -> None:
    """Raise `InputError` unless `choose` is one of the texts that `chosen` understands."""
    if isinstance(choose, str) and (choose in ("accuracy", "knee") or _AT_MOST.fullmatch(choose)):
        return
    raise InputError(f"choose is {shown(choose)}; use 'accuracy', 'knee' or 'gates<=K'")


def chosen(front: Sequence[FrontMember], choose: str) -> FrontMember:
    """The member that predicts.

    "accuracy": the most accurate one, on the held-out examples if there are any, else in training; the
    smallest of equal ones. "gates<=K": the same among those with at most K gates; if there are none, the
    smallest of all. "knee": the member farthest from the line through the two ends of the front, with sizes
    and errors scaled to [0, 1] (I. Das, "On characterizing the knee of the Pareto curve", 1999).
    """
    check_choice(choose)
    most = _AT_MOST.fullmatch(choose)
    few = [member for member in front if most is None or member.gates <= int(most[1])] or [front[0]]
    best = min(few, key=lambda member: (-_accuracy(member), member.gates))
    if choose != "knee":
        return best
    # Members that are larger than the best one without being better cannot be the knee.
    return _knee([member for member in front if member.gates <= best.gates])


def _accuracy(member: FrontMember) -> float:
    return member.accuracy if member.validation_accuracy is None else member.validation_accuracy


def _knee(front: Sequence[FrontMember]) -> FrontMember:
    gates = np.array([member.gates for member in front], dtype=np.float64)
    errors = np.array([1 - _accuracy(member) for member in front])
    if len(front) < 3 or errors[0] <= errors[-1]:
        return front[-1] if errors[-1] < errors[0] else front[0]
    x = (gates - gates[0]) / (gates[-1] - gates[0])
    y = (errors - errors[-1]) / (errors[0] - errors[-1])
    depth = 1 - x - y  # below the line; both ends are on it
    return front[int(depth.argmax())] if depth.max() > _FLAT else front[-1]
