"""Targets of the user's own: a function, a table, examples, a circuit, a file, an expression; named targets.

A text is read as the first of these that it looks like (`kind_of`): a packed table or netlist, as
`table:3:0x96`; what a Python file defines, `mine.py:dnf:5`; the path of a file, with a / or a suffix; an
expression, with an operator or an input such as x1; a name, `and:8`, which may be of a family of the user's.

In whatever form a function is given, it becomes a `Target` whose name describes it completely. So it can be
rebuilt from its name alone, from the store of a campaign or on another machine. The name holds a table of up
to `MOST_INPUTS` inputs (`boolean/table_targets.py`), or for more inputs a packed netlist. Labels and names
are for readers only: runs are seeded by the function, of a netlist by its gates and wires.

A netlist is the text `netlist:` and the packed circuit: Gatewalk's own JSON, compressed by zlib and written
in URL-safe base64 (RFC 4648). Where some rows do not count, / and a second circuit follow, whose outputs are
1 on the rows that count. A name may precede everything, as in `mine@netlist:...`.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import inspect
import os
import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gatewalk.boolean.families import OWN_FAMILIES, TargetFamily
from gatewalk.boolean.table_targets import (
    GATES,
    MOST_INPUTS,
    MOST_OUTPUTS,
    is_table,
    parse_table,
    quoted,
    table_target,
)
from gatewalk.boolean.tables import Words, table_numbers
from gatewalk.boolean.targets import Target, family_target, target_tables
from gatewalk.circuit.circuit import Circuit, circuit_tables, evaluate_in_blocks
from gatewalk.errors import InputError, brief, printable, shown

if TYPE_CHECKING:
    from gatewalk.circuit.covers import Cover

PREFIX = "netlist:"
_LONGEST = 1 << 24  # the most characters of a circuit's JSON
_SHORTEST_GATE = len('{"gate": "buf", "sources": [0]}')


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
        A name such as "and:8" or "table:3:0x96"; an expression such as "x1 & (x2 | ~x3)"; the path of a
        file of a circuit or a table; what a Python file defines, as "mine.py:dnf:5"; a Python function of
        bits that returns a bit or several; a truth table, as a whole number (bit r is row r) or a flat array
        of 2^n bits; a NumPy array or a pandas frame of examples, a row each, the inputs first, where rows
        that are left out do not count; a `Circuit`; or a `Target`.
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
    >>> target("x1 & (x2 | ~x3)").content
    'table:3:0x8a'
    """
    is_path = isinstance(what, os.PathLike) or (isinstance(what, str) and is_file(what))
    if library is not None and not is_path:
        raise InputError(f"only a BLIF file uses a library of gates; remove {shown(os.fspath(library))}")
    if isinstance(what, Target):
        return _as_named(what)
    if isinstance(what, Circuit):
        return circuit_target(what, name=name)
    if isinstance(what, (str, os.PathLike)):
        return file_target(what, name=name, library=library) if is_path else _of_text(str(what), name)
    if isinstance(what, (int, np.integer)) and not isinstance(what, bool):
        return table_target([int(what)], _given(inputs), name=name)
    if isinstance(what, np.ndarray):
        return _of_array(what, inputs, name)
    if hasattr(what, "columns") and hasattr(what, "to_numpy"):
        return _of_frame(what, outputs, name)
    if isinstance(what, TargetFamily):
        raise InputError(f"{what} is a family of targets; give a size, as in {what}:5")
    if callable(what):
        return _of_function(what, inputs, name)
    raise InputError(
        "a target is a name such as and:8, an expression, a file, a function, a table, examples or a "
        f"circuit, not {shown(what)}"
    )


@lru_cache(maxsize=256)
def target_from_text(text: str) -> Target:
    """The target with this name; the name of a user's own target rebuilds that target."""
    if is_table(text):
        return parse_table(text)
    return parse_netlist(text) if is_netlist(text) else family_target(text)


Kind = Literal["packed", "python", "file", "expression", "name"]
_EXPRESSION = re.compile(r"[&|^~()=?]|(?<!\w)x[0-9]+(?!\w)|\A\s*[01]\s*\Z", re.ASCII)


def kind_of(text: str) -> Kind:
    """What a text that stands for a target is meant as, well formed or not, by its form alone.

    >>> [kind_of(text) for text in ("and:8", "x1 & x2", "f.pla", "mine.py:dnf:5", "table:3:0x96")]
    ['name', 'expression', 'file', 'python', 'packed']
    """
    if is_table(text) or is_netlist(text):
        return "packed"
    if ".py:" in text:
        return "python"
    if os.sep in text or (":" not in text and Path(text).suffix):
        return "file"
    if _EXPRESSION.search(text):
        return "expression"
    # A file without a suffix has no format: to call it a file only makes the message clearer.
    return "file" if ":" not in text and os.path.isfile(text) else "name"


def is_file(text: str) -> bool:
    """Whether a text is meant as a path; a name has a colon and no separator of folders."""
    return kind_of(text) == "file"


