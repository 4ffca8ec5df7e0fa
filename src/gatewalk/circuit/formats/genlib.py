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
_KIND = {"!": "~", "*": "&", "&": "&", "+": "|", "|": "|", "^": "^", "(": "(", ")": ")", "'": "'"}
_CONSTANT = {"CONST0": "0", "CONST1": "1", "0": "0", "1": "1"}


def read_genlib(text: str) -> Library:
    """The cells of a library by name.

    >>> cells = read_genlib("GATE nand2 2 O=!(A*B); PIN * INV 1 999 1 0 1 0")
    >>> cells["nand2"].expression.names, cells["nand2"].area
    (('A', 'B'), 2.0)
    """
    cells: Library = {}
    pieces = list(_pieces(text))
    at = 0
    while at < len(pieces):
        line, word = pieces[at]
        if word == "GATE":
            at = _read_gate(pieces, at, cells)
        elif word == "PIN":
            at += 1
            while at < len(pieces) and pieces[at][1] not in ("GATE", "PIN", "LATCH"):
                at += 1
        elif word == "LATCH":
            raise InputError(f"line {line}: LATCH: Gatewalk reads libraries of combinational gates only")
        else:
            raise InputError(f"line {line}: {shown(word)} where GATE or PIN was expected")
    return cells


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    for number, line in numbered_lines(text):
        for match in _PIECE.finditer(line.split("#", 1)[0]):
            yield number, match.group()


def _read_gate(pieces: list[tuple[int, str]], at: int, cells: Library) -> int:
    """Read one GATE up to its semicolon; returns the index of the piece after it."""
    line = pieces[at][0]
    end = at
    while end < len(pieces) and pieces[end][1] != ";":
        end += 1
    words = [word for _, word in pieces[at:end]]
    if end == len(pieces) or len(words) < 6 or words[4] != "=":
        raise InputError(f"line {line}: a gate is written GATE name area output=expression;")
    name, output = words[1].strip('"'), words[3]
    if name in cells:
        raise InputError(f"line {line}: gate {shown(name)} is defined again")
    expression = parse(_tokens(pieces[at + 5 : end]), line)
    cells[name] = Cell(name, _area(words[2], line), output, expression)
    return end + 1


def _area(word: str, line: int) -> float:
    try:
        area = float(word)
    except ValueError:
        area = -1.0
    if not (isfinite(area) and area >= 0):
        raise InputError(f"line {line}: {shown(word)} is not an area, which is a number of at least 0")
    return area


def _tokens(pieces: list[tuple[int, str]]) -> Iterator[Token]:
    """Operators, pins and constants; two operands in a row have an and between them."""
    ends_operand = False
    for line, word in pieces:
        kind = _KIND.get(word) or ("constant" if word in _CONSTANT else "name")
        if kind not in _KIND.values() and not re.fullmatch(r"[\w\[\]<>.$\-/]+", word):
            raise InputError(f"line {line}: {shown(word)} is not a pin")
        if ends_operand and kind in ("~", "(", "name", "constant"):
            yield Token("&", "and", line)
        yield Token(kind, _CONSTANT.get(word, word), line)
        ends_operand = kind in (")", "'", "name", "constant")


FORMATS = (Format(suffixes=(".genlib",), read_library=read_genlib),)
