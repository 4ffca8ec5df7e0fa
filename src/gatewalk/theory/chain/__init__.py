"""The exact solver: a search is a Markov chain on programs, and the chain is built and solved.

Where to begin: `solver` chooses the chain of a search, and there is one file for each kind of search.

- `sam_search`: CGP with SAM, on classes of genotypes (`markov_chain`); `rational_times`: in fractions
- `ranked_search`: the same chain where all inputs can be exchanged, in reach of six nodes
- `point_rate_search`: CGP with point or rate mutation, on all programs
- `tree_search`: tree GP on conjunctions, with a proven error

How the chain of SAM is built, from the bottom up: `node_states`, `symmetries` (with the reason why lumping is
exact), `kernel_tables`, `active_parts`, `program_classes`, `moves`, `inactive_mixing`, `markov_chain`. How it
is solved: `generations`, `offspring_sums`, `level_solver`, `gmres`, `transition`, `hitting_times`,
`distribution`. On sampled training sets: `sampled_sets`, `solved_offspring`. The ranked chain: `input_cells`,
`ranked_programs`, `ranked_chain`, `ranked_moves`, `cell_mixing`.

>>> from gatewalk.theory.chain import exact
>>> round(exact("and:4", nodes=3).expected_iterations, 2)
91.54
"""

from __future__ import annotations

from gatewalk.lazy import exports

TYPE_CHECKING = False
if TYPE_CHECKING:  # for type checkers; at run time `__getattr__` imports them
    # ruff: noqa: F401
    from gatewalk.theory.chain.distribution import Distribution
    from gatewalk.theory.chain.hitting_times import LevelTime
    from gatewalk.theory.chain.rational_times import rational_expectation
    from gatewalk.theory.chain.result import ExactResult
    from gatewalk.theory.chain.sam_search import Exact, exact
    from gatewalk.theory.chain.solver import exact_result

_HOME = {
    "Distribution": "distribution",
    "Exact": "sam_search",
    "ExactResult": "result",
    "LevelTime": "hitting_times",
    "exact": "sam_search",
    "exact_result": "solver",
    "rational_expectation": "rational_times",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
