"""Structural Verilog: one module of gate primitives and continuous assignments of scalar signals.

Language: IEEE Std 1364-2005. Read are input, output and wire declarations, the gate primitives of section 7.2
(and, or, nand, nor, xor, xnor, not, buf), and assign with ~ & | ^ ~^ ?: and parentheses (of one bit, so
! && || are the same) and the constants 1'b0 and 1'b1. Everything else, such as vectors and instances of
modules, is refused with its line number. Reading keeps the gates that some output needs; an assigned
expression of up to three signals that equals a named gate becomes that gate.

Labels that are not identifiers of Verilog, such as keywords, are written as escaped identifiers, which can
hold all printable ASCII characters; other characters become _, and labels that are then alike get _2, _3, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import NamedTuple

from gatewalk.boolean.gates import GATES, Gate
from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.expressions import Expression, Token, add_expression, parse
from gatewalk.circuit.files import Format, reached
from gatewalk.circuit.labels import netlist_names, unused
from gatewalk.circuit.netlists import Definition, Signal, connected, define
from gatewalk.circuit.text import gate_formula
from gatewalk.errors import InputError, shown

_RESERVED = """
always always_comb always_ff always_latch and assert assign assume automatic before begin bind bins binsof
bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos config const
constraint context continue cover covergroup coverpoint cross deassign default defparam design disable dist
do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate endgroup
endinterface endmodule endpackage endprimitive endprogram endproperty endsequence endspecify endtable
endtask enum event eventually expect export extends extern final first_match for force foreach forever fork
forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements
implies import incdir include initial inout input inside instance int integer interconnect interface
intersect join join_any join_none large let liblist library local localparam logic longint macromodule
matches medium modport module nand negedge nettype new nexttime nmos nor noshowcancelled not notif0 notif1
null or output package packed parameter pmos posedge primitive priority program property protected pull0
pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase randsequence rcmos
real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1
s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled
signed small soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran tranif0
tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until until_with
untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard wire with
within wor xnor xor
"""
KEYWORDS = frozenset(_RESERVED.split())  # with those of SystemVerilog, IEEE Std 1800-2017

PRIMITIVES = frozenset(("and", "or", "nand", "nor", "xor", "xnor", "not", "buf"))
MOST_WORDS = 1 << 23
_DECLARATIONS = ("input", "output", "wire")

_WORD = re.compile(
    r"""[ \t\r\f]*(?:
    (?P<name>[A-Za-z_][A-Za-z0-9_$]*|\\[!-~]+)
    |(?P<newline>\n)
    |(?P<comment>//[^\n]*|`(?:timescale|default_nettype|celldefine|endcelldefine)\b[^\n]*)
    |(?P<block>/\*|\(\*(?!\)))
    |(?P<constant>(?:1\s*)?'[sS]?[bBdDhH]0*[01]\b|[01]\b(?!\s*'))
    |(?P<sign>~\^|\^~|&&|\|\||[()~!&|^?:;,=])
    |(?P<end>\Z))""",
    re.VERBOSE,
)
_NEXT_CODE = re.compile(r"^[ \t\r\f]*(?:[^ \t\r\f\n/]|/(?!/))", re.MULTILINE)
_KIND = {"!": "~", "^~": "~^"}
_ENDS = {"/*": "*/", "(*": "*)"}

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
_ZERO, _ONE = "1'b0", "1'b1"


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
    return f"assign {name} = {gate_formula(gate, operands, zero=_ZERO, one=_ONE)};"


class Operand(NamedTuple):
    """Stands for the input of a gate that has several outputs, which read the same expression."""

    text: str
    line: int
    number: int

    def __repr__(self) -> str:
        return repr(self.text)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A signal and the expression assigned to it; or the operands of a gate, if `primitive` names one."""

    line: int
    signal: Signal
    operands: tuple[Expression | Operand, ...]
    primitive: str | None = None


@dataclass
class Module:
    """The ports, declarations and assignments of a module."""

    ports: list[str] = field(default_factory=list)
    inputs: dict[str, int] = field(default_factory=dict)  # names, with the line of the declaration
    outputs: dict[str, int] = field(default_factory=dict)
    assignments: list[Assignment] = field(default_factory=list)