def lacks_size(text: str) -> bool:
    """Whether a text is meant as a family without a size, which a campaign crosses with its sizes.

    >>> lacks_size("and"), lacks_size("mine.py:dnf"), lacks_size("and:8"), lacks_size("f.pla")
    (True, True, False, False)
    """
    from gatewalk.foreign import reference

    parts = reference(text)
    if parts is not None:
        return not parts.rest
    return not any(sign in text for sign in ":./") and not _EXPRESSION.search(text)


def needs_its_code(text: str) -> bool:
    """Whether a text says what a target is only together with code of the user's, which no store holds."""
    return kind_of(text) == "python" or text.strip().partition(":")[0] in OWN_FAMILIES


def _of_text(text: str, name: str) -> Target:
    """The target that a text stands for, unless it is the path of a file."""
    kind = kind_of(text)
    if kind == "expression":
        circuit = equations_circuit(text)
        if not circuit.input_labels:
            raise InputError(f"target {shown(text)}: a target reads an input, such as x1")
        return circuit_target(circuit, name=name or brief(" ".join(text.split())))
    if kind in ("python", "name") and needs_its_code(text):
        from gatewalk.circuit.own_families import target_from_code

        return target_from_code(text, name)
    return target_from_text(text)


def equations_circuit(text: str) -> Circuit:
    """The circuit that an expression describes; messages show the expression."""
    from gatewalk.circuit.equations import read_equations

    try:
        return read_equations(text)
    except InputError as error:
        raise InputError(f"target {shown(text)}: {error}") from None


def _given(inputs: int | None) -> int:
    if inputs is None:
        raise InputError("give the number of inputs, as in target(0x96, inputs=3)")
    return inputs


def _as_named(given: Target) -> Target:
    """The target itself if its name describes it; one that was changed becomes a table of its function."""
    try:
        if target_from_text(given.name) == given:
            return given
    except InputError:
        pass
    if given.inputs > MOST_INPUTS:
        raise InputError(
            f"target {given.label} is not what its name says, and has more than {MOST_INPUTS} "
            "inputs; give it as a circuit"
        )
    tables = target_tables(given)
    return table_target(
        tables.values,
        given.inputs,
        cares=None if given.cares is None else tables.cares,
        input_labels=given.input_labels,
        output_labels=given.output_labels,
        name=given.name.replace("@", " "),
    )


def circuit_target(circuit: Circuit, *, name: str = "") -> Target:
    """The function of a circuit as a target: a table, or a netlist beyond `MOST_INPUTS` inputs."""
    inputs = len(circuit.input_labels)
    if inputs > MOST_INPUTS:
        return netlist_target(circuit, name=name)
    return table_target(
        circuit_tables(circuit, most_inputs=MOST_INPUTS, purpose="a table") if inputs else [],
        inputs,
        input_labels=circuit.input_labels,
        output_labels=circuit.output_labels,
        name=name,
    )


def cover_target(cover: Cover, name: str) -> Target:
    """A specification as a target: a table, or with too many inputs for one the netlist of its cubes."""
    from gatewalk.circuit.covers import cares_circuit, check_consistency, complete_tables, ones_circuit

    inputs = len(cover.input_labels)
    if inputs > MOST_INPUTS:
        check_consistency(cover)
        return netlist_target(ones_circuit(cover), cares=cares_circuit(cover), name=name)
    if len(cover.output_labels) > MOST_OUTPUTS:
        raise InputError(f"a table has from 1 to {MOST_OUTPUTS} outputs, not {len(cover.output_labels)}")
    ones, cares = complete_tables(cover)
    return table_target(
        table_numbers(ones, 1 << inputs),
        inputs,
        cares=table_numbers(cares, 1 << inputs),
        input_labels=cover.input_labels,
        output_labels=cover.output_labels,
        name=name,
    )


def file_target(
    path: str | os.PathLike[str], *, name: str = "", library: str | os.PathLike[str] | None = None
) -> Target:
    """The function of the circuit in a file as a target; the don't cares of a PLA do not count."""
    from gatewalk.circuit.files import decoded, format_named, read_bytes, read_file, shown_path

    called = name or printable(Path(path).stem)
    if Path(path).suffix.lower() == ".py":
        shown_file = shown_path(path)
        raise InputError(
            f"{shown_file}: name what it defines, as in {shown_file}:f, or {shown_file}:f:5 for a size"
        )
    form = format_named(path)
    if form is None or form.read_target is None or library is not None:
        return circuit_target(read_file(path, library=library), name=called)
    data = read_bytes(path)
    try:
        return form.read_target(data if form.is_binary else decoded(path, data), called)
    except InputError as error:
        raise InputError(f"{shown_path(path)}: {error}") from error


def _of_function(function: Callable[..., object], inputs: int | None, name: str) -> Target:
    """The table of a Python function, which is called for every row."""
    count, labels = _parameters(function) if inputs is None else (inputs, None)
    if not 1 <= count <= MOST_INPUTS:
        raise InputError(f"a Python function has from 1 to {MOST_INPUTS} inputs, not {count}")
    rows = [_answer(function, tuple(row >> j & 1 for j in range(count))) for row in range(1 << count)]
    if len({len(row) for row in rows}) != 1:
        raise InputError(
            "the function returns different numbers of outputs; it must return as many on every row"
        )
    values = [sum(row[o] << r for r, row in enumerate(rows)) for o in range(len(rows[0]))]
    return table_target(values, count, input_labels=labels, name=name)


