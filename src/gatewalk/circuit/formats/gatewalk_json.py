"""Gatewalk's own format: the circuit as it is, in JSON, one gate per line.

Sources are numbered as in the circuit: inputs from 0, then gates in order. A gate that Gatewalk has no
name for is written with its number of inputs and its truth table, bit r its value on row r.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from gatewalk.boolean.gates import GATES, Gate, gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.files import Format
from gatewalk.circuit.text import gate_formula
from gatewalk.errors import MOST, InputError, shown
from gatewalk.numbers import from_json

_HALF = re.compile("[\\ud800-\\udfff]")  # half a character (a surrogate), which cannot be written to a file

FORMAT = "gatewalk-circuit"
VERSION = 1

MOST_GATE_INPUTS = 6
MOST_PARTS = 6 << 20  # the most lists, objects and commas of a file
_TABLE = re.compile(r"0x[0-9a-f]{1,16}")


def write(circuit: Circuit) -> str:
    """The circuit as JSON text."""
    nodes = [json.dumps(_gate_entry(node.gate) | {"sources": node.sources}) for node in circuit.nodes]
    results = zip(circuit.output_labels, circuit.outputs, strict=True)
    outputs = [json.dumps({"name": label, "source": source}) for label, source in results]
    fields = (
        ("format", json.dumps(FORMAT)),
        ("version", json.dumps(VERSION)),
        ("inputs", json.dumps(list(circuit.input_labels))),
        ("gates", _lines(nodes)),
        ("outputs", _lines(outputs)),
    )
    return "{\n" + ",\n".join(f'  "{name}": {text}' for name, text in fields) + "\n}\n"


def read(text: str) -> Circuit:
    """The circuit in a JSON text of the form that `write` gives."""
    parts = sum(map(text.count, "[{,"))
    if parts > MOST_PARTS:
        raise InputError(f"the JSON has {parts:,} values; Gatewalk reads at most {MOST_PARTS:,}")
    try:
        data = from_json(text)
    except json.JSONDecodeError as error:
        raise InputError(f"line {error.lineno}: not JSON: {error.msg}") from error
    except RecursionError as error:
        raise InputError("not a circuit: JSON nested too deeply") from error
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(f'not a circuit of Gatewalk: "format" must be "{FORMAT}"')
    if data.get("version") != VERSION:
        version = shown(data.get("version"))
        raise InputError(f"unknown version {version}; this Gatewalk reads version {VERSION}")
    results = _list(data, "outputs")
    return Circuit(
        input_labels=tuple(_text(label, "an input") for label in _list(data, "inputs")),
        nodes=tuple(_node(i, entry) for i, entry in enumerate(_list(data, "gates"))),
        outputs=tuple(_number(_get(entry, "source", "an output"), "an output") for entry in results),
        output_labels=tuple(_text(_get(entry, "name", "an output"), "an output") for entry in results),
    )


def _gate_entry(one: Gate) -> dict[str, object]:
    if GATES.get(one.name) == one:
        return {"gate": one.name}
    return {"gate": one.name, "arity": one.arity, "table": hex(one.table)}


def _lines(entries: list[str]) -> str:
    return "[\n    " + ",\n    ".join(entries) + "\n  ]" if entries else "[]"


def _node(i: int, entry: object) -> Node:
    where = f"gate {i}"
    sources = _get(entry, "sources", where)
    if not isinstance(sources, list):
        raise InputError(f'{where}: "sources" must be a list of numbers')
    name = _text(_get(entry, "gate", where), where)
    own = isinstance(entry, dict) and "table" in entry
    return Node(
        _own_gate(name, entry, where) if own else gate(name),
        tuple(_number(source, where) for source in sources),
    )


def _own_gate(name: str, entry: object, where: str) -> Gate:
    arity, table = _get(entry, "arity", where), _get(entry, "table", where)
    if not isinstance(arity, int) or isinstance(arity, bool) or not 0 <= arity <= MOST_GATE_INPUTS:
        raise InputError(f'{where}: "arity" must be a whole number up to {MOST_GATE_INPUTS}')
    if not isinstance(table, str) or not _TABLE.fullmatch(table) or int(table, 16) >> (1 << arity):
        raise InputError(f'{where}: "table" must be text such as "0x96", of 2^arity bits')
    own = Gate(name, arity, int(table, 16), "")
    return replace(own, symbol=gate_formula(own, "abcdefgh", zero="0", one="1"))


def _list(data: dict[str, object], key: str) -> list[object]:
    value = data.get(key)
    if not isinstance(value, list):
        raise InputError(f'"{key}" must be a list')
    return value


def _get(entry: object, key: str, where: str) -> object:
    if not isinstance(entry, dict) or key not in entry:
        raise InputError(f'{where} must be an object with "{key}"')
    return entry[key]


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value or _HALF.search(value):
        raise InputError(f"{where}: {shown(value)} is not a name")
    return value


def _number(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > MOST:
        raise InputError(f"{where}: {shown(value)} is not the number of a source")
    return value


FORMATS = (Format(suffixes=(".json",), write=write, read=read),)