def words_of(text: str) -> Iterator[Token]:
    """The words of a text, without spaces, comments and attributes."""
    at, line, count = 0, 1, 0
    names: dict[str, str] = {}  # equal names are kept once,
    of_line: dict[str, Token] = {}  # as are equal words of a line
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise InputError(f"line {line}: {shown(_next_piece(text, at))} is not supported")
        kind = match.lastgroup or "end"
        word, at = match[kind], match.end()
        if kind == "comment":
            continue
        if kind == "end":
            return
        if kind == "newline":
            of_line = {}
            # Lines that say nothing are passed over at once: a file may be millions of them.
            following = _NEXT_CODE.search(text, at)
            code = len(text) if following is None else following.start()
            line += 1 + text.count("\n", at, code)
            at = code
            reached(at, len(text), f"line {line:,}")
            continue
        if kind == "block":
            end = text.find(_ENDS[word], at)
            if end < 0:
                raise InputError(f"line {line}: {shown(word)} without its {shown(_ENDS[word])}")
            line += text.count("\n", at, end)
            at = end + 2
            of_line = {}
            continue
        count += 1
        if count > MOST_WORDS:
            raise InputError(f"line {line}: the text has more than {MOST_WORDS:,} words")
        token = of_line.get(word)
        if token is not None:
            yield token
        elif kind == "constant":
            yield Token("constant", word[-1], line)
            if "\n" in word:
                line += word.count("\n")
                of_line = {}
        else:
            token = Token(_KIND.get(word, word), word, line) if kind == "sign" else _name(word, line, names)
            of_line[word] = token
            yield token


def _next_piece(text: str, at: int) -> str:
    piece = re.compile(r"[ \t\r\f]*(\S{1,20}|.)", re.DOTALL).match(text, at)
    return piece[1] if piece else text[at]


def _name(word: str, line: int, names: dict[str, str]) -> Token:
    """A word as a token: a keyword has a kind of its own, an escaped identifier is always a name."""
    text = word.removeprefix("\\")
    kind = "keyword" if word in KEYWORDS else "name"
    return Token(kind, names.setdefault(text, text), line)


def read_module(text: str) -> Module:
    """The only module of a text."""
    words = words_of(text)
    first = next(words, None)
    if first is None or first.text != "module" or first.kind != "keyword":
        line = 1 if first is None else first.line
        raise InputError(f"line {line}: a Verilog file for Gatewalk begins with module")
    module = Module()
    statements = _statements(first, words)
    _read_head(module, next(statements))
    for statement in statements:
        head = statement[0]
        if head.kind == "keyword" and head.text in _DECLARATIONS:
            _declare(module, statement)
        elif head.kind == "keyword" and head.text == "assign":
            for part in _parts(statement[1:], head.line):
                _assign(module, part, head.line)
        elif head.kind == "keyword" and head.text in PRIMITIVES:
            for part in _parts(statement[1:], head.line):
                _instantiate(module, head, part)
        elif head.kind == "keyword":
            raise InputError(f"line {head.line}: {head.text} is not supported; use only gates and assign")
        else:
            raise InputError(
                f"line {head.line}: {shown(head.text)} is not a gate; flatten instances of modules first"
            )
    return module


def _statements(first: Token, others: Iterator[Token]) -> Iterator[list[Token]]:
    """The words of each statement, up to its semicolon; nothing may follow after endmodule."""
    statement, last, is_head = [first], first, True
    for last in others:
        if last.kind == "keyword" and last.text == "endmodule":
            if statement:
                raise InputError(f"line {last.line}: endmodule within a statement, a ';' is missing")
            beyond = next(others, None)
            if beyond is not None:
                raise InputError(f"line {beyond.line}: only one module is read; nothing may follow it")
            return
        if last.kind == ";":
            if statement:
                yield statement
            statement, is_head = [], False
        else:
            statement.append(last)
    if is_head:
        yield statement  # only the head of a module; mistakes in it are to be reported first
    raise InputError(f"line {last.line}: the module has no endmodule")


def _parts(words: list[Token], line: int) -> Iterator[list[Token]]:
    """The groups of words between commas that are outside parentheses."""
    part: list[Token] = []
    depth = 0
    for word in words:
        line = word.line
        depth += (word.kind == "(") - (word.kind == ")")
        if word.kind == "," and depth == 0:
            if not part:
                raise InputError(f"line {line}: nothing before ','")
            yield part
            part = []
        else:
            part.append(word)
    if not part:
        raise InputError(f"line {line}: something is missing at the end of the statement")
    yield part


def _read_head(module: Module, statement: list[Token]) -> None:
    """`module name (ports)`: a list of names, or of declarations."""
    line = statement[0].line
    if len(statement) < 2 or statement[1].kind != "name":
        raise InputError(f"line {line}: module needs a name and ports")
    rest = statement[2:]
    if not rest:
        return
    if rest[0].kind != "(" or rest[-1].kind != ")":
        raise InputError(f"line {rest[0].line}: ports in parentheses were expected, as in module m (a, y);")
    direction = ""
    for part in _parts(rest[1:-1], line) if rest[1:-1] else ():
        if part[0].kind == "keyword" and part[0].text in ("input", "output"):
            direction = part.pop(0).text
            if part and part[0].kind == "keyword" and part[0].text == "wire":
                part.pop(0)
        if len(part) != 1 or part[0].kind != "name":
            wrong = shown(" ".join(word.text for word in part))
            raise InputError(f"line {statement[0].line}: {wrong} is not a scalar port")
        module.ports.append(part[0].text)
        if direction:
            _add_port(module, direction, part[0])


