"""A circuit as text: as expressions, as a table of its gates, and a gate as a formula of its operands.

In expressions, gates are called g1, g2, ... in the order of the circuit. The term of a gate is written where
it is used, unless several gates read it or the line becomes long: then it gets a line and a name of its own,
so that hundreds of gates stay readable.

A formula has not, and, or and exclusive or. It is derived from the truth table, so users' own gates have one
too. `term_of` gives it as a tree, from which SymPy's expressions are made; `gate_formula` writes it with
~ & | ^ and parentheses, as in C, Python, Verilog and SymPy. In all these languages & binds tighter than ^,
and ^ tighter than |; parentheses are written wherever two operators meet.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from gatewalk.boolean.gates import Gate, anf
from gatewalk.circuit.circuit import Circuit, levels, needed
from gatewalk.circuit.covers import cubes_of
from gatewalk.circuit.labels import source_names

LINE = 80

_CHAIN = re.compile(r"~?[abc](?: ([&|^]) ~?[abc](?: \1 ~?[abc])*)")
_OPERAND = re.compile(r"\b[abc]\b")
_MIXED = "mixed"


@dataclass(frozen=True)
class _Term:
    """A text and its outermost operator: `_MIXED` for several, None if it needs no parentheses."""

    text: str
    operator: str | None = None


def expression_lines(circuit: Circuit) -> list[str]:
    """Lines `name = expression`: shared and long terms first, then one line per output."""
    n = len(circuit.input_labels)
    names = source_names(circuit)
    readers = _readers(circuit)
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
    names, level, is_needed = source_names(circuit), levels(circuit), needed(circuit)
    n = len(circuit.input_labels)
    rows = [("name", "gate", "inputs", "level")]
    for i, node in enumerate(circuit.nodes):
        inputs = ", ".join(names[source] for source in node.sources)
        unread = "" if is_needed[n + i] else " (unread)"
        rows.append((names[n + i], node.gate.name, inputs or "-", f"{level[n + i]}{unread}"))
    for label, source in zip(circuit.output_labels, circuit.outputs, strict=True):
        rows.append((label, "output", names[source], f"{level[source]}"))
    a, b, c = (max(len(row[column]) for row in rows) for column in range(3))
    return [f"{name:{a}}  {gate:{b}}  {inputs:{c}}  {at}" for name, gate, inputs, at in rows]


def _readers(circuit: Circuit) -> Counter[int]:
    """How often each source would be written; operands that a gate's symbol does not mention do not count."""
    n, is_needed = len(circuit.input_labels), needed(circuit)
    readers = Counter(circuit.outputs)
    for i, node in enumerate(circuit.nodes):
        if is_needed[n + i]:
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


@dataclass(frozen=True)
class Term:
    """A formula as a tree. sign: "x" for an operand, "0" or "1" for a constant, else an operator."""

    sign: str
    parts: tuple[Term, ...] = ()
    operand: int = 0


def gate_formula(gate: Gate, operands: Sequence[str], *, zero: str, one: str) -> str:
    """The gate's value from operands that are names; `zero` and `one` are the language's constants.

    >>> from gatewalk.boolean.gates import GATES
    >>> gate_formula(GATES["nor"], ["p", "q"], zero="0", one="1")
    '~(p | q)'
    """

    def negated(text: str, is_operand: bool, is_whole: bool) -> str:
        return f"~{text}" if is_operand else f"~({text})"

    return _written(term_of(gate), operands, {"0": zero, "1": one}, negated)


def formula_without_not(gate: Gate, operands: Sequence[str], *, zero: str, one: str, ones: str) -> str:
    """As `gate_formula`, but with `ones ^ x` for ~x, for languages in which ~ makes integers negative."""

    def negated(text: str, is_operand: bool, is_whole: bool) -> str:
        written = f"{ones} ^ {text}" if is_operand else f"{ones} ^ ({text})"
        return written if is_whole else f"({written})"

    return _written(term_of(gate), operands, {"0": zero, "1": one}, negated)


