"""A circuit as text: as expressions, and as a table of its gates.

Gates are called g1, g2, ... in the order of the circuit. The term of a gate is written where it is used,
unless several gates read it or the line becomes long: then it gets a line and a name of its own, so that
hundreds of gates stay readable.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from gatewalk.boolean.gates import Gate
from gatewalk.circuit.circuit import Circuit, levels, reached

LINE = 80

_CHAIN = re.compile(r"~?[abc](?: ([&|^]) ~?[abc](?: \1 ~?[abc])*)")
_OPERAND = re.compile(r"\b[abc]\b")
_MIXED = "mixed"


@dataclass(frozen=True)
class _Term:
    """A text and its outermost operator: `_MIXED` for several, None if it needs no parentheses."""

    text: str
    operator: str | None = None


def source_names(circuit: Circuit) -> tuple[str, ...]:
    """A name for every source: labels of the inputs, then g1, g2, ... (with _ if a label is taken)."""
    taken = {*circuit.input_labels, *circuit.output_labels}
    prefix = "g"
    while any(re.fullmatch(re.escape(prefix) + r"\d+", label) for label in taken):
        prefix += "_"
    return circuit.input_labels + tuple(f"{prefix}{i}" for i in range(1, len(circuit) + 1))


def expression(circuit: Circuit) -> list[str]:
    """Lines `name = expression`: shared and long terms first, then one line per output."""
    n = len(circuit.input_labels)
    names, live = source_names(circuit), reached(circuit)
    readers = _readers(circuit, live)
    terms = [_Term(name) for name in names]
    lines: list[str] = []

    def give_name(source: int) -> None:
        lines.append(f"{names[source]} = {terms[source].text}")
        terms[source] = _Term(names[source])

    for i, node in enumerate(circuit.nodes):
        if not readers[n + i]:
            continue
        written = _written_operands(node.gate, node.sources)
        while sum(len(terms[source].text) for source in written) > LINE:
            longest = max(written, key=lambda source: len(terms[source].text))
            if terms[longest].text == names[longest]:
                break
            give_name(longest)
        terms[n + i] = _write(node.gate, [terms[source] for source in node.sources])
        if readers[n + i] > 1:
            give_name(n + i)
    results = zip(circuit.output_labels, circuit.outputs, strict=True)
    return lines + [f"{label} = {terms[source].text}" for label, source in results]


def listing(circuit: Circuit) -> list[str]:
    """Lines of a table: every gate with its function, its inputs and its level, then the outputs."""
    names, level, live = source_names(circuit), levels(circuit), reached(circuit)
    n = len(circuit.input_labels)
    rows = [("name", "gate", "inputs", "level")]
    for i, node in enumerate(circuit.nodes):
        inputs = ", ".join(names[source] for source in node.sources)
        unread = "" if live[n + i] else " (unread)"
        rows.append((names[n + i], node.gate.name, inputs or "-", f"{level[n + i]}{unread}"))
    for label, source in zip(circuit.output_labels, circuit.outputs, strict=True):
        rows.append((label, "output", names[source], f"{level[source]}"))
    a, b, c = (max(len(row[column]) for row in rows) for column in range(3))
    return [f"{name:{a}}  {gate:{b}}  {inputs:{c}}  {at}" for name, gate, inputs, at in rows]


def _readers(circuit: Circuit, live: tuple[bool, ...]) -> Counter[int]:
    """How often each source would be written; operands that a gate's symbol does not mention do not count."""
    n = len(circuit.input_labels)
    readers = Counter(circuit.outputs)
    for i, node in enumerate(circuit.nodes):
        if live[n + i]:
            readers.update(_written_operands(node.gate, node.sources))
    return readers


def _written_operands(gate: Gate, sources: tuple[int, ...]) -> list[int]:
    if not gate.symbol:
        return list(sources)
    return [sources["abc".index(letter)] for letter in _OPERAND.findall(gate.symbol)]


def _write(gate: Gate, operands: list[_Term]) -> _Term:
    """The symbol of a gate with its operands filled in, in parentheses where needed; or written as a call."""
    symbol = gate.symbol
    if not symbol:
        return _Term(f"{gate.name}({', '.join(operand.text for operand in operands)})")
    alone = _OPERAND.fullmatch(symbol)
    if alone:
        return operands["abc".index(symbol)]

    def fill(match: re.Match[str]) -> str:
        operand = operands["abc".index(match.group())]
        around = {symbol[: match.start()].rstrip()[-1:], symbol[match.end() :].lstrip()[:1]}
        binding = around - {"", "(", ",", ")"}
        bare = operand.operator is None or binding <= {operand.operator}
        return operand.text if bare else f"({operand.text})"

    return _Term(_OPERAND.sub(fill, symbol), _operator(symbol))


@cache
def _operator(symbol: str) -> str | None:
    chain = _CHAIN.fullmatch(symbol)
    if chain:
        return chain.group(1)
    outside = symbol
    while "(" in outside:
        outside = re.sub(r"\([^()]*\)", "", outside)
    return _MIXED if " " in outside else None
