"""A SAT solver that can be stopped: by a time limit and by Ctrl-C.

CaDiCaL (Biere and others), from the extra `sat`, works in slices of a limited number of conflicts and keeps
what it has learnt; between two slices Python checks the time limit. Within a slice, python-sat itself answers
Ctrl-C. Among its solvers that can be stopped, CaDiCaL 1.5.3 took the least time on hard formulas of exact
synthesis; Glucose 4 is faster on those that take about a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Literal

from gatewalk.extras import need

SOLVER = "cadical153"
_FIRST_SLICE = 1000  # conflicts
_SLICE_SECONDS = 0.25

Alive = Callable[[], None]  # called between two slices


def satisfied(
    clauses: Sequence[Sequence[int]],
    *,
    deadline: float | None = None,
    alive: Alive | None = None,
    solver: str = SOLVER,
) -> list[int] | Literal[False] | None:
    """A model of the clauses, as a list of literals; False if there is none; None if time ran out.

    Parameters
    ----------
    clauses
        Lists of literals. A literal is the number of a variable, from 1, and negative if negated.
    deadline
        When to give up, as a value of `time.monotonic()`; None: never.
    alive
        Called about four times a second.

    Examples
    --------
    >>> satisfied([[1, 2], [-1]]), satisfied([[1], [-1]])
    ([-1, 2], False)
    """
    need("pysat", "exact synthesis")
    from pysat.solvers import Solver
    from pysolvers import error

    conflicts = _FIRST_SLICE
    with Solver(name=solver, bootstrap_with=clauses) as working:
        while True:
            began = monotonic()
            if deadline is not None and began >= deadline:
                return None
            working.conf_budget(conflicts)
            try:
                answer = working.solve_limited()
            except error as stopped:
                if "interrupt" in str(stopped):
                    raise KeyboardInterrupt from None
                raise
            if answer is not None:
                return list(working.get_model()) if answer else False
            if monotonic() - began < _SLICE_SECONDS / 2:
                conflicts *= 2
            elif monotonic() - began > _SLICE_SECONDS:
                conflicts = max(_FIRST_SLICE, conflicts // 2)
            if alive is not None:
                alive()
