"""A circuit as a function: on single bits, on arrays of bits, on names, and on all rows at once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.tables import pack, projections, unpack
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.errors import InputError, shown

LARGEST_TABLE = 20  # the most inputs of a circuit whose table is made


def call(circuit: Circuit, *inputs: Any) -> Any:
    """The outputs of a circuit.

    Parameters
    ----------
    circuit
        The circuit to evaluate.
    inputs
        A value for each input: 0, 1, False or True, or an array of them; arrays are broadcast and
        evaluated element by element. Or one mapping from the name of each input to such a value.

    Returns
    -------
    The value of the output, or a tuple if there are several; for a mapping a dictionary by the names of
    the outputs. A value is 0 or 1; for arrays it is an array, of truth values if all inputs were.

    Examples
    --------
    >>> from gatewalk.boolean.gates import gate
    >>> from gatewalk.circuit.circuit import Node
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
    return np.ascontiguousarray(unpack(evaluate(circuit, projections(n)), 1 << n).T)


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
