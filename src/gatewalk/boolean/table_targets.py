"""Targets given by their truth tables, as texts such as `table:3:0x96`.

The form is `table:N:VALUES`: N inputs, and for every output a hexadecimal number whose bit r is the value on
row r, where input j is bit j of r. Several outputs are separated by commas. A second number says which rows
count: with `0x96/0xfe` any value is right on row 0. Labels of the inputs and of the outputs may follow, as in
`table:3:0x96:a,b,c:sum`, and a name may precede everything: `odd@table:3:0x96`. Labels and names are for
readers only: runs are seeded by the function itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote, unquote

import numpy as np

from gatewalk.boolean.tables import Words, pack, unpack
from gatewalk.boolean.targets import Target
from gatewalk.errors import InputError, shown, whole_number

PREFIX = "table:"
MOST_INPUTS = 16
MOST_OUTPUTS = 256
GATES = ("and", "or", "xor", "not")  # can express every function
_FORM = re.compile(
    r"(?:([^@:]*)@)?table:([0-9]{1,9}):([0-9a-fx,/]+)(?::([^:]*):([^:]*))?", re.ASCII | re.IGNORECASE
)
_VALUE = re.compile(r"0x([0-9a-f]+)(?:/0x([0-9a-f]+))?", re.ASCII | re.IGNORECASE)
_PLAIN = "[]()<>.-+$~!#*'\"= "  # characters that stay as they are in labels, as letters and digits do


@dataclass(frozen=True)
class Lookup:
    """A function given by a table for each output: columns of inputs go in, columns of outputs come out."""

    inputs: int
    tables: tuple[int, ...]

    def __call__(self, columns: Words) -> Words:
        """Look up every row."""
        rows = columns.shape[1] * 64
        index = np.zeros(rows, dtype=np.int64)
        for j in range(self.inputs):
            index |= unpack(columns[j], rows).astype(np.int64) << j
        return np.stack([pack(bits[index]) for bits in _bits(self)])


@lru_cache(maxsize=64)
def _bits(lookup: Lookup) -> tuple[np.ndarray, ...]:
    rows = 1 << lookup.inputs
    size = max(1, rows // 8)
    raw = (np.frombuffer(table.to_bytes(size, "little"), dtype=np.uint8) for table in lookup.tables)
    return tuple(np.unpackbits(bytes_of, bitorder="little")[:rows].astype(np.bool_) for bytes_of in raw)


def table_target(
    values: Sequence[int],
    inputs: int,
    *,
    cares: Sequence[int] | None = None,
    input_labels: Sequence[str] | None = None,
    output_labels: Sequence[str] | None = None,
    name: str = "",
) -> Target:
    """The target with these truth tables, one for each output, of at most `MOST_INPUTS` inputs.

    values, cares: for each output a number whose bit r is the value on row r, and one whose bit r says
    whether row r counts; all rows count if there is none. Labels and name are for readers and do not affect
    a run.

    >>> table_target([0x96], 3).name
    'table:3:0x96'
    """
    whole_number("the number of inputs of a table", inputs, least=1, most=MOST_INPUTS)
    if not 1 <= len(values) <= MOST_OUTPUTS:
        raise InputError(f"a table has from 1 to {MOST_OUTPUTS} outputs, not {len(values)}")
    every = (1 << (1 << inputs)) - 1
    for table in (*values, *(cares or ())):
        if isinstance(table, bool) or not 0 <= table <= every:
            raise InputError(
                f"a table of {inputs} inputs has {1 << inputs} rows; {shown(table)} does not fit"
            )
    counting = tuple(cares) if cares is not None else (every,) * len(values)
    if len(counting) != len(values):
        raise InputError(f"{len(counting)} outputs say which rows count, of {len(values)}")
    if not any(counting):
        raise InputError("no row of the table counts; at least one must")
    tables = tuple(value & care for value, care in zip(values, counting, strict=True))
    ins = _labels(input_labels, inputs, "x", "input")
    outs = _labels(output_labels, len(tables), "y", "output")
    content = PREFIX + f"{inputs}:" + ",".join(map(_written, tables, counting, [every] * len(tables)))
    is_labelled = input_labels is not None or output_labels is not None
    text = content + (f":{_joined(ins)}:{_joined(outs)}" if is_labelled else "")
    return Target(
        name=f"{quoted(name, plain=_PLAIN)}@{text}" if name else text,
        inputs=inputs,
        outputs=len(tables),
        input_labels=ins,
        output_labels=outs,
        gates=GATES,
        symmetric=False,
        fewest_nodes=max(map(_fewest_gates, tables, counting, [inputs] * len(tables))),
        family="table",
        evaluate=Lookup(inputs, tables),
        cares=None if all(care == every for care in counting) else Lookup(inputs, counting),
        content=content,
    )


def _fewest_gates(table: int, care: int, inputs: int) -> int:
    """A lower bound on the gates of an output: one less than the inputs it depends on.

    It is 0 where some rows do not count: the function may then depend on fewer inputs.
    """
    if care != (1 << (1 << inputs)) - 1:
        return 0
    from gatewalk.boolean.small_tables import support

    return max(0, len(support(table, inputs)) - 1)


def is_table(text: str) -> bool:
    """Whether a text is meant as a table, well formed or not."""
    return text.rpartition("@")[2].strip().lower().startswith(PREFIX)


def parse_table(text: str) -> Target:
    """The target that a text such as `table:3:0x96` describes; the module's docstring explains the form."""
    form = _FORM.fullmatch(text.strip())
    usage = "write table:3:0x96, as many inputs and the values on all rows, bit r for row r"
    if form is None:
        raise InputError(f"target {shown(text)} is not a table; {usage}")
    name, count, numbers, ins, outs = form.groups()
    if int(count) > MOST_INPUTS:
        raise InputError(f"target {shown(text)}: a table has at most {MOST_INPUTS} inputs")
    inputs = int(count)
    values, cares = [], []
    for number in numbers.split(","):
        value = _VALUE.fullmatch(number)
        if value is None:
            raise InputError(
                f"target {shown(text)}: {shown(number)} is not a hexadecimal number such as 0x96; {usage}"
            )
        values.append(int(value[1], 16))
        cares.append((1 << (1 << inputs)) - 1 if value[2] is None else int(value[2], 16))
    return table_target(
        values,
        inputs,
        cares=cares,
        input_labels=None if ins is None else [unquote(label) for label in ins.split(",")],
        output_labels=None if outs is None else [unquote(label) for label in outs.split(",")],
        name=unquote(name or ""),
    )


def quoted(label: str, *, plain: str = "") -> str:
    """A label or name within the text of a target; letters, digits and the `plain` signs stay as they are.

    >>> quoted("a b@c", plain=" ")
    'a b%40c'
    """
    try:
        return quote(label, safe=plain)
    except UnicodeEncodeError:
        raise InputError(f"{shown(label)} is not valid Unicode; give it another name") from None


def _written(value: int, care: int, every: int) -> str:
    return f"0x{value:x}" if care == every else f"0x{value:x}/0x{care:x}"


def _joined(labels: Sequence[str]) -> str:
    return ",".join(quoted(label, plain=_PLAIN) for label in labels)


def _labels(labels: Sequence[str] | None, count: int, letter: str, kind: str) -> tuple[str, ...]:
    if labels is None:
        return (letter,) if count == 1 and letter == "y" else tuple(f"{letter}{i + 1}" for i in range(count))
    given = tuple(str(label) for label in labels)
    if len(given) != count or len(set(given)) != count or not all(given):
        raise InputError(f"the labels of {count} {kind}s must be {count} different words")
    return given
