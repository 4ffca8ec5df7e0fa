"""The circuit: a directed acyclic graph of gates, independent of the program that computed it.

A source is numbered 0..n-1 if it is an input and n+i if it is node i; every node comes after
its sources.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from gatewalk.boolean.gates import Gate
from gatewalk.boolean.tables import Words, apply
from gatewalk.errors import InputError, shown

LARGEST_PICTURE = 400


@dataclass(frozen=True)
class Node:
    """A gate and the sources of its inputs, in order, exactly as many as it uses."""

    gate: Gate
    sources: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Circuit:
    """Gates in topological order; output j is the value of source `outputs[j]`."""

    input_labels: tuple[str, ...]
    nodes: tuple[Node, ...]
    outputs: tuple[int, ...]
    output_labels: tuple[str, ...]

    def __post_init__(self) -> None:
        _check(self)

    def __len__(self) -> int:
        return len(self.nodes)

    def __bool__(self) -> bool:
        """A circuit of wires only, with no gate, is a circuit too."""
        return True

    def __repr__(self) -> str:
        gates = ", ".join(f"{count} {name}" for name, count in gate_counts(self).items())
        shape = f"{len(self.input_labels)} inputs, {len(self.outputs)} outputs"
        return f"<Circuit: {shape}, {len(self)} gates ({gates or 'none'}), depth {depth(self)}>"

    def __str__(self) -> str:
        from gatewalk.circuit.text import expression

        return "\n".join(expression(self))

    def _repr_svg_(self) -> str | None:
        """What a notebook shows; beyond `LARGEST_PICTURE` gates the text says more than a picture."""
        from gatewalk.circuit.drawing import svg

        return svg(self) if len(self) <= LARGEST_PICTURE else None


def _check(circuit: Circuit) -> None:
    n = len(circuit.input_labels)
    for labels, kind in ((circuit.input_labels, "input"), (circuit.output_labels, "output")):
        if len(set(labels)) < len(labels):
            twice = next(label for label, count in Counter(labels).items() if count > 1)
            raise InputError(f"circuit: two {kind}s have the name {shown(twice)}")
    if len(circuit.outputs) != len(circuit.output_labels):
        raise InputError(
            f"circuit: {len(circuit.outputs)} outputs but {len(circuit.output_labels)} output names"
        )
    for i, node in enumerate(circuit.nodes):
        if len(node.sources) != node.gate.arity:
            wanted = f"gate {shown(node.gate.name)} of {node.gate.arity} inputs"
            raise InputError(f"circuit: node {i} is a {wanted} but has {len(node.sources)} sources")
        if not all(0 <= source < n + i for source in node.sources):
            raise InputError(f"circuit: node {i} reads {node.sources}, but may only read 0 to {n + i - 1}")
    if not all(0 <= source < n + len(circuit.nodes) for source in circuit.outputs):
        raise InputError(f"circuit: an output reads a source outside 0 to {n + len(circuit.nodes) - 1}")


def evaluate(circuit: Circuit, inputs: Words) -> Words:
    """The outputs, uint64[m, words], on columns of inputs, uint64[n, words]."""
    n = len(circuit.input_labels)
    if inputs.shape[0] != n:
        raise ValueError(f"the circuit has {n} inputs, {inputs.shape[0]} columns were given")
    values = list(inputs)
    for node in circuit.nodes:
        values.append(apply(node.gate, *[values[source] for source in node.sources]))
    outputs = np.empty((len(circuit.outputs), *inputs.shape[1:]), np.uint64)
    for output, source in zip(outputs, circuit.outputs, strict=True):
        output[...] = values[source]
    return outputs


def levels(circuit: Circuit) -> tuple[int, ...]:
    """For every source the number of gates on the longest path that leads to it; inputs have 0."""
    level = [0] * len(circuit.input_labels)
    for node in circuit.nodes:
        level.append(1 + max((level[source] for source in node.sources), default=0))
    return tuple(level)


def depth(circuit: Circuit) -> int:
    """The number of gates on the longest path to an output."""
    level = levels(circuit)
    return max((level[source] for source in circuit.outputs), default=0)


def reached(circuit: Circuit) -> tuple[bool, ...]:
    """For every source whether some output depends on it through the circuit's wires."""
    n = len(circuit.input_labels)
    mark = [False] * (n + len(circuit))
    for source in circuit.outputs:
        mark[source] = True
    for i in reversed(range(len(circuit))):
        if mark[n + i]:
            for source in circuit.nodes[i].sources:
                mark[source] = True
    return tuple(mark)


def gate_counts(circuit: Circuit) -> dict[str, int]:
    """How often each gate occurs, the most frequent first."""
    return dict(Counter(node.gate.name for node in circuit.nodes).most_common())
