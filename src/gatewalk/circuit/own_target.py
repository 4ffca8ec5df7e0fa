"""Targets of the user's own: a Python function, a table, examples, a circuit or a file; and named targets.

In whatever form a function is given, it becomes a `Target` whose name describes it completely. So it can be
rebuilt from its name alone, from the store of a campaign or on another machine. The name holds a table of up
to `MOST_INPUTS` inputs (`boolean.truth_table`), or for more inputs a packed netlist (`netlist_target`). Runs
are seeded by the function, not by its name.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean import targets
from gatewalk.boolean.tables import projections, table_numbers
from gatewalk.boolean.targets import Target
from gatewalk.boolean.truth_table import MOST_INPUTS, is_table, parse_table, table_target
from gatewalk.circuit import cover
from gatewalk.circuit.circuit import Circuit, evaluate
from gatewalk.circuit.cover_circuit import cares_circuit, ones_circuit
from gatewalk.circuit.formats import decoded, place_of, read_bytes, read_file
from gatewalk.circuit.netlist_target import is_netlist, netlist_target, parse_netlist
from gatewalk.errors import InputError, shown


def target(
    what: object,
    *,
    inputs: int | None = None,
    outputs: Sequence[str] | None = None,
    name: str = "",
    library: str | os.PathLike[str] | None = None,
) -> Target:
    """The function to search for.

    Parameters
    ----------
    what
        A name such as "and:8" or "table:3:0x96"; the path of a circuit's file; a Python function of bits that
        returns a bit or several; a truth table, as a whole number (bit r is row r) or a flat array of 2^n
        bits; a NumPy array or a pandas frame of examples, a row each, the inputs first, where rows that are
        left out do not count; a `Circuit`; or a `Target`.
    inputs
        The number of inputs; not needed for names, files, circuits, and functions with a fixed number of
        parameters.
    outputs
        For a frame of examples, the columns that are outputs; by default the last one.
    name
        A name for readers.
    library
        For a BLIF file, the genlib file with the cells that its .gate statements use.

    Returns
    -------
    Target
        It can be used wherever the name of a target can, as in `gatewalk.evolve`.

    Raises
    ------
    InputError
        If it is not a function of bits, or too large.

    Examples
    --------
    >>> target(lambda a, b, c: a + b + c >= 2).name
    'table:3:0xe8:a,b,c:y'
    >>> target(0x96, inputs=3) == target("table:3:0x96")
    True
    """
    is_path = isinstance(what, os.PathLike) or (isinstance(what, str) and is_file(what))
    if library is not None and not is_path:
        raise InputError(f"only a BLIF file uses a library of gates, leave out {place_of(library)}")
    if isinstance(what, Target):
        return _honoured(what)
    if isinstance(what, Circuit):
        return circuit_target(what, name=name)
    if isinstance(what, str) and not is_path:
        return named_target(what)
    if isinstance(what, (str, os.PathLike)):
        return file_target(what, name=name, library=library)
    if isinstance(what, (int, np.integer)) and not isinstance(what, bool):
        return table_target([int(what)], _given(inputs), name=name)
    if isinstance(what, np.ndarray):
        return _of_array(what, inputs, name)
    if hasattr(what, "columns") and hasattr(what, "to_numpy"):
        return _of_frame(what, outputs, name)
    if callable(what):
        return _of_function(what, inputs, name)
    raise InputError(
        f"target {shown(what)}: give a name such as and:8, a file, a function, a table, examples or a circuit"
    )


@lru_cache(maxsize=256)
def named_target(text: str) -> Target:
    """The target with this name; the name of a user's own target rebuilds that target."""
    if is_table(text):
        return parse_table(text)
    return parse_netlist(text) if is_netlist(text) else targets.target(text)


def is_file(text: str) -> bool:
    """Whether a text is meant as a path; a name has a colon and no separator of folders."""
    if is_table(text) or is_netlist(text):
        return False
    path = Path(text)
    return os.sep in text or (":" not in text and (path.suffix != "" or path.is_file()))


def _given(inputs: int | None) -> int:
    if inputs is None:
        raise InputError("say how many inputs the function has, as in target(0x96, inputs=3)")
    return inputs


def _honoured(wanted: Target) -> Target:
    """The target itself if its name describes it; one that was changed becomes a table of its function."""
    try:
        if named_target(wanted.name) == wanted:
            return wanted
    except InputError:
        pass
    if wanted.inputs > MOST_INPUTS:
        raise InputError(
            f"target {wanted.label} is not what its name says, and has more than {MOST_INPUTS} "
            "inputs: give it as a circuit"
        )
    return _of_evaluation(wanted)


def _of_evaluation(wanted: Target) -> Target:
    """The function of a target as a table."""
    columns = projections(wanted.inputs)
    return table_target(
        table_numbers(wanted.evaluate(columns), 1 << wanted.inputs),
        wanted.inputs,
        cares=None if wanted.cares is None else table_numbers(wanted.cares(columns), 1 << wanted.inputs),
        input_labels=wanted.input_labels,
        output_labels=wanted.output_labels,
        name=wanted.name.replace("@", " "),
    )


