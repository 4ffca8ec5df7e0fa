"""Yosys JSON, which `read_json` of Yosys reads and netlistsvg draws.

Format: Yosys manual, command write_json. Gates are Yosys' own cells ($_AND_, $_NAND_, ...); those without
such a cell are lookup tables ($lut). The suffix has two parts, circuit.yosys.json, since .json alone is
Gatewalk's own format. Internally Yosys' names begin with $ or \\ and contain neither spaces nor control
characters: in labels these become _, and labels that are then alike get _2, _3, ...
"""

from __future__ import annotations

import json
import re

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.files import Format
from gatewalk.circuit.labels import Used, distinct
from gatewalk.circuit.text import is_constant

# Yosys' cells by the gate's truth table, with the ports of the gate's inputs.
_CELLS = {
    (GATES[name].arity, GATES[name].table): (cell, ports)
    for name, cell, ports in (
        ("buf", "$_BUF_", "A"),
        ("not", "$_NOT_", "A"),
        ("and", "$_AND_", "AB"),
        ("nand", "$_NAND_", "AB"),
        ("or", "$_OR_", "AB"),
        ("nor", "$_NOR_", "AB"),
        ("xor", "$_XOR_", "AB"),
        ("xnor", "$_XNOR_", "AB"),
        ("nimply", "$_ANDNOT_", "AB"),
        ("ncimply", "$_ANDNOT_", "BA"),
        ("cimply", "$_ORNOT_", "AB"),
        ("imply", "$_ORNOT_", "BA"),
        ("mux", "$_MUX_", "SAB"),
        ("aoi21", "$_AOI3_", "ABC"),
        ("oai21", "$_OAI3_", "ABC"),
    )
}
_FIRST_BIT = 2  # older versions of Yosys use the numbers 0 and 1 for the constants


def write(circuit: Circuit) -> str:
    """The circuit as one module named gatewalk."""
    n = len(circuit.input_labels)
    # A constant gate needs no cell: the cells that read it read the constant.
    bits: list[int | str] = [_FIRST_BIT + i for i in range(n)]
    for i, node in enumerate(circuit.nodes):
        fixed = is_constant(node.gate)
        bits.append(_FIRST_BIT + n + i if fixed is None else str(fixed))
    used: Used = {}
    inputs = distinct(circuit.input_labels, _spell, used)
    outputs = distinct(circuit.output_labels, _spell, used)
    ports = {name: {"direction": "input", "bits": [bits[i]]} for i, name in enumerate(inputs)}
    ports |= {
        name: {"direction": "output", "bits": [bits[source]]}
        for name, source in zip(outputs, circuit.outputs, strict=True)
    }
    cells = {
        f"$g{i + 1}": _cell(node.gate, [bits[source] for source in node.sources], bits[n + i])
        for i, node in enumerate(circuit.nodes)
        if isinstance(bits[n + i], int)
    }
    nets = {name: {"hide_name": 0, "bits": port["bits"], "attributes": {}} for name, port in ports.items()}
    module = {"attributes": {}, "ports": ports, "cells": cells, "netnames": nets}
    return (
        json.dumps({"creator": "Gatewalk", "modules": {"gatewalk": module}}, indent=1, ensure_ascii=False)
        + "\n"
    )


def _spell(label: str) -> str:
    return re.sub(r"[\s\x00-\x1f\x7f]", "_", label) or "_"


def _cell(gate: Gate, operands: list[int | str], value: int | str) -> dict[str, object]:
    kind, letters = _CELLS.get((gate.arity, gate.table), ("$lut", ""))
    parameters: dict[str, str] = {}
    connections: dict[str, list[int | str]] = {
        letter: [operand] for letter, operand in zip(letters, operands, strict=False)
    }
    if kind == "$lut":
        parameters = {"LUT": f"{gate.table:0{1 << gate.arity}b}", "WIDTH": f"{gate.arity:032b}"}
        connections = {"A": operands}
    ports = {**dict.fromkeys(connections, "input"), "Y": "output"}
    return {
        "hide_name": 1,
        "type": kind,
        "parameters": parameters,
        "attributes": {},
        "port_directions": ports,
        "connections": {**connections, "Y": [value]},
    }


FORMATS = (Format(suffixes=(".yosys.json",), write=write),)
