"""What every exact solver gives, whatever its chain: the numbers of a search, and its progress on the way."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any

from gatewalk.cgp.cgp_search import CgpSearch
from gatewalk.numbers import for_json
from gatewalk.search.options import Search, cell_values
from gatewalk.search.scheduler import OnProgress


@dataclass(frozen=True, kw_only=True, repr=False)
class ExactResult:
    """The running time of a search, from its Markov chain.

    states: the number of programs; None if there is no end of them.
    classes: the states of the chain that was solved.
    expected_iterations, std_iterations: the expectation and the standard deviation of the running time, from
        the start of the search, as its profile reports it: without `uncounted` offspring.
    worst_start_expected: the expectation from the worst start.
    p_solved_at_start: the chance that the start is a solution.
    p_never: the chance that the target is never found.
    expected_if_solved: the expectation over the searches that end.
    error, std_error: the expectation and the deviation of a truncated chain are in the middle of intervals of
        these lengths.

    >>> from gatewalk import search_for
    >>> from gatewalk.theory import exact_result
    >>> result = exact_result(search_for("and:2", nodes=1))
    >>> result.states, result.classes, round(result.expected_iterations, 3)
    (12, 5, 2.356)
    """

    search: Search
    states: int | None
    classes: int
    expected_iterations: float
    std_iterations: float
    worst_start_expected: float
    p_solved_at_start: float
    p_never: float = 0.0
    expected_if_solved: float = 0.0
    error: float = 0.0
    std_error: float = 0.0

    def __repr__(self) -> str:
        search = self.search
        nodes = f" nodes={search.nodes}" if isinstance(search, CgpSearch) else ""
        return (
            f"<{type(self).__name__} {search.target.label}{nodes} {search.selection} {search.profile}: "
            f"{self.expected_iterations:.6g} expected iterations, deviation {self.std_iterations:.6g}, "
            f"{self.classes:,} classes>"
        )

    @property
    def expected_offspring(self) -> float | None:
        """E[T], with every offspring counted; None if that does not follow, as more than one is not.

        E[T] = E[max(0, T - 1)] + P(T > 0).
        """
        uncounted = self.search.law.uncounted
        if uncounted > 1:
            return None
        return self.expected_iterations + uncounted * (1.0 - self.p_solved_at_start)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{escape(str(value))}</td></tr>" for name, value in self.record().items()
        )
        return f"<table>{rows}</table>"

    def record(self) -> dict[str, Any]:
        """The keys of `gatewalk exact --json`; infinity is the text "inf"."""
        search = self.search
        record = {
            "target": search.target.name,
            "n": search.n,
            "nodes": search.nodes if isinstance(search, CgpSearch) else None,
            "selection": str(search.selection),
            "profile": search.profile,
            "states": inf if self.states is None else self.states,
            "classes": self.classes,
            "expected_iterations": self.expected_iterations,
            "std_iterations": self.std_iterations,
            "worst_start_expected": self.worst_start_expected,
            "p_solved_at_start": self.p_solved_at_start,
        }
        return with_settings(dict(for_json(record)), search)


def with_settings(record: dict[str, Any], search: Search) -> dict[str, Any]:
    """A record with all settings of its search that exact times depend on, by the keys of `evolve --json`.

    Those that it lacks come last, then how many iterations the profile leaves `uncounted`.
    """
    settings = cell_values(search, seed=0)
    missing = {key: settings[key] for key in settings if key not in (*record, "budget", "seed")}
    return {**record, **missing, "uncounted": search.law.uncounted}


def part_of(on_progress: OnProgress, begin: float, end: float) -> OnProgress:
    """The callback for one phase, which takes the whole computation from share `begin` to share `end`.

    A phase reports its own share, from 0 to 1; `on_progress` is told the share of the whole.

    >>> part_of(lambda share, words: print(share, words), 0.5, 1.0)(0.5, "second half")
    0.75 second half
    """
    return lambda share, words: on_progress(begin + (end - begin) * share, words)
