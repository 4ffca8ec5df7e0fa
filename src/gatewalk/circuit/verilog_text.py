"""The words and statements of a Verilog text, for the part of the language that Gatewalk reads.

Language: IEEE Std 1364-2005, "Verilog Hardware Description Language": one module of scalar signals with
input, output and wire declarations, the gate primitives of section 7.2 and continuous assignments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gatewalk.circuit.expression import Expression, Token, parse
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
    r"""(?P<space>[ \t\r\f]+|//[^\n]*|`(?:timescale|default_nettype|celldefine|endcelldefine)\b[^\n]*)
    |(?P<newline>\n)
    |(?P<block>/\*|\(\*(?!\)))
    |(?P<constant>(?:1\s*)?'[sS]?[bBdDhH]0*[01]\b|[01]\b(?!\s*'))
    |(?P<name>[A-Za-z_][A-Za-z0-9_$]*|\\[!-~]+)
    |(?P<sign>~\^|\^~|&&|\|\||[()~!&|^?:;,=])""",
    re.VERBOSE,
)
_KIND = {"!": "~", "^~": "~^"}
_ENDS = {"/*": "*/", "(*": "*)"}


@dataclass(frozen=True)
class Assignment:
    """A signal and the expression assigned to it; or the operands of a gate, if `primitive` names one."""

    line: int
    signal: str
    operands: tuple[Expression, ...]
    primitive: str | None = None


@dataclass
class Module:
    """The ports, declarations and assignments of a module."""

    ports: list[str] = field(default_factory=list)
    inputs: dict[str, int] = field(default_factory=dict)  # names, with the line of the declaration
    outputs: dict[str, int] = field(default_factory=dict)
    assignments: list[Assignment] = field(default_factory=list)


def words_of(text: str) -> list[Token]:
    """The words of a text, without spaces, comments and attributes."""
    found: list[Token] = []
    at, line = 0, 1
    while at < len(text):
        match = _WORD.match(text, at)
        if match is None:
            raise InputError(f"line {line}: {shown(_next_piece(text, at))} is not read by Gatewalk")
        kind, word = match.lastgroup, match.group()
        at = match.end()
        if len(found) > MOST_WORDS:
            raise InputError(f"line {line}: a text of more than {MOST_WORDS:,} words is not read")
        if kind == "newline":
            line += 1
        elif kind == "block":
            end = text.find(_ENDS[word], at)
            if end < 0:
                raise InputError(f"line {line}: {shown(word)} without its {shown(_ENDS[word])}")
            line += text.count("\n", at, end)
            at = end + 2
        elif kind == "constant":
            found.append(Token("constant", word[-1], line))
            line += word.count("\n")
        elif kind == "name":
            found.append(_name(word, line))
        elif kind == "sign":
            found.append(Token(_KIND.get(word, word), word, line))
    return found


def _next_piece(text: str, at: int) -> str:
    found = re.compile(r"\S{1,20}").match(text, at)
    return found.group() if found else text[at]


def _name(word: str, line: int) -> Token:
    """A word as a token: a keyword has a kind of its own, an escaped identifier is always a name."""
    if word.startswith("\\"):
        return Token("name", word[1:], line)
    return Token("keyword" if word in KEYWORDS else "name", word, line)


def read_module(text: str) -> Module:
    """The only module of a text."""
    words = words_of(text)
    if not words or words[0].text != "module" or words[0].kind != "keyword":
        line = words[0].line if words else 1
        raise InputError(f"line {line}: a Verilog file for Gatewalk begins with module")
    module = Module()
    statements = _statements(words)
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
            raise InputError(f"line {head.line}: {head.text} is not read: only gates and assign are")
        else:
            raise InputError(
                f"line {head.line}: {shown(head.text)} is no gate: flatten instances of modules first"
            )
    return module


def _statements(words: list[Token]) -> Iterator[list[Token]]:
    """The words of each statement, up to its semicolon; nothing may follow after endmodule."""
    statement: list[Token] = []
    for at, word in enumerate(words):
        if word.kind == "keyword" and word.text == "endmodule":
            if statement:
                raise InputError(f"line {word.line}: endmodule within a statement, a ';' is missing")
            if at + 1 < len(words):
                raise InputError(f"line {words[at + 1].line}: one module is read, nothing may follow it")
            return
        if word.kind == ";":
            if statement:
                yield statement
            statement = []
        else:
            statement.append(word)
    line = words[-1].line
    if statement and statement[0] is words[0]:
        yield statement  # only the head of a module; mistakes in it are to be reported first
    raise InputError(f"line {line}: the module has no endmodule")


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
            raise InputError(f"line {statement[0].line}: {wrong} is no scalar port")
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
            raise InputError(f"line {part[0].line}: {wrong} is no scalar signal")
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
    operands = tuple(parse(part, line) for part in inputs)
    for output in outputs:
        if len(output) != 1 or output[0].kind != "name":
            raise InputError(f"line {line}: the output of {gate.text} must be a signal")
        module.assignments.append(Assignment(line, output[0].text, operands, gate.text))