def _parameters(function: Callable[..., object]) -> tuple[int, tuple[str, ...]]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = {}.values()
    simple = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if not parameters or any(parameter.kind not in simple for parameter in parameters):
        raise InputError("give the number of inputs, as in target(f, inputs=4)")
    names = tuple(parameter.name for parameter in parameters)
    return len(names), names


def _answer(function: Callable[..., object], row: tuple[int, ...]) -> tuple[int, ...]:
    try:
        given = function(*row)
    except Exception as error:
        raise InputError(f"the function fails on {row}: {type(error).__name__}: {error}") from error
    several: Any = given if isinstance(given, (tuple, list, np.ndarray)) else (given,)
    bits = tuple(several)
    if not bits or not all(bit in (0, 1) for bit in bits):
        raise InputError(f"the function returns {shown(given)} on {row}; it must return one bit or several")
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
    outs = labels[-1:] if outputs is None else [str(label) for label in outputs]
    for label in outs:
        if label not in labels:
            raise InputError(f"the frame has no column {shown(label)}; it has {', '.join(labels)}")
    ins = [label for label in labels if label not in outs]
    table = frame.copy()
    table.columns = labels
    return _of_examples(_checked(table[[*ins, *outs]].to_numpy()), len(ins), ins, outs, name)


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


def _number(bits: NDArray[np.bool_]) -> int:
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


@dataclass(frozen=True)
class Netlist:
    """A circuit as a function of columns of inputs."""

    circuit: Circuit

    def __call__(self, columns: Words) -> Words:
        """The columns of the outputs."""
        return evaluate_in_blocks(self.circuit, columns)


def netlist_target(circuit: Circuit, *, cares: Circuit | None = None, name: str = "") -> Target:
    """The function of a circuit as a target. cares: a circuit that is 1 on the rows that count; None: all."""
    text = PREFIX + "/".join(map(_packed, [circuit] if cares is None else [circuit, cares]))
    return _target(circuit, cares, f"{quoted(name)}@{text}" if name else text)


def is_netlist(text: str) -> bool:
    """Whether a text is meant as a netlist, well formed or not."""
    return text.rpartition("@")[2].strip().startswith(PREFIX)


def parse_netlist(text: str) -> Target:
    """The target that a text describes, in the form that the module's docstring explains."""
    name = text.strip()
    packed = name.rpartition("@")[2].removeprefix(PREFIX).split("/")
    try:
        if len(packed) > 2:
            raise InputError("it has more than two parts")
        circuits = [_unpacked(part) for part in packed]
        return _target(circuits[0], circuits[1] if len(circuits) > 1 else None, name)
    except (InputError, binascii.Error, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"target {shown(text)} is not a packed netlist: {error}") from None


def _packed(circuit: Circuit) -> str:
    from gatewalk.circuit.formats import gatewalk_json

    is_long = len(circuit) * _SHORTEST_GATE > _LONGEST
    text = "" if is_long else gatewalk_json.write(circuit)
    if is_long or len(text) > _LONGEST:
        raise InputError(
            f"a circuit of {len(circuit)} gates is too large to be a target: "
            f"as JSON it has more than {_LONGEST:,} characters"
        )
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode()


def _unpacked(text: str) -> Circuit:
    from gatewalk.circuit.formats import gatewalk_json

    data = base64.urlsafe_b64decode(text.encode("ascii", "replace"))
    inflate = zlib.decompressobj()
    body = inflate.decompress(data, _LONGEST)
    if not inflate.eof or inflate.unused_data:
        raise InputError("it is cut short, or too large")
    return gatewalk_json.read(body.decode())


def _target(circuit: Circuit, cares: Circuit | None, name: str) -> Target:
    inputs, outputs = len(circuit.input_labels), len(circuit.outputs)
    if not inputs or not outputs:
        raise InputError("a target needs at least one input and one output")
    if cares is not None and (len(cares.input_labels), len(cares.outputs)) != (inputs, outputs):
        raise InputError("what it computes and which rows count have different sizes")
    return Target(
        name=name,
        inputs=inputs,
        outputs=outputs,
        input_labels=circuit.input_labels,
        output_labels=circuit.output_labels,
        gates=GATES,
        symmetric=False,
        fewest_nodes=0,
        family="netlist",
        evaluate=Netlist(circuit),
        cares=None if cares is None else Netlist(cares),
        content=PREFIX + "/".join(_digest(one) for one in (circuit, cares) if one is not None),
    )


def _digest(circuit: Circuit) -> str:
    """A hash of a circuit, by its gates and wires; labels do not matter."""
    from gatewalk.circuit.formats import gatewalk_json

    bare = replace(
        circuit,
        input_labels=tuple(f"x{i}" for i in range(len(circuit.input_labels))),
        output_labels=tuple(f"y{i}" for i in range(len(circuit.outputs))),
    )
    return hashlib.sha256(gatewalk_json.write(bare).encode()).hexdigest()
