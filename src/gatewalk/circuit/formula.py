"""A gate as a formula of its operands, with not, and, or and exclusive or.

The formula is derived from the truth table, so users' own gates have one too. `term_of` gives it as a tree,
from which SymPy's expressions are made; `formula` writes it with ~ & | ^ and parentheses, as in C, Python,
Verilog and SymPy. In all these languages & binds tighter than ^, and ^ tighter than |; parentheses are
written wherever two operators meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from gatewalk.boolean.gates import Gate, anf
from gatewalk.circuit.cubes import cubes_of


@dataclass(frozen=True)
class Term:
    """A formula as a tree. sign: "x" for an operand, "0" or "1" for a constant, else an operator."""

    sign: str
    parts: tuple[Term, ...] = ()
    operand: int = 0


def formula(gate: Gate, operands: Sequence[str], *, zero: str, one: str) -> str:
    """The gate's value from operands that are names; `zero` and `one` are the language's constants.

    Examples
    --------
    >>> from gatewalk.boolean.gates import GATES
    >>> formula(GATES["nor"], ["p", "q"], zero="0", one="1")
    '~(p | q)'
    """

    def negated(text: str, is_operand: bool, is_whole: bool) -> str:
        return f"~{text}" if is_operand else f"~({text})"

    return _written(term_of(gate), operands, {"0": zero, "1": one}, negated)


def formula_without_not(gate: Gate, operands: Sequence[str], *, zero: str, one: str, ones: str) -> str:
    """As `formula`, but with `ones ^ x` for ~x, for languages in which ~ makes integers negative."""

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
    found, stack = set[int](), [term_of(gate)]
    while stack:
        term = stack.pop()
        stack += term.parts
        if term.sign == "x":
            found.add(term.operand)
    return sorted(found)


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
    found = []
    for cube in cubes_of(gate).cubes:
        literals = [
            Term("x", operand=j) if sign == "1" else _not(Term("x", operand=j))
            for j, sign in enumerate(cube)
            if sign != "-"
        ]
        found.append(literals[0] if len(literals) == 1 else Term("&", tuple(literals)))
    return tuple(found)


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
