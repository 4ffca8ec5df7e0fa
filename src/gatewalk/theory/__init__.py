"""The proofs, executable: statements, bounds, levels, drift, and in `chain` the exact solver.

Every result of Dang, Kalkreuth and Opris (2026), "Runtime Analysis of Cartesian Genetic Programming
in Evolving Boolean Functions", is a function named after it; the quantities its proofs estimate can
be watched while the algorithm runs.

>>> from gatewalk.theory import exact
>>> round(exact("and:3", nodes=3, selection="strict").expected_iterations, 2)
38.42
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    # ruff: noqa: F401
    from gatewalk.theory.chain.result import ExactResult
    from gatewalk.theory.chain.sam_search import Exact, exact
    from gatewalk.theory.chain.sampled_sets import SetsResult, exact_sets
    from gatewalk.theory.chain.solver import exact_result
    from gatewalk.theory.drift import Drift, drift_report, wander_runs
    from gatewalk.theory.level_report import Level
    from gatewalk.theory.observation import Observation, observe_runs
    from gatewalk.theory.one_short import OneShort
    from gatewalk.theory.statement import Statement
    from gatewalk.theory.statements import Applied, applied, tail_statements
    from gatewalk.theory.traps import ExactArrivals, TrapArrivals, exact_trap_arrivals, trap_arrivals
    from gatewalk.theory.watching import watch_runs

_HOME = {
    "Applied": "statements",
    "Drift": "drift",
    "Exact": "chain.sam_search",
    "ExactArrivals": "traps",
    "ExactResult": "chain.result",
    "Level": "level_report",
    "Observation": "observation",
    "OneShort": "one_short",
    "SetsResult": "chain.sampled_sets",
    "Statement": "statement",
    "TrapArrivals": "traps",
    "applied": "statements",
    "drift_report": "drift",
    "exact": "chain.sam_search",
    "exact_result": "chain.solver",
    "exact_sets": "chain.sampled_sets",
    "exact_trap_arrivals": "traps",
    "observe_runs": "observation",
    "tail_statements": "statements",
    "trap_arrivals": "traps",
    "wander_runs": "drift",
    "watch_runs": "watching",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
