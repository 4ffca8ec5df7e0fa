"""The exact solver: a search is a Markov chain on programs, and the chain is built and solved.

`exact` is the door: it chooses the chain of a search. A chain says what one offspring of a parent is
(`solving.Offspring`), and is one of these:

- `sam`: CGP with SAM, on classes of genotypes; also as fractions, and on sampled training sets
- `point_rate`: CGP with point or rate mutation, on all programs
- `trees`: tree GP on conjunctions, with a proven error
- `ranked`: the chain of `sam` where all inputs can be exchanged, in reach of six nodes

All but the last are solved in one way: `solving` (one generation, the linear systems level by level, and the
equations), with `offspring_sums` and `gmres`; `solved_chain` is what then is known, `distribution` its tails.

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
    from gatewalk.theory.chain.exact import exact, exact_result, solve_chain
    from gatewalk.theory.chain.result import ExactResult
    from gatewalk.theory.chain.sam.fractions import expected_fraction
    from gatewalk.theory.chain.solved_chain import LevelTime, SolvedChain

_HOME = {
    "Distribution": "distribution",
    "ExactResult": "result",
    "LevelTime": "solved_chain",
    "SolvedChain": "solved_chain",
    "exact": "exact",
    "exact_result": "exact",
    "expected_fraction": "sam.fractions",
    "solve_chain": "exact",
}
__all__ = sorted(_HOME)
__getattr__, __dir__ = exports(__name__, _HOME)
