"""The statements of a BLIF text: its models and what each defines; `formats/blif.py` connects them.

Specification: "Berkeley Logic Interchange Format (BLIF)", University of California, 1992.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gatewalk.circuit.numbered_lines import numbered_lines
from gatewalk.errors import InputError, shown

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
