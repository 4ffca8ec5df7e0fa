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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.covers import Cubes, add_cubes, cubes_of, named_gate
from gatewalk.circuit.expressions import Expression, add_expression
from gatewalk.circuit.files import Format
from gatewalk.circuit.labels import netlist_names
from gatewalk.circuit.library import Cell, CellGate, Library, cell_gates
from gatewalk.circuit.netlists import Definition, Signal, connected, define, numbered_lines
from gatewalk.errors import InputError, shown

DEEPEST = 64  # the deepest nesting of models within models
MOST_SIGNALS = 1 << 21  # the most signals of a file, also with all its models in place
MOST_SIGNS = 1 << 27  # the most characters of all tables with all models in place

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


@dataclass(slots=True)
class Table:
    """A .names statement: the signals it reads, the one it defines, and its rows so far."""

    line: int
    reads: tuple[str, ...]
    signal: str
    cubes: list[str] = field(default_factory=list)
    value: str = "1"


@dataclass(frozen=True, slots=True)
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
    size = 0
    for line, words in _statements(text):
        head = words[0]
        if not head.startswith("."):
            _add_row(table, line, words)
            continue
        table = None
        rest = words[1:]
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
        elif head == ".end" or _IGNORED.match(head):
            continue
        else:
            raise InputError(f"line {line}: unknown statement {shown(head)}")
        size += len(rest)
        if size > MOST_SIGNALS:
            raise InputError(f"line {line}: the file has more than {MOST_SIGNALS:,} signals")
    return models or {"": model}


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Statements as words, with continued lines joined; each with its line number."""
    start, words = 0, list[str]()
    for number, line in numbered_lines(text):
        start = start or number
        words += line.removesuffix("\\").split(None, MOST_SIGNALS + 1)
        if len(words) > MOST_SIGNALS + 1:
            raise InputError(f"line {start}: a statement of more than {MOST_SIGNALS:,} signals")
        if line.endswith("\\"):
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
    value = words[-1]
    cube = words[0] if len(words) == 2 else "".join(words[:-1])
    if value not in ("0", "1") or cube.strip("01-") or len(cube) != len(table.reads):
        raise InputError(
            f"line {line}: a row here needs {len(table.reads)} characters of 0, 1 and -, a space and 0 or 1, "
            f"not {shown(' '.join(words))}"
        )
    if table.cubes and value != table.value:
        raise InputError(f"line {line}: a .names table has both rows for 0 and rows for 1")
    table.cubes.append(cube)
    table.value = value


class _Local(NamedTuple):
    """A signal within a copy of a model. It is no text, of which every copy would hold a long one."""

    name: str
    model: str
    copy: int

    def __repr__(self) -> str:
        return repr(f"{self.name} in {self.model} {self.copy}")


_Build = Callable[[Draft, Sequence[int]], int]


@dataclass(frozen=True)
class _Part:
    """What all copies of a model have in common.

    tables: with what each adds to a circuit, and whether it is a wire. size: how many signals its statements
    name. signs: how many characters its tables have.
    """

    model: Model
    inputs: tuple[str, ...]
    formals: frozenset[str]
    tables: tuple[tuple[Table, _Build, bool], ...]
    gates: tuple[tuple[Instance, tuple[str, ...], str, _Build], ...]
    size: int
    signs: int


def read(text: str, *, library: Library | None = None) -> Circuit:
    """The circuit of the text's first model; `library` holds the cells that its .gate statements use."""
    models = read_models(text)
    first, top = next(iter(models.items()))
    if not top.outputs:
        raise InputError("the model has no .outputs")
    cells = {} if library is None else cell_gates(library)
    parts: dict[str, _Part] = {}
    builds: dict[Cubes, _Build] = {}
    definitions: dict[Signal, Definition] = {}
    results = set(top.outputs)
    size = signs = copies = 0
    # The models under way, each with the names of its signals in the circuit and the parts still to come.
    path: list[tuple[str, partial[Signal], Iterator[Instance]]] = []
    on_path: set[str] = set()

    def enter(of: str, name: partial[Signal]) -> None:
        """Add the definitions of a copy of a model."""
        nonlocal size, signs
        part = parts[of]
        size, signs = size + part.size, signs + part.signs
        if size > MOST_SIGNALS:
            line = part.model.line
            raise InputError(f"line {line}: flattened, the file has more than {MOST_SIGNALS:,} signals")
        if signs > MOST_SIGNS:
            line = part.model.line
            raise InputError(
                f"line {line}: flattened, the tables of the file have more than {MOST_SIGNS:,} characters"
            )
        for table, build, is_wire in part.tables:
            signal = name(table.signal)
            # An output that is a wire is no gate; any other wire is a buffer.
            used = _wire if is_wire and signal in results else build
            define(definitions, signal, Definition(table.line, tuple(map(name, table.reads)), used))
        for gate, reads, output, build in part.gates:
            define(definitions, name(output), Definition(gate.line, tuple(map(name, reads)), build))
        path.append((of, name, iter(part.model.subcircuits)))
        on_path.add(of)

    parts[first] = _prepared(top, library, cells, builds)
    enter(first, partial(_name_in, {}, "", 0))
    while path:
        of, name, pending = path[-1]
        used = next(pending, None)
        if used is None:
            path.pop()
            on_path.discard(of)
            continue
        copies += 1
        _check_use(used, models, on_path)
        if used.of not in parts:
            parts[used.of] = _prepared(models[used.of], library, cells, builds)
        _check_pins(used, parts[used.of])
        actual = {formal: name(signal) for formal, signal in used.signals.items()}
        enter(used.of, partial(_name_in, actual, used.of, copies))
    return connected(top.inputs, top.outputs, definitions)


