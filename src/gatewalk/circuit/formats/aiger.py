"""AIGER, .aag and .aig: the and-inverter graphs of the hardware model checking competitions and of ABC.

Format: A. Biere, "The AIGER And-Inverter Graph (AIG) Format Version 20071012", and version 1.9 of 2011.
A literal is twice a variable's number, plus 1 if negated; variable 0 is the constant 0, then come the inputs,
then and gates of two literals. The header tells whether a file lists the gates in ASCII or, in binary, as
differences of literals, seven bits to a byte. Combinational graphs only: latches and properties are refused.
Symbols become labels, comments are passed over; inputs without a symbol are x1, x2, ..., outputs y1, y2, ...
Reading keeps the gates that some output needs. Writing builds equal gates once (structural hashing:
A. Kuehlmann and F. Krohm, "Equivalence checking using cuts and heaps", 1997).
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.small_tables import restricted
from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.files import Format, reached
from gatewalk.circuit.labels import netlist_names, unused
from gatewalk.circuit.netlists import whole_number_in
from gatewalk.errors import InputError, shown

MOST_VARIABLES = 1 << 21
MOST_UNLISTED = 1 << 17  # the most inputs of a binary file, which does not list them
_FEW = 4  # up to so many operands, all their orders are tried

# An and gate by which of its two literals are negated.
_GATE = {(0, 0): "and", (0, 1): "nimply", (1, 0): "ncimply", (1, 1): "nor"}


@dataclass
class Aig:
    """An and-inverter graph. ands[k]: the two literals whose conjunction is variable inputs + 1 + k.

    The larger literal comes first. known: the literal of every and gate, by the two that it reads.
    """

    inputs: int
    ands: list[tuple[int, int]] = field(default_factory=list)
    outputs: list[int] = field(default_factory=list)
    known: dict[tuple[int, int], int] = field(default_factory=dict)


def conjunction(aig: Aig, a: int, b: int) -> int:
    """The literal of the conjunction of a and b: an existing and gate if there is one, else a new one."""
    if a < b:
        a, b = b, a
    if b == 0 or a == b ^ 1:
        return 0
    if b == 1 or a == b:
        return a
    if (a, b) not in aig.known:
        aig.ands.append((a, b))
        aig.known[a, b] = 2 * (aig.inputs + len(aig.ands))
    return aig.known[a, b]


def graph_of(circuit: Circuit) -> Aig:
    """The graph of a circuit."""
    aig = Aig(len(circuit.input_labels))
    literals = [2 * (i + 1) for i in range(aig.inputs)]
    for node in circuit.nodes:
        operands = [literals[source] for source in node.sources]
        order = _best_order(node.gate.arity, node.gate.table)
        literals.append(_expanded(aig, restricted(node.gate.table, order), [operands[j] for j in order]))
    aig.outputs = [literals[source] for source in circuit.outputs]
    return aig


@cache
def _best_order(arity: int, table: int) -> tuple[int, ...]:
    """The order of a gate's operands in which the expansion takes the fewest and gates."""
    first = tuple(range(arity))
    if arity > _FEW:
        return first

    def gates(order: tuple[int, ...]) -> int:
        alone = Aig(arity)
        _expanded(alone, restricted(table, order), [2 * (j + 1) for j in order])
        return len(alone.ands)

    return min(permutations(first), key=gates)


def _expanded(aig: Aig, table: int, operands: Sequence[int]) -> int:
    """The literal of a gate, by Shannon's expansion on its last operand; the recursion is `arity` deep."""
    if not operands:
        return table
    rows = 1 << (len(operands) - 1)
    everything = (1 << rows) - 1
    low = _expanded(aig, table & everything, operands[:-1])
    if table >> rows == table & everything ^ everything:
        high = low ^ 1
    else:
        high = _expanded(aig, table >> rows, operands[:-1])
    if low == high:
        return low
    select = operands[-1]
    if high == 1:
        return conjunction(aig, select ^ 1, low ^ 1) ^ 1
    if low == 1:
        return conjunction(aig, select, high ^ 1) ^ 1
    one, other = conjunction(aig, select, high), conjunction(aig, select ^ 1, low)
    return conjunction(aig, one ^ 1, other ^ 1) ^ 1


def write_ascii(circuit: Circuit) -> bytes:
    """The circuit as an and-inverter graph in ASCII."""
    graph = graph_of(circuit)
    n, gates = graph.inputs, len(graph.ands)
    lines = [f"aag {n + gates} {n} 0 {len(graph.outputs)} {gates}"]
    lines += [f"{2 * (i + 1)}" for i in range(n)]
    lines += [f"{literal}" for literal in graph.outputs]
    lines += [f"{2 * (n + 1 + k)} {a} {b}" for k, (a, b) in enumerate(graph.ands)]
    return ("\n".join([*lines, ""]) + _symbols(circuit)).encode()


