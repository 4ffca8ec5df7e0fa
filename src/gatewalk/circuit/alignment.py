"""The inputs and outputs of two sides matched: by name if both have the same names, else by order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from gatewalk.boolean.tables import Words
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.equivalence import Evaluate, Side

By = Literal["name", "position"]


@dataclass(frozen=True)
class Alignment:
    """The other side with its inputs and outputs in the order of the first, and how they were matched."""

    other: Side
    inputs: By
    outputs: By


def align(one: Side, other: Side) -> Alignment:
    """Bring the inputs and outputs of the other side into the order of the first.

    By name where the names of both sides are the same, in whatever order; else they stay as they are.
    """
    inputs = _order(one.input_labels, other.input_labels)
    outputs = _order(one.output_labels, other.output_labels)
    moved = _reordered(
        other,
        inputs if inputs is not None else list(range(len(other.input_labels))),
        outputs if outputs is not None else list(range(len(other.output_labels))),
    )
    return Alignment(
        moved, "position" if inputs is None else "name", "position" if outputs is None else "name"
    )


def _order(wanted: tuple[str, ...], labels: tuple[str, ...]) -> list[int] | None:
    """The index of each wanted label, or None if the labels differ."""
    if set(wanted) != set(labels):
        return None
    place = {label: i for i, label in enumerate(labels)}
    return [place[label] for label in wanted]


def _reordered(side: Side, inputs: list[int], outputs: list[int]) -> Side:
    """The side with input `inputs[i]` as its input i, and output `outputs[j]` as its output j."""
    if inputs == sorted(inputs) and outputs == sorted(outputs):
        return side
    back = [inputs.index(i) for i in range(len(inputs))]

    def moved(function: Evaluate) -> Evaluate:
        def evaluate(columns: Words) -> Words:
            return function(columns[back])[outputs]

        return evaluate

    return replace(
        side,
        input_labels=tuple(side.input_labels[i] for i in inputs),
        output_labels=tuple(side.output_labels[j] for j in outputs),
        evaluate=moved(side.evaluate),
        cares=None if side.cares is None else moved(side.cares),
        circuit=None if side.circuit is None else _reordered_circuit(side.circuit, inputs, back, outputs),
        care_circuit=(
            None
            if side.care_circuit is None
            else _reordered_circuit(side.care_circuit, inputs, back, outputs)
        ),
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
