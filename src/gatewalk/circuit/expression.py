"""Boolean expressions as files write them, with operators and parentheses, in postfix order.

Read by Dijkstra's shunting yard ("Algol 60 translation", 1961) with stacks and no recursion, so that
nesting of any depth is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.cubes import named_table
from gatewalk.circuit.draft import Draft, add, constant, negation
from gatewalk.errors import InputError, shown

# Operators by what binds tighter, as in Verilog (IEEE 1364-2005, table 5-4).
_BINDING = {"~": 7, "&": 6, "^": 5, "~^": 5, "|": 4, "&&": 3, "||": 2, "?:": 1, "?": 0, "(": 0}
_GATE = {"&": "and", "&&": "and", "|": "or", "||": "or", "^": "xor", "~^": "xnor"}
_FEW = 3  # inputs of the widest named gate


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression: kind "name", "constant", or the operator or parenthesis itself."""

    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Expression:
    """Operands and operators in postfix order."""

    items: tuple[Token, ...]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names read, each once, in the order of the text."""
        return tuple(dict.fromkeys(item.text for item in self.items if item.kind == "name"))


def parse(tokens: Iterable[Token], line: int) -> Expression:
    """The expression that these tokens, and nothing else, write; an error about none names the line."""
    done: list[Token] = []
    waiting: list[Token] = []
    operand_next = True
    for token in tokens:
        line = token.line
        if operand_next:
            if token.kind in ("name", "constant"):
                done.append(token)
                operand_next = False
            elif token.kind in ("~", "("):
                waiting.append(token)
            else:
                raise InputError(f"line {line}: {shown(token.text)} where a signal was expected")
        elif token.kind == "'":  # a negation after its operand
            done.append(Token("~", token.text, line))
        elif token.kind == ")":
            _close(token, waiting, done)
        elif token.kind == ":":
            _otherwise(token, waiting, done)
            operand_next = True
        elif token.kind == "?" or token.kind in _GATE:
            bound = _BINDING["?:" if token.kind == "?" else token.kind] + (token.kind == "?")
            while waiting and _BINDING[waiting[-1].kind] >= bound:
                done.append(waiting.pop())
            waiting.append(token)
            operand_next = True
        else:
            raise InputError(f"line {line}: {shown(token.text)} where an operator was expected")
    if operand_next:
        raise InputError(f"line {line}: an expression ends where a signal was expected")
    while waiting:
        if waiting[-1].kind in ("(", "?"):
            token = waiting[-1]
            wanted = ")" if token.kind == "(" else ":"
            raise InputError(f"line {token.line}: {shown(token.text)} without its {shown(wanted)}")
        done.append(waiting.pop())
    return Expression(tuple(done))


def _close(token: Token, waiting: list[Token], done: list[Token]) -> None:
    while waiting and waiting[-1].kind not in ("(", "?"):
        done.append(waiting.pop())
    if not waiting or waiting[-1].kind == "?":
        raise InputError(f"line {token.line}: ')' without its '('")
    waiting.pop()


def _otherwise(token: Token, waiting: list[Token], done: list[Token]) -> None:
    while waiting and waiting[-1].kind not in ("(", "?"):
        done.append(waiting.pop())
    if not waiting or waiting[-1].kind == "(":
        raise InputError(f"line {token.line}: ':' without its '?'")
    waiting[-1] = Token("?:", "?:", token.line)


def table(expression: Expression, order: Sequence[str]) -> int:
    """The truth table over the names in this order, bit r the value on row r; for few names only."""
    everything = (1 << (1 << len(order))) - 1
    column = {
        name: sum(1 << row for row in range(1 << len(order)) if row >> j & 1) for j, name in enumerate(order)
    }
    stack: list[int] = []
    for item in expression.items:
        if item.kind == "name":
            stack.append(column[item.text])
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


def add_expression(draft: Draft, expression: Expression, place: Mapping[str, int]) -> int:
    """Put the expression into a circuit: as one named gate, or gate by gate. A name alone adds none."""
    names = expression.names
    if len(expression.items) > 1 and len(names) <= _FEW:
        named = named_table(len(names), table(expression, names))
        if named is not None:
            return add(draft, named[0], [place[names[position]] for position in named[1]])
    stack: list[int] = []
    for item in expression.items:
        if item.kind == "name":
            stack.append(place[item.text])
        elif item.kind == "constant":
            stack.append(constant(draft, int(item.text)))
        elif item.kind == "~":
            stack.append(negation(draft, stack.pop()))
        elif item.kind == "?:":
            b, a, select = stack.pop(), stack.pop(), stack.pop()
            stack.append(add(draft, GATES["mux"], (select, b, a)))
        else:
            b, a = stack.pop(), stack.pop()
            stack.append(add(draft, GATES[_GATE[item.kind]], (a, b)))
    return stack[0]