def write_binary(circuit: Circuit) -> bytes:
    """The circuit as an and-inverter graph in binary form."""
    graph = graph_of(circuit)
    n, gates = graph.inputs, len(graph.ands)
    head = [f"aig {n + gates} {n} 0 {len(graph.outputs)} {gates}", *map(str, graph.outputs), ""]
    body = bytearray("\n".join(head).encode())
    for k, (a, b) in enumerate(graph.ands):
        body += _in_sevens(2 * (n + 1 + k) - a)
        body += _in_sevens(a - b)
    return bytes(body) + _symbols(circuit).encode()


def _in_sevens(value: int) -> bytes:
    """A number, seven bits to a byte, the lowest first; the last byte is below 128."""
    octets = bytearray()
    while value >= 128:
        octets.append(value & 127 | 128)
        value >>= 7
    octets.append(value)
    return bytes(octets)


def _symbols(circuit: Circuit) -> str:
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
    """The graph as the file has it: variables in any order, with gaps.

    Files have millions of gates, so these are arrays by variable: what each is (`_INPUT`, `_AND`, or 0), the
    two literals that a gate reads, and its line. gates: the variables of the gates in the order of the file.
    """

    kind: bytearray
    first: array[int]
    second: array[int]
    line: array[int]
    gates: array[int]
    inputs: list[int] = field(default_factory=list)  # variables
    outputs: list[int] = field(default_factory=list)  # literals


_INPUT, _AND = 1, 2


def _empty_graph(variables: int) -> _Graph:
    zeros = array("I", bytes(4 * (variables + 1)))
    kind = bytearray(variables + 1)
    kind[0] = _INPUT  # the constant 0 is there, too
    return _Graph(kind, zeros, zeros[:], zeros[:], array("I"))


def _enter_gate(graph: _Graph, variable: int, first: int, second: int, line: int) -> None:
    graph.kind[variable] = _AND
    graph.first[variable], graph.second[variable], graph.line[variable] = first, second, line
    graph.gates.append(variable)


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
        raise InputError("line 1: the header has more than nine numbers")
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
            raise InputError(
                f"line 1: {inputs:,} inputs; in binary form Gatewalk reads at most {MOST_UNLISTED:,}"
            )
        graph = _read_binary(reader, inputs, outputs, ands)
    labels = _read_symbols(reader, inputs, outputs)
    return circuit_of_graph(_compact(graph), *labels)


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
    if not reader.line & 4095:
        reached(reader.at, len(reader.data), f"line {reader.line:,}")
    try:
        return raw.decode().removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(f"line {reader.line}: not valid UTF-8") from error


def _literals(reader: _Reader, wanted: int, what: str, variables: int) -> list[int]:
    text = _next_line(reader)
    if text is None:
        raise InputError(f"line {reader.line + 1}: the file ends where {what} was expected")
    words = text.split()
    if len(words) != wanted:
        raise InputError(f"line {reader.line}: {what} needs {wanted} numbers, not {shown(text)}")
    return [whole_number_in(word, "a literal", reader.line, 2 * variables + 1) for word in words]


def _read_ascii(reader: _Reader, variables: int, inputs: int, outputs: int, ands: int) -> _Graph:
    graph = _empty_graph(variables)
    kind = graph.kind

    def checked(literal: int) -> int:
        """The variable of a literal that an input or a gate defines."""
        if literal & 1 or kind[literal >> 1]:
            reason = "is negated" if literal & 1 else "is defined twice"
            raise InputError(
                f"line {reader.line}: literal {literal} {reason}, which an input or gate cannot be"
            )
        return literal >> 1

    for _ in range(inputs):
        variable = checked(_literals(reader, 1, "an input", variables)[0])
        kind[variable] = _INPUT
        graph.inputs.append(variable)
    for _ in range(outputs):
        graph.outputs += _literals(reader, 1, "an output", variables)
    for _ in range(ands):
        left, a, b = _literals(reader, 3, "an and gate", variables)
        _enter_gate(graph, checked(left), a, b, reader.line)
    for variable in graph.gates:
        for literal in (graph.first[variable], graph.second[variable]):
            if not kind[literal >> 1]:
                line = graph.line[variable]
                raise InputError(f"line {line}: literal {literal} is neither an input nor defined")
    for literal in graph.outputs:
        if not kind[literal >> 1]:
            raise InputError(f"output literal {literal} is neither an input nor defined")
    return graph


