"""AIGER, the format of and-inverter graphs of the hardware model checking competitions: what is common
to its ascii and its binary form.

Format: A. Biere, "The AIGER And-Inverter Graph (AIG) Format Version 20071012", and version 1.9 of 2011.
The header tells which form a file has. Combinational graphs only: latches and properties are refused.
Symbols become labels, comments are passed over; inputs without a symbol are x1, x2, ..., outputs y1,
y2, ... Reading keeps the gates that some output reaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from gatewalk.circuit.aig import Aig, to_circuit
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.names import netlist_names, unused
from gatewalk.circuit.numbered_lines import whole_number_in
from gatewalk.errors import InputError, shown

MOST_VARIABLES = 1 << 22
MOST_UNLISTED = 1 << 17  # the most inputs of a binary file, which does not list them

_Ands = dict[int, tuple[int, int, int]]  # by variable: two literals and the line


def symbols(circuit: Circuit) -> str:
    """The symbol table. Characters that are not printable are written as _, and all names are different.

    They must be: programs such as Yosys take an output with the name of an input for that input.
    """
    names, outputs = netlist_names(circuit, _spell)
    lines = [f"i{i} {name}\n" for i, name in enumerate(names[: len(circuit.input_labels)])]
    lines += [f"o{j} {name}\n" for j, name in enumerate(outputs)]
    return "".join([*lines, "c\nwritten by Gatewalk\n"])


def _spell(label: str) -> str:
    return "".join(sign if sign.isprintable() else "_" for sign in label) or "_"


@dataclass
class _Reader:
    """The bytes of a file, and how far they have been read."""

    data: bytes
    at: int = 0
    line: int = 0


@dataclass
class _Graph:
    inputs: list[int] = field(default_factory=list)  # variables
    outputs: list[int] = field(default_factory=list)  # literals
    ands: _Ands = field(default_factory=dict)


def read(data: bytes) -> Circuit:
    """The circuit in the bytes of a file of either form."""
    reader = _Reader(data)
    words = (_next_line(reader) or "").split()
    if len(words) < 6 or words[0] not in ("aag", "aig"):
        raise InputError("line 1: an AIGER file begins with aag or aig and five numbers")
    sizes = [
        whole_number_in(word, what, 1, MOST_VARIABLES) for word, what in zip(words[1:], _SIZES, strict=False)
    ]
    if len(words) > 10:
        raise InputError("line 1: a header of more than nine numbers")
    variables, inputs, latches, outputs, ands, *properties = sizes
    if latches or any(properties):
        what = "latches" if latches else "properties"
        raise InputError(f"line 1: the file has {what}, but Gatewalk reads combinational circuits only")
    if variables < inputs + ands:
        raise InputError(f"line 1: {inputs} inputs and {ands} and gates are more than {variables} variables")
    if words[0] == "aag":
        graph = _read_ascii(reader, variables, inputs, outputs, ands)
    else:
        if variables != inputs + ands:
            raise InputError("line 1: in binary form the variables are the inputs and the and gates")
        if inputs > MOST_UNLISTED:
            raise InputError(f"line 1: {inputs:,} inputs, in binary form at most {MOST_UNLISTED:,} are read")
        graph = _read_binary(reader, inputs, outputs, ands)
    labels = _read_symbols(reader, inputs, outputs)
    return to_circuit(_compact(graph), *labels)


_SIZES = (
    "the largest variable",
    "the number of inputs",
    "the number of latches",
    "the number of outputs",
    "the number of and gates",
    *["the number of properties"] * 4,
)


def _next_line(reader: _Reader) -> str | None:
    """The next line, or None at the end of the file."""
    if reader.at >= len(reader.data):
        return None
    end = reader.data.find(b"\n", reader.at)
    end = len(reader.data) if end < 0 else end
    raw = reader.data[reader.at : end]
    reader.at, reader.line = end + 1, reader.line + 1
    try:
        return raw.decode().removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(f"line {reader.line}: is not text in UTF-8") from error


def _literals(reader: _Reader, wanted: int, what: str, variables: int) -> list[int]:
    text = _next_line(reader)
    if text is None:
        raise InputError(f"line {reader.line + 1}: the file ends where {what} was expected")
    words = text.split()
    if len(words) != wanted:
        raise InputError(f"line {reader.line}: {what} needs {wanted} numbers, not {shown(text)}")
    return [whole_number_in(word, "a literal", reader.line, 2 * variables + 1) for word in words]


def _read_ascii(reader: _Reader, variables: int, inputs: int, outputs: int, ands: int) -> _Graph:
    graph = _Graph()
    defined: set[int] = {0}

    def define(literal: int) -> int:
        if literal & 1 or literal >> 1 in defined:
            reason = "is negated" if literal & 1 else "is defined twice"
            raise InputError(f"line {reader.line}: literal {literal} {reason}, an input or gate cannot be")
        defined.add(literal >> 1)
        return literal >> 1

    for _ in range(inputs):
        graph.inputs.append(define(_literals(reader, 1, "an input", variables)[0]))
    for _ in range(outputs):
        graph.outputs += _literals(reader, 1, "an output", variables)
    for _ in range(ands):
        left, a, b = _literals(reader, 3, "an and gate", variables)
        graph.ands[define(left)] = (a, b, reader.line)
    for a, b, line in graph.ands.values():
        for literal in (a, b):
            if literal >> 1 not in defined:
                raise InputError(f"line {line}: literal {literal} is neither an input nor defined")
    for literal in graph.outputs:
        if literal >> 1 not in defined:
            raise InputError(f"output literal {literal} is neither an input nor defined")
    return graph


def _read_binary(reader: _Reader, inputs: int, outputs: int, ands: int) -> _Graph:
    graph = _Graph(list(range(1, inputs + 1)))
    for _ in range(outputs):
        graph.outputs += _literals(reader, 1, "an output", inputs + ands)
    for k in range(ands):
        left = 2 * (inputs + 1 + k)
        first, second = _number(reader, k), _number(reader, k)
        if not 0 < first <= left or second > left - first:
            raise InputError(f"and gate {k} (byte {reader.at:,}): it reads itself or what comes later")
        graph.ands[left >> 1] = (left - first, left - first - second, 0)
    return graph


def _number(reader: _Reader, k: int) -> int:
    """A number of seven bits per byte, the lowest first; the last byte is below 128."""
    value, shift = 0, 0
    while True:
        if reader.at >= len(reader.data):
            raise InputError(f"the file ends within and gate {k}")
        byte = reader.data[reader.at]
        reader.at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value
        if shift > 35:
            raise InputError(f"and gate {k} (byte {reader.at:,}): a number of more than 32 bits")


def _read_symbols(reader: _Reader, inputs: int, outputs: int) -> tuple[list[str], list[str]]:
    sizes = {"i": inputs, "o": outputs}
    given: dict[str, dict[int, str]] = {"i": {}, "o": {}}
    while (text := _next_line(reader)) is not None and text != "c":
        head, _, label = text.partition(" ")
        letter = head[:1]
        if letter not in sizes or not label:
            raise InputError(f"line {reader.line}: {shown(text)} is no symbol, as i0 name or o0 name")
        position = whole_number_in(head[1:], "a position", reader.line, MOST_VARIABLES)
        if position >= sizes[letter] or position in given[letter]:
            wrong = "has a symbol already" if position in given[letter] else "does not exist"
            raise InputError(f"line {reader.line}: {shown(head)} {wrong}")
        given[letter][position] = label
    found = []
    for letter, prefix in (("i", "x"), ("o", "y")):
        used = dict.fromkeys(given[letter].values(), 1)
        named = given[letter]
        found.append([named.get(k) or unused(f"{prefix}{k + 1}", used) for k in range(sizes[letter])])
    return found[0], found[1]


def _compact(graph: _Graph) -> Aig:
    """The graph of the gates that outputs depend on, each after those it reads, numbered without gaps."""
    number = {0: 0} | {variable: i + 1 for i, variable in enumerate(graph.inputs)}
    aig = Aig(len(graph.inputs))
    needed = _needed(graph)
    for first in graph.ands:
        path = [first] if first in needed else []
        on_path = set(path)
        while path:
            variable = path[-1]
            a, b, line = graph.ands[variable]
            missing = next((one >> 1 for one in (a, b) if one >> 1 not in number), None)
            if variable in number or missing is None:
                if variable not in number:
                    aig.ands.append((_renumbered(a, number), _renumbered(b, number)))
                    number[variable] = aig.inputs + len(aig.ands)
                on_path.discard(path.pop())
            elif missing in on_path:
                raise InputError(f"line {line}: the and gate of literal {2 * missing} depends on itself")
            else:
                path.append(missing)
                on_path.add(missing)
    aig.outputs = [_renumbered(literal, number) for literal in graph.outputs]
    return aig


def _renumbered(literal: int, number: dict[int, int]) -> int:
    return 2 * number[literal >> 1] | literal & 1


def _needed(graph: _Graph) -> set[int]:
    pending: Sequence[int] = [literal >> 1 for literal in graph.outputs]
    needed: set[int] = set()
    while pending:
        layer = {variable for variable in pending if variable in graph.ands} - needed
        needed |= layer
        pending = [one >> 1 for variable in layer for one in graph.ands[variable][:2]]
    return needed
