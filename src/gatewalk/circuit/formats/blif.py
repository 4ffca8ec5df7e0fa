"""BLIF, the Berkeley Logic Interchange Format, read and written by ABC, Yosys, SIS and others.

Specification: "Berkeley Logic Interchange Format (BLIF)", University of California, 1992. Combinational
models only. The first model is the circuit; models it uses by .subckt are put in their place, and a .gate
is looked up in a genlib library (`library.py`). Reading keeps the gates that some output reaches, in the
order of the file as far as possible; a table that is no named gate becomes and, or and not gates.

In labels, characters with a meaning in BLIF (spaces, #, \\, =, ") are written as _. Labels that are then
alike get _2, _3, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from gatewalk.circuit.blif_text import Instance, Model, Table, read_models
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.cubes import Cubes, add_cubes, cubes_of
from gatewalk.circuit.draft import Draft, add
from gatewalk.circuit.expression import Expression, add_expression
from gatewalk.circuit.genlib import Library
from gatewalk.circuit.library import CellGate, cell_gates
from gatewalk.circuit.names import netlist_names
from gatewalk.circuit.netlist import Definition, connected, define
from gatewalk.errors import InputError, shown

SUFFIXES = (".blif",)
BINARY = False

DEEPEST = 64  # the deepest nesting of models within models
MOST_SIGNALS = 1 << 21  # the most signals of a file with all its models in place

_LINE = 78
_WIRE = Cubes(1, ("1",))


def write(circuit: Circuit) -> str:
    """The circuit as one BLIF model, a .names table per gate."""
    names, outputs = netlist_names(circuit, _spell)
    lines = [".model gatewalk", *_wrapped([".inputs", *names[: len(circuit.input_labels)]])]
    lines += _wrapped([".outputs", *outputs])
    n = len(circuit.input_labels)
    for i, node in enumerate(circuit.nodes):
        lines += _wrapped([".names", *(names[source] for source in node.sources), names[n + i]])
        listed = cubes_of(node.gate)
        lines += [f"{cube} {listed.value}".lstrip() for cube in listed.cubes]
    for output, source in zip(outputs, circuit.outputs, strict=True):
        if output != names[source]:
            lines += [*_wrapped([".names", names[source], output]), "1 1"]
    return "\n".join([*lines, ".end", ""])


def _spell(label: str) -> str:
    return re.sub(r"[\s#\\=\"\x00-\x1f\x7f]", "_", label) or "_"


def _wrapped(words: Iterable[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) > _LINE:
            lines[-1] += " \\"
            lines.append(" " + word)
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else word
    return lines


def read(text: str, *, library: Library | None = None) -> Circuit:
    """The circuit of the text's first model; `library` holds the cells that its .gate statements use."""
    models = read_models(text)
    gates = {} if library is None else cell_gates(library)
    first, top = next(iter(models.items()))
    if not top.outputs:
        raise InputError("the model has no .outputs")
    definitions: dict[str, Definition] = {}
    results = set(top.outputs)
    pending: list[tuple[Model, dict[str, str], str, tuple[str, ...]]] = [(top, {}, "", (first,))]
    size = copies = 0
    while pending:
        model, actual, suffix, path = pending.pop()
        name = partial(_name_in, actual, suffix)
        size += 1 + sum(1 + len(table.reads) for table in model.tables)
        size += sum(1 + len(used.signals) for used in (*model.gates, *model.subcircuits))
        if size > MOST_SIGNALS:
            raise InputError(f"line {model.line}: flattened, the file has more than {MOST_SIGNALS:,} signals")
        _check_inputs(model)
        for table in model.tables:
            define(definitions, name(table.signal), _of_table(table, name, results))
        for gate in model.gates:
            signal, definition = _of_gate(gate, name, library, gates)
            define(definitions, signal, definition)
        for used in reversed(model.subcircuits):
            copies += 1
            part = _part(used, models, path)
            bound = {formal: name(signal) for formal, signal in used.signals.items()}
            pending.append((part, bound, f" in {used.of} {copies}", (*path, used.of)))
    return connected(top.inputs, top.outputs, definitions)


def _name_in(actual: Mapping[str, str], suffix: str, signal: str) -> str:
    """The name of a model's signal in the whole circuit; its space keeps it apart from all names in files."""
    return actual.get(signal) or signal + suffix


def _check_inputs(model: Model) -> None:
    inputs = set(model.inputs)
    for table in model.tables:
        if table.signal in inputs:
            raise InputError(f"line {table.line}: {shown(table.signal)} is an input and cannot be defined")


def _of_table(table: Table, name: partial[str], results: set[str]) -> Definition:
    listed = Cubes(len(table.reads), tuple(table.cubes), int(table.value))
    is_wire = listed == _WIRE and name(table.signal) in results
    build = _wire if is_wire else partial(_add_table, listed)
    return Definition(table.line, tuple(map(name, table.reads)), build)


def _wire(draft: Draft, sources: Sequence[int]) -> int:
    return sources[0]


def _add_table(listed: Cubes, draft: Draft, sources: Sequence[int]) -> int:
    return add_cubes(draft, listed, sources)


def _of_gate(
    gate: Instance, name: partial[str], library: Library | None, gates: Mapping[str, CellGate]
) -> tuple[str, Definition]:
    line = gate.line
    if library is None:
        raise InputError(
            f"line {line}: .gate {shown(gate.of)} is a gate of a library: give its genlib file, "
            '--library FILE on the command line, read_file("circuit.blif", library=FILE) in Python'
        )
    cell = library.get(gate.of)
    if cell is None:
        raise InputError(f"line {line}: the library has no gate {shown(gate.of)}")
    pins = cell.expression.names
    for formal in gate.signals:
        if formal != cell.output and formal not in pins:
            raise InputError(f"line {line}: gate {shown(gate.of)} has no pin {shown(formal)}")
    for pin in (cell.output, *pins):
        if pin not in gate.signals:
            raise InputError(f"line {line}: pin {shown(pin)} of gate {shown(gate.of)} is not connected")
    reads = tuple(name(gate.signals[pin]) for pin in pins)
    one = gates.get(gate.of)
    build = partial(_add_expression, cell.expression) if one is None else partial(_add_gate, one)
    return name(gate.signals[cell.output]), Definition(line, reads, build)


def _add_gate(one: CellGate, draft: Draft, sources: Sequence[int]) -> int:
    return add(draft, one.gate, [sources[pin] for pin in one.pins])


def _add_expression(expression: Expression, draft: Draft, sources: Sequence[int]) -> int:
    return add_expression(draft, expression, dict(zip(expression.names, sources, strict=True)))


def _part(used: Instance, models: Mapping[str, Model], path: tuple[str, ...]) -> Model:
    """The model that a .subckt names; an error if there is none or it contains itself."""
    line, of = used.line, shown(used.of)
    part = models.get(used.of)
    if part is None:
        raise InputError(f"line {line}: there is no model {of} in this file")
    if used.of in path:
        raise InputError(f"line {line}: model {of} contains itself")
    if len(path) >= DEEPEST:
        raise InputError(f"line {line}: models within models, more than {DEEPEST} deep")
    formals = {*part.inputs, *part.outputs}
    for formal in used.signals:
        if formal not in formals:
            raise InputError(f"line {line}: model {of} has no input or output {shown(formal)}")
    for formal in part.inputs:
        if formal not in used.signals:
            raise InputError(f"line {line}: input {shown(formal)} of model {of} is not connected")
    return part
