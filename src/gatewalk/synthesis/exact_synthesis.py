"""The smallest circuit of a function, with the proof that there is no smaller one.

From a lower bound upwards, a SAT solver is asked whether so many gates suffice (`exact_formula.py`), until
they do: every number before was refuted, which is the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from time import monotonic

from gatewalk.boolean.gates import GateSet, gate_set
from gatewalk.boolean.post import missing
from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.own_target import target
from gatewalk.circuit.truth import tables_of
from gatewalk.errors import InputError, shown, whole_number
from gatewalk.extras import need
from gatewalk.synthesis.exact_formula import formula_for, read_model
from gatewalk.synthesis.exact_reduction import circuit_of_steps, reduction
from gatewalk.synthesis.lower_bounds import lower_bound
from gatewalk.synthesis.repertoire import repertoire
from gatewalk.synthesis.solving import satisfied
from gatewalk.synthesis.wanted import Wanted, wanted_of

MOST_INPUTS = 8
TWO_INPUT_GATES = "and,or,xor,nand,nor,xnor,nimply,ncimply,imply,cimply,not,const0,const1"

Watch = Callable[[int, float], None]  # is told how many gates are tried now, and the seconds so far


@dataclass(frozen=True)
class Smallest:
    """The result of exact synthesis.

    Attributes
    ----------
    circuit
        The smallest circuit found; None if none was found in time or within `at_most`.
    lower_bound
        No circuit of these gates is smaller.
    seconds
        How long it took.

    Examples
    --------
    >>> from gatewalk.synthesis import smallest
    >>> found = smallest("maj:3")
    >>> len(found.circuit), found.lower_bound, found.proven
    (4, 4, True)
    """

    circuit: Circuit | None
    lower_bound: int
    seconds: float

    @property
    def proven(self) -> bool:
        """Whether there is a circuit and no smaller one."""
        return self.circuit is not None and len(self.circuit) == self.lower_bound


def smallest(
    what: object,
    *,
    gates: str | GateSet = TWO_INPUT_GATES,
    at_most: int | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
) -> Smallest:
    """A circuit of the fewest gates that computes the function.

    Parameters
    ----------
    what
        Whatever `gatewalk.target` takes, of at most `MOST_INPUTS` inputs; rows that do not count may have
        any value.
    gates
        The gates to use, of at most three inputs each; all that have at most two unless given. Every gate
        counts as one, a negation and a constant too.
    at_most
        No more gates than this are tried.
    seconds
        When they are over, what is known by then is returned. None: no limit.
    watch
        Is told the number of gates that is tried and the seconds so far, some times a second.

    Returns
    -------
    Smallest
        With a circuit if there is one, `lower_bound` in any case.

    Raises
    ------
    InputError
        If no circuit of the gates computes the function, however large, or if there are too many inputs.

    Examples
    --------
    >>> found = smallest("xor:2", gates="nand")
    >>> len(found.circuit), found.proven
    (4, True)
    >>> smallest("maj:3", at_most=3).lower_bound
    4
    """
    need("pysat", "exact synthesis")
    began = monotonic()
    made = target(what)
    listed = gate_set(gates) if isinstance(gates, str) else gates
    wanted = wanted_of(made, most_inputs=MOST_INPUTS, purpose="exact synthesis")
    if at_most is not None:
        whole_number("at_most", at_most, least=0)
    if seconds is not None and not seconds >= 0:
        raise InputError(f"seconds is {shown(seconds)}; it must be at least 0")
    reason = missing(made, listed)
    if reason is not None:
        raise InputError(reason)
    functions = repertoire(listed)
    reduced = reduction(wanted, functions)
    deadline = None if seconds is None else began + seconds
    bound = lower_bound(made, gates=listed).gates
    first = max(bound - reduced.extra, 1) if reduced.asked else 0
    for steps in count(first):
        tried = steps + reduced.extra
        if at_most is not None and tried > at_most:
            break
        if watch is not None:
            watch(tried, monotonic() - began)
        formula = formula_for(reduced.question, steps)
        alive = None if watch is None else lambda tried=tried: watch(tried, monotonic() - began)
        model = satisfied(formula.clauses, deadline=deadline, alive=alive)
        if model is None:
            break
        if model is not False:
            circuit = circuit_of_steps(wanted, reduced, functions, *read_model(formula, model))
            _check(circuit, wanted)
            return Smallest(circuit, tried, monotonic() - began)
    return Smallest(None, tried, monotonic() - began)


def _check(circuit: Circuit, wanted: Wanted) -> None:
    """The circuit is evaluated on every row: a mistake in the formula would be found out here."""
    found = tables_of(circuit, most_inputs=MOST_INPUTS, purpose="exact synthesis")
    for table, value, care in zip(found, wanted.values, wanted.cares, strict=True):
        if (table ^ value) & care:
            raise RuntimeError("exact synthesis made a circuit that does not compute what was wanted")
