"""A gate as a formula of operands with ~ & | ^ and parentheses, which C, Python, Verilog and SymPy share.

It is made from the gate's truth table, so gates of one's own have one too. In all these languages
& binds tighter than ^, and ^ tighter than |; parentheses are written wherever two operators meet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from gatewalk.boolean.gates import Gate, anf
from gatewalk.circuit.cubes import cubes_of

_Literals = list[tuple[int, bool]]  # operands, each with whether it is negated


def formula(gate: Gate, operands: Sequence[str], *, zero: str, one: str) -> str:
    """The gate's value from operands that are names; `zero` and `one` are the language's constants.

    Examples
    --------
    >>> from gatewalk.boolean.gates import GATES
    >>> formula(GATES["nor"], ["p", "q"], zero="0", one="1")
    '~(p | q)'
    """
    pattern = _pattern(gate)
    if pattern in ("0", "1"):
        return zero if pattern == "0" else one
    return pattern.format(*operands)


def formula_without_not(gate: Gate, operands: Sequence[str], *, zero: str, one: str, ones: str) -> str:
    """The same with `ones ^ x` for ~x, where ~ of an integer would be negative."""
    pattern = _pattern(gate)
    if pattern in ("0", "1"):
        return zero if pattern == "0" else one
    outer = pattern.startswith("~(") or re.fullmatch(r"~\{\d+\}", pattern) is not None
    inner = re.sub(r"~(\{\d+\})", rf"({ones} ^ \1)", pattern[1:] if outer else pattern)
    return (f"{ones} ^ {inner}" if outer else inner).format(*operands)


def operands_read(gate: Gate) -> list[int]:
    """The positions of the operands that the formula names: those that matter to the gate."""
    return [int(position) for position in sorted(set(re.findall(r"\{(\d+)\}", _pattern(gate))))]


def is_constant(gate: Gate) -> int | None:
    """The gate's value if it has only one."""
    if gate.table == 0:
        return 0
    return 1 if gate.table == (1 << (1 << gate.arity)) - 1 else None


@cache
def _pattern(gate: Gate) -> str:
    """The formula with {0}, {1}, ... for the operands."""
    fixed = is_constant(gate)
    if fixed is not None:
        return str(fixed)
    opposite = Gate(gate.name, gate.arity, gate.table ^ (1 << (1 << gate.arity)) - 1, "")
    on, off = _cubes(gate), _cubes(opposite)
    linear = _linear(gate)
    if linear is not None:
        return linear
    if len(on) == 1:
        return _product(on[0])
    if len(off) == 1:
        return _negated_product(off[0])
    return min(_sum(on), f"~({_sum(off)})", key=lambda text: (text.count("~"), len(text)))


def _cubes(gate: Gate) -> list[_Literals]:
    return [[(j, sign == "0") for j, sign in enumerate(cube) if sign != "-"] for cube in cubes_of(gate).cubes]


def _linear(gate: Gate) -> str | None:
    """A chain of ^ if the gate is one, negated or not; a single operand too."""
    terms = [monomial for monomial, coefficient in enumerate(anf(gate)) if coefficient]
    if any(monomial.bit_count() > 1 for monomial in terms):
        return None
    operands = [f"{{{monomial.bit_length() - 1}}}" for monomial in terms if monomial]
    chain = " ^ ".join(operands)
    if 0 not in terms:
        return chain
    return f"~({chain})" if len(operands) > 1 else f"~{chain}"


def _product(literals: _Literals) -> str:
    if len(literals) > 1 and all(negated for _, negated in literals):
        return f"~({' | '.join(f'{{{j}}}' for j, _ in literals)})"
    return " & ".join(_literal(j, negated) for j, negated in literals)


def _negated_product(literals: _Literals) -> str:
    if len(literals) > 1 and not any(negated for _, negated in literals):
        return f"~({' & '.join(f'{{{j}}}' for j, _ in literals)})"
    return " | ".join(_literal(j, not negated) for j, negated in literals)


def _sum(products: list[_Literals]) -> str:
    texts = []
    for literals in products:
        text = " & ".join(_literal(j, negated) for j, negated in literals)
        texts.append(f"({text})" if len(literals) > 1 else text)
    return " | ".join(texts)


def _literal(j: int, negated: bool) -> str:
    return f"~{{{j}}}" if negated else f"{{{j}}}"
