r"""BLIF, the Berkeley Logic Interchange Format, read and written by ABC, Yosys, SIS and others.

Specification: "Berkeley Logic Interchange Format (BLIF)", University of California, 1992. Combinational
models only. The first model is the circuit; models it uses by .subckt are put in their place, and a .gate
is looked up in a library of cells (`library.py`). Reading keeps the gates that some output needs, in the
order of the file as far as possible; a table that is no named gate becomes and, or and not gates.

In labels, characters with a meaning in BLIF (spaces, #, \, =, ") are written as _. Labels that are then
alike get _2, _3, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.covers import Cubes, add_cubes, cubes_of
from gatewalk.circuit.expressions import Expression, add_expression
from gatewalk.circuit.files import Format
from gatewalk.circuit.labels import netlist_names
from gatewalk.circuit.library import CellGate, Library, cell_gates
from gatewalk.circuit.netlists import Definition, connected, define, numbered_lines
from gatewalk.errors import InputError, shown

DEEPEST = 64  # the deepest nesting of models within models
MOST_SIGNALS = 1 << 21  # the most signals of a file with all its models in place

_LINE = 78
_WIRE = Cubes(1, ("1",))
_REFUSED = {
    ".latch": "a latch, but Gatewalk reads combinational circuits only",
    ".mlatch": "a latch, but Gatewalk reads combinational circuits only",
    ".clock": "a clock, but Gatewalk reads combinational circuits only",
    ".search": "an include: put everything into one file",
    ".exdc": "external don't cares, which Gatewalk does not read",
    ".blackbox": "a model without contents",
    ".start_kiss": "a state machine, but Gatewalk reads combinational circuits only",
}
# Statements to skip: attributes and delays do not change the function.
_IGNORED = re.compile(r"\.(attr|param|cname|area|delay|wire\w*|\w*(arrival|required|drive|load))$")


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


@dataclass
class Table:
    """A .names statement: the signals it reads, the one it defines, and its rows so far."""

    line: int
    reads: tuple[str, ...]
    signal: str
    cubes: list[str] = field(default_factory=list)
    value: str = "1"


@dataclass(frozen=True)
class Instance:
    """A .gate or .subckt statement: the cell or model it uses, and a signal for each formal name."""

    line: int
    of: str
    signals: dict[str, str]


@dataclass
class Model:
    """A .model: its inputs and outputs, and its statements in order; `line` is where it starts."""

    line: int = 1
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    gates: list[Instance] = field(default_factory=list)
    subcircuits: list[Instance] = field(default_factory=list)


def read_models(text: str) -> dict[str, Model]:
    """The models of a text by name, in order; the first is the circuit, the others are its parts."""
    models: dict[str, Model] = {}
    model = Model()
    table: Table | None = None
    for line, (head, *rest) in _statements(text):
        if not head.startswith("."):
            _add_row(table, line, [head, *rest])
            continue
        table = None
        if head == ".model":
            name = rest[0] if rest else ""
            if name in models:
                raise InputError(f"line {line}: a second model with the name {shown(name)}")
            if models:
                model = Model(line)
            models[name] = model
        elif head in (".inputs", ".input"):
            model.inputs += rest
        elif head in (".outputs", ".output"):
            model.outputs += rest
        elif head == ".names":
            table = _table(line, rest)
            model.tables.append(table)
        elif head == ".gate":
            model.gates.append(_instance(line, rest, head))
        elif head == ".subckt":
            model.subcircuits.append(_instance(line, rest, head))
        elif head in _REFUSED:
            raise InputError(f"line {line}: {head} is {_REFUSED[head]}")
        elif head != ".end" and not _IGNORED.match(head):
            raise InputError(f"line {line}: unknown statement {shown(head)}")
    return models or {"": model}


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Statements as words, without comments and with continued lines joined; each with its line number."""
    start, words = 0, list[str]()
    for number, raw in numbered_lines(text):
        line = raw.split("#", 1)[0].rstrip()
        start = start or number
        continued = line.endswith("\\")
        words += line.removesuffix("\\").split()
        if continued:
            continue
        if words:
            yield start, words
        start, words = 0, []
    if words:
        yield start, words


def _table(line: int, signals: list[str]) -> Table:
    if not signals:
        raise InputError(f"line {line}: .names needs the name of the signal it defines")
    return Table(line, tuple(signals[:-1]), signals[-1])


def _instance(line: int, words: list[str], head: str) -> Instance:
    if not words:
        raise InputError(f"line {line}: {head} needs the name of what it uses")
    signals: dict[str, str] = {}
    for word in words[1:]:
        formal, equals, actual = word.partition("=")
        if not formal or not equals or not actual:
            raise InputError(f"line {line}: {shown(word)} is not of the form formal=signal")
        if formal in signals:
            raise InputError(f"line {line}: {shown(formal)} is connected twice")
        signals[formal] = actual
    return Instance(line, words[0], signals)


def _add_row(table: Table | None, line: int, words: list[str]) -> None:
    if table is None:
        raise InputError(f"line {line}: {shown(' '.join(words))} does not belong to a .names table")
    *cube_words, value = words
    cube = "".join(cube_words)
    if value not in ("0", "1") or set(cube) - set("01-") or len(cube) != len(table.reads):
        raise InputError(
            f"line {line}: a row here needs {len(table.reads)} characters of 0, 1 and -, a space and 0 or 1, "
            f"not {shown(' '.join(words))}"
        )
    if table.cubes and value != table.value:
        raise InputError(f"line {line}: a .names table has both rows for 0 and rows for 1")
    table.cubes.append(cube)
    table.value = value


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
            f"line {line}: .gate {shown(gate.of)} is a library gate; give its genlib file: "
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
    return draft.add(one.gate, [sources[pin] for pin in one.pins])


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
        raise InputError(f"line {line}: models are nested more than {DEEPEST} deep")
    formals = {*part.inputs, *part.outputs}
    for formal in used.signals:
        if formal not in formals:
            raise InputError(f"line {line}: model {of} has no input or output {shown(formal)}")
    for formal in part.inputs:
        if formal not in used.signals:
            raise InputError(f"line {line}: input {shown(formal)} of model {of} is not connected")
    return part


FORMATS = (Format(suffixes=(".blif",), write=write, read=read, takes_library=True),)