def _read_binary(reader: _Reader, inputs: int, outputs: int, ands: int) -> _Graph:
    graph = _empty_graph(inputs + ands)
    graph.inputs = list(range(1, inputs + 1))
    for _ in range(outputs):
        graph.outputs += _literals(reader, 1, "an output", inputs + ands)
    for k in range(ands):
        left = 2 * (inputs + 1 + k)
        first, second = _read_sevens(reader, k), _read_sevens(reader, k)
        if not 0 < first <= left or second > left - first:
            raise InputError(f"and gate {k} (byte {reader.at:,}): it reads itself or a later gate")
        _enter_gate(graph, left >> 1, left - first, left - first - second, 0)
        if not k & 4095:
            reached(reader.at, len(reader.data), f"and gate {k:,}")
    return graph


def _read_sevens(reader: _Reader, k: int) -> int:
    """A number as `_in_sevens` writes it."""
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
            raise InputError(f"line {reader.line}: {shown(text)} is not a symbol such as i0 name or o0 name")
        position = whole_number_in(head[1:], "a position", reader.line, MOST_VARIABLES)
        if position >= sizes[letter] or position in given[letter]:
            wrong = "has a symbol already" if position in given[letter] else "does not exist"
            raise InputError(f"line {reader.line}: {shown(head)} {wrong}")
        given[letter][position] = label
    labels = []
    for letter, prefix in (("i", "x"), ("o", "y")):
        used = dict.fromkeys(given[letter].values(), 1)
        named = given[letter]
        labels.append([named.get(k) or unused(f"{prefix}{k + 1}", used) for k in range(sizes[letter])])
    return labels[0], labels[1]


def _compact(graph: _Graph) -> Aig:
    """The graph of the gates that outputs need, each after those it reads, numbered without gaps."""
    aig = Aig(len(graph.inputs))
    number = array("I", bytes(4 * len(graph.kind)))
    is_numbered = bytearray(len(graph.kind))
    is_numbered[0] = 1
    for i, variable in enumerate(graph.inputs):
        number[variable], is_numbered[variable] = i + 1, 1
    needed = _needed(graph)
    on_path = bytearray(len(graph.kind))
    for root in graph.gates:
        # Graphs are deep, so there is no recursion: each gate of `path` is read by the one before.
        path = [root] if needed[root] and not is_numbered[root] else []
        while path:
            variable = path[-1]
            on_path[variable] = 1
            first, second = graph.first[variable], graph.second[variable]
            missing = next((one for one in (first >> 1, second >> 1) if not is_numbered[one]), None)
            if missing is None:
                aig.ands.append((2 * number[first >> 1] | first & 1, 2 * number[second >> 1] | second & 1))
                number[variable], is_numbered[variable] = aig.inputs + len(aig.ands), 1
                on_path[variable] = 0
                path.pop()
            elif on_path[missing]:
                line = graph.line[variable]
                raise InputError(f"line {line}: the and gate of literal {2 * missing} depends on itself")
            else:
                path.append(missing)
    aig.outputs = [2 * number[literal >> 1] | literal & 1 for literal in graph.outputs]
    return aig


def _needed(graph: _Graph) -> bytearray:
    """By variable, whether it is a gate that some output needs."""
    needed = bytearray(len(graph.kind))
    pending = array("I", [literal >> 1 for literal in graph.outputs])
    while pending:
        variable = pending.pop()
        if graph.kind[variable] == _AND and not needed[variable]:
            needed[variable] = 1
            pending.extend((graph.first[variable] >> 1, graph.second[variable] >> 1))
    return needed


def circuit_of_graph(aig: Aig, input_labels: Sequence[str], output_labels: Sequence[str]) -> Circuit:
    """The circuit of a graph; an and with negated inputs becomes one gate, a negated output a not gate."""
    draft = Draft(aig.inputs)
    place = {i + 1: i for i in range(aig.inputs)}

    def source(variable: int) -> int:
        if variable == 0 and 0 not in place:
            place[0] = draft.constant(0)
        return place[variable]

    for k, (a, b) in enumerate(aig.ands):
        gate = GATES[_GATE[a & 1, b & 1]]
        place[aig.inputs + 1 + k] = draft.add(gate, (source(a >> 1), source(b >> 1)))
    outputs = []
    for literal in aig.outputs:
        if literal == 1:
            outputs.append(draft.constant(1))
        else:
            value = source(literal >> 1)
            outputs.append(draft.negation(value) if literal & 1 else value)
    return draft.circuit(input_labels, outputs, output_labels)


FORMATS = (
    # Both are read as bytes, since comments and symbols may be in any encoding.
    Format(suffixes=(".aag",), write=write_ascii, read=read, is_binary=True),
    Format(suffixes=(".aig",), write=write_binary, read=read, is_binary=True),
)