def _add_port(module: Module, direction: str, name: Token) -> None:
    ports = module.inputs if direction == "input" else module.outputs
    if name.text in module.inputs or name.text in module.outputs:
        raise InputError(f"line {name.line}: {shown(name.text)} is declared twice")
    ports[name.text] = name.line


def _declare(module: Module, statement: list[Token]) -> None:
    direction = statement[0].text
    rest = statement[1:]
    if direction != "wire" and rest and rest[0].kind == "keyword" and rest[0].text == "wire":
        rest = rest[1:]
    for part in _parts(rest, statement[0].line):
        if part[0].kind != "name" or (len(part) > 1 and (direction != "wire" or part[1].kind != "=")):
            wrong = shown(" ".join(word.text for word in part))
            raise InputError(f"line {part[0].line}: {wrong} is not a scalar signal")
        if direction != "wire":
            _add_port(module, direction, part[0])
        elif len(part) > 1:
            _assign(module, part, part[0].line)


def _assign(module: Module, words: list[Token], line: int) -> None:
    if len(words) < 3 or words[0].kind != "name" or words[1].kind != "=":
        raise InputError(f"line {line}: an assignment is written assign signal = expression;")
    signal = words[0]
    module.assignments.append(Assignment(signal.line, signal.text, (parse(words[2:], signal.line),)))


def _instantiate(module: Module, gate: Token, words: list[Token]) -> None:
    """`and name (output, inputs)`; not and buf may have several outputs. The name may be left out."""
    line = words[0].line
    terminals = words[1:] if words[0].kind == "name" else words
    if len(terminals) < 2 or terminals[0].kind != "(" or terminals[-1].kind != ")":
        raise InputError(f"line {line}: a gate is written {gate.text} name (output, inputs);")
    parts = list(_parts(terminals[1:-1], line))
    single = gate.text in ("not", "buf")
    outputs, inputs = (parts[:-1], parts[-1:]) if single else (parts[:1], parts[1:])
    if not outputs or not inputs:
        raise InputError(f"line {line}: {gate.text} needs an output and inputs")
    operands: tuple[Expression | Operand, ...] = tuple(parse(part, line) for part in inputs)
    if len(outputs) > 1 and len(inputs[0]) > 1:
        operand = Operand(f"the input of {gate.text}", line, len(module.assignments))
        module.assignments.append(Assignment(line, operand, operands))
        operands = (operand,)
    for output in outputs:
        if len(output) != 1 or output[0].kind != "name":
            raise InputError(f"line {line}: the output of {gate.text} must be a signal")
        module.assignments.append(Assignment(line, output[0].text, operands, gate.text))


def read(text: str) -> Circuit:
    """The circuit of the only module in a text; inputs and outputs are in the order of the ports."""
    module = read_module(text)
    inputs, outputs = _ports(module)
    definitions: dict[Signal, Definition] = {}
    for assignment in module.assignments:
        define(definitions, assignment.signal, _definition(assignment))
    return connected(inputs, outputs, definitions)


def _definition(assignment: Assignment) -> Definition:
    first, *others = map(_read, assignment.operands)
    reads = tuple(dict.fromkeys(chain(first, *others))) if others else first
    return Definition(assignment.line, reads, partial(_build, assignment, reads))


def _read(operand: Expression | Operand) -> tuple[Signal, ...]:
    return (operand,) if isinstance(operand, Operand) else operand.names


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


def _build(assignment: Assignment, reads: tuple[Signal, ...], draft: Draft, sources: Sequence[int]) -> int:
    place = dict(zip(reads, sources, strict=True))
    operands = [
        place[operand] if isinstance(operand, Operand) else add_expression(draft, operand, place)
        for operand in assignment.operands
    ]
    if assignment.primitive is None:
        return operands[0]
    return _add_primitive(draft, assignment.primitive, operands)


def _add_primitive(draft: Draft, primitive: str, operands: list[int]) -> int:
    """Add a primitive: as one gate if there is one of so many inputs, else as a tree of two-input gates."""
    for name in (primitive, f"{primitive}3"):
        if name in GATES and GATES[name].arity == len(operands):
            return draft.add(GATES[name], operands)
    total = draft.tree(GATES[_POSITIVE.get(primitive, primitive)], operands)
    return draft.negation(total) if primitive in _POSITIVE else total


FORMATS = (Format(suffixes=(".v",), write=write, read=read),)
