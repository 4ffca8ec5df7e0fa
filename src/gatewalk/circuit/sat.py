"""Equivalence of two circuits by SAT: a formula that is satisfied exactly by the rows on which they differ.

Each gate becomes clauses that relate its output to its inputs (Tseitin, "On the complexity of derivation in
propositional calculus", 1968), made from its truth table, so any gate is possible. Both circuits read the
same variables. Gates that are easily seen to be the same in both are merged first (`simplification.py`), and
outputs that are sums of the same inputs are compared directly (`affine_forms.py`). The solver is CaDiCaL
(Biere and others), from the extra `sat`.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from gatewalk.boolean.gates import GATES
from gatewalk.circuit.affine_forms import affine_forms
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError
from gatewalk.extras import need

SOLVER = "cadical195"
_MOST_MERGED = 4  # up to so many inputs of a gate, its rows are merged to fewer, shorter clauses
_MOST_INPUTS = 12  # the most inputs of a gate: it has a clause for each of its rows

Clause = tuple[int, ...]  # literals: variable j + 1, negative if negated


def difference(one: Circuit, other: Circuit) -> tuple[int, ...] | None:
    """The inputs of a row on which two circuits of the same shape differ; None if there is no such row."""
    need("pysat", "proving that circuits of many inputs are equal")
    from pysat.solvers import Solver

    miter = simplify(joined(one, other))
    n = len(one.input_labels)
    half = len(one.outputs)
    forms = affine_forms(miter)
    pairs = [
        (a, b)
        for a, b in zip(miter.outputs[:half], miter.outputs[half:], strict=True)
        if a != b and (forms[a] is None or forms[a] != forms[b])
    ]
    if not pairs:
        return None
    with Solver(name=SOLVER) as solver:
        solver.append_formula(clauses_of(miter))
        first = n + len(miter) + 1
        for selector, (a, b) in enumerate(pairs, start=first):
            # If the selector is true, these two outputs differ.
            solver.append_formula([[-selector, a + 1, b + 1], [-selector, -a - 1, -b - 1]])
        solver.add_clause(list(range(first, first + len(pairs))))
        if not _solved(solver):
            return None
        true = {literal for literal in solver.get_model() if literal > 0}
    return tuple(int(i + 1 in true) for i in range(n))


def joined(one: Circuit, other: Circuit) -> Circuit:
    """Both circuits as one that reads the inputs once; the outputs of the first come before the other's."""
    n, shift = len(one.input_labels), len(one)

    def moved(source: int) -> int:
        return source if source < n else source + shift

    nodes = tuple(Node(node.gate, tuple(moved(source) for source in node.sources)) for node in other.nodes)
    outputs = one.outputs + tuple(moved(source) for source in other.outputs)
    labels = tuple(f"y{j}" for j in range(len(outputs)))
    return Circuit(one.input_labels, one.nodes + nodes, outputs, labels)


def where(circuit: Circuit, cares: Circuit) -> Circuit:
    """The circuit with each output 0 wherever the output of `cares`, a circuit of the same shape, is 0."""
    both = joined(circuit, cares)
    first, half = len(both.input_labels) + len(both), len(circuit.outputs)
    pairs = zip(both.outputs[:half], both.outputs[half:], strict=True)
    nodes = both.nodes + tuple(Node(GATES["and"], pair) for pair in pairs)
    return Circuit(circuit.input_labels, nodes, tuple(range(first, first + half)), circuit.output_labels)


def clauses_of(circuit: Circuit) -> list[list[int]]:
    """Clauses satisfied exactly by the values of all sources on a row; variable s + 1 is source s."""
    n = len(circuit.input_labels)
    clauses: list[list[int]] = []
    for i, node in enumerate(circuit.nodes):
        variables = [*(source + 1 for source in node.sources), n + i + 1]
        for clause in _gate_clauses(node.gate.arity, node.gate.table):
            clauses.append([variables[abs(j) - 1] * (1 if j > 0 else -1) for j in clause])
    return clauses


@cache
def _gate_clauses(arity: int, table: int) -> tuple[Clause, ...]:
    """Clauses over inputs 1 to arity and the output, arity + 1: each excludes rows with a wrong output."""
    if arity > _MOST_INPUTS:
        raise InputError(f"a gate of {arity} inputs has too many rows for SAT, which takes {_MOST_INPUTS}")
    signs = (None, 0, 1) if arity <= _MOST_MERGED else (0, 1)
    cubes = sorted(product(signs, repeat=arity), key=lambda cube: -cube.count(None))
    clauses: list[Clause] = []
    for value in (0, 1):
        left = {row for row in range(1 << arity) if table >> row & 1 == value}
        allowed = frozenset(left)
        for cube in cubes:
            rows = {
                row
                for row in range(1 << arity)
                if all(sign is None or sign == row >> j & 1 for j, sign in enumerate(cube))
            }
            if rows <= allowed and rows & left:
                left -= rows
                inputs = tuple(-(j + 1) if sign else j + 1 for j, sign in enumerate(cube) if sign is not None)
                clauses.append((*inputs, arity + 1 if value else -(arity + 1)))
    return tuple(clauses)


def _solved(solver: object) -> bool:
    """Whether the formula is satisfiable; raises KeyboardInterrupt if the solver reports Ctrl-C."""
    from pysolvers import error

    try:
        return bool(solver.solve())  # type: ignore[attr-defined]
    except error as stopped:
        if "interrupt" in str(stopped):
            raise KeyboardInterrupt from None
        raise
