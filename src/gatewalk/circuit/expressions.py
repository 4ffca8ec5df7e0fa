"""Boolean expressions as files write them, with operators and parentheses, in postfix order.

Read by Dijkstra's shunting yard ("Algol 60 translation", 1961) with stacks and no recursion, so that
nesting of any depth is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gatewalk.boolean.gates import GATES
from gatewalk.boolean.small_tables import column
from gatewalk.circuit.circuit import Draft
from gatewalk.circuit.covers import named_table
from gatewalk.errors import InputError, shown

# How tightly operators bind, as in Verilog (IEEE 1364-2005, table 5-4).
_BINDING = {"~": 7, "&": 6, "^": 5, "~^": 5, "|": 4, "&&": 3, "||": 2, "?:": 1, "?": 0, "(": 0}
_GATE = {"&": "and", "&&": "and", "|": "or", "||": "or", "^": "xor", "~^": "xnor"}
_FEW = 3  # inputs of the widest named gate


class Token(NamedTuple):
    """A piece of an expression: kind "name", "constant", or the operator or parenthesis itself.

    line: the number of its line, or of whatever else `parse` is told to count.
    """

    kind: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Expression:
    """Operands and operators in postfix order, and the names read, each once, in the order of the text."""

    items: tuple[Token, ...]
    names: tuple[str, ...]


def parse(tokens: Iterable[Token], line: int, *, counted: str = "line") -> Expression:
    """The expression that consists of all these tokens.

    line: for the error message if there are none. counted: what the lines of the tokens are numbers of.
    """
    done: list[Token] = []
    operators: list[Token] = []
    operand_next = True
    for token in tokens:
        line = token.line
        if operand_next:
            if token.kind in ("name", "constant"):
                done.append(token)
                operand_next = False
            elif token.kind in ("~", "("):
                operators.append(token)
            else:
                raise InputError(f"{counted} {line}: {shown(token.text)} where a signal was expected")
        elif token.kind == "'":  # a negation after its operand
            done.append(Token("~", token.text, line))
        elif token.kind == ")":
            _close(token, operators, done, counted)
        elif token.kind == ":":
            _otherwise(token, operators, done, counted)
            operand_next = True
        elif token.kind == "?" or token.kind in _GATE:
            bound = _BINDING["?:" if token.kind == "?" else token.kind] + (token.kind == "?")
            while operators and _BINDING[operators[-1].kind] >= bound:
                done.append(operators.pop())
            operators.append(token)
            operand_next = True
        else:
            raise InputError(f"{counted} {line}: {shown(token.text)} where an operator was expected")
    if operand_next:
        raise InputError(f"{counted} {line}: an expression ends where a signal was expected")
    while operators:
        if operators[-1].kind in ("(", "?"):
            token = operators[-1]
            wanted = ")" if token.kind == "(" else ":"
            raise InputError(f"{counted} {token.line}: {shown(token.text)} without its {shown(wanted)}")
        done.append(operators.pop())
    names = dict.fromkeys(item.text for item in done if item.kind == "name")
    return Expression(tuple(done), tuple(names))


def _close(token: Token, operators: list[Token], done: list[Token], counted: str) -> None:
    while operators and operators[-1].kind not in ("(", "?"):
        done.append(operators.pop())
    if not operators or operators[-1].kind == "?":
        raise InputError(f"{counted} {token.line}: ')' without its '('")
    operators.pop()


def _otherwise(token: Token, operators: list[Token], done: list[Token], counted: str) -> None:
    while operators and operators[-1].kind not in ("(", "?"):
        done.append(operators.pop())
    if not operators or operators[-1].kind == "(":
        raise InputError(f"{counted} {token.line}: ':' without its '?'")
    operators[-1] = Token("?:", "?:", token.line)


def table(expression: Expression, order: Sequence[str]) -> int:
    """The truth table over the names in this order, as a number with bit r for row r; for few names only."""
    everything = (1 << (1 << len(order))) - 1
    columns = {name: column(len(order), j) for j, name in enumerate(order)}
    stack: list[int] = []
    for item in expression.items:
        if item.kind == "name":
            stack.append(columns[item.text])
        elif item.kind == "constant":
            stack.append(everything if item.text == "1" else 0)
        elif item.kind == "~":
            stack.append(stack.pop() ^ everything)
        elif item.kind == "?:":
            b, a, select = stack.pop(), stack.pop(), stack.pop()
            stack.append(select & a | (select ^ everything) & b)
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(_applied(item.kind, a, b) & everything)
    return stack[0]


def _applied(kind: str, a: int, b: int) -> int:
    if kind in ("&", "&&"):
        return a & b
    if kind in ("|", "||"):
        return a | b
    if kind == "^":
        return a ^ b
    if kind == "~^":
        return ~(a ^ b)
    raise ValueError(f"no operator {kind}")


def add_expression(draft: Draft, expression: Expression, place: Mapping[Any, int]) -> int:
    """Add the expression to a circuit, as one named gate or gate by gate; returns its source.

    place: the source of each name. A name alone adds no gate.
    """
    if len(expression.items) == 1 and expression.names:
        return place[expression.names[0]]
    names = expression.names
    if len(expression.items) > 1 and len(names) <= _FEW:
        named = named_table(len(names), table(expression, names))
        if named is not None:
            return draft.add(named[0], [place[names[position]] for position in named[1]])
    stack: list[int] = []
    for item in expression.items:
        if item.kind == "name":
            stack.append(place[item.text])
        elif item.kind == "constant":
            stack.append(draft.constant(int(item.text)))
        elif item.kind == "~":
            stack.append(draft.negation(stack.pop()))
        elif item.kind == "?:":
            b, a, select = stack.pop(), stack.pop(), stack.pop()
            stack.append(draft.add(GATES["mux"], (select, b, a)))
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(draft.add(GATES[_GATE[item.kind]], (a, b)))
    return stack[0]