def _number(bits: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def circuit_target(circuit: Circuit, *, name: str = "") -> Target:
    """The function of a circuit as a target: a table, or a netlist beyond `MOST_INPUTS` inputs."""
    inputs = len(circuit.input_labels)
    if inputs > MOST_INPUTS:
        return netlist_target(circuit, name=name)
    return table_target(
        table_numbers(evaluate(circuit, projections(inputs)), 1 << inputs) if inputs else [],
        inputs,
        input_labels=circuit.input_labels,
        output_labels=circuit.output_labels,
        name=name,
    )


def file_target(
    path: str | os.PathLike[str], *, name: str = "", library: str | os.PathLike[str] | None = None
) -> Target:
    """The function of the circuit in a file as a target; the don't cares of a PLA do not count."""
    place = Path(path)
    called = name or place.stem
    if place.suffix.lower() != ".pla" or library is not None:
        return circuit_target(read_file(place, library=library), name=called)
    from gatewalk.circuit.formats.pla import read_cover

    text = decoded(place, read_bytes(place))
    try:
        return _of_cover(read_cover(text), called)
    except InputError as error:
        raise InputError(f"{place_of(place)}: {error}") from error


def _of_cover(specification: cover.Cover, name: str) -> Target:
    """The target of a cover: a table, or for more inputs the netlist of its cubes."""
    inputs = len(specification.input_labels)
    if inputs > MOST_INPUTS:
        cover.check_consistency(specification)
        return netlist_target(ones_circuit(specification), cares=cares_circuit(specification), name=name)
    columns = projections(inputs)
    return table_target(
        table_numbers(cover.ones(specification, columns), 1 << inputs),
        inputs,
        cares=table_numbers(cover.cares(specification, columns), 1 << inputs),
        input_labels=specification.input_labels,
        output_labels=specification.output_labels,
        name=name,
    )


def _of_function(function: Callable[..., object], inputs: int | None, name: str) -> Target:
    """The table of a Python function, which is called for every row."""
    count, labels = _parameters(function) if inputs is None else (inputs, None)
    if not 1 <= count <= MOST_INPUTS:
        raise InputError(f"a Python function has from 1 to {MOST_INPUTS} inputs, not {count}")
    rows = [_answer(function, tuple(row >> j & 1 for j in range(count))) for row in range(1 << count)]
    if len({len(row) for row in rows}) != 1:
        raise InputError("the function returns now more outputs, now fewer: it must be as many on every row")
    values = [sum(row[o] << r for r, row in enumerate(rows)) for o in range(len(rows[0]))]
    return table_target(values, count, input_labels=labels, name=name)


def _parameters(function: Callable[..., object]) -> tuple[int, tuple[str, ...]]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = {}.values()
    simple = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not parameters or any(one.kind not in simple for one in parameters):
        raise InputError("say how many inputs the function has, as in target(f, inputs=4)")
    names = tuple(one.name for one in parameters)
    return len(names), names


def _answer(function: Callable[..., object], row: tuple[int, ...]) -> tuple[int, ...]:
    try:
        given = function(*row)
    except Exception as error:
        raise InputError(f"the function fails on {row}: {type(error).__name__}: {error}") from error
    several: Any = given if isinstance(given, (tuple, list, np.ndarray)) else (given,)
    bits = tuple(several)
    if not bits or not all(bit in (0, 1) for bit in bits):
        raise InputError(f"the function returns {shown(given)} on {row}: a bit, or several, are needed")
    return tuple(int(bit) for bit in bits)


def _of_array(array: NDArray[Any], inputs: int | None, name: str) -> Target:
    """A flat array is a complete table of one output; rows are examples."""
    bits = _checked(array)
    if bits.ndim == 1:
        count = bits.size.bit_length() - 1
        if bits.size != 1 << count or inputs not in (None, count):
            raise InputError(f"a truth table has 2^n entries, not {bits.size}")
        return table_target([_number(bits)], count, name=name)
    if bits.ndim != 2:
        raise InputError(f"a table of examples has rows and columns, not {bits.ndim} dimensions")
    return _of_examples(bits, _given(inputs), None, None, name)


def _of_frame(frame: Any, outputs: Sequence[str] | None, name: str) -> Target:
    labels = [str(label) for label in frame.columns]
    wanted = labels[-1:] if outputs is None else [str(label) for label in outputs]
    for label in wanted:
        if label not in labels:
            raise InputError(f"the frame has no column {shown(label)}: it has {', '.join(labels)}")
    ins = [label for label in labels if label not in wanted]
    table = frame.copy()
    table.columns = labels
    return _of_examples(_checked(table[[*ins, *wanted]].to_numpy()), len(ins), ins, wanted, name)


def _checked(array: NDArray[Any]) -> NDArray[np.bool_]:
    if array.dtype.kind not in "biuf" and not (array.dtype.kind == "O" and array.size):
        raise InputError(f"a table has 0s and 1s, not {array.dtype}")
    if not np.isin(array.astype(object), (0, 1)).all():
        raise InputError("a table has 0s and 1s only; binarise other columns first")
    return array.astype(np.bool_)


def _of_examples(
    bits: NDArray[np.bool_], inputs: int, ins: Sequence[str] | None, outs: Sequence[str] | None, name: str
) -> Target:
    """The target of rows of examples; other rows do not count, and no two may contradict each other."""
    outputs = bits.shape[1] - inputs
    if not 1 <= inputs <= MOST_INPUTS or outputs < 1 or not len(bits):
        raise InputError(
            f"examples have from 1 to {MOST_INPUTS} inputs, an output and a row at least, "
            f"not {inputs} inputs and {outputs} outputs in {len(bits)} rows"
        )
    index = bits[:, :inputs] @ (1 << np.arange(inputs))
    seen, ones = np.zeros(1 << inputs, dtype=np.bool_), np.zeros((outputs, 1 << inputs), dtype=np.bool_)
    seen[index] = True
    ones[:, index] = bits[:, inputs:].T
    if (ones[:, index] != bits[:, inputs:].T).any():
        row = int(np.argmax((ones[:, index] != bits[:, inputs:].T).any(axis=0)))
        raise InputError(f"example {row} contradicts another one with the same inputs")
    return table_target(
        [_number(column) for column in ones],
        inputs,
        cares=[_number(seen)] * outputs,
        input_labels=ins,
        output_labels=outs,
        name=name,
    )
