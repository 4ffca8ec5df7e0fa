"""The circuit: a directed acyclic graph of gates, independent of the program that computed it.

A source is numbered 0..n-1 if it is an input and n+i if it is node i; every node comes after its sources. A
circuit is a function: of single bits, of arrays of bits, of names, and of columns of packed rows. A `Draft`
is a circuit under construction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.gates import GATES, Gate, GateSet
from gatewalk.boolean.tables import Words, apply, pack, projections, table_numbers, unpack
from gatewalk.errors import InputError, shown

LARGEST_PICTURE = 200
LARGEST_TABLE = 20  # the most inputs of a circuit whose table is made
MOST_GATES = 1 << 21
_MOST_WORDS = 1 << 24  # the most words that are evaluated at a time, of all gates together


@dataclass(frozen=True, slots=True)
class Node:
    """A gate of a circuit and the source of each of its inputs, in order, exactly as many as it has.

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
        """Always true: a circuit without gates, of wires only, is not empty."""
        return True

    def __call__(self, *inputs: Any) -> Any:
        """The outputs on bits, on arrays of bits, or on a mapping of input names to either."""
        return call(self, *inputs)

    @property
    def depth(self) -> int:
        """The number of gates on the longest path to an output."""
        return depth(self)

    @property
    def counts(self) -> dict[str, int]:
        """How often each gate occurs, the most frequent first."""
        return gate_counts(self)

    def cost(self, weights: str | Mapping[str, float]) -> float:
        """The sum of the gates' weights: `{"nand": 1, "xor": 2.5}`, "nand=1,xor=2.5" or "cells.genlib"."""
        from gatewalk.circuit.cost import cost

        return cost(self, weights)

    def table(self) -> NDArray[np.bool_]:
        """The complete truth table, a line for each row and a column for each output."""
        return truth_table(self)

    def simplify(self, *, gates: str | GateSet | None = None) -> Circuit:
        """A circuit of the same function with no more gates: obviously superfluous ones are removed."""
        from gatewalk.circuit.simplification import simplify

        return simplify(self, gates=gates)

    def to_function(self) -> Callable[..., Any]:
        """A fast Python function of the inputs, on single bits or on many at once in whole numbers."""
        from gatewalk.circuit.formats.python_function import python_function

        return python_function(self)

    def to_sympy(self) -> dict[str, Any]:
        """A SymPy expression for each output, by its name."""
        from gatewalk.circuit.formats.sympy_module import sympy_expressions

        return sympy_expressions(self)

    def save(self, path: str | Path) -> None:
        """Write the circuit to a file in the format of its suffix."""
        from gatewalk.circuit.files import write_file

        write_file(self, path)

    def __repr__(self) -> str:
        gates = ", ".join(f"{count} {name}" for name, count in gate_counts(self).items())
        shape = f"{len(self.input_labels)} inputs, {len(self.outputs)} outputs"
        return f"<Circuit: {shape}, {len(self)} gates ({gates or 'none'}), depth {depth(self)}>"

    def __str__(self) -> str:
        from gatewalk.circuit.text import expression_lines

        return "\n".join(expression_lines(self))

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook, in colours of its own; None beyond `LARGEST_PICTURE` gates."""
        from gatewalk.circuit.drawing.svg import svg

        return svg(self, theme="light") if len(self) <= LARGEST_PICTURE else None


class HasCircuit(Protocol):
    """Anything that has a circuit, such as a run."""

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
            kind = f"gate {shown(node.gate.name)} of {node.gate.arity} inputs"
            raise InputError(f"circuit: node {i} is a {kind} but has {len(node.sources)} sources")
        if not all(0 <= source < n + i for source in node.sources):
            raise InputError(f"circuit: node {i} reads {node.sources}, but may only read 0 to {n + i - 1}")
    if not all(0 <= source < n + len(circuit.nodes) for source in circuit.outputs):
        raise InputError(f"circuit: an output reads a source outside 0 to {n + len(circuit.nodes) - 1}")


def circuit_of(holder: Circuit | HasCircuit) -> Circuit:
    """The circuit itself, or the circuit of a run or of anything else that has one."""
    circuit = holder if isinstance(holder, Circuit) else getattr(holder, "circuit", None)
    if not isinstance(circuit, Circuit):
        raise InputError(f"{shown(holder)} is not a circuit and has none")
    return circuit


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


def evaluate_in_blocks(circuit: Circuit, inputs: Words) -> Words:
    """As `evaluate`, block by block, so that a large circuit on many rows does not take all memory."""
    outputs = np.empty((len(circuit.outputs), inputs.shape[1]), np.uint64)
    block = max(64, _MOST_WORDS // (1 + len(circuit.input_labels) + len(circuit)))
    for at in range(0, inputs.shape[1], block):
        outputs[:, at : at + block] = evaluate(circuit, inputs[:, at : at + block])
    return outputs


def circuit_tables(circuit: Circuit, *, most_inputs: int, purpose: str) -> tuple[int, ...]:
    """The table of every output as a whole number, bit r for row r.

    If there are more than `most_inputs` inputs, it is an `InputError`, which names the purpose.
    """
    n = len(circuit.input_labels)
    if n > most_inputs:
        raise InputError(
            f"{purpose} lists all rows, so Gatewalk writes at most {most_inputs} inputs, not {n}"
        )
    return tuple(table_numbers(evaluate_in_blocks(circuit, projections(n)), 1 << n))


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


def needed(circuit: Circuit) -> tuple[bool, ...]:
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


def needed_part(circuit: Circuit, outputs: Sequence[int] | None = None) -> Circuit:
    """The circuit of these outputs (by default all), with only the gates and inputs that they need."""
    kept = range(len(circuit.outputs)) if outputs is None else outputs
    part = replace(
        circuit,
        outputs=tuple(circuit.outputs[o] for o in kept),
        output_labels=tuple(circuit.output_labels[o] for o in kept),
    )
    n, is_needed = len(part.input_labels), needed(part)
    number = {source: i for i, source in enumerate(compress(range(len(is_needed)), is_needed))}
    return Circuit(
        tuple(compress(part.input_labels, is_needed[:n])),
        tuple(
            Node(node.gate, tuple(number[source] for source in node.sources))
            for node in compress(part.nodes, is_needed[n:])
        ),
        tuple(number[source] for source in part.outputs),
        part.output_labels,
    )


def gate_counts(circuit: Circuit) -> dict[str, int]:
    """How often each gate occurs, the most frequent first."""
    return dict(Counter(node.gate.name for node in circuit.nodes).most_common())


def call(circuit: Circuit, *inputs: Any) -> Any:
    """The outputs of a circuit, on bits, on arrays of bits, or on a mapping of input names to either.

    Arrays are broadcast and evaluated element by element. There is one value, or a tuple if there are several
    outputs; for a mapping it is a dictionary by the names of the outputs. A value is 0 or 1; for arrays it is
    an array, of truth values if all inputs were.

    >>> from gatewalk.boolean.gates import gate
    >>> nand = Circuit(("a", "b"), (Node(gate("nand"), (0, 1)),), (2,), ("y",))
    >>> nand(1, 1)
    0
    >>> nand(np.array([False, True]), True)
    array([ True, False])
    """
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        return dict(zip(circuit.output_labels, _values(circuit, _by_label(circuit, inputs[0])), strict=True))
    values = _values(circuit, inputs)
    return values[0] if len(values) == 1 else values


def truth_table(circuit: Circuit) -> NDArray[np.bool_]:
    """The complete truth table: a row for each r, in which input i is bit i of r, and a column per output."""
    n = len(circuit.input_labels)
    if n > LARGEST_TABLE:
        raise InputError(
            f"a table of {n} inputs has 2^{n} rows; at most {LARGEST_TABLE} inputs are possible: "
            "call the circuit on arrays of the rows you need"
        )
    return np.ascontiguousarray(unpack(evaluate_in_blocks(circuit, projections(n)), 1 << n).T)


def _by_label(circuit: Circuit, given: Mapping[str, Any]) -> tuple[Any, ...]:
    missing = [label for label in circuit.input_labels if label not in given]
    surplus = [label for label in given if label not in circuit.input_labels]
    if missing or surplus:
        wrong = f"no value for {shown(missing[0])}" if missing else f"there is no input {shown(surplus[0])}"
        raise InputError(f"circuit: {wrong}; the inputs are {shown(', '.join(circuit.input_labels))}")
    return tuple(given[label] for label in circuit.input_labels)


def _values(circuit: Circuit, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
    n = len(circuit.input_labels)
    if len(inputs) != n:
        raise InputError(
            f"circuit: {len(inputs)} values for {n} inputs; give one value or array for each of them"
        )
    if all(isinstance(value, int | np.integer | np.bool_) for value in inputs):
        return _on_bits(circuit, [_bit(circuit, i, value) for i, value in enumerate(inputs)])
    return _on_arrays(circuit, [_bits(circuit, i, value) for i, value in enumerate(inputs)])


def _on_bits(circuit: Circuit, values: list[int]) -> tuple[int, ...]:
    for node in circuit.nodes:
        row = 0
        for j, source in enumerate(node.sources):
            row |= values[source] << j
        values.append(node.gate.table >> row & 1)
    return tuple(values[source] for source in circuit.outputs)


def _on_arrays(circuit: Circuit, arrays: list[NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    try:
        same = np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = shown(", ".join(str(array.shape) for array in arrays))
        raise InputError(f"circuit: arrays of shapes {shapes} do not fit together") from None
    shape, dtype = same[0].shape, np.result_type(*arrays)
    columns = np.array([array.astype(bool).ravel() for array in same])
    if columns.shape[1] == 0:
        return tuple(np.zeros(shape, dtype) for _ in circuit.outputs)
    outputs = unpack(evaluate(circuit, pack(columns)), columns.shape[1])
    return tuple(output.reshape(shape).astype(dtype) for output in outputs)


def _bit(circuit: Circuit, i: int, value: Any) -> int:
    if value not in (0, 1):
        raise _not_a_bit(circuit, i, value)
    return int(value)


def _bits(circuit: Circuit, i: int, value: Any) -> NDArray[Any]:
    array = np.asarray(value)
    if array.dtype.kind not in "biu":
        raise _not_a_bit(circuit, i, value)
    if array.dtype.kind != "b" and array.size and (array.min() < 0 or array.max() > 1):
        raise _not_a_bit(circuit, i, array.min() if array.min() < 0 else array.max())
    return array


def _not_a_bit(circuit: Circuit, i: int, value: Any) -> InputError:
    label = shown(circuit.input_labels[i])
    return InputError(f"circuit: input {label} is {shown(value)}; it must be 0 or 1, or an array of them")


@dataclass
class Draft:
    """A circuit of `inputs` inputs under construction: gates are added one by one, after those they read.

    negations: the not gates, by the source that they negate.
    """

    inputs: int
    nodes: list[Node] = field(default_factory=list)
    negations: dict[int, int] = field(default_factory=dict)

    def add(self, gate: Gate, sources: Sequence[int]) -> int:
        """Add a gate; returns its source number."""
        if len(self.nodes) >= MOST_GATES:
            self.check_room(1)
        self.nodes.append(Node(gate, tuple(sources)))
        return self.inputs + len(self.nodes) - 1

    def check_room(self, gates: int) -> None:
        """Raise `InputError` if so many gates more are too many, before any work is done on them."""
        if len(self.nodes) + gates > MOST_GATES:
            raise InputError(f"the circuit has more than {MOST_GATES:,} gates, the most that Gatewalk reads")

    def constant(self, value: int) -> int:
        """Add a constant gate, 0 or 1; returns its source number."""
        return self.add(GATES["const1" if value else "const0"], ())

    def negation(self, source: int) -> int:
        """The source that is the negation of a source: an existing not gate, or a new one."""
        if source not in self.negations:
            self.negations[source] = self.add(GATES["not"], (source,))
        return self.negations[source]

    def tree(self, gate: Gate, sources: Sequence[int]) -> int:
        """Add a tree, as flat as possible, of a two-input gate over at least one source; returns its root."""
        level = list(sources)
        while len(level) > 1:
            pairs = [self.add(gate, pair) for pair in zip(level[::2], level[1::2], strict=False)]
            level = pairs + level[2 * len(pairs) :]
        return level[0]

    def circuit(
        self, input_labels: Iterable[str], outputs: Iterable[int], output_labels: Iterable[str]
    ) -> Circuit:
        """The circuit of all gates added."""
        return Circuit(tuple(input_labels), tuple(self.nodes), tuple(outputs), tuple(output_labels))
