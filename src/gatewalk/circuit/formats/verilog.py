"""Structural Verilog: one module of gate primitives and continuous assignments of scalar signals.

Language: IEEE Std 1364-2005. Read are input, output and wire declarations, and, or, nand, nor, xor, xnor,
not, buf, and assign with ~ & | ^ ~^ ?: and parentheses (of one bit, so ! && || are the same) and the
constants 1'b0 and 1'b1. Everything else, such as vectors and instances of modules, is refused with its line
number. Reading keeps the gates that some output needs; an assigned expression of up to three signals that
equals a named gate becomes that gate.

Labels that are not identifiers of Verilog, such as keywords, are written as escaped identifiers, which can
hold all printable ASCII characters; other characters become _, and labels that are then alike get _2, _3, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.draft import Draft, add, balanced, negation
from gatewalk.circuit.expression import add_expression
from gatewalk.circuit.formula import formula
from gatewalk.circuit.names import netlist_names, unused
from gatewalk.circuit.netlist import Definition, connected, define
from gatewalk.circuit.verilog_text import KEYWORDS, Assignment, Module, read_module
from gatewalk.errors import InputError, shown

SUFFIXES = (".v",)
BINARY = False

# The Verilog primitive for a gate's number of inputs and truth table, if there is one.
_PRIMITIVES = {
    (GATES[name].arity, GATES[name].table): name.removesuffix("3")
    for name in (
        *("buf", "not", "and", "or", "nand", "nor", "xor", "xnor"),
        *("and3", "or3", "nand3", "nor3", "xor3", "xnor3"),
    )
}
_POSITIVE = {"nand": "and", "nor": "or", "xnor": "xor"}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


def write(circuit: Circuit) -> str:
    """The circuit as a module named gatewalk."""
    n = len(circuit.input_labels)
    names, outputs = netlist_names(circuit, _spell)
    inputs = set(names[:n])
    # A port cannot be both input and output: an output that is an input gets a name and a wire of its own.
    used = dict.fromkeys((*names, *outputs), 1)
    outputs = [unused(output, used) if output in inputs else output for output in outputs]
    results = set(outputs)
    # Ports are declared after their list, in the older style, because ABC reads no other.
    ports = [f"  {_written(name)}" for name in (*names[:n], *outputs)]
    lines = ["module gatewalk (", *_separated(ports, ","), ");"]
    lines += [f"  input {_written(name)};" for name in names[:n]]
    lines += [f"  output {_written(name)};" for name in outputs]
    lines += [f"  wire {_written(name)};" for name in names[n:] if name not in results]
    for i, node in enumerate(circuit.nodes):
        operands = [_written(names[source]) for source in node.sources]
        lines.append(f"  {_statement(node.gate, _written(names[n + i]), operands)}")
    for output, source in zip(outputs, circuit.outputs, strict=True):
        if output != names[source]:
            lines.append(f"  assign {_written(output)} = {_written(names[source])};")
    return "\n".join([*lines, "endmodule", ""])


def _spell(label: str) -> str:
    return re.sub(r"[^!-~]", "_", label) or "_"


def _written(name: str) -> str:
    return name if _PLAIN.fullmatch(name) and name not in KEYWORDS else f"\\{name} "


def _separated(lines: list[str], separator: str) -> Iterator[str]:
    for i, line in enumerate(lines):
        yield line + (separator if i + 1 < len(lines) else "")


def _statement(gate: Gate, name: str, operands: list[str]) -> str:
    primitive = _PRIMITIVES.get((gate.arity, gate.table))
    if primitive is not None:
        return f"{primitive} ({', '.join([name, *operands])});"
    if gate.table == GATES["mux"].table and gate.arity == 3:
        return f"assign {name} = {operands[0]} ? {operands[2]} : {operands[1]};"
    return f"assign {name} = {formula(gate, operands, zero=_ZERO, one=_ONE)};"


_ZERO, _ONE = "1'b0", "1'b1"


def read(text: str) -> Circuit:
    """The circuit of the only module in a text; inputs and outputs are in the order of the ports."""
    module = read_module(text)
    inputs, outputs = _ports(module)
    definitions: dict[str, Definition] = {}
    for assignment in module.assignments:
        names = tuple(dict.fromkeys(name for one in assignment.operands for name in one.names))
        build = partial(_build, assignment, names)
        define(definitions, assignment.signal, Definition(assignment.line, names, build))
    return connected(inputs, outputs, definitions)


def _ports(module: Module) -> tuple[list[str], list[str]]:
    listed = set(module.ports)
    for name, line in (*module.inputs.items(), *module.outputs.items()):
        if name not in listed:
            raise InputError(f"line {line}: {shown(name)} is not among the module's ports")
    for name in module.ports:
        if name not in module.inputs and name not in module.outputs:
            raise InputError(f"port {shown(name)} is neither an input nor an output")
    if not module.outputs:
        raise InputError("the module has no output")
    inputs = [name for name in module.ports if name in module.inputs]
    return inputs, [name for name in module.ports if name in module.outputs]


def _build(assignment: Assignment, names: tuple[str, ...], draft: Draft, sources: Sequence[int]) -> int:
    place = dict(zip(names, sources, strict=True))
    operands = [add_expression(draft, one, place) for one in assignment.operands]
    if assignment.primitive is None:
        return operands[0]
    return _add_primitive(draft, assignment.primitive, operands)


def _add_primitive(draft: Draft, primitive: str, operands: list[int]) -> int:
    """Add a primitive: as one gate if there is one of so many inputs, else as a tree of two-input gates."""
    for name in (primitive, f"{primitive}3"):
        if name in GATES and GATES[name].arity == len(operands):
            return add(draft, GATES[name], operands)
    total = balanced(draft, GATES[_POSITIVE.get(primitive, primitive)], operands)
    return negation(draft, total) if primitive in _POSITIVE else total
