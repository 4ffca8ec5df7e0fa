"""genlib: libraries of cells in the format of SIS, as ABC and mockturtle read it too.

Format: "SIS: A System for Sequential Circuit Synthesis", UCB/ERL M92/41, 1992, appendix on genlib:
`GATE name area output=expression;` and PIN lines, which give delays and are ignored. Operators are
! or ' for not, * or & or nothing for and, + or | for or, ^ for exclusive or, CONST0 and CONST1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite

from gatewalk.circuit.expressions import Token, parse
from gatewalk.circuit.files import Format
from gatewalk.circuit.library import Cell, Library
from gatewalk.circuit.netlists import numbered_lines
from gatewalk.errors import InputError, shown

_PIECE = re.compile(r"[^\s()!'*&+|^;=#]+|[()!'*&+|^;=]")
_PIN = re.compile(r"[\w\[\]<>.$\-/]+")
MOST_WORDS = 1 << 16  # of one gate
_KIND = {"!": "~", "*": "&", "&": "&", "+": "|", "|": "|", "^": "^", "(": "(", ")": ")", "'": "'"}
_CONSTANT = {"CONST0": "0", "CONST1": "1", "0": "0", "1": "1"}


def read_genlib(text: str) -> Library:
    """The cells of a library by name.

    >>> cells = read_genlib("GATE nand2 2 O=!(A*B); PIN * INV 1 999 1 0 1 0")
    >>> cells["nand2"].expression.names, cells["nand2"].area
    (('A', 'B'), 2.0)
    """
    cells: Library = {}
    gate: list[Token] = []  # the words of the GATE under way, their kind still empty
    is_pin = False
    for line, code in numbered_lines(text):
        if is_pin and "GATE" not in code and "LATCH" not in code:
            continue
        words: dict[str, Token] = {}  # of this line, so that equal ones are kept once
        for word in _PIECE.findall(code):
            if gate and word == ";":
                _read_gate(gate, cells)
                gate = []
            elif gate or word == "GATE":
                gate.append(words.get(word) or words.setdefault(word, Token("", word, line)))
                is_pin = False
                if len(gate) > MOST_WORDS:
                    raise InputError(f"line {gate[0].line}: a gate of more than {MOST_WORDS:,} words")
            elif word == "LATCH":
                raise InputError(f"line {line}: LATCH: Gatewalk reads libraries of combinational gates only")
            elif word == "PIN":
                is_pin = True
            elif not is_pin:
                raise InputError(f"line {line}: {shown(word)} where GATE or PIN was expected")
    if gate:
        raise _not_a_gate(gate[0].line)
    return cells


def _not_a_gate(line: int) -> InputError:
    return InputError(f"line {line}: a gate is written GATE name area output=expression;")


def _read_gate(words: list[Token], cells: Library) -> None:
    """Read one GATE, all its words up to the semicolon."""
    line = words[0].line
    if len(words) < 6 or words[4].text != "=":
        raise _not_a_gate(line)
    name, output = words[1].text.strip('"'), words[3].text
    if name in cells:
        raise InputError(f"line {line}: gate {shown(name)} is defined again")
    expression = parse(_tokens(words[5:]), line)
    cells[name] = Cell(name, _area(words[2].text, line), output, expression)


def _area(word: str, line: int) -> float:
    try:
        area = float(word)
    except ValueError:
        area = -1.0
    if not (isfinite(area) and area >= 0):
        raise InputError(f"line {line}: {shown(word)} is not an area, which is a number of at least 0")
    return area


def _tokens(words: list[Token]) -> Iterator[Token]:
    """Operators, pins and constants; two operands in a row have an and between them."""
    ends_operand = False
    known: dict[Token, Token] = {}
    for given in words:
        token = known.get(given)
        if token is None:
            token = known[given] = _token(given)
        if ends_operand and token.kind in ("~", "(", "name", "constant"):
            yield Token("&", "and", token.line)
        yield token
        ends_operand = token.kind in (")", "'", "name", "constant")


def _token(given: Token) -> Token:
    word = given.text
    kind = _KIND.get(word)
    if kind is not None:
        return Token(kind, word, given.line)
    if word in _CONSTANT:
        return Token("constant", _CONSTANT[word], given.line)
    if not _PIN.fullmatch(word):
        raise InputError(f"line {given.line}: {shown(word)} is not a pin")
    return Token("name", word, given.line)


FORMATS = (Format(suffixes=(".genlib",), read_library=read_genlib),)
