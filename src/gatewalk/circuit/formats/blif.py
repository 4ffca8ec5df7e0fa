"""BLIF, the Berkeley Logic Interchange Format, read and written by ABC, Yosys, SIS and others.

Specification: "Berkeley Logic Interchange Format (BLIF)", University of California, 1992.
Combinational models only. Reading keeps the gates that some output reaches, in the order of
the file as far as possible; a cover that is no named gate becomes and, or and not gates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from gatewalk.boolean.gates import Gate
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.covers import Cover, add_cover, cover_of
from gatewalk.circuit.text import source_names
from gatewalk.errors import InputError, shown

SUFFIXES = (".blif",)

_LINE = 78
_WIRE = Cover(1, ("1",))
_REFUSED = {
    ".latch": "a latch, but Gatewalk reads combinational circuits only",
    ".mlatch": "a latch, but Gatewalk reads combinational circuits only",
    ".clock": "a clock, but Gatewalk reads combinational circuits only",
    ".subckt": "a subcircuit: flatten the file first (in Yosys: flatten; in ABC: it is done by read_blif)",
    ".gate": "a library gate: map it to .names first (in ABC: unmap)",
    ".search": "an include: put everything into one file",
    ".exdc": "external don't cares, which Gatewalk does not read",
    ".start_kiss": "a state machine, but Gatewalk reads combinational circuits only",
}
# Attributes and delays say nothing about the function.
_IGNORED = re.compile(r"\.(attr|param|cname|area|delay|wire\w*|\w*(arrival|required|drive|load))$")


def write(circuit: Circuit) -> str:
    """The circuit as one BLIF model, a .names table per gate."""
    names, outputs = _tokens(circuit)
    lines = [".model gatewalk", *_wrapped([".inputs", *names[: len(circuit.input_labels)]])]
    lines += _wrapped([".outputs", *outputs])
    n = len(circuit.input_labels)
    for i, node in enumerate(circuit.nodes):
        lines += _wrapped([".names", *(names[source] for source in node.sources), names[n + i]])
        cover = cover_of(node.gate)
        lines += [f"{cube} {cover.value}".lstrip() for cube in cover.cubes]
    for output, source in zip(outputs, circuit.outputs, strict=True):
        if output != names[source]:
            lines += [*_wrapped([".names", names[source], output]), "1 1"]
    return "\n".join([*lines, ".end", ""])


def _tokens(circuit: Circuit) -> tuple[list[str], list[str]]:
    """Names of all sources and of the outputs as BLIF can hold them; a gate bears its output's name."""
    n = len(circuit.input_labels)
    used: set[str] = set()
    names = [_token(label, used) for label in circuit.input_labels]
    outputs: list[str] = []
    bearers: dict[int, str] = {}
    for label, source in zip(circuit.output_labels, circuit.outputs, strict=True):
        is_input = source < n and names[source] == label
        outputs.append(label if is_input else _token(label, used))
        # A buffer keeps its own name: read again, a wire to an output is no gate.
        if source >= n and circuit.nodes[source - n].gate.name != "buf":
            bearers.setdefault(source, outputs[-1])
    gates = source_names(circuit)[n:]
    names += [bearers.get(n + i) or _token(name, used) for i, name in enumerate(gates)]
    return names, outputs


def _token(label: str, used: set[str]) -> str:
    """The label without what separates, comments or continues a line, and different from all others."""
    plain = token = re.sub(r"[\s#\\=\"]", "_", label) or "_"
    count = 1
    while token in used:
        count += 1
        token = f"{plain}_{count}"
    used.add(token)
    return token


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
class _Table:
    """A .names statement: the line it starts on, the signals it reads and its rows so far."""

    line: int
    reads: tuple[str, ...]
    cubes: list[str] = field(default_factory=list)
    value: str = "1"


@dataclass
class _Model:
    inputs: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    tables: dict[str, _Table] = field(default_factory=dict)