def _name_in(actual: Mapping[str, Signal], model: str, copy: int, signal: str) -> Signal:
    """What stands for a model's signal in the whole circuit: its name, if the model is the first one."""
    bound = actual.get(signal)
    if bound is not None:
        return bound
    return _Local(signal, model, copy) if copy else signal


def _prepared(
    model: Model, library: Library | None, cells: Mapping[str, CellGate], builds: dict[Cubes, _Build]
) -> _Part:
    """What copies of the model need, found once. builds: what tables add, so that equal ones share it."""
    inputs = dict.fromkeys(model.inputs)
    tables = []
    size, signs = 1, 0
    for table in model.tables:
        if table.signal in inputs:
            raise InputError(f"line {table.line}: {shown(table.signal)} is an input and cannot be defined")
        listed = Cubes(len(table.reads), tuple(table.cubes), int(table.value))
        if listed not in builds:
            builds[listed] = _build_of(listed)
        tables.append((table, builds[listed], listed == _WIRE))
        size += 1 + len(table.reads)
        signs += len(table.cubes) * (1 + len(table.reads))
    gates = []
    for gate in model.gates:
        cell = _cell_of(gate, library)
        size += 1 + len(gate.signals)
        reads = tuple(gate.signals[pin] for pin in cell.expression.names)
        mapped = cells.get(gate.of)
        if mapped is None:
            signs += len(cell.expression.items)
            build: _Build = partial(_add_expression, cell.expression)
        else:
            build = partial(_add_gate, mapped)
        gates.append((gate, reads, gate.signals[cell.output], build))
    size += sum(1 + len(used.signals) for used in model.subcircuits)
    formals = frozenset((*inputs, *model.outputs))
    return _Part(model, tuple(inputs), formals, tuple(tables), tuple(gates), size, signs)


def _build_of(listed: Cubes) -> _Build:
    named = named_gate(listed)
    return partial(_add_table, listed) if named is None else partial(_add_gate, CellGate(*named))


def _wire(draft: Draft, sources: Sequence[int]) -> int:
    return sources[0]


def _add_table(listed: Cubes, draft: Draft, sources: Sequence[int]) -> int:
    return add_cubes(draft, listed, sources)


def _cell_of(gate: Instance, library: Library | None) -> Cell:
    """The cell that a .gate names; all its pins are connected."""
    line = gate.line
    if library is None:
        raise InputError(
            f"line {line}: .gate {shown(gate.of)} is a library gate; give its genlib file: "
            '--library FILE on the command line, read_file("circuit.blif", library=FILE) in Python'
        )
    cell = library.get(gate.of)
    if cell is None:
        raise InputError(f"line {line}: the library has no gate {shown(gate.of)}")
    pins = dict.fromkeys((cell.output, *cell.expression.names))
    for formal in gate.signals:
        if formal not in pins:
            raise InputError(f"line {line}: gate {shown(gate.of)} has no pin {shown(formal)}")
    for pin in pins:
        if pin not in gate.signals:
            raise InputError(f"line {line}: pin {shown(pin)} of gate {shown(gate.of)} is not connected")
    return cell


def _add_gate(cell: CellGate, draft: Draft, sources: Sequence[int]) -> int:
    return draft.add(cell.gate, [sources[pin] for pin in cell.pins])


def _add_expression(expression: Expression, draft: Draft, sources: Sequence[int]) -> int:
    return add_expression(draft, expression, dict(zip(expression.names, sources, strict=True)))


def _check_use(used: Instance, models: Mapping[str, Model], on_path: set[str]) -> None:
    """Raise `InputError` if there is no model that a .subckt names, or it contains itself."""
    line, of = used.line, used.of
    if of not in models:
        raise InputError(f"line {line}: there is no model {shown(of)} in this file")
    if of in on_path:
        raise InputError(f"line {line}: model {shown(of)} contains itself")
    if len(on_path) >= DEEPEST:
        raise InputError(f"line {line}: models are nested more than {DEEPEST} deep")


def _check_pins(used: Instance, part: _Part) -> None:
    line, of = used.line, used.of
    for formal in used.signals:
        if formal not in part.formals:
            raise InputError(f"line {line}: model {shown(of)} has no input or output {shown(formal)}")
    for formal in part.inputs:
        if formal not in used.signals:
            raise InputError(f"line {line}: input {shown(formal)} of model {shown(of)} is not connected")


FORMATS = (Format(suffixes=(".blif",), write=write, read=read, takes_library=True),)
