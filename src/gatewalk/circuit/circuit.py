"""The circuit: a directed acyclic graph of gates, independent of the program that computed it.

A source is numbered 0..n-1 if it is an input and n+i if it is node i; every node comes after
its sources.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import Gate, GateSet
from gatewalk.boolean.tables import Words, apply
from gatewalk.errors import InputError, shown

LARGEST_PICTURE = 200


@dataclass(frozen=True)
class Node:
    """A gate of a circuit and what it reads.

    Attributes
    ----------
    gate
        The gate.
    sources
        The source of each of its inputs, in order, exactly as many as it has.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> Node(gate("and"), (0, 1)).sources
    (0, 1)
    """

    gate: Gate
    sources: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class Circuit:
    """A circuit: gates in topological order, and which of their values are the outputs.

    A source is a number: the inputs come first, then the gates in their order. Calling a circuit evaluates
    it on bits, on NumPy arrays of bits, or on a dictionary of input labels.

    Attributes
    ----------
    input_labels
        The names of the inputs.
    nodes
        The gates, each reading inputs or gates before it.
    outputs
        The source of each output.
    output_labels
        The names of the outputs.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> half = (Node(gate("xor"), (0, 1)), Node(gate("and"), (0, 1)))
    >>> adder = Circuit(("a", "b"), half, (2, 3), ("sum", "carry"))
    >>> adder(1, 1)
    (0, 1)
    >>> adder({"a": 1, "b": 0})
    {'sum': 1, 'carry': 0}
    >>> adder.counts, adder.depth, adder.cost({"xor": 2.5, "and": 1})
    ({'xor': 1, 'and': 1}, 1, 3.5)
    """

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

    def __call__(self, *inputs: Any) -> Any:
        """The outputs on bits, on arrays of bits, or on a mapping of input names to either."""
        from gatewalk.circuit.calling import call

        return call(self, *inputs)

    @property
    def depth(self) -> int:
        """The number of gates on the longest path to an output."""
        return depth(self)

    @property
    def counts(self) -> dict[str, int]:
        """How often each gate occurs, the most frequent first."""
        return gate_counts(self)

    def cost(self, weights: Mapping[str, float]) -> float:
        """The sum of the gates' weights, which are given by name: `{"nand": 1, "xor": 2.5}`."""
        from gatewalk.circuit.cost import cost

        return cost(self, weights)

    def table(self) -> NDArray[np.bool_]:
        """The complete truth table, a line for each row and a column for each output."""
        from gatewalk.circuit.calling import truth_table

        return truth_table(self)

    def simplify(self, *, gates: str | GateSet | None = None) -> Circuit:
        """The same function with no more gates, without those that are easily seen to be superfluous."""
        from gatewalk.circuit.simplification import simplify

        return simplify(self, gates=gates)

    def to_function(self) -> Callable[..., Any]:
        """A fast Python function of the inputs, on single bits or on many at once in whole numbers."""
        from gatewalk.circuit.python_function import python_function

        return python_function(self)

    def to_sympy(self) -> dict[str, Any]:
        """A SymPy expression for each output, by its name."""
        from gatewalk.circuit.sympy_expressions import sympy_expressions

        return sympy_expressions(self)

    def save(self, path: str | Path) -> None:
        """Write the circuit to a file in the format of its suffix."""
        from gatewalk.circuit.formats import write_file

        write_file(self, path)

    def __repr__(self) -> str:
        gates = ", ".join(f"{count} {name}" for name, count in gate_counts(self).items())
        shape = f"{len(self.input_labels)} inputs, {len(self.outputs)} outputs"
        return f"<Circuit: {shape}, {len(self)} gates ({gates or 'none'}), depth {depth(self)}>"

    def __str__(self) -> str:
        from gatewalk.circuit.text import expression

        return "\n".join(expression(self))

    def _repr_svg_(self) -> str | None:
        """What a notebook shows, whose colours are its own; beyond `LARGEST_PICTURE` gates text says more."""
        from gatewalk.circuit.drawing import svg

        return svg(self, theme="light") if len(self) <= LARGEST_PICTURE else None


class HasCircuit(Protocol):
    """What a run is to this room: something that has a circuit."""

    @property
    def circuit(self) -> Circuit: ...


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


def circuit_of(holder: Circuit | HasCircuit) -> Circuit:
    """The circuit itself, or that of a run or of whatever else has one."""
    found = holder if isinstance(holder, Circuit) else getattr(holder, "circuit", None)
    if not isinstance(found, Circuit):
        raise InputError(f"{shown(holder)} is not a circuit and has none")
    return found


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