def read(text: str) -> Circuit:
    """The circuit that the text's one model describes."""
    model = _parse(text)
    if not model.outputs:
        raise InputError("the model has no .outputs")
    place = {label: i for i, label in enumerate(model.inputs)}
    results = set(model.outputs)
    nodes: list[Node] = []
    negations: dict[int, int] = {}

    def add(gate: Gate, sources: tuple[int, ...]) -> int:
        nodes.append(Node(gate, sources))
        return len(model.inputs) + len(nodes) - 1

    for signal in _in_order(model):
        table = model.tables[signal]
        sources = [place[name] for name in table.reads]
        cover = Cover(len(sources), tuple(table.cubes), int(table.value))
        if cover == _WIRE and signal in results:
            place[signal] = sources[0]
        else:
            place[signal] = add_cover(cover, sources, add, negations)
    outputs = tuple(place[label] for label in model.outputs)
    return Circuit(tuple(model.inputs), tuple(nodes), outputs, tuple(model.outputs))


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines as words, without comments, continued lines joined; each with the number it starts on."""
    start, words = 0, list[str]()
    for number, raw in enumerate(text.splitlines(), start=1):
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


def _parse(text: str) -> _Model:
    model = _Model()
    table: _Table | None = None
    models = 0
    for line, (head, *rest) in _statements(text):
        if not head.startswith("."):
            _add_row(table, line, [head, *rest])
            continue
        table = None
        if head == ".model":
            models += 1
            if models > 1:
                raise InputError(f"line {line}: a second .model, Gatewalk reads one: flatten the file first")
        elif head in (".inputs", ".input"):
            model.inputs += rest
        elif head in (".outputs", ".output"):
            model.outputs += rest
        elif head == ".names":
            table = _add_table(model, line, rest)
        elif head in _REFUSED:
            raise InputError(f"line {line}: {head} is {_REFUSED[head]}")
        elif head != ".end" and not _IGNORED.match(head):
            raise InputError(f"line {line}: unknown statement {shown(head)}")
    return model


def _add_table(model: _Model, line: int, signals: list[str]) -> _Table:
    if not signals:
        raise InputError(f"line {line}: .names needs the name of the signal it defines")
    *reads, signal = signals
    if signal in model.tables:
        first = model.tables[signal].line
        raise InputError(f"line {line}: {shown(signal)} is defined again, first on line {first}")
    table = model.tables[signal] = _Table(line, tuple(reads))
    return table


def _add_row(table: _Table | None, line: int, words: list[str]) -> None:
    if table is None:
        raise InputError(f"line {line}: {shown(' '.join(words))} is a row of no .names table")
    *cube_words, value = words
    cube = "".join(cube_words)
    if value not in ("0", "1") or set(cube) - set("01-") or len(cube) != len(table.reads):
        raise InputError(
            f"line {line}: a row here needs {len(table.reads)} characters of 0, 1 and -, a space and 0 or 1, "
            f"not {shown(' '.join(words))}"
        )
    if table.cubes and value != table.value:
        raise InputError(f"line {line}: rows for 0 and rows for 1 in one .names table")
    table.cubes.append(cube)
    table.value = value


def _in_order(model: _Model) -> list[str]:
    """The defined signals that outputs need, each after all it reads, else in the file's order."""
    inputs = set(model.inputs)
    for signal in inputs & set(model.tables):
        raise InputError(
            f"line {model.tables[signal].line}: {shown(signal)} is an input and cannot be defined"
        )
    needed: set[str] = set()
    pending = [(signal, "it is an output") for signal in model.outputs]
    while pending:
        signal, reason = pending.pop()
        if signal in inputs or signal in needed:
            continue
        if signal not in model.tables:
            raise InputError(f"signal {shown(signal)} is neither an input nor defined by .names ({reason})")
        needed.add(signal)
        table = model.tables[signal]
        pending += [(name, f"it is read on line {table.line}") for name in table.reads]

    order: list[str] = []
    done = set(inputs)
    for first in (signal for signal in model.tables if signal in needed):
        path = [first]  # every signal on it waits for the next
        on_path = {first}
        while path:
            signal = path[-1]
            missing = next((name for name in model.tables[signal].reads if name not in done), None)
            if signal in done or missing is None:
                if signal not in done:
                    order.append(signal)
                    done.add(signal)
                on_path.discard(path.pop())
            elif missing in on_path:
                raise InputError(f"line {model.tables[missing].line}: {shown(missing)} depends on itself")
            else:
                path.append(missing)
                on_path.add(missing)
    return order
