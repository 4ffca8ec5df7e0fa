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
    from gatewalk.theory.assumptions import Statement
    from gatewalk.theory.chain.exact import exact, exact_result
    from gatewalk.theory.chain.result import ExactResult
    from gatewalk.theory.chain.sam.sampled_sets import SetsResult, exact_sets
    from gatewalk.theory.chain.solved_chain import SolvedChain
    from gatewalk.theory.chain_bounds import certified_levels
    from gatewalk.theory.observe.drift import Drift, drift_report, drift_runs
    from gatewalk.theory.observe.levels import Level, level_runs
    from gatewalk.theory.observe.observation import Observation, observe_runs
    from gatewalk.theory.one_short import OneShort
    from gatewalk.theory.statements import Applied, applied, tail_statements
    from gatewalk.theory.traps import ExactArrivals, TrapArrivals, exact_trap_arrivals, trap_arrivals

_HOME = {
    "Applied": "statements",
    "Drift": "observe.drift",
    "ExactArrivals": "traps",
    "ExactResult": "chain.result",
    "Level": "observe.levels",
    "Observation": "observe.observation",
    "OneShort": "one_short",
    "SetsResult": "chain.sam.sampled_sets",
    "SolvedChain": "chain.solved_chain",
    "Statement": "assumptions",
    "TrapArrivals": "traps",
    "applied": "statements",
    "certified_levels": "chain_bounds",
    "drift_report": "observe.drift",
    "drift_runs": "observe.drift",
    "exact": "chain.exact",
    "exact_result": "chain.exact",
    "exact_sets": "chain.sam.sampled_sets",
    "exact_trap_arrivals": "traps",
    "level_runs": "observe.levels",
    "observe_runs": "observe.observation",
    "tail_statements": "statements",
    "trap_arrivals": "traps",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