# (text, is_operand, is_whole) -> the negation of the text, which may be a single operand; is_whole: the
# negation is the whole formula and needs no parentheses.
_Negated = Callable[[str, bool, bool], str]


def _written(
    term: Term, operands: Sequence[str], constants: dict[str, str], negated: _Negated, is_whole: bool = True
) -> str:
    if term.sign == "x":
        return operands[term.operand]
    if term.sign in constants:
        return constants[term.sign]
    if term.sign == "~":
        (part,) = term.parts
        return negated(_written(part, operands, constants, negated), part.sign == "x", is_whole)
    texts = (_written(part, operands, constants, negated, is_whole=False) for part in term.parts)
    chain = f" {term.sign} ".join(texts)
    return chain if is_whole else f"({chain})"


def operands_read(gate: Gate) -> list[int]:
    """The positions of the operands that the formula names: those that matter to the gate."""
    positions, stack = set[int](), [term_of(gate)]
    while stack:
        term = stack.pop()
        stack += term.parts
        if term.sign == "x":
            positions.add(term.operand)
    return sorted(positions)


def is_constant(gate: Gate) -> int | None:
    """The value of a constant gate; None if the gate is not constant."""
    if gate.table == 0:
        return 0
    return 1 if gate.table == (1 << (1 << gate.arity)) - 1 else None


@cache
def term_of(gate: Gate) -> Term:
    """The formula as a tree: a constant, a chain of ^, a product, or a sum of products, negated or not."""
    fixed = is_constant(gate)
    if fixed is not None:
        return Term(str(fixed))
    linear = _linear(gate)
    if linear is not None:
        return linear
    opposite = Gate(gate.name, gate.arity, gate.table ^ (1 << (1 << gate.arity)) - 1, "")
    on, off = _products(gate), _products(opposite)
    if len(on) == 1:
        return _without_negations(on[0], "&", "|")
    if len(off) == 1:
        return _without_negations(Term("|", tuple(map(_not, off[0].parts))), "|", "&")
    return min(Term("|", on), _not(Term("|", off)), key=_length)


def _products(gate: Gate) -> tuple[Term, ...]:
    """The gate's cubes, each a product of literals."""
    products = []
    for cube in cubes_of(gate).cubes:
        literals = [
            Term("x", operand=j) if sign == "1" else _not(Term("x", operand=j))
            for j, sign in enumerate(cube)
            if sign != "-"
        ]
        products.append(literals[0] if len(literals) == 1 else Term("&", tuple(literals)))
    return tuple(products)


def _linear(gate: Gate) -> Term | None:
    """A chain of ^, or a single operand, negated or not, if the gate is one; else None."""
    terms = [monomial for monomial, coefficient in enumerate(anf(gate)) if coefficient]
    if any(monomial.bit_count() > 1 for monomial in terms):
        return None
    operands = tuple(Term("x", operand=monomial.bit_length() - 1) for monomial in terms if monomial)
    chain = operands[0] if len(operands) == 1 else Term("^", operands)
    return _not(chain) if 0 in terms else chain


def _without_negations(term: Term, sign: str, dual: str) -> Term:
    """~(a | b) for ~a & ~b: if all parts are negated, one negation is enough."""
    if all(part.sign == "~" for part in term.parts):
        return _not(Term(dual, tuple(part.parts[0] for part in term.parts)))
    return Term(sign, term.parts)


def _not(term: Term) -> Term:
    return term.parts[0] if term.sign == "~" else Term("~", (term,))


def _length(term: Term) -> tuple[int, int]:
    """The length of a formula, for comparisons: the number of negations, then of signs."""
    text = _written(term, "abcdefgh", {}, lambda inner, is_operand, is_whole: f"~({inner})")
    return text.count("~"), len(text)
