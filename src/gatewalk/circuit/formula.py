"""A gate as a formula of its operands, with not, and, or and exclusive or.

It is made from the gate's truth table, so gates of one's own have one too. `term_of` gives it as a tree, of
which SymPy's expressions are made; `formula` writes it with ~ & | ^ and parentheses, which C, Python, Verilog
and SymPy share. In all these languages & binds tighter than ^, and ^ tighter than |; parentheses are written
wherever two operators meet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from gatewalk.boolean.gates import Gate, anf
from gatewalk.circuit.cubes import cubes_of


@dataclass(frozen=True)
class Term:
    """A tree; its sign is "x" for an operand, "0" or "1" for a constant, else an operator over the parts."""

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
    """The same with `ones ^ x` for ~x, where ~ of an integer would be negative."""

    def negated(text: str, is_operand: bool, is_whole: bool) -> str:
        written = f"{ones} ^ {text}" if is_operand else f"{ones} ^ ({text})"
        return written if is_whole else f"({written})"

    return _written(term_of(gate), operands, {"0": zero, "1": one}, negated)


# Writes a negation: of what, whether that is a single operand, and whether the negation is the whole formula.
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
    found, waiting = set[int](), [term_of(gate)]
    while waiting:
        term = waiting.pop()
        waiting += term.parts
        if term.sign == "x":
            found.add(term.operand)
    return sorted(found)


def is_constant(gate: Gate) -> int | None:
    """The gate's value if it has only one."""
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
    """A chain of ^ if the gate is one, negated or not; a single operand too."""
    terms = [monomial for monomial, coefficient in enumerate(anf(gate)) if coefficient]
    if any(monomial.bit_count() > 1 for monomial in terms):
        return None
    operands = tuple(Term("x", operand=monomial.bit_length() - 1) for monomial in terms if monomial)
    chain = operands[0] if len(operands) == 1 else Term("^", operands)
    return _not(chain) if 0 in terms else chain


def _without_negations(term: Term, sign: str, dual: str) -> Term:
    """~a & ~b as ~(a | b): where all parts are negated one negation will do."""
    if all(part.sign == "~" for part in term.parts):
        return _not(Term(dual, tuple(part.parts[0] for part in term.parts)))
    return Term(sign, term.parts)


def _not(term: Term) -> Term:
    return term.parts[0] if term.sign == "~" else Term("~", (term,))


def _length(term: Term) -> tuple[int, int]:
    """How long a formula is: first its negations count, then its signs."""
    text = _written(term, "abcdefgh", {}, lambda inner, is_operand, is_whole: f"~({inner})")
    return text.count("~"), len(text)
