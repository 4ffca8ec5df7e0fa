"""Circuits as equations, the form in which they print themselves: `x1 & (x2 | ~x3)`, or a line per output.

    g1 = x1 ^ x2
    sum = g1 ^ x3
    carry = x1 & x2 | g1 & x3

The inputs are x1, x2, ..., as many as the largest number says. The operators bind as in Python and Verilog: ~
first, then &, ^, |, and last a ? b : c, which is b where a is 1. 0 and 1 are constants. Lines, which may also
be separated by semicolons, stand in any order. A name that another line reads is not an output; all others
are, in the order of the lines. A single expression without a name is the output y.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gatewalk.circuit.circuit import Circuit, Draft
from gatewalk.circuit.expressions import Expression, Token, add_expression, parse
from gatewalk.circuit.netlists import Definition, Signal, connected, define
from gatewalk.errors import InputError, shown

MOST_CHARACTERS = 1 << 16
MOST_INPUTS = 1 << 16
_INPUT = re.compile(r"x([1-9][0-9]{0,8})", re.ASCII)
_WORD = re.compile(
    r"(?P<name>[A-Za-z_]\w*(?:\[[0-9]+\])?)|(?P<constant>[01](?!\w))|(?P<sign>[&|^~?:()=])|(?P<other>\S)",
    re.ASCII,
)


@dataclass(frozen=True)
class _Equation:
    """A line: the name before its =, "" if there is none, and what stands behind it."""

    name: str
    expression: Expression
    line: int


def read_equations(text: str) -> Circuit:
    """The circuit that equations describe; what is wrong raises `InputError`, which says at which character.

    >>> print(read_equations("x1 & (x2 | ~x3)"))
    y = x1 & (x2 | ~x3)
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"an expression has at most {MOST_CHARACTERS:,} characters, not {len(text):,}")
    equations = list(_equations(text))
    if not equations:
        raise InputError("an expression is empty; write one such as x1 & (x2 | ~x3)")
    if len(equations) > 1 and any(not equation.name for equation in equations):
        first = next(equation for equation in equations if not equation.name)
        raise InputError(f"line {first.line}: with several lines each needs a name, as in y1 = x1 & x2")
    definitions: dict[Signal, Definition] = {}
    for equation in equations:
        add = partial(_add, equation.expression)
        definition = Definition(equation.line, equation.expression.names, add)
        define(definitions, equation.name or "y", definition)
    read = {name for equation in equations for name in equation.expression.names}
    outputs = [str(name) for name in definitions if name not in read]
    if not outputs:
        raise InputError("every name is read by another line, so that none is an output")
    largest = max((int(match[1]) for name in read if (match := _INPUT.fullmatch(name))), default=0)
    if largest > MOST_INPUTS:
        raise InputError(f"x{largest} is read; an expression has at most {MOST_INPUTS:,} inputs")
    return connected([f"x{i}" for i in range(1, largest + 1)], outputs, definitions)


def _add(expression: Expression, draft: Draft, sources: Sequence[int]) -> int:
    place: Mapping[str, int] = dict(zip(expression.names, sources, strict=True))
    return add_expression(draft, expression, place)


def _equations(text: str) -> Iterator[_Equation]:
    """The lines that say something. Names are checked, when all that are defined are known."""
    lines = text.splitlines()
    parts = [(number, *part) for number, line in enumerate(lines, 1) for part in _parts(line)]
    defined = {words[0].text for _, words, _ in parts if _has_name(words)}
    for number, words, end in parts:
        counted = f"line {number}, character" if len(lines) > 1 else "character"
        named = _has_name(words)
        name = words[0].text if named else ""
        if named and _INPUT.fullmatch(name):
            at = words[0].line
            raise InputError(f"{counted} {at}: {name} is an input; give the output another name, such as y")
        for word in words:
            if word.kind == "name" and word.text not in defined and not _INPUT.fullmatch(word.text):
                raise InputError(
                    f"{counted} {word.line}: {shown(word.text)} is neither an input, as x1, x2, ..., "
                    "nor the name of a line"
                )
        yield _Equation(name, parse(words[2:] if named else words, end, counted=counted), number)


def _has_name(words: Sequence[Token]) -> bool:
    return len(words) > 1 and words[0].kind == "name" and words[1].kind == "="


def _parts(line: str) -> Iterator[tuple[list[Token], int]]:
    """What stands between the semicolons of a line, unless it is blank; each with where it ends."""
    start = 0
    for part in line.split(";"):
        words = [
            Token(match[0] if kind == "sign" else kind, match[0], match.start() + 1)
            for match in _WORD.finditer(line, start, start + len(part))
            if (kind := match.lastgroup)
        ]
        start += len(part) + 1
        if words:
            yield words, start
