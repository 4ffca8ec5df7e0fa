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
    from gatewalk.theory.chain.exact import exact as exact
    from gatewalk.theory.chain.exact import exact_result as exact_result
    from gatewalk.theory.chain.sam.sampled_sets import exact_sets as exact_sets
    from gatewalk.theory.chain_bounds import certified_levels as certified_levels
    from gatewalk.theory.observe.drift import Drift as Drift
    from gatewalk.theory.observe.identical_offspring import identical_runs as identical_runs
    from gatewalk.theory.observe.levels import Level as Level
    from gatewalk.theory.observe.observation import observe_runs as observe_runs
    from gatewalk.theory.observe.watching import follow as follow
    from gatewalk.theory.statements import applied as applied

_HOME = {
    "Drift": "observe.drift",
    "Level": "observe.levels",
    "applied": "statements",
    "certified_levels": "chain_bounds",
    "exact": "chain.exact",
    "exact_result": "chain.exact",
    "exact_sets": "chain.sam.sampled_sets",
    "follow": "observe.watching",
    "identical_runs": "observe.identical_offspring",
    "observe_runs": "observe.observation",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
