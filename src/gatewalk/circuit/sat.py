"""SAT: two circuits compared by a formula, and a solver that can be stopped by a time limit and by Ctrl-C.

The formula is satisfied exactly by the rows on which the circuits differ. Each gate becomes clauses that
relate its output to its inputs (Tseitin, "On the complexity of derivation in propositional calculus", 1968),
made from its truth table, so any gate is possible. Both circuits read the same variables. Gates that are
easily seen to be the same in both are merged first (`simplification.py`), and outputs that are sums of the
same inputs modulo two are compared directly.

The solvers are two versions of CaDiCaL (Biere and others), from the extra `sat`. Circuits are compared by
1.9.5. Exact synthesis takes 1.5.3, which among the solvers of python-sat that can be stopped took the least
time on hard formulas of its kind; Glucose 4 is faster on those that take about a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import product
from time import monotonic
from typing import Literal

from gatewalk.boolean.gates import GATES, Gate, anf
from gatewalk.circuit.circuit import Circuit, Node
from gatewalk.circuit.simplification import simplify
from gatewalk.errors import InputError
from gatewalk.extras import need

SOLVER = "cadical195"
STOPPABLE_SOLVER = "cadical153"
_MOST_MERGED = 4  # up to so many inputs of a gate, its rows are merged to fewer, shorter clauses
_MOST_INPUTS = 12  # the most inputs of a gate: it has a clause for each of its rows
_FIRST_SLICE = 1000  # conflicts
_SLICE_SECONDS = 0.25

Clause = tuple[int, ...]  # literals: variable j + 1, negative if negated


def difference(one: Circuit, other: Circuit) -> tuple[int, ...] | None:
    """The inputs of a row on which two circuits of the same shape differ; None if there is no such row."""
    need("pysat", "proving that circuits of many inputs are equal")
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
    clauses = clauses_of(miter)
    first = n + len(miter) + 1
    for selector, (a, b) in enumerate(pairs, start=first):
        # If the selector is true, these two outputs differ.
        clauses += [[-selector, a + 1, b + 1], [-selector, -a - 1, -b - 1]]
    clauses.append(list(range(first, first + len(pairs))))
    model = satisfied(clauses, solver=SOLVER, in_slices=False)
    if not model:
        return None
    true = {literal for literal in model if literal > 0}
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
        raise InputError(
            f"a gate of {arity} inputs is too wide for SAT, which handles at most {_MOST_INPUTS}"
        )
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


def affine_forms(circuit: Circuit) -> list[int | None]:
    """For every source the set of inputs whose sum it is, as bits; None if its gates do not show that.

    Bit i stands for input i, and bit n, where n is the number of inputs, for the constant 1.

    SAT solvers cannot prove two trees of exclusive or gates over many inputs equal in any reasonable time
    (A. Urquhart, "Hard examples for resolution", 1987); comparing the sums does so at once.

    >>> from gatewalk.boolean.gates import gate
    >>> nodes = (Node(gate("xnor"), (0, 1)), Node(gate("xor"), (2, 1)), Node(gate("and"), (0, 1)))
    >>> [form and bin(form) for form in affine_forms(Circuit(("a", "b"), nodes, (3, 4), ("y", "z")))]
    ['0b1', '0b10', '0b111', '0b101', None]
    """
    n = len(circuit.input_labels)
    one = 1 << n
    forms: list[int | None] = [1 << i for i in range(n)]
    for node in circuit.nodes:
        terms = _terms(node.gate)
        total = None if terms is None else 0
        for position in terms or ():
            part = one if position is None else forms[node.sources[position]]
            total = None if total is None or part is None else total ^ part
        forms.append(total)
    return forms


@cache
def _terms(gate: Gate) -> tuple[int | None, ...] | None:
    """The inputs that a gate adds up, with None for the constant 1; no list if the gate is not a sum."""
    terms: list[int | None] = []
    for monomial, coefficient in enumerate(anf(gate)):
        if coefficient:
            if monomial.bit_count() > 1:
                return None
            terms.append(monomial.bit_length() - 1 if monomial else None)
    return tuple(terms)


def satisfied(
    clauses: Sequence[Sequence[int]],
    *,
    stop: Callable[[], bool] = lambda: False,
    solver: str = STOPPABLE_SOLVER,
    in_slices: bool = True,
) -> list[int] | Literal[False] | None:
    """A model of the clauses, as a list of literals; False if there is none; None if `stop` said yes.

    A literal is the number of a variable, from 1, and negative if negated. The solver works in slices of a
    limited number of conflicts and keeps what it has learnt. Before every slice, about four times a second,
    `stop` is asked, which may also report progress. Slices change which model is found; without them the
    solver ends with an answer or at Ctrl-C.

    >>> satisfied([[1, 2], [-1]]), satisfied([[1], [-1]])
    ([-1, 2], False)
    """
    need("pysat", "exact synthesis")
    from pysat.solvers import Solver

    conflicts = _FIRST_SLICE
    with Solver(name=solver, bootstrap_with=clauses) as working:
        while not stop():
            began = monotonic()
            if in_slices:
                working.conf_budget(conflicts)
            with _interruptible():
                answer = working.solve_limited() if in_slices else working.solve()
            if answer is not None:
                return list(working.get_model()) if answer else False
            if monotonic() - began < _SLICE_SECONDS / 2:
                conflicts *= 2
            elif monotonic() - began > _SLICE_SECONDS:
                conflicts = max(_FIRST_SLICE, conflicts // 2)
    return None


@contextmanager
def _interruptible() -> Iterator[None]:
    """Turn python-sat's own error at Ctrl-C into KeyboardInterrupt."""
    from pysolvers import error

    try:
        yield
    except error as stopped:
        if "interrupt" in str(stopped):
            raise KeyboardInterrupt from None
        raise
